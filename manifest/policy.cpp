#include "manifest/policy.h"

#include <algorithm>

#include "base/glob.h"
#include "base/printable.h"

namespace curupira::manifest {
namespace {

/// Where the path of a URL begins in "archive:https://host/path".
std::size_t url_path(std::string_view text) {
  const std::size_t host = text.find("://");
  return host == std::string_view::npos ? host : text.find('/', host + 3);
}

}  // namespace

bool PolicyPattern::matches(std::string_view reference) const {
  const std::string_view pattern = glob;
  const std::size_t pattern_path = url_path(pattern);
  const std::size_t path = url_path(reference);
  if (pattern_path == std::string_view::npos || path == std::string_view::npos)
    return glob_matches(pattern, reference);
  // A "*" in the host must not reach into the path: https://evil.example/x.example.org/…
  return glob_matches(pattern.substr(0, pattern_path), reference.substr(0, path)) &&
         glob_matches(pattern.substr(pattern_path), reference.substr(path));
}

bool AllowedNames::admit(std::string_view name) const {
  return std::ranges::any_of(globs, [&](const std::string& glob) { return glob_matches(glob, name); });
}

bool Policy::empty() const {
  const auto forbids = [](const std::optional<PolicySwitch>& rule) { return rule && !rule->allowed; };
  return !allow && deny.empty() && verification.empty() && !minimum_release_age &&
         !registry_metadata_max_age && !max_package_size && !permissions && !runtimes &&
         !forbids(allow_probe) && !forbids(allow_yanked);
}

std::string Policy::place(TextPosition position) const {
  return printable(file.string()) + ":" + std::to_string(position.line);
}

const MinimumLevel* Policy::minimum_level(std::string_view package) const {
  const auto covers = [&](const MinimumLevel& rule) {
    return std::ranges::any_of(rule.packages,
                               [&](const PolicyPattern& pattern) { return pattern.matches(package); });
  };
  const auto found = std::ranges::find_if(verification, covers);
  return found == verification.end() ? nullptr : &*found;
}

}  // namespace curupira::manifest
