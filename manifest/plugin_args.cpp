#include "manifest/plugin_args.h"

#include <algorithm>
#include <array>
#include <span>

namespace curupira::manifest {
namespace {

// Options of npx (`npm help npx`) that take a value in the next argument, but for the package itself.
constexpr std::array<std::string_view, 14> npx_value_options = {
    "-c",       "--call",        "-w",         "--workspace",  "--registry",     "--cache",
    "--prefix", "--before",      "--loglevel", "--userconfig", "--script-shell", "--node-options",
    "--cafile", "--globalconfig"};
constexpr std::array<std::string_view, 2> npx_package_options = {"--package", "-p"};

// Options of uvx (`uvx --help`) that take a value in the next argument, but for the package itself.
constexpr std::array<std::string_view, 53> uvx_value_options = {"-w",
                                                                "--with",
                                                                "--with-editable",
                                                                "--with-requirements",
                                                                "-c",
                                                                "--constraints",
                                                                "--constraint",
                                                                "-b",
                                                                "--build-constraints",
                                                                "--build-constraint",
                                                                "--overrides",
                                                                "--override",
                                                                "--env-file",
                                                                "--python-platform",
                                                                "--torch-backend",
                                                                "--index",
                                                                "--default-index",
                                                                "-i",
                                                                "--index-url",
                                                                "--extra-index-url",
                                                                "-f",
                                                                "--find-links",
                                                                "-P",
                                                                "--upgrade-package",
                                                                "--upgrade-group",
                                                                "--index-strategy",
                                                                "--keyring-provider",
                                                                "--resolution",
                                                                "--prerelease",
                                                                "--prerelease-package",
                                                                "--fork-strategy",
                                                                "--exclude-newer",
                                                                "--exclude-newer-package",
                                                                "--no-sources-package",
                                                                "--reinstall-package",
                                                                "--link-mode",
                                                                "-C",
                                                                "--config-setting",
                                                                "--config-settings",
                                                                "--config-settings-package",
                                                                "--no-build-isolation-package",
                                                                "--no-build-package",
                                                                "--no-binary-package",
                                                                "--cache-dir",
                                                                "--refresh-package",
                                                                "-p",
                                                                "--python",
                                                                "--python-fetch",
                                                                "--color",
                                                                "--allow-insecure-host",
                                                                "--directory",
                                                                "--project",
                                                                "--config-file"};
constexpr std::array<std::string_view, 1> uvx_package_options = {"--from"};

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_url_or_path(std::string_view spec) {
  return spec.find("://") != std::string_view::npos || spec.starts_with('.') || spec.starts_with('/') ||
         spec.starts_with('~') || spec.starts_with("file:") || spec.starts_with("git+") ||
         spec.starts_with("github:");
}

std::string npm_name(std::string_view spec) {
  // "local@npm:real@1" installs the package "real".
  constexpr std::string_view alias = "@npm:";
  if (const std::size_t at = spec.find(alias); at != std::string_view::npos && at > 0) {
    spec = spec.substr(at + alias.size());
  }
  return std::string(spec.substr(0, spec.find('@', spec.starts_with('@') ? 1 : 0)));
}

bool is_python_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.';
}

std::string python_name(std::string_view spec) {
  const auto end = std::find_if_not(spec.begin(), spec.end(), is_python_name_character);
  const std::string_view name = spec.substr(0, static_cast<std::size_t>(end - spec.begin()));
  std::string_view rest = spec.substr(name.size());
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  // "acme @ https://…" is a name with a URL; without the name, the URL is all there is.
  const bool named = !name.empty() && (rest.starts_with('@') || !is_url_or_path(spec));
  return std::string(named ? name : spec);
}

}  // namespace

std::string package_spec(Plugin::Type type, const std::vector<std::string>& args) {
  if (type == Plugin::Type::installed) return {};
  const bool npx = type == Plugin::Type::npx;
  const std::span<const std::string_view> package_options =
      npx ? std::span<const std::string_view>(npx_package_options) : uvx_package_options;
  const std::span<const std::string_view> value_options =
      npx ? std::span<const std::string_view>(npx_value_options) : uvx_value_options;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string_view arg = args[i];
    const bool has_next = i + 1 < args.size();
    if (arg == "--") return has_next ? args[i + 1] : std::string();
    if (!arg.starts_with('-') || arg == "-") return std::string(arg);
    if (contains(package_options, arg)) return has_next ? args[i + 1] : std::string();
    if (const std::size_t equals = arg.find('='); equals != std::string_view::npos) {
      if (contains(package_options, arg.substr(0, equals))) return std::string(arg.substr(equals + 1));
    } else if (contains(value_options, arg)) {
      ++i;
    }
  }
  return {};
}

std::string package_name(Plugin::Type type, std::string_view spec) {
  while (!spec.empty() && spec.front() == ' ')
    spec.remove_prefix(1);
  if (type != Plugin::Type::npx) return python_name(spec);
  return is_url_or_path(spec) ? std::string(spec) : npm_name(spec);
}

std::string Plugin::package() const {
  return package_name(type, package_spec(type, args));
}

}  // namespace curupira::manifest
