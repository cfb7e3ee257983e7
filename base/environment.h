#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace curupira {

/// The environment variables of a process, as a value. Only cli/main.cpp reads the real ones.
class Environment {
 public:
  Environment() = default;
  /// Environment{{"PATH", "/bin"}, {"LANG", "C"}}
  Environment(std::initializer_list<std::pair<const std::string, std::string>> variables)
      : variables_(variables) {}
  explicit Environment(std::map<std::string, std::string, std::less<>> variables)
      : variables_(std::move(variables)) {}
  /// From the `environ` of a process.
  static Environment from(const char* const* entries);

  /// Nothing when unset; an empty value is a value.
  std::optional<std::string> get(std::string_view name) const;
  /// The value, or `fallback` when unset or empty.
  std::string get_or(std::string_view name, std::string_view fallback) const;
  void set(std::string name, std::string value) { variables_[std::move(name)] = std::move(value); }
  void unset(std::string_view name);
  /// Only those of `names` that are set.
  Environment only(const std::vector<std::string>& names) const;
  /// "NAME=value" for execve.
  std::vector<std::string> entries() const;
  const std::map<std::string, std::string, std::less<>>& variables() const { return variables_; }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

}  // namespace curupira
