#pragma once

#include <string>
#include <utility>

namespace curupira {

/// A password or token. It has no output operator and no conversion: only `reveal()` at the place that sends
/// it.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  bool empty() const { return value_.empty(); }
  const std::string& reveal() const { return value_; }
  bool operator==(const Secret&) const = default;

 private:
  std::string value_;
};

}  // namespace curupira
