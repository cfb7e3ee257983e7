#include "registry/locked_release.h"

#include "base/timestamp.h"
#include "base/toml.h"
#include "registry/limits.h"
#include "registry/reference.h"

namespace curupira::registry {
namespace {

const std::string* string_of(const toml::Table& table, std::string_view name) {
  const toml::Value* const value = table.find(name);
  return value != nullptr ? value->as_string() : nullptr;
}

std::optional<std::string> upload_time(const toml::Value& file) {
  const toml::Table* const table = file.as_table();
  const toml::Value* const time = table != nullptr ? table->find("upload-time") : nullptr;
  if (time == nullptr) return std::nullopt;
  if (const auto* date = time->as_date_time()) return date->text;
  if (const auto* text = time->as_string()) return *text;
  return std::nullopt;
}

/// The earliest of the package's files, sdist or wheels.
std::optional<std::string> uploaded(const toml::Table& package) {
  std::optional<std::string> earliest;
  const auto consider = [&](const toml::Value& file) {
    const auto text = upload_time(file);
    const auto time = text ? parse_timestamp(*text) : Result<std::chrono::sys_seconds>{};
    if (!text || !time) return;
    const auto before = earliest ? parse_timestamp(*earliest) : time;
    if (!earliest || *time < *before) earliest = text;
  };
  if (const auto* sdist = package.find("sdist")) consider(*sdist);
  const toml::Value* const wheels = package.find("wheels");
  if (wheels == nullptr || wheels->as_array() == nullptr) return earliest;
  for (const toml::Value& wheel : *wheels->as_array())
    consider(wheel);
  return earliest;
}

}  // namespace

std::optional<LockedRelease> read_locked_release(std::string_view pylock, std::string_view package) {
  const auto document = toml::parse(pylock, {.max_bytes = Limits::max_pylock_bytes});
  if (!document) return std::nullopt;
  const toml::Value* const packages = document->find("packages");
  if (packages == nullptr || packages->as_array() == nullptr) return std::nullopt;
  for (const toml::Value& value : *packages->as_array()) {
    const toml::Table* const table = value.as_table();
    if (table == nullptr) continue;
    const std::string* const name = string_of(*table, "name");
    const std::string* const version = string_of(*table, "version");
    if (name == nullptr || version == nullptr || normalize_pip_name(*name) != package) continue;
    return LockedRelease{.version = *version, .uploaded = uploaded(*table)};
  }
  return std::nullopt;
}

}  // namespace curupira::registry
