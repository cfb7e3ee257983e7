#include "runtime/clean_environment.h"

#include <algorithm>
#include <array>

namespace curupira::runtime {

bool is_ordinary_variable(std::string_view name) {
  // Who and where the user is, the language, then the way to the network: a company's proxy and its own
  // authority.
  static constexpr std::array<std::string_view, 26> ordinary{"PATH",
                                                             "HOME",
                                                             "LANG",
                                                             "TZ",
                                                             "TMPDIR",
                                                             "USER",
                                                             "LOGNAME",
                                                             "SHELL",
                                                             "TERM",
                                                             "LANGUAGE",
                                                             "HTTP_PROXY",
                                                             "HTTPS_PROXY",
                                                             "ALL_PROXY",
                                                             "NO_PROXY",
                                                             "http_proxy",
                                                             "https_proxy",
                                                             "all_proxy",
                                                             "no_proxy",
                                                             "SSL_CERT_FILE",
                                                             "SSL_CERT_DIR",
                                                             "REQUESTS_CA_BUNDLE",
                                                             "CURL_CA_BUNDLE",
                                                             "NODE_EXTRA_CA_CERTS",
                                                             "AWS_CA_BUNDLE",
                                                             "GIT_SSL_CAINFO",
                                                             "NIX_SSL_CERT_FILE"};
  return name.starts_with("LC_") || std::ranges::find(ordinary, name) != ordinary.end();
}

ExtensionEnvironment extension_environment(const Environment& host, const manifest::Settings& settings,
                                           const manifest::Plugin& plugin) {
  ExtensionEnvironment result;
  const bool inherit = settings.extensions.inherit_environment;
  for (const auto& [name, value] : host.variables()) {
    if (inherit || is_ordinary_variable(name)) result.variables.set(name, value);
  }
  for (const auto& [name, value] : settings.environment_vars)
    result.variables.set(name, value);
  if (inherit) return result;
  for (const auto& name : plugin.env) {
    if (auto value = host.get(name)) result.variables.set(name, *std::move(value));
  }
  for (const auto& [name, value] : host.variables()) {
    if (!result.variables.get(name)) result.withheld.push_back(name);
  }
  return result;
}

}  // namespace curupira::runtime
