#include "templates/template_lexer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/printable.h"
#include "templates/template_error.h"

namespace curupira::templates {
namespace {

constexpr std::string_view white = " \t\r\n\v\f";
/// How far the "}" of a placeholder is looked for.
constexpr std::size_t max_key_bytes = 4096;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

void append_utf8(std::string& out, unsigned code) {
  const auto byte = [&out](unsigned value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | (code >> 6));
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3f));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

class Splitter {
 public:
  Splitter(std::string_view text, const TemplateLimits& limits) : text_(text), limits_(limits) {}

  Result<std::vector<TemplateSegment>> run() {
    if (text_.size() > limits_.max_template_bytes) {
      return fail(ErrorCode::prompt_template, "it has " + format_bytes(text_.size()) + "; the limit is " +
                                                  format_bytes(limits_.max_template_bytes));
    }
    while (at_ < text_.size())
      CURUPIRA_CHECK(step());
    return std::move(segments_);
  }

 private:
  tl::unexpected<Error> wrong(const std::string& what) const { return template_failure(line_, what); }

  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void advance(std::size_t bytes) {
    line_ += static_cast<int>(std::ranges::count(text_.substr(at_, bytes), '\n'));
    at_ += bytes;
  }

  /// Up to the next thing that means something, then that thing.
  Result<> step() {
    std::size_t next = at_;
    while (next < text_.size() && !is_opening(next))
      ++next;
    take_text(next - at_);
    if (at_ == text_.size()) return {};
    if (starts("${")) {
      take_placeholder_or_text();
      return {};
    }
    if (starts("{#")) return skip_comment();
    return take_tag();
  }

  bool is_opening(std::size_t at) const {
    const auto two = text_.substr(at, 2);
    return two == "{{" || two == "{%" || two == "{#" || two == "${";
  }

  /// `-` at the end of the tag before takes the white space away that the text begins with.
  void take_text(std::size_t bytes) {
    const int line = line_;
    std::string_view piece = text_.substr(at_, bytes);
    advance(bytes);
    if (strip_next_) piece.remove_prefix(std::min(piece.find_first_not_of(white), piece.size()));
    if (bytes > 0 || at_ == text_.size()) strip_next_ = false;
    append_text(piece, line);
  }

  void append_text(std::string_view piece, int line) {
    if (piece.empty()) return;
    if (!segments_.empty() && segments_.back().kind == TemplateSegment::Kind::text) {
      segments_.back().text += piece;
    } else {
      segments_.push_back({TemplateSegment::Kind::text, std::string(piece), {}, line});
    }
  }

  void strip_before() {
    if (segments_.empty() || segments_.back().kind != TemplateSegment::Kind::text) return;
    auto& text = segments_.back().text;
    text.erase(text.find_last_not_of(white) + 1);
    if (text.empty()) segments_.pop_back();
  }

  /// "${key}": a key is not empty and holds neither "}" nor another opening; else the "$" is text.
  void take_placeholder_or_text() {
    strip_next_ = false;
    const auto rest = text_.substr(at_ + 2, max_key_bytes);
    const auto close = rest.find('}');
    const auto key = close == std::string_view::npos ? std::string_view{} : rest.substr(0, close);
    static constexpr std::array<std::string_view, 4> openings{"${", "{{", "{%", "{#"};
    const bool nested = std::ranges::any_of(
        openings, [key](std::string_view opening) { return key.find(opening) != std::string_view::npos; });
    if (key.empty() || nested) {
      append_text("${", line_);
      advance(2);
      return;
    }
    segments_.push_back({TemplateSegment::Kind::placeholder, std::string(key), {}, line_});
    advance(key.size() + 3);
  }

  Result<> skip_comment() {
    const auto close = text_.find("#}", at_ + 2);
    if (close == std::string_view::npos) return wrong("the comment that begins with {# has no end #}");
    const auto inner = text_.substr(at_ + 2, close - at_ - 2);
    if (inner.starts_with('-')) strip_before();
    strip_next_ = inner.ends_with('-');
    advance(close + 2 - at_);
    return {};
  }

