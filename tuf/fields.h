#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace curupira::tuf {

/// Reads the members of one object of metadata; each member is asked for once, and what nobody asked for is
/// kept. Errors are tuf_field and name the place: "root: roles.timestamp.threshold has to be …".
class Fields {
 public:
  /// `value` has to outlive this, and to be an object.
  static Result<Fields> of(const json::Value& value, std::string where);
  Fields(const json::Object& object, std::string where) : object_(object), where_(std::move(where)) {}

  Result<std::string> text(std::string_view name);
  Result<std::int64_t> number(std::string_view name, std::int64_t least);
  Result<std::optional<std::int64_t>> optional_number(std::string_view name, std::int64_t least);
  Result<std::optional<bool>> optional_flag(std::string_view name);
  /// "2030-01-01T00:00:00Z", no other form (TUF 1.0.34 §4.2).
  Result<std::chrono::sys_seconds> time(std::string_view name);
  Result<std::vector<std::string>> texts(std::string_view name);
  Result<Fields> object(std::string_view name);
  Result<const json::Array*> array(std::string_view name);
  /// The member as it is, or null.
  const json::Value* optional(std::string_view name);

  const json::Object& members() const { return object_; }
  std::string place(std::string_view name) const;  ///< of a member, for errors
  /// The members that nobody asked for.
  json::Object rest() const;

 private:
  Result<const json::Value*> required(std::string_view name);

  const json::Object& object_;
  std::string where_;
  std::vector<std::string> known_ = {};
};

}  // namespace curupira::tuf
