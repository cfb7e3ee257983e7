#include "templates/template_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace curupira::templates {
namespace {

int rank(const TemplateValue& value) {
  if (value.as_undefined() != nullptr) return 0;
  if (value.is_none()) return 1;
  if (value.as_bool() != nullptr || value.is_number()) return 2;
  if (value.as_string() != nullptr) return 3;
  return value.as_list() != nullptr ? 4 : 5;
}

std::strong_ordering compare_numbers(const TemplateValue& a, const TemplateValue& b) {
  if (const auto x = a.whole(), y = b.whole(); x && y) {
    return *x < *y ? std::strong_ordering::less
                   : (*x > *y ? std::strong_ordering::greater : std::strong_ordering::equal);
  }
  const double x = a.number().value_or(0);
  const double y = b.number().value_or(0);
  // Below all others: an order must be one, or sorting goes astray.
  if (std::isnan(x) || std::isnan(y)) return std::isnan(y) <=> std::isnan(x);
  if (x < y) return std::strong_ordering::less;
  return x > y ? std::strong_ordering::greater : std::strong_ordering::equal;
}

std::string with_point(std::string digits) {
  if (digits.find_first_not_of("-0123456789") == std::string::npos) digits += ".0";
  return digits;
}

/// The shortest digits that read back, never with an exponent, as the peer prints: 1e20 is
/// 100000000000000000000.0.
std::string print_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const auto mark = text.find('e');
  std::string digits(text.substr(0, mark));
  std::erase(digits, '.');
  int point = 1;  // where the point stands: behind so many digits
  const auto exponent = text.substr(mark + 1);
  std::from_chars(exponent.data() + (exponent.front() == '+' ? 1 : 0), exponent.data() + exponent.size(),
                  point);
  ++point;
  if (point <= 0) digits.insert(0, static_cast<std::size_t>(1 - point), '0');
  const auto whole = static_cast<std::size_t>(std::max(point, 1));
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  digits.insert(whole, ".");
  if (digits.ends_with('.')) digits += '0';
  return (std::signbit(value) ? "-" : "") + digits;
}

/// Shortest digits that read back; an exponent only outside 1e-4 … 1e16.
std::string json_float(double value) {
  if (!std::isfinite(value)) return "null";
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  std::array<char, 512> buffer{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
  std::string text(buffer.data(), end);
  return plain ? with_point(std::move(text)) : text;
}

void append_hex(std::string& out, unsigned value, int digits) {
  static constexpr std::string_view hex = "0123456789abcdef";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
    out += hex[(value >> shift) & 15u];
}

/// A string inside a list or map, quoted as Python quotes.
void append_quoted(std::string& out, std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  out += quote;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      append_hex(out, byte, 2);
    } else {
      out += c;
    }
  }
  out += quote;
}

void append_nested(std::string& out, const TemplateValue& value, std::size_t max_bytes) {
  if (const auto* text = value.as_string()) {
    append_quoted(out, *text);
  } else {
    append_printed(out, value, max_bytes);
  }
}

void append_json_string(std::string& out, std::string_view text) {
  std::string plain;
  json::append_string(plain, text);
  for (const char c : plain) {
    if (c == '<' || c == '>' || c == '&' || c == '\'') {
      out += "\\u";
      append_hex(out, static_cast<unsigned char>(c), 4);
    } else {
      out += c;
    }
  }
}

struct JsonWriter {
  std::string& out;
  int indent;
  std::size_t max_bytes;

  void line(int level) const {
    out += '\n';
    out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level), ' ');
  }

  void write(const TemplateValue& value, int level) const {
    if (out.size() > max_bytes) return;
    if (const auto* b = value.as_bool()) {
      out += *b ? "true" : "false";
    } else if (const auto* i = value.as_int()) {
      out += to_string(*i);
    } else if (const auto* d = value.as_float()) {
      out += json_float(*d);
    } else if (const auto* text = value.as_string()) {
      append_json_string(out, *text);
    } else if (const auto* list = value.as_list()) {
      write_items('[', ']', *list, level,
                  [this](const TemplateValue& item, int inner) { write(item, inner); });
    } else if (const auto* map = value.as_map()) {
      write_items('{', '}', *map, level, [this](const auto& member, int inner) {
        append_json_string(out, member.first);
        out += ": ";
        write(member.second, inner);
      });
    } else {
      out += "null";
    }
  }

  template <class Items, class Write>
  void write_items(char open, char close, const Items& items, int level, const Write& write_one) const {
    out += open;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out += indent > 0 ? "," : ", ";
      first = false;
      if (indent > 0) line(level + 1);
      write_one(item, level + 1);
      if (out.size() > max_bytes) return;
    }
    if (indent > 0 && !first) line(level);
    out += close;
  }
};

}  // namespace

TemplateValue::TemplateValue(List list) {
  for (const auto& item : list)
    depth_ = std::max(depth_, item.depth_);
  ++depth_;
  variant_ = std::make_shared<const List>(std::move(list));
}

TemplateValue::TemplateValue(Map map) {
  for (const auto& member : map)
    depth_ = std::max(depth_, member.second.depth_);
  ++depth_;
  variant_ = std::make_shared<const Map>(std::move(map));
}