  Result<> take_tag() {
    const bool is_block = starts("{%");
    TemplateSegment segment{
        is_block ? TemplateSegment::Kind::block : TemplateSegment::Kind::output, {}, {}, line_};
    advance(2);
    if (starts("-")) strip_before();
    if (starts("-") || starts("+")) advance(1);
    const std::string_view close = is_block ? "%}" : "}}";
    int depth = 0;
    while (true) {
      advance(std::min(text_.substr(at_).find_first_not_of(white), text_.size() - at_));
      if (at_ == text_.size()) {
        return template_failure(segment.line, "the tag that begins with " +
                                                  std::string(is_block ? "{%" : "{{") + " has no end " +
                                                  std::string(close));
      }
      if (depth == 0 &&
          (starts(close) || ((starts("-") || starts("+")) && text_.substr(at_ + 1).starts_with(close)))) {
        break;
      }
      CURUPIRA_TRY(TemplateToken token, take_token());
      if (token.kind == TemplateToken::Kind::sign) {
        if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
        if ((token.text == ")" || token.text == "]" || token.text == "}") && depth > 0) --depth;
      }
      segment.tokens.push_back(std::move(token));
    }
    strip_next_ = starts("-");
    if (!starts(close)) advance(1);
    advance(2);
    if (is_block && segment.tokens.size() == 1 && segment.tokens[0].text == "raw" &&
        segment.tokens[0].kind == TemplateToken::Kind::name) {
      return take_raw(segment.line);
    }
    segment.tokens.push_back({TemplateToken::Kind::end, std::string(close), line_});
    segments_.push_back(std::move(segment));
    return {};
  }

  /// Where the next "{% endraw %}" begins and ends, and whether it strips before and after.
  struct EndOfRaw {
    std::size_t begin = 0, end = 0;
    bool strip_before = false, strip_after = false;
  };

  std::optional<EndOfRaw> find_end_of_raw() const {
    for (auto begin = text_.find("{%", at_); begin != std::string_view::npos;
         begin = text_.find("{%", begin + 2)) {
      EndOfRaw found{begin, 0, false, false};
      auto rest = text_.substr(begin + 2);
      const auto skip_white = [&rest] {
        rest.remove_prefix(std::min(rest.find_first_not_of(white), rest.size()));
      };
      found.strip_before = rest.starts_with('-');
      if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
      skip_white();
      if (!rest.starts_with("endraw")) continue;
      rest.remove_prefix(6);
      skip_white();
      found.strip_after = rest.starts_with('-');
      if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
      if (!rest.starts_with("%}")) continue;
      found.end = text_.size() - rest.size() + 2;
      return found;
    }
    return std::nullopt;
  }

  Result<> take_raw(int line) {
    const auto end = find_end_of_raw();
    if (!end) return template_failure(line, "{% raw %} has no {% endraw %}");
    while (at_ < end->begin) {
      const auto next = std::min(text_.find("${", at_), end->begin);
      take_text(next - at_);
      if (at_ < end->begin) take_placeholder_or_text();
    }
    if (end->strip_before) strip_before();
    advance(end->end - at_);
    strip_next_ = end->strip_after;
    return {};
  }

  Result<TemplateToken> take_token() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return take_string(c);
    if (is_digit(c)) return take_number();
    const int line = line_;
    if (is_name_start(c)) {
      std::size_t end = at_;
      while (end < text_.size() && is_name_part(text_[end]))
        ++end;
      TemplateToken token{TemplateToken::Kind::name, std::string(text_.substr(at_, end - at_)), line};
      advance(end - at_);
      return token;
    }
    static constexpr std::array<std::string_view, 28> signs{
        "**", "//", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "~", "<", ">",
        "(",  ")",  "[",  "]",  "{",  "}",  ",", ".", ":", "|", "=", "!", ";", "?"};
    for (const auto sign : signs) {
      if (!starts(sign)) continue;
      advance(sign.size());
      return TemplateToken{TemplateToken::Kind::sign, std::string(sign), line};
    }
    std::size_t bytes = 1;
    while (at_ + bytes < text_.size() && (static_cast<unsigned char>(text_[at_ + bytes]) & 0xc0u) == 0x80u)
      ++bytes;
    return wrong("unexpected character \"" + printable(text_.substr(at_, bytes)) +
                 "\" in a tag; names are made of letters, digits and _");
  }

