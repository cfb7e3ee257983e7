#include "manifest/registry_section.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/printable.h"
#include "base/toml.h"
#include "manifest/settings.h"

namespace curupira::manifest {
namespace {

constexpr std::string_view registries_table = "registries";
/// The longest section whose end is looked for.
constexpr std::size_t max_section_lines = 200;

/// What a settings file says; two files that say the same are equal.
struct Content {
  std::map<std::string, json::Value> others;
  std::map<std::string, json::Value> registries;
  bool operator==(const Content&) const = default;
};

/// Nothing when it is no TOML, or `registries` is no table.
std::optional<Content> read(std::string_view text) {
  const auto parsed = toml::parse(text, {.max_bytes = max_settings_bytes});
  if (!parsed) return std::nullopt;
  Content content;
  for (const auto& entry : *parsed) {
    if (entry.name != registries_table) {
      content.others.emplace(entry.name, entry.value.to_json());
      continue;
    }
    const toml::Table* const table = entry.value.as_table();
    if (table == nullptr) return std::nullopt;
    for (const auto& registry : *table)
      content.registries.emplace(registry.name, registry.value.to_json());
  }
  return content;
}

/// Where each line begins, and the end of the text.
std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  if (starts.back() != text.size()) starts.push_back(text.size());
  return starts;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

std::string write_registry_section(const RegistrySection& section) {
  std::string text = "[" + std::string(registries_table) + "." + toml::key(section.name) + "]\n";
  text += "url = " + toml::quote(section.url) + "\n";
  if (!section.mirrors.empty()) {
    text += "mirrors = [";
    for (const std::string& mirror : section.mirrors)
      text += (&mirror == &section.mirrors.front() ? "" : ", ") + toml::quote(mirror);
    text += "]\n";
  }
  return text + "root_fingerprint = " + toml::quote(section.root_fingerprint) + "\n";
}

Result<std::string> with_registry(std::string_view settings, const RegistrySection& section) {
  std::string text(settings);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  if (!text.empty()) text += '\n';
  text += write_registry_section(section);
  const auto before = read(settings);
  auto after = read(text);
  if (before && after && after->registries.erase(section.name) == 1 && *after == *before) return text;
  return fail(Error(ErrorCode::settings_field,
                    "the section [registries." + section.name + "] cannot stand at the end of the file")
                  .with_help("write it by hand:\n" + write_registry_section(section)));
}

Result<std::string> without_registry(std::string_view settings, const std::string& name) {
  const Error written_otherwise =
      Error(ErrorCode::settings_field,
            "the registry " + name + " is not written as a section [registries." + name + "]")
          .with_help("remove it by hand, then run the command again");
  auto wanted = read(settings);
  if (!wanted || wanted->registries.erase(name) == 0) return fail(written_otherwise);
  const std::vector<std::size_t> starts = line_starts(settings);
  const auto line = [&](std::size_t i) { return settings.substr(starts[i], starts[i + 1] - starts[i]); };
  for (std::size_t first = 0; first + 1 < starts.size(); ++first) {
    const std::string_view text = line(first);
    const std::size_t bracket = text.find_first_not_of(" \t");
    if (bracket == std::string_view::npos || text[bracket] != '[' ||
        text.find(name) == std::string_view::npos)
      continue;
    const std::size_t last = std::min(starts.size() - 1, first + max_section_lines);
    for (std::size_t end = first + 1; end <= last; ++end) {
      // With the empty line before it, where that would be left at the end of the file or before another one.
      const bool spare =
          first > 0 && is_blank(line(first - 1)) && (end + 1 == starts.size() || is_blank(line(end)));
      std::string rest(settings.substr(0, starts[spare ? first - 1 : first]));
      rest += settings.substr(starts[end]);
      const auto after = read(rest);
      if (after == wanted) return rest;
    }
  }
  return fail(written_otherwise);
}

}  // namespace curupira::manifest
