#include "registry/package_lock.h"

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/printable.h"
#include "base/semver.h"
#include "registry/limits.h"
#include "registry/npm_platform.h"

namespace curupira::registry {

namespace {

constexpr std::string_view modules = "node_modules";
constexpr std::size_t max_name_bytes = 214;

Error unreadable(std::string detail) {
  return Error(ErrorCode::resolution_unreadable, "package-lock.json: " + std::move(detail));
}

/// Names in trees also have the upper case letters that npm took in its first years.
bool is_tree_name_part(std::string_view part) {
  if (part.empty() || part.size() > max_name_bytes || part == modules) return false;
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~!'()*").find(c) != std::string_view::npos;
  };
  return part.front() != '.' && std::ranges::all_of(part, legal);
}

bool is_tree_name(std::string_view name) {
  if (!name.starts_with('@')) return is_tree_name_part(name);
  const std::size_t slash = name.find('/');
  return slash != std::string_view::npos && is_tree_name_part(name.substr(1, slash - 1)) &&
         is_tree_name_part(name.substr(slash + 1));
}

/// The name at the end of a location of the shape (node_modules/NAME)+; nothing for another shape.
std::optional<std::string> name_at(const RelativePath& location) {
  const auto segments = location.segments();
  std::string name;
  for (std::size_t i = 0; i < segments.size();) {
    if (segments[i++] != modules || i == segments.size()) return std::nullopt;
    name = std::string(segments[i++]);
    if (name.starts_with('@')) {
      if (i == segments.size()) return std::nullopt;
      name.append("/").append(segments[i++]);
    }
    if (!is_tree_name(name)) return std::nullopt;
  }
  return name;
}

/// The location of the package in whose node_modules this one stands; empty at the top.
std::string_view parent_of(const RelativePath& location) {
  const std::size_t end = location.text().rfind("/node_modules/");
  return end == std::string::npos ? std::string_view{} : std::string_view(location.text()).substr(0, end);
}

bool flag(const json::Value& entry, std::string_view name) {
  const json::Value* value = entry.find(name);
  return value != nullptr && *value == json::Value(true);
}

bool is_http(std::string_view url) {
  return url.starts_with("https://") || url.starts_with("http://");
}

Result<LockedPackage> read_entry(RelativePath location, std::string name, const json::Value& entry) {
  const std::string shown = printable(location.text());
  if (const std::string* alias = entry.find_string("name")) {
    if (!is_tree_name(*alias))
      return fail(unreadable(shown + " has a name that no registry has: " + printable(*alias)));
    name = *alias;
  }
  const std::string* resolved = entry.find_string("resolved");
  const std::string* version = entry.find_string("version");
  if (flag(entry, "link") || (resolved && !is_http(*resolved)) || version == nullptr) {
    const std::string from =
        resolved ? printable(resolved->substr(0, Limits::max_warning_bytes)) : "a folder";
    return fail(
        Error(ErrorCode::resolution_unsafe, name + " does not come from a registry but from " + from)
            .with_help(
                "packages that depend on links, files or git repositories are not installed; its author "
                "has to depend on a published version"));
  }
  const auto parsed = SemVer::parse(*version);
  if (!parsed) return fail(unreadable(shown + " has the version " + printable(*version)));
  const std::string* integrity = entry.find_string("integrity");
  return LockedPackage{.location = std::move(location),
                       .name = std::move(name),
                       .version = parsed->to_string(),
                       .resolved = resolved ? std::optional(*resolved) : std::nullopt,
                       .integrity = integrity ? std::optional(*integrity) : std::nullopt};
}

Result<json::Value> parse_lock(std::string_view text) {
  auto root = json::parse(text, {.max_bytes = Limits::max_package_lock_bytes});
  if (!root) return fail(unreadable("it is not JSON").caused_by(std::move(root).error()));
  const json::Value* format = root->find("lockfileVersion");
  const auto number = format ? format->as_int() : std::nullopt;
  if (number != 2 && number != 3) return fail(unreadable("lockfileVersion is neither 2 nor 3"));
  const json::Value* packages = root->find("packages");
  if (packages == nullptr || packages->as_object() == nullptr)
    return fail(unreadable("it has no table \"packages\""));
  if (packages->as_object()->size() > Limits::max_closure_packages) {
    return fail(unreadable("it has " + std::to_string(packages->as_object()->size()) +
                           " packages, the limit is " + std::to_string(Limits::max_closure_packages)));
  }
  return root;
}

}  // namespace

Result<std::vector<LockedPackage>> read_package_lock(std::string_view text,
                                                     const manifest::Platform& platform) {
  CURUPIRA_TRY(const json::Value root, parse_lock(text));
  struct Place {
    RelativePath location;
    std::string name;
    const json::Value* entry;
  };
  std::vector<Place> places;
  for (const auto& [key, entry] : *root.find("packages")->as_object()) {
    if (key.empty()) continue;  // the scratch project itself
    auto location = RelativePath::parse(key);
    auto name = location && location->text() == key ? name_at(*location) : std::nullopt;
    if (!name || entry.as_object() == nullptr) {
      return fail(unreadable("\"" + printable(key) + "\" is not a place in node_modules"));
    }
    places.push_back({*std::move(location), *std::move(name), &entry});
  }
  std::ranges::sort(places, {}, [](const Place& place) { return std::string_view(place.location.text()); });

  std::vector<LockedPackage> packages;
  std::set<std::string, std::less<>> known, left_out;  // a folder sorts before what stands in it
  for (const Place& place : places) {
    const std::string_view parent = parent_of(place.location);
    const json::Value& entry = *place.entry;
    const NpmPlatformRule rule = NpmPlatformRule::read(entry);
    const bool fits = rule.admits(platform);
    const bool optional = flag(entry, "optional") || flag(entry, "devOptional");
    if (!parent.empty() && !known.contains(parent)) {
      return fail(
          unreadable(printable(place.location.text()) + " stands in a package that is not in the file"));
    }
    known.insert(place.location.text());
    if (left_out.contains(parent) || flag(entry, "dev") || (optional && !fits)) {
      left_out.insert(place.location.text());
      continue;
    }
    if (flag(entry, "inBundle")) continue;
    CURUPIRA_TRY(auto package, read_entry(place.location, place.name, entry));
    if (!fits) {
      return fail(Error(ErrorCode::platform_missing, package.label() + " is for " + rule.to_string() +
                                                         ", this machine is " + platform.text()));
    }
    packages.push_back(std::move(package));
  }
  return packages;
}

}  // namespace curupira::registry