  Result<TemplateToken> take_number() {
    const int line = line_;
    std::string digits;
    bool real = false;
    if (starts("0x") || starts("0X")) {
      digits = "0x";
      advance(2);
      for (; at_ < text_.size() && (is_hex(text_[at_]) || text_[at_] == '_'); advance(1)) {
        if (text_[at_] != '_') digits += text_[at_];
      }
      if (digits.size() == 2) return wrong("a number needs digits after 0x");
      return TemplateToken{TemplateToken::Kind::integer, std::move(digits), line};
    }
    const auto take_digits = [&] {
      for (; at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '_'); advance(1)) {
        if (text_[at_] != '_') digits += text_[at_];
      }
    };
    take_digits();
    if (starts(".") && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
      real = true;
      digits += '.';
      advance(1);
      take_digits();
    }
    if (starts("e") || starts("E")) {
      const std::size_t sign =
          at_ + 1 < text_.size() && (text_[at_ + 1] == '+' || text_[at_ + 1] == '-') ? 1 : 0;
      if (at_ + 1 + sign < text_.size() && is_digit(text_[at_ + 1 + sign])) {
        real = true;
        digits += 'e';
        if (sign == 1 && text_[at_ + 1] == '-') digits += '-';
        advance(1 + sign);
        take_digits();
      }
    }
    return TemplateToken{real ? TemplateToken::Kind::real : TemplateToken::Kind::integer, std::move(digits),
                         line};
  }

  Result<TemplateToken> take_string(char quote) {
    TemplateToken token{TemplateToken::Kind::string, {}, line_};
    advance(1);
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote) {
        advance(1);
        return token;
      }
      if (c == '\\') {
        CURUPIRA_CHECK(take_escape(token.text));
      } else {
        token.text += c;
        advance(1);
      }
    }
    return template_failure(token.line, "a string has no closing quote");
  }

  Result<> take_escape(std::string& out) {
    advance(1);
    if (at_ == text_.size()) return wrong("a string has no closing quote");
    const char c = text_[at_];
    static constexpr std::string_view names = "ntrbf\\\"'/\n";
    static constexpr std::string_view values = "\n\t\r\b\f\\\"'/\n";
    if (const auto found = names.find(c); found != std::string_view::npos) {
      out += values[found];
      advance(1);
      return {};
    }
    const std::size_t length = c == 'x' ? 2 : (c == 'u' ? 4 : (c == 'U' ? 8 : 0));
    const auto digits = text_.substr(at_ + 1, length);
    if (length == 0 || digits.size() < length || !std::ranges::all_of(digits, is_hex)) {
      return wrong(
          "a string has an escape that is not known; known are \\n \\t \\r \\b \\f \\\\ \\\" \\' \\xHH "
          "\\uHHHH");
    }
    const auto code = static_cast<unsigned>(std::stoul(std::string(digits), nullptr, 16));
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      return wrong("a string has an escape of no character");
    append_utf8(out, code);
    advance(length + 1);
    return {};
  }

  std::string_view text_;
  const TemplateLimits& limits_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool strip_next_ = false;
  std::vector<TemplateSegment> segments_;
};

}  // namespace

Result<std::vector<TemplateSegment>> split_template(std::string_view text, const TemplateLimits& limits) {
  return Splitter(text, limits).run();
}

}  // namespace curupira::templates
