#include "registry/pip_configuration.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> known = {
    "index-url", "extra-index-url", "cert", "client-cert", "proxy", "trusted-host", "keyring-provider"};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// "Index_URL" → "index-url"
std::string setting_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return name.starts_with("--") ? name.substr(2) : name;
}

/// "index-url" → "PIP_INDEX_URL"
std::string variable_of(std::string_view name) {
  std::string variable = "PIP_";
  for (const char c : name)
    variable += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  return variable;
}

}  // namespace

std::vector<PipConfigLine> parse_pip_config(std::string_view text) {
  std::vector<PipConfigLine> lines;
  std::string section;
  bool continues = false;  // an indented line belongs to the value above
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view raw = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    const std::string_view line = trimmed(raw);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (raw.front() == ' ' || raw.front() == '\t') {
      if (continues) lines.back().value.append(lines.back().value.empty() ? "" : "\n").append(line);
      continue;
    }
    continues = false;
    if (line.front() == '[') {
      section = std::string(trimmed(line.substr(1, std::min(line.find(']'), line.size()) - 1)));
      continue;
    }
    const std::size_t mark = line.find_first_of("=:");
    if (mark == std::string_view::npos || mark == 0) continue;
    lines.push_back(
        {section, setting_name(trimmed(line.substr(0, mark))), std::string(trimmed(line.substr(mark + 1)))});
    continues = true;
  }
  return lines;
}

std::vector<fs::path> pip_configuration_files(const Environment& environment) {
  std::vector<fs::path> files;
  const std::string named = environment.get_or("PIP_CONFIG_FILE", "");
  if (named == "/dev/null") return files;
  std::error_code error;
  const bool only_named = !named.empty() && fs::exists(named, error);
  if (!named.empty()) files.emplace_back(named);
  const std::string home = environment.get_or("HOME", "");
  if (!only_named && !home.empty()) {
    const std::string config = environment.get_or("XDG_CONFIG_HOME", home + "/.config");
    files.push_back(fs::path(config) / "pip" / "pip.conf");
    files.push_back(fs::path(home) / ".pip" / "pip.conf");
  }
  files.emplace_back("/etc/pip.conf");
  const std::string folders = environment.get_or("XDG_CONFIG_DIRS", "/etc/xdg");
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    if (end > begin) files.push_back(fs::path(folders.substr(begin, end - begin)) / "pip" / "pip.conf");
    begin = end + 1;
  }
  return files;
}

std::string PipConfiguration::get(std::string_view name) const {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string() : found->second.value;
}

std::string PipConfiguration::origin_of(std::string_view name) const {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string() : found->second.origin;
}

PipConfiguration PipConfiguration::load(const Environment& environment, const ReadOnlyFileSystem& files,
                                        Diagnostics& diagnostics) {
  PipConfiguration configuration;
  for (const std::string_view name : known) {
    const std::string variable = variable_of(name);
    if (std::string value = environment.get_or(variable, ""); !value.empty())
      configuration.settings.emplace(name, Setting{std::move(value), variable});
  }
  for (const fs::path& file : pip_configuration_files(environment)) {
    const auto text = files.read_file(file, Limits::max_pip_config_bytes);
    if (!text) {
      if (text.error().code() != ErrorCode::file_not_found)
        diagnostics.warn("pip's configuration is not used: " + text.error().detail());
      continue;
    }
    const auto lines = parse_pip_config(*text);
    // What is for one command comes before what is for all.
    for (const std::string_view section : {"install", "global"}) {
      for (auto line = lines.rbegin(); line != lines.rend(); ++line) {  // the last of a file wins
        if (line->section != section || line->value.empty() ||
            std::ranges::find(known, line->name) == known.end())
          continue;
        configuration.settings.emplace(line->name,
                                       Setting{line->value, line->name + " in " + printable(file.string())});
      }
    }
  }
  if (const auto trusted = configuration.settings.find("trusted-host");
      trusted != configuration.settings.end()) {
    diagnostics.warn("`trusted-host` (" + trusted->second.origin +
                     ") is not used: certificates are always checked; name the authority of that server "
                     "with pip's `cert` or SSL_CERT_FILE");
  }
  return configuration;
}

}  // namespace curupira::registry
