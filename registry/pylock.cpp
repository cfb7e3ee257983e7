#include "registry/pylock.h"

#include <algorithm>
#include <tuple>

#include "base/printable.h"
#include "base/toml.h"
#include "registry/limits.h"
#include "registry/reference.h"
#include "registry/wheel_name.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;

Error unreadable(std::string detail) {
  return Error(ErrorCode::resolution_unreadable, "pylock.toml: " + std::move(detail));
}

const std::string* string_of(const toml::Table& table, std::string_view name) {
  const toml::Value* value = table.find(name);
  return value ? value->as_string() : nullptr;
}

bool is_version(std::string_view text) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._+!-").find(c) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= Limits::max_range_bytes && std::ranges::all_of(text, legal);
}

Result<std::variant<Url, fs::path>> local_path(fs::path path, const fs::path& folder) {
  if (path.is_relative()) path = folder / path;
  return std::variant<Url, fs::path>(path.lexically_normal());
}

/// `url` (also file:) or `path`.
Result<std::variant<Url, fs::path>> location_of(const toml::Table& wheel, const fs::path& folder,
                                                const std::string& label) {
  if (const std::string* path = string_of(wheel, "path")) {
    if (path->empty() || path->find('\0') != std::string::npos)
      return fail(unreadable(label + " has a bad path"));
    return local_path(*path, folder);
  }
  const std::string* text = string_of(wheel, "url");
  if (text == nullptr) return fail(unreadable(label + " has neither url nor path"));
  auto url = Url::parse(*text);
  if (!url)
    return fail(unreadable("the address of " + label + " cannot be used").caused_by(std::move(url).error()));
  if (url->scheme() != "file") return std::variant<Url, fs::path>(url->without_fragment());
  const auto path = percent_decode(url->path());
  if (!path || path->find('\0') != std::string::npos)
    return fail(unreadable(label + " has a bad file address"));
  return local_path(*path, folder);
}

Result<std::vector<Digest>> digests_of(const toml::Table& wheel, const std::string& file_name) {
  constexpr std::string_view remedy = "the package index has to give a sha256 digest with the file";
  const toml::Value* value = wheel.find("hashes");
  const toml::Table* hashes = value ? value->as_table() : nullptr;
  if (hashes == nullptr || hashes->size() == 0) {
    return fail(Error(ErrorCode::integrity_missing, "the index gives no digest for " + file_name)
                    .with_help(std::string(remedy)));
  }
  std::vector<Digest> digests;
  for (const DigestAlgorithm algorithm :
       {DigestAlgorithm::sha256, DigestAlgorithm::sha384, DigestAlgorithm::sha512}) {
    const std::string* hex = string_of(*hashes, name_of(algorithm));
    if (hex == nullptr) continue;
    auto digest = Digest::from_hex(algorithm, *hex);
    if (!digest) return fail(std::move(digest).error().while_doing("reading the digest of " + file_name));
    digests.push_back(*digest);
  }
  if (digests.empty()) {
    return fail(Error(ErrorCode::integrity_weak,
                      "the index gives only " + printable(hashes->begin()->name) + " for " + file_name)
                    .with_help(std::string(remedy)));
  }
  return digests;
}

