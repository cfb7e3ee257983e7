#include "registry/python_requirement.h"

#include <algorithm>

#include "registry/reference.h"

namespace curupira::registry {

namespace {

constexpr std::string_view spaces = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto start = text.find_first_not_of(spaces);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(spaces) - start + 1);
}

/// "a, b"
std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    if (const auto name = trimmed(list.substr(0, comma)); !name.empty()) names.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

}  // namespace

std::optional<PythonRequirement> parse_python_requirement(std::string_view text) {
  std::string_view rest = trimmed(text);
  const auto end = std::min(rest.find_first_of(" \t[(<>=!~;@"), rest.size());
  if (!is_pip_package_name(rest.substr(0, end))) return std::nullopt;
  PythonRequirement requirement{.name = normalize_pip_name(rest.substr(0, end))};
  rest = trimmed(rest.substr(end));
  if (rest.starts_with('[')) {
    const auto close = rest.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    requirement.extras = names_in(rest.substr(1, close - 1));
    rest = trimmed(rest.substr(close + 1));
  }
  // An address may have a ';' itself: behind it, a marker stands after a space.
  const bool address = rest.starts_with('@');
  const auto semicolon = address ? rest.find(" ;") : rest.find(';');
  if (semicolon != std::string_view::npos)
    requirement.marker = trimmed(rest.substr(rest.find(';', semicolon) + 1));
  if (address) return requirement;
  std::string_view specifiers = trimmed(rest.substr(0, semicolon));
  if (specifiers.starts_with('(') && specifiers.ends_with(')'))
    specifiers = trimmed(specifiers.substr(1, specifiers.size() - 2));
  requirement.specifiers = specifiers;
  return requirement;
}

}  // namespace curupira::registry
