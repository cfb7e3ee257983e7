#include "manifest/extension_lookup.h"

#include "manifest/plugin_args.h"

namespace curupira::manifest {
namespace {

bool same_package(Plugin::Type type, std::string_view a, std::string_view b) {
  return type == Plugin::Type::uvx ? normalized_python_name(a) == normalized_python_name(b) : a == b;
}

/// The package of a launch table of the plugin's own type; empty for another type.
std::string launch_package(const Launch& launch, Plugin::Type type) {
  if (const auto* npx = std::get_if<NpxLaunch>(&launch); npx != nullptr && type == Plugin::Type::npx) {
    return package_name(type, npx->package);
  }
  if (const auto* uvx = std::get_if<UvxLaunch>(&launch); uvx != nullptr && type == Plugin::Type::uvx) {
    return package_name(type, uvx->package);
  }
  return {};
}

/// The package that the extension was installed from, when the source is the plugin's.
std::string receipt_package(const std::optional<Receipt>& receipt, Plugin::Type type) {
  if (!receipt) return {};
  const std::string_view source = type == Plugin::Type::npx ? "npm" : "pip";
  return receipt->source == source ? receipt->package : std::string();
}

}  // namespace

std::string normalized_python_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (separator && result.ends_with('-')) continue;
    result += separator ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return result;
}

const InstalledExtension* find_extension(const Discovered& installed, const Plugin& plugin) {
  if (plugin.type == Plugin::Type::installed) return installed.find(plugin.extension_name);
  const std::string wanted = plugin.package();
  if (wanted.empty()) return nullptr;
  for (const InstalledExtension& extension : installed.extensions)
    if (same_package(plugin.type, launch_package(extension.manifest.launch, plugin.type), wanted))
      return &extension;
  for (const InstalledExtension& extension : installed.extensions)
    if (same_package(plugin.type, receipt_package(extension.receipt, plugin.type), wanted)) return &extension;
  return nullptr;
}

}  // namespace curupira::manifest
