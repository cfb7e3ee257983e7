#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostics.h"
#include "base/json.h"
#include "base/result.h"

namespace curupira::toml {

class Value;
using Array = std::vector<Value>;

/// A table whose entries stand in the order of the file.
class Table {
 public:
  struct Entry;
  Table() = default;
  /// A table that stands at `position` in its file.
  explicit Table(TextPosition position) : position_(position) {}

  const Value* find(std::string_view name) const;
  /// Where the key of the entry stands; the table's own place when there is none.
  TextPosition key_position(std::string_view name) const;
  void add(std::string name, TextPosition key_position, Value value);
  std::size_t size() const;
  std::vector<Entry>::const_iterator begin() const;
  std::vector<Entry>::const_iterator end() const;

 private:
  std::vector<Entry> entries_;
  TextPosition position_;
};

/// A date, a time or both, as the text that TOML writes.
struct DateTime {
  std::string text;
};

/// A TOML value with its place in the file. The library behind the parser appears in toml.cpp only.
class Value {
 public:
  using Variant = std::variant<std::string, std::int64_t, double, bool, DateTime, Array, Table>;
  Value(Variant variant, TextPosition position) : variant_(std::move(variant)), position_(position) {}

  const std::string* as_string() const { return std::get_if<std::string>(&variant_); }
  const std::int64_t* as_integer() const { return std::get_if<std::int64_t>(&variant_); }
  const double* as_float() const { return std::get_if<double>(&variant_); }
  const bool* as_bool() const { return std::get_if<bool>(&variant_); }
  const DateTime* as_date_time() const { return std::get_if<DateTime>(&variant_); }
  const Array* as_array() const { return std::get_if<Array>(&variant_); }
  const Table* as_table() const { return std::get_if<Table>(&variant_); }

  TextPosition position() const { return position_; }
  std::string_view type_name() const;  ///< "string", "integer", "float", "boolean", "date", "array", "table"
  json::Value to_json() const;         ///< dates become strings

 private:
  Variant variant_;
  TextPosition position_;
};

struct Table::Entry {
  std::string name;
  TextPosition key_position;
  Value value;
};

inline std::vector<Table::Entry>::const_iterator Table::begin() const {
  return entries_.begin();
}
inline std::vector<Table::Entry>::const_iterator Table::end() const {
  return entries_.end();
}

struct Limits {
  std::size_t max_bytes = 1u << 20;
  int max_depth = 64;
};

/// A failed parse: where and why. `too_large` is set when a limit was passed rather than the syntax wrong.
struct ParseError {
  TextPosition position;
  std::string reason;
  bool too_large = false;
};

/// Parses a TOML 1.0 document. NUL, invalid UTF-8 and duplicate keys are errors, as are the limits.
tl::expected<Table, ParseError> parse(std::string_view text, const Limits& limits = {});

/// A basic string with its quotes and escapes: for writing files. Bytes that are not UTF-8 become U+FFFD.
std::string quote(std::string_view text);
/// The key as written in a file: bare where allowed, else quoted.
std::string key(std::string_view name);

}  // namespace curupira::toml
