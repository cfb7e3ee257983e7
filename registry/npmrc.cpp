#include "registry/npmrc.h"

#include <optional>

#include "base/json.h"

namespace curupira::registry {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

/// A value or key without its quotes; unquoted it ends at ';' or '#', and a backslash keeps one of those.
std::string unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'')) {
    const std::string_view inner = text.substr(1, text.size() - 2);
    const auto value = json::parse(text.front() == '"' ? text : inner);
    const std::string* string = value ? value->as_string() : nullptr;
    if (string) return *string;
    return std::string(text.front() == '"' ? text : inner);
  }
  std::string out;
  bool escaped = false;
  for (const char c : text) {
    if (escaped) {
      if (c != '\\' && c != ';' && c != '#') out.push_back('\\');
      out.push_back(c);
      escaped = false;
    } else if (c == ';' || c == '#') {
      break;
    } else if (c == '\\') {
      escaped = true;
    } else {
      out.push_back(c);
    }
  }
  if (escaped) out.push_back('\\');
  return std::string(trimmed(out));
}

/// A placeholder that begins at the '$' of `text`.
struct Placeholder {
  std::string_view name;
  bool optional;     // ${NAME?}
  std::size_t size;  // bytes of the whole
};

std::optional<Placeholder> placeholder_at(std::string_view text) {
  if (!text.starts_with("${")) return std::nullopt;
  const std::size_t end = text.find_first_of("${}?", 2);
  if (end == std::string_view::npos || end == 2) return std::nullopt;
  const std::string_view name = text.substr(2, end - 2);
  if (text[end] == '}') return Placeholder{name, false, end + 1};
  if (text.substr(end).starts_with("?}")) return Placeholder{name, true, end + 2};
  return std::nullopt;
}

}  // namespace

std::vector<NpmrcSetting> parse_npmrc(std::string_view text) {
  std::vector<NpmrcSetting> settings;
  bool in_section = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.empty() || line.front() == ';' || line.front() == '#') continue;
    if (line.front() == '[') {
      in_section = true;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (in_section || equals == std::string_view::npos || equals == 0) continue;
    std::string key = unquoted(line.substr(0, equals));
    if (key.empty() || (key.ends_with("[]") && key != "ca[]")) continue;
    settings.push_back({std::move(key), unquoted(line.substr(equals + 1))});
  }
  return settings;
}

std::string expand_npmrc(std::string_view text, const Environment& environment) {
  std::string out;
  std::size_t backslashes = 0;  // at the end of `out`
  while (!text.empty()) {
    const auto placeholder = placeholder_at(text);
    if (!placeholder) {
      backslashes = text.front() == '\\' ? backslashes + 1 : 0;
      out.push_back(text.front());
      text.remove_prefix(1);
      continue;
    }
    const std::string_view whole = text.substr(0, placeholder->size);
    text.remove_prefix(placeholder->size);
    out.resize(out.size() - (backslashes + 1) / 2);
    const auto value = environment.get(placeholder->name);
    if (backslashes % 2 == 1) {
      out += whole;
    } else if (value) {
      out += *value;
    } else if (!placeholder->optional) {
      out.append("${").append(placeholder->name).append("}");
    }
    backslashes = 0;
  }
  return out;
}

}  // namespace curupira::registry
