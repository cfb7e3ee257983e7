#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace curupira::json {

class Value;
class TreeBuilder;
using Array = std::vector<Value>;

/// Members in the order in which they were written; names are unique.
class Object {
 public:
  using Member = std::pair<std::string, Value>;
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);
  /// Adds the member, or replaces its value.
  void set(std::string name, Value value);
  /// Adds the member without looking whether there is one of that name: for names known to be unique.
  void append(std::string name, Value value);
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  std::size_t size() const;
  bool empty() const { return size() == 0; }
  std::vector<Member>::const_iterator begin() const;
  std::vector<Member>::const_iterator end() const;
  bool operator==(const Object&) const;  ///< the order counts

 private:
  friend class TreeBuilder;  // the parser adds members without looking for each name: it proves uniqueness at
                             // the end
  std::vector<Member> members_;
};

/// A JSON value. The library behind the parser appears in json.cpp only.
class Value {
 public:
  using Variant =
      std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;

  Value() : variant_(nullptr) {}
  Value(std::nullptr_t) : variant_(nullptr) {}
  Value(bool b) : variant_(b) {}
  Value(int i) : variant_(std::int64_t{i}) {}
  Value(std::int64_t i) : variant_(i) {}
  Value(std::uint64_t u) : variant_(u) {}  ///< values that fit become std::int64_t only in the parser
  Value(double d) : variant_(d) {}
  Value(const char* s) : variant_(std::string(s)) {}
  Value(std::string_view s) : variant_(std::string(s)) {}
  Value(std::string s) : variant_(std::move(s)) {}
  Value(Array a) : variant_(std::move(a)) {}
  Value(Object o) : variant_(std::move(o)) {}

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(variant_); }
  const bool* as_bool() const { return std::get_if<bool>(&variant_); }
  /// A whole number that fits, also when it is written 1.0 or 1e3 (then up to 2^53); nothing for fractions,
  /// strings and larger numbers.
  std::optional<std::int64_t> as_int() const;
  std::optional<std::uint64_t> as_uint() const;
  std::optional<double> as_double() const;  ///< any number
  const std::string* as_string() const { return std::get_if<std::string>(&variant_); }
  const Array* as_array() const { return std::get_if<Array>(&variant_); }
  Array* as_array() { return std::get_if<Array>(&variant_); }
  const Object* as_object() const { return std::get_if<Object>(&variant_); }
  Object* as_object() { return std::get_if<Object>(&variant_); }
  /// The member of an object, or nothing when this is no object or has no such member.
  const Value* find(std::string_view name) const;
  /// The string member of an object, or nothing.
  const std::string* find_string(std::string_view name) const;

  std::string_view type_name() const;  ///< "null", "boolean", "number", "string", "array", "object"
  const Variant& variant() const { return variant_; }
  bool operator==(const Value&) const = default;

 private:
  Variant variant_;
};

inline std::size_t Object::size() const {
  return members_.size();
}
inline std::vector<Object::Member>::const_iterator Object::begin() const {
  return members_.begin();
}
inline std::vector<Object::Member>::const_iterator Object::end() const {
  return members_.end();
}

/// What a text from outside may cost.
struct Limits {
  std::size_t max_bytes = 64u << 20;
  int max_depth = 128;
  bool whole_numbers_only = false;  ///< refuses 1.5, and also 1.0 and 1e3: for texts that are signed
};

/// One JSON text (RFC 8259), UTF-8, nothing after it. A member name that appears twice is refused: two
/// readers would read two things. Error: json_invalid with the byte offset.
Result<Value> parse(std::string_view text, const Limits& limits = {});

/// Compact, members in their order, non-ASCII as UTF-8, only the escapes that JSON requires
/// (\" \\ \b \f \n \r \t, \u00xx in lower case for other control characters; spec/protocol.md §3.3). What
/// JSON cannot say is written as null (infinity, not a number) or U+FFFD (bytes that are not UTF-8).
std::string write(const Value& value);
/// Two spaces a level, a newline at the end: for files and for --json.
std::string write_pretty(const Value& value);
/// Appends the JSON string literal of `text`.
void append_string(std::string& out, std::string_view text);

}  // namespace curupira::json
