#include "installer/agreement.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/printable.h"
#include "base/semver.h"
#include "installer/package_json.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

/// The parts of a PEP 440 or semantic version that count: numbers and words, "alpha" as "a", no zeros at the
/// release's end.
std::vector<std::string> version_parts(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t release_end = 0;  // parts of the release: numbers before the first word
  bool in_release = true;
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i < text.size();) {
    const bool digits = is_digit(text[i]);
    if (!digits && !is_letter(text[i])) {
      if (text[i] == '-' || text[i] == '+' || text[i] == '!') in_release = false;
      if (text[i] == '+') parts.emplace_back("+");
      ++i;
      continue;
    }
    std::string part;
    while (i < text.size() && (digits ? is_digit(text[i]) : is_letter(text[i])))
      part += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i++])));
    if (digits) {
      part.erase(0, std::min(part.find_first_not_of('0'), part.size() - 1));
    } else {
      in_release = false;
      if (part == "alpha") part = "a";
      if (part == "beta") part = "b";
      if (part == "c" || part == "pre" || part == "preview") part = "rc";
      if (part == "rev" || part == "r") part = "post";
    }
    parts.push_back(std::move(part));
    if (in_release) release_end = parts.size();
  }
  while (release_end > 1 && parts[release_end - 1] == "0")
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(--release_end));
  return parts;
}

std::string normal_name(std::string_view source, std::string_view name) {
  if (source != "pip") return std::string(name);
  name = name.substr(0, name.find_first_of("[=<>!~ ;@"));  // extras and version are no part of the name
  return registry::normalize_pip_name(name);
}

std::string with_dashes(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c == '_' || c == '.') c = '-';
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

tl::unexpected<Error> disagreement(std::string_view what, std::string_view manifest,
                                   std::string_view resolved) {
  return fail(ErrorCode::manifest_mismatch, std::string(what) + ": the manifest says \"" +
                                                printable(manifest) + "\", resolved was \"" +
                                                printable(resolved) + "\"");
}

/// "x" or "acme-x" for "@acme/x".
Result<> check_name(const std::string& name, const std::string& package) {
  const std::string found = with_dashes(name);
  const std::string plain = with_dashes(unscoped(package));
  std::string scoped = with_dashes(package);
  if (scoped.starts_with('@')) scoped.erase(0, 1);
  std::replace(scoped.begin(), scoped.end(), '/', '-');
  if (found == plain || found == scoped) return {};
  return disagreement("name", name, package);
}

}  // namespace

bool same_version(std::string_view source, std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (source == "pip") return version_parts(a) == version_parts(b);
  const auto left = SemVer::parse(a);
  const auto right = SemVer::parse(b);
  return left && right && *left == *right;
}

Result<> check_agreement(const manifest::Manifest& manifest, const ResolvedPackage& resolved) {
  const auto launch = manifest::launch_type(manifest.launch);
  const std::string_view expected = resolved.source == "npm" ? "npx" : "uvx";
  if (launch != expected)
    return fail(ErrorCode::manifest_mismatch, "launch type: the manifest says \"" + std::string(launch) +
                                                  "\", a package of " + resolved.source +
                                                  " is started by \"" + std::string(expected) + "\"");
  if (!same_version(resolved.source, manifest.version, resolved.version))
    return disagreement("version", manifest.version, resolved.version);
  const auto check_package = [&](std::string_view field, const std::string& name,
                                 const std::optional<std::string>& version) -> Result<> {
    if (normal_name(resolved.source, name) != normal_name(resolved.source, resolved.package))
      return disagreement(std::string(field), name, resolved.package);
    if (version && !same_version(resolved.source, *version, resolved.version))
      return disagreement(std::string(field) + " version", *version, resolved.version);
    return {};
  };
  if (const auto* const npx = std::get_if<manifest::NpxLaunch>(&manifest.launch))
    CURUPIRA_CHECK(check_package("launch.package", npx->package, npx->version));
  if (const auto* const uvx = std::get_if<manifest::UvxLaunch>(&manifest.launch))
    CURUPIRA_CHECK(check_package("launch.package", uvx->package, uvx->version));
  if (manifest.package)
    CURUPIRA_CHECK(check_package("[package] name", manifest.package->name, manifest.package->version));
  if (resolved.probed) CURUPIRA_CHECK(check_name(manifest.name, resolved.package));
  return {};
}

Result<> check_release_agreement(const manifest::Manifest& manifest, const std::string& package,
                                 const std::string& version) {
  if (manifest.version != version) return disagreement("version", manifest.version, version);
  return check_name(manifest.name, package);
}

}  // namespace curupira::installer
