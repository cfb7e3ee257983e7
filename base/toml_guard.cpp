#include "base/toml_guard.h"

#include <algorithm>

#include "base/printable.h"
#include "base/utf8.h"

namespace curupira::toml {
namespace {

/// The place of the byte `at` of a text that is valid UTF-8 up to there.
TextPosition position_of(std::string_view text, std::size_t at) {
  TextPosition position{1, 1};
  for (std::size_t i = 0; i < at; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '\n') {
      ++position.line;
      position.column = 1;
    } else if ((byte & 0xc0u) != 0x80) {
      ++position.column;
    }
  }
  return position;
}

std::optional<ParseError> check_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = decode_utf8(text, at);
    if (!character) return ParseError{position_of(text, at), "the text is not valid UTF-8"};
    if (character->value == 0) return ParseError{position_of(text, at), "the text contains NUL"};
    at += character->length;
  }
  return std::nullopt;
}

/// Counts tables and arrays inside each other as brackets, dotted keys and headers make them, outside of
/// strings and comments. For TOML it never counts more than there are, and at least half of them (headers
/// below an array of tables do not show its arrays); in a text that is wrong somewhere this holds up to the
/// place where the library stops.
class DepthScan {
 public:
  DepthScan(std::string_view text, int max_depth) : text_(text), max_depth_(max_depth) {}

  struct Fault {
    std::size_t at;
    bool is_letter;  ///< a character that only strings and comments may have; else nested too deep
  };

  std::optional<Fault> run() {
    // TOML itself is ASCII, but for a byte order mark. What the library does with other characters there is
    // undefined.
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
        line_is_blank_ = false;
      } else {
        if (static_cast<unsigned char>(c) >= 0x80) return Fault{at_, true};
        take(c);
        if (depth_ > max_depth_) return Fault{at_, false};
        ++at_;
      }
    }
    return std::nullopt;
  }

 private:
  /// The inside of a bracket, or the top of the file.
  struct Level {
    int dots = 0;           ///< of the key that is being read, or whose value is
    bool in_value = false;  ///< a dot belongs to a number
    bool is_array = false;
  };

  void take(char c) {
    if (c == '\n') {
      if (levels_.size() == 1) end_entry();
      in_header_ = false;
      line_is_blank_ = true;
      return;
    }
    if (c == ' ' || c == '\t' || c == '\r') return;
    const bool starts_line = line_is_blank_ && levels_.size() == 1;
    line_is_blank_ = false;
    if (starts_line && c == '[') return start_header();
    if (in_header_) {
      if (c == '.') ++depth_;
      if (c == ']') in_header_ = false;
      return;
    }
    Level& level = levels_.back();
    if (c == '.' && !level.in_value) {
      ++level.dots;
      ++depth_;
    } else if (c == '=') {
      level.in_value = true;
    } else if (c == ',') {
      end_entry();
    } else if (c == '[' || c == '{') {
      levels_.push_back({.in_value = c == '[', .is_array = c == '['});
      ++depth_;
    } else if ((c == ']' || c == '}') && levels_.size() > 1) {
      end_entry();
      levels_.pop_back();
      --depth_;
    }
  }

  void start_header() {
    const bool is_array_of_tables = at_ + 1 < text_.size() && text_[at_ + 1] == '[';
    if (is_array_of_tables) ++at_;
    in_header_ = true;
    depth_ = is_array_of_tables ? 2 : 1;
  }

  void end_entry() {
    Level& level = levels_.back();
    depth_ -= level.dots;
    level.dots = 0;
    level.in_value = level.is_array;
  }

  /// Leaves `at_` behind the string. A one-line string that is not closed ends with its line, where the
  /// library stops.
  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool multi_line = text_.substr(at_).starts_with(triple);
    at_ += multi_line ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        at_ += 2;
      } else if (!multi_line && (c == quote || c == '\n')) {
        if (c == quote) ++at_;
        return;
      } else if (multi_line && text_.substr(at_).starts_with(triple)) {
        at_ += 3;
        // Up to two quotes of the text itself may stand before the three that end it.
        for (int i = 0; i < 2 && at_ < text_.size() && text_[at_] == quote; ++i)
          ++at_;
        return;
      } else {
        ++at_;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  std::string_view text_;
  int max_depth_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_header_ = false;
  bool line_is_blank_ = true;
  std::vector<Level> levels_{Level{}};
};

}  // namespace

std::optional<ParseError> check_before_parsing(std::string_view text, const Limits& limits) {
  if (text.size() > limits.max_bytes) {
    return ParseError{
        {1, 1},
        "the text has " + format_bytes(text.size()) + "; allowed are " + format_bytes(limits.max_bytes),
        true};
  }
  if (auto fault = check_characters(text)) return fault;
  if (const auto fault = DepthScan(text, limits.max_depth).run()) {
    const TextPosition position = position_of(text, fault->at);
    if (fault->is_letter) return ParseError{position, "only strings and comments may have this character"};
    return nested_too_deep(position, limits);
  }
  return std::nullopt;
}

ParseError nested_too_deep(TextPosition position, const Limits& limits) {
  return {position, "nested deeper than " + std::to_string(limits.max_depth) + " levels", true};
}

}  // namespace curupira::toml