Result<LockedWheel> read_wheel(const toml::Value& value, const std::string& package, const fs::path& folder) {
  const toml::Table* wheel = value.as_table();
  if (wheel == nullptr) return fail(unreadable("a wheel of " + package + " is no table"));
  std::string file_name;
  if (const std::string* name = string_of(*wheel, "name")) {
    file_name = *name;
  } else if (const std::string* path = string_of(*wheel, "path")) {
    file_name = fs::path(*path).filename().string();
  } else if (const std::string* url = string_of(*wheel, "url")) {
    const auto parsed = Url::parse(*url);
    if (parsed) file_name = parsed->file_name();
  }
  const auto name = WheelName::parse(file_name);
  if (!name || normalize_pip_name(name->distribution) != package) {
    return fail(
        Error(ErrorCode::resolution_unsafe, "\"" + printable(file_name.substr(0, Limits::max_range_bytes)) +
                                                "\" is not the name of a wheel of " + package));
  }
  CURUPIRA_TRY(auto location, location_of(*wheel, folder, file_name));
  CURUPIRA_TRY(auto digests, digests_of(*wheel, file_name));
  std::optional<std::uint64_t> size;
  if (const toml::Value* member = wheel->find("size")) {
    const std::int64_t* bytes = member->as_integer();
    if (bytes == nullptr || *bytes < 0)
      return fail(unreadable("the size of " + file_name + " is no number of bytes"));
    size = static_cast<std::uint64_t>(*bytes);
  }
  return LockedWheel{.file_name = std::move(file_name),
                     .location = std::move(location),
                     .size = size,
                     .digests = std::move(digests)};
}

Result<PylockPackage> read_package(const toml::Value& value, const fs::path& folder) {
  const toml::Table* package = value.as_table();
  const std::string* name = package ? string_of(*package, "name") : nullptr;
  if (name == nullptr || !is_pip_package_name(*name)) return fail(unreadable("a package has no usable name"));
  const std::string normalized = normalize_pip_name(*name);
  const toml::Value* list = package->find("wheels");
  const toml::Array* wheels = list ? list->as_array() : nullptr;
  if (wheels == nullptr || wheels->empty()) {
    return fail(
        Error(ErrorCode::resolution_unsafe, normalized + " has no wheel for this machine")
            .with_help("building a package runs foreign code and is not done; ask its author for a wheel"));
  }
  const std::string* version = string_of(*package, "version");
  if (version == nullptr || !is_version(*version))
    return fail(unreadable(normalized + " has no usable version"));

  PylockPackage result{.name = normalized, .version = *version, .wheels = {}};
  if (const std::string* marker = string_of(*package, "marker")) {
    if (marker->size() > Limits::max_marker_bytes)
      return fail(unreadable("the marker of " + normalized + " is longer than " +
                             std::to_string(Limits::max_marker_bytes) + " bytes"));
    result.marker = *marker;
  }
  for (const toml::Value& wheel : *wheels) {
    CURUPIRA_TRY(auto read, read_wheel(wheel, normalized, folder));
    result.wheels.push_back(std::move(read));
  }
  return result;
}

}  // namespace

Result<std::vector<PylockPackage>> read_pylock(std::string_view text, const fs::path& folder) {
  const auto document = toml::parse(text, {.max_bytes = Limits::max_pylock_bytes});
  if (!document) {
    return fail(unreadable("line " + std::to_string(document.error().position.line) + ": " +
                           printable(document.error().reason)));
  }
  const std::string* format = string_of(*document, "lock-version");
  if (format == nullptr || !format->starts_with("1.")) return fail(unreadable("lock-version is not 1.x"));
  const toml::Value* list = document->find("packages");
  const toml::Array* packages = list ? list->as_array() : nullptr;
  if (packages == nullptr) return fail(unreadable("it has no list of packages"));
  if (packages->size() > Limits::max_closure_packages) {
    return fail(unreadable("it has " + std::to_string(packages->size()) + " packages, the limit is " +
                           std::to_string(Limits::max_closure_packages)));
  }
  std::vector<PylockPackage> result;
  for (const toml::Value& package : *packages) {
    CURUPIRA_TRY(auto read, read_package(package, folder));
    result.push_back(std::move(read));
  }
  const auto key = [](const PylockPackage& package) { return std::tie(package.name, package.version); };
  std::ranges::sort(result, {}, key);
  const auto twice = std::ranges::adjacent_find(result, {}, key);
  if (twice != result.end())
    return fail(unreadable(twice->name + " " + twice->version + " stands in it twice"));
  return result;
}

}  // namespace curupira::registry
