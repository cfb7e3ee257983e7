#include "registry/uv_configuration.h"

#include "base/toml.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;

std::string text_at(const toml::Table& table, std::string_view name) {
  const toml::Value* value = table.find(name);
  const std::string* text = value != nullptr ? value->as_string() : nullptr;
  return text != nullptr ? *text : std::string();
}

const toml::Array* array_at(const toml::Table& table, std::string_view name) {
  const toml::Value* value = table.find(name);
  return value != nullptr ? value->as_array() : nullptr;
}

/// `[[index]]`, and the older settings, which may stand below `[pip]` too.
void read(const toml::Table& table, UvConfiguration& configuration) {
  if (const toml::Array* indexes = array_at(table, "index")) {
    for (const toml::Value& entry : *indexes) {
      if (const toml::Table* index = entry.as_table())
        configuration.indexes.push_back({text_at(*index, "name"), text_at(*index, "url")});
    }
  }
  if (const toml::Array* urls = array_at(table, "extra-index-url")) {
    for (const toml::Value& url : *urls) {
      if (const std::string* text = url.as_string()) configuration.indexes.push_back({{}, *text});
    }
  }
  if (std::string url = text_at(table, "index-url"); !url.empty())
    configuration.indexes.push_back({{}, std::move(url)});
  if (text_at(table, "keyring-provider") == "subprocess") configuration.keyring = true;
  if (const toml::Value* pip = table.find("pip"); pip != nullptr && pip->as_table() != nullptr)
    read(*pip->as_table(), configuration);
}

std::vector<fs::path> files_of(const Environment& environment) {
  if (const std::string named = environment.get_or("UV_CONFIG_FILE", ""); !named.empty()) return {named};
  const std::string off = environment.get_or("UV_NO_CONFIG", "");
  if (!off.empty() && off != "0" && off != "false") return {};
  std::vector<fs::path> files;
  const std::string home = environment.get_or("HOME", "");
  const std::string config = environment.get_or("XDG_CONFIG_HOME", home.empty() ? "" : home + "/.config");
  if (!config.empty()) files.push_back(fs::path(config) / "uv" / "uv.toml");
  const std::string folders = environment.get_or("XDG_CONFIG_DIRS", "/etc/xdg");
  files.push_back(fs::path(folders.substr(0, folders.find(':'))) / "uv" / "uv.toml");
  files.emplace_back("/etc/uv/uv.toml");
  return files;
}

}  // namespace

UvConfiguration UvConfiguration::load(const Environment& environment, const ReadOnlyFileSystem& files) {
  UvConfiguration configuration;
  for (const fs::path& file : files_of(environment)) {
    const auto text = files.read_file(file, Limits::max_pip_config_bytes);
    if (!text) continue;
    if (const auto table = toml::parse(*text)) read(*table, configuration);
  }
  return configuration;
}

}  // namespace curupira::registry
