#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace curupira::cli {

struct RegistryAddArguments {
  std::string name;
  std::string url;
  std::optional<std::string> fingerprint = {};
  std::vector<std::string> mirrors = {};
};

struct RegistryListArguments {};

struct RegistryRemoveArguments {
  std::string name;
};

struct SearchArguments {
  std::vector<std::string> words;
  std::vector<std::string> registries = {};  ///< empty: all
  bool offline = false;
};

using RegistryUseArguments =
    std::variant<RegistryAddArguments, RegistryListArguments, RegistryRemoveArguments, SearchArguments>;

/// What users of registries have on the command line: `registry add`, `list`, `remove`, and `plugins search`.
class RegistryUseCommands {
 public:
  /// Adds them to the groups. `add_common` gives a command the options that all have. Has to outlive the
  /// parse.
  RegistryUseCommands(CLI::App& registry, CLI::App& plugins,
                      const std::function<void(CLI::App&)>& add_common);
  RegistryUseCommands(RegistryUseCommands&&) noexcept;
  ~RegistryUseCommands();
  /// The command that was parsed, if it was one of them.
  std::optional<RegistryUseArguments> chosen() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curupira::cli