TemplateValue TemplateValue::from(const json::Value& value) {
  if (const auto* b = value.as_bool()) return TemplateValue(*b);
  if (const auto* text = value.as_string()) return TemplateValue(*text);
  // Before the whole numbers: 1.0 stays a fraction.
  if (const auto* d = std::get_if<double>(&value.variant())) return TemplateValue(*d);
  if (const auto i = value.as_int()) return TemplateValue(static_cast<WideInt>(*i));
  if (const auto u = value.as_uint()) return TemplateValue(static_cast<WideInt>(*u));
  if (const auto* array = value.as_array()) {
    List list;
    list.reserve(array->size());
    for (const auto& item : *array)
      list.push_back(from(item));
    return TemplateValue(std::move(list));
  }
  if (const auto* object = value.as_object()) {
    Map map;
    for (const auto& [name, member] : *object)
      map.insert_or_assign(name, from(member));
    return TemplateValue(std::move(map));
  }
  return TemplateValue();
}

const TemplateValue::List* TemplateValue::as_list() const {
  const auto* held = std::get_if<std::shared_ptr<const List>>(&variant_);
  return held == nullptr ? nullptr : held->get();
}

const TemplateValue::Map* TemplateValue::as_map() const {
  const auto* held = std::get_if<std::shared_ptr<const Map>>(&variant_);
  return held == nullptr ? nullptr : held->get();
}

std::optional<double> TemplateValue::number() const {
  if (const auto* d = as_float()) return *d;
  if (const auto i = whole()) return static_cast<double>(*i);
  return std::nullopt;
}

std::optional<WideInt> TemplateValue::whole() const {
  if (const auto* i = as_int()) return *i;
  if (const auto* b = as_bool()) return WideInt{*b ? 1 : 0};
  return std::nullopt;
}

std::string_view TemplateValue::type_name() const {
  if (as_undefined() != nullptr) return "undefined";
  if (is_none()) return "none";
  if (as_bool() != nullptr) return "bool";
  if (is_number()) return "number";
  if (as_string() != nullptr) return "string";
  return as_list() != nullptr ? "sequence" : "map";
}

bool TemplateValue::truthy() const {
  if (const auto* b = as_bool()) return *b;
  if (const auto* i = as_int()) return *i != 0;
  if (const auto* d = as_float()) return *d != 0;
  if (const auto* text = as_string()) return !text->empty();
  if (const auto* list = as_list()) return !list->empty();
  if (const auto* map = as_map()) return !map->empty();
  return false;
}

bool equal(const TemplateValue& a, const TemplateValue& b) {
  return compare(a, b) == std::strong_ordering::equal;
}

std::strong_ordering compare(const TemplateValue& a, const TemplateValue& b) {
  if (const auto order = rank(a) <=> rank(b); order != 0) return order;
  if (a.as_bool() != nullptr || a.is_number()) return compare_numbers(a, b);
  if (const auto* text = a.as_string()) return text->compare(*b.as_string()) <=> 0;
  if (const auto* list = a.as_list()) {
    return std::lexicographical_compare_three_way(list->begin(), list->end(), b.as_list()->begin(),
                                                  b.as_list()->end(), compare);
  }
  if (const auto* map = a.as_map()) {
    return std::lexicographical_compare_three_way(map->begin(), map->end(), b.as_map()->begin(),
                                                  b.as_map()->end(), [](const auto& x, const auto& y) {
                                                    const auto keys = x.first.compare(y.first) <=> 0;
                                                    return keys != 0 ? keys : compare(x.second, y.second);
                                                  });
  }
  return std::strong_ordering::equal;
}

void append_printed(std::string& out, const TemplateValue& value, std::size_t max_bytes) {
  if (out.size() > max_bytes) return;
  if (const auto* text = value.as_string()) {
    out += *text;
  } else if (const auto* b = value.as_bool()) {
    out += *b ? "True" : "False";
  } else if (const auto* i = value.as_int()) {
    out += to_string(*i);
  } else if (const auto* d = value.as_float()) {
    out += print_float(*d);
  } else if (value.is_none()) {
    out += "None";
  } else if (const auto* list = value.as_list()) {
    out += '[';
    for (std::size_t n = 0; n < list->size() && out.size() <= max_bytes; ++n) {
      if (n > 0) out += ", ";
      append_nested(out, (*list)[n], max_bytes);
    }
    out += ']';
  } else if (const auto* map = value.as_map()) {
    out += '{';
    bool first = true;
    for (const auto& [key, member] : *map) {
      if (out.size() > max_bytes) break;
      if (!first) out += ", ";
      first = false;
      append_quoted(out, key);
      out += ": ";
      append_nested(out, member, max_bytes);
    }
    out += '}';
  }
}

std::string printed(const TemplateValue& value, std::size_t max_bytes) {
  std::string out;
  append_printed(out, value, max_bytes);
  return out;
}

void append_json(std::string& out, const TemplateValue& value, int indent, std::size_t max_bytes) {
  JsonWriter{out, indent, max_bytes}.write(value, 0);
}

std::string to_string(WideInt value) {
  // The magnitude is taken digit by digit: the smallest value has no positive counterpart.
  const bool negative = value < 0;
  std::string digits;
  do {
    const auto digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace curupira::templates
