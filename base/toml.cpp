#include "base/toml.h"

// The parser is compiled here and without its assertions: Debian's library of it has them on, and hostile
// text reaches them ("a = [[[}" ends the process). Behind each of them stands an error of the parser's own,
// which is what we want.
#undef NDEBUG  // with it, the library would turn some of them into promises to the compiler
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "base/printable.h"
#include "base/toml_guard.h"
#include "base/utf8.h"

namespace curupira::toml {
namespace {

TextPosition position_of(const ::toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

bool comes_before(TextPosition a, TextPosition b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

template <class T>
DateTime date_time_of(const T& value) {
  std::ostringstream text;
  text << value;
  return {text.str()};
}

/// The library sorts tables by name; ours keep the order of the file.
class Conversion {
 public:
  explicit Conversion(const Limits& limits) : limits_(limits) {}

  tl::expected<Table, ParseError> table(const ::toml::table& from, TextPosition position, int depth) {
    std::vector<std::pair<TextPosition, ::toml::table::const_iterator>> order;
    order.reserve(from.size());
    for (auto entry = from.begin(); entry != from.end(); ++entry) {
      order.emplace_back(position_of(entry->first.source()), entry);
    }
    std::ranges::stable_sort(order, comes_before, [](const auto& placed) { return placed.first; });
    Table table(position);
    for (const auto& [key_position, entry] : order) {
      auto converted = value(entry->second, key_position, depth + 1);
      if (!converted) return tl::unexpected(std::move(converted).error());
      table.add(std::string(entry->first.str()), key_position, *std::move(converted));
    }
    return table;
  }

 private:
  tl::expected<Array, ParseError> array(const ::toml::array& from, TextPosition position, int depth) {
    Array array;
    array.reserve(from.size());
    for (const auto& element : from) {
      auto converted = value(element, position, depth + 1);
      if (!converted) return tl::unexpected(std::move(converted).error());
      array.push_back(*std::move(converted));
    }
    return array;
  }

  /// `near` is the place when the library does not know it: that of the key.
  tl::expected<Value, ParseError> value(const ::toml::node& node, TextPosition near, int depth) {
    TextPosition position = position_of(node.source());
    if (position.line == 0) position = near;
    const bool is_container = node.is_table() || node.is_array();
    if (is_container && depth > limits_.max_depth) return tl::unexpected(nested_too_deep(position, limits_));
    const auto placed = [&](auto&& inner) { return Value(std::forward<decltype(inner)>(inner), position); };
    if (const auto* inner = node.as_table()) return table(*inner, position, depth).map(placed);
    if (const auto* inner = node.as_array()) return array(*inner, position, depth).map(placed);
    if (const auto* text = node.as_string()) return Value(text->get(), position);
    if (const auto* integer = node.as_integer()) return Value(integer->get(), position);
    if (const auto* number = node.as_floating_point()) return Value(number->get(), position);
    if (const auto* boolean = node.as_boolean()) return Value(boolean->get(), position);
    if (const auto* date = node.as_date()) return Value(date_time_of(date->get()), position);
    if (const auto* time = node.as_time()) return Value(date_time_of(time->get()), position);
    if (const auto* both = node.as_date_time()) return Value(date_time_of(both->get()), position);
    return tl::unexpected(ParseError{position, "a value of a kind that is not known"});
  }

  const Limits& limits_;
};

/// "while parsing key: …"; the text can quote what it found.
std::string reason_of(std::string_view description) {
  constexpr std::string_view prefix = "Error ";
  if (description.starts_with(prefix)) description.remove_prefix(prefix.size());
  return excerpt(description, 300);
}

}  // namespace

tl::expected<Table, ParseError> parse(std::string_view text, const Limits& limits) {
  if (auto fault = check_before_parsing(text, limits)) return tl::unexpected(*std::move(fault));
  try {
    const ::toml::table document = ::toml::parse(text);
    return Conversion(limits).table(document, {1, 1}, 0);
  } catch (const ::toml::parse_error& error) {
    return tl::unexpected(ParseError{position_of(error.source()), reason_of(error.description())});
  }
}

const Value* Table::find(std::string_view name) const {
  const auto entry = std::ranges::find(entries_, name, &Entry::name);
  return entry == entries_.end() ? nullptr : &entry->value;
}

TextPosition Table::key_position(std::string_view name) const {
  const auto entry = std::ranges::find(entries_, name, &Entry::name);
  return entry == entries_.end() ? position_ : entry->key_position;
}

void Table::add(std::string name, TextPosition key_position, Value value) {
  entries_.push_back({std::move(name), key_position, std::move(value)});
}

std::size_t Table::size() const {
  return entries_.size();
}

std::string_view Value::type_name() const {
  constexpr std::array<std::string_view, 7> names{"string", "integer", "float", "boolean",
                                                  "date",   "array",   "table"};
  return names[variant_.index()];
}

json::Value Value::to_json() const {
  if (const auto* text = as_string()) return *text;
  if (const auto* integer = as_integer()) return *integer;
  if (const auto* number = as_float()) return *number;
  if (const auto* boolean = as_bool()) return *boolean;
  if (const auto* date = as_date_time()) return date->text;
  if (const auto* array = as_array()) {
    json::Array elements;
    for (const Value& element : *array)
      elements.push_back(element.to_json());
    return elements;
  }
  json::Object members;
  for (const auto& entry : *as_table())
    members.set(entry.name, entry.value.to_json());
  return members;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto character = decode_utf8(text, at);
    const char32_t c = character ? character->value : 0xfffd;
    if (c == '"' || c == '\\') {
      (out += '\\') += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7f) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      out += escape.data();
    } else if (!character) {
      out += "\xef\xbf\xbd";
    } else {
      out.append(text, at, character->length);
    }
    at += character ? character->length : 1;
  }
  return out + '"';
}

std::string key(std::string_view name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? std::string(name) : quote(name);
}

}  // namespace curupira::toml
