#include <array>
#include <charconv>
#include <cmath>
#include <concepts>

#include "base/json.h"
#include "base/utf8.h"

namespace curupira::json {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view replacement_character = "\xef\xbf\xbd";

void append_control(std::string& out, unsigned char c) {
  switch (c) {
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += hex_digits[c >> 4];
      out += hex_digits[c & 0x0fu];
  }
}

template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  const std::string_view digits(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  out += digits;
  // A fraction stays one when it is read back.
  if (std::floating_point<Number> && digits.find_first_of(".e") == std::string_view::npos) out += ".0";
}

/// Writes a value; `indent` is the number of blanks a level, or 0 for compact text.
class Writer {
 public:
  Writer(std::string& out, std::size_t indent) : out_(out), indent_(indent) {}

  void operator()(std::nullptr_t) { out_ += "null"; }
  void operator()(bool value) { out_ += value ? "true" : "false"; }
  void operator()(std::int64_t value) { append_number(out_, value); }
  void operator()(std::uint64_t value) { append_number(out_, value); }
  void operator()(double value) {
    if (std::isfinite(value)) {
      append_number(out_, value);
    } else {
      out_ += "null";
    }
  }
  void operator()(const std::string& value) { append_string(out_, value); }
  void operator()(const Array& array) {
    out_ += '[';
    ++level_;
    bool first = true;
    for (const Value& element : array) {
      next(first);
      std::visit(*this, element.variant());
    }
    close(array.empty(), ']');
  }
  void operator()(const Object& object) {
    out_ += '{';
    ++level_;
    bool first = true;
    for (const auto& [name, value] : object) {
      next(first);
      append_string(out_, name);
      out_ += indent_ == 0 ? ":" : ": ";
      std::visit(*this, value.variant());
    }
    close(object.empty(), '}');
  }

 private:
  void next(bool& first) {
    if (!first) out_ += ',';
    first = false;
    break_line();
  }
  void close(bool empty, char bracket) {
    --level_;
    if (!empty) break_line();
    out_ += bracket;
  }
  void break_line() {
    if (indent_ == 0) return;
    out_ += '\n';
    out_.append(level_ * indent_, ' ');
  }

  std::string& out_;
  std::size_t indent_;
  std::size_t level_ = 0;
};

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const auto character = decode_utf8(text, at);
    if (!character) {
      out += replacement_character;
      ++at;
      continue;
    }
    const char32_t c = character->value;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += text[at];
    } else if (c < 0x20) {
      append_control(out, static_cast<unsigned char>(c));
    } else {
      out.append(text, at, character->length);
    }
    at += character->length;
  }
  out += '"';
}

std::string write(const Value& value) {
  std::string out;
  std::visit(Writer(out, 0), value.variant());
  return out;
}

std::string write_pretty(const Value& value) {
  std::string out;
  std::visit(Writer(out, 2), value.variant());
  out += '\n';
  return out;
}

}  // namespace curupira::json
