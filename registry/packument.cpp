#include "registry/packument.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/limits.h"
#include "registry/version_range.h"

namespace curupira::registry {

namespace {

std::optional<std::string> deprecation(const json::Value& release) {
  const json::Value* value = release.find("deprecated");
  if (value == nullptr) return std::nullopt;
  if (const auto* text = value->as_string(); text != nullptr && !text->empty()) return *text;
  if (const auto* flag = value->as_bool(); flag != nullptr && *flag) return "its publisher gives no reason";
  return std::nullopt;
}

/// Names in bundleDependencies, which stand in the tarball with all that they need.
bool is_bundled(const json::Value& release, const std::string& dependency) {
  for (const std::string_view member : {"bundleDependencies", "bundledDependencies"}) {
    const json::Value* bundled = release.find(member);
    if (bundled == nullptr) continue;
    if (const auto* all = bundled->as_bool(); all != nullptr && *all) return true;
    if (const auto* names = bundled->as_array()) {
      if (std::ranges::any_of(*names,
                              [&](const json::Value& name) { return name == json::Value(dependency); }))
        return true;
    }
  }
  return false;
}

bool is_optional_peer(const json::Value& release, const std::string& peer) {
  const json::Value* meta = release.find("peerDependenciesMeta");
  const json::Value* entry = meta ? meta->find(peer) : nullptr;
  const json::Value* optional = entry ? entry->find("optional") : nullptr;
  return optional != nullptr && *optional == json::Value(true);
}

bool needs_resolver(const json::Value& release) {
  for (const std::string_view member : {"dependencies", "optionalDependencies"}) {
    const json::Value* value = release.find(member);
    const json::Object* object = value ? value->as_object() : nullptr;
    if (object == nullptr) continue;
    if (std::ranges::any_of(*object, [&](const auto& entry) { return !is_bundled(release, entry.first); }))
      return true;
  }
  const json::Value* value = release.find("peerDependencies");
  const json::Object* peers = value ? value->as_object() : nullptr;
  return peers != nullptr && std::ranges::any_of(*peers, [&](const auto& entry) {
           return !is_optional_peer(release, entry.first);
         });
}

std::optional<std::string> string_member(const json::Value* object, std::string_view name) {
  const std::string* text = object ? object->find_string(name) : nullptr;
  return text ? std::optional(*text) : std::nullopt;
}

/// What is no signature stays one that no key has made: a registry that signs badly is not one that does not
/// sign.
std::vector<PackageSignature> signatures_of(const json::Value* dist) {
  const json::Value* const value = dist ? dist->find("signatures") : nullptr;
  if (value == nullptr || value->is_null()) return {};
  const json::Array* const entries = value->as_array();
  if (entries == nullptr || entries->size() > Limits::max_signatures) return {PackageSignature{}};
  std::vector<PackageSignature> signatures;
  for (const json::Value& entry : *entries) {
    const std::string* const key_id = entry.find_string("keyid");
    const std::string* const signature = entry.find_string("sig");
    signatures.push_back({key_id ? *key_id : "", signature ? *signature : ""});
  }
  return signatures;
}

}  // namespace

Result<Packument> Packument::parse(std::string_view text, std::string_view name) {
  const std::string shown = printable(name);
  auto root = json::parse(text, {.max_bytes = Limits::max_packument_bytes});
  if (!root) {
    return fail(Error(ErrorCode::registry_unreadable, "what it says of " + shown + " is not JSON")
                    .caused_by(std::move(root).error()));
  }
  const json::Value* versions = root->find("versions");
  if (versions == nullptr || versions->as_object() == nullptr) {
    return fail(ErrorCode::registry_unreadable, "what it says of " + shown + " has no table of versions");
  }
  if (const std::string* own = root->find_string("name"); own != nullptr && *own != name) {
    return fail(ErrorCode::registry_unreadable, "asked for " + shown + ", it describes " + printable(*own));
  }
  if (versions->as_object()->size() > Limits::max_packument_versions) {
    return fail(ErrorCode::registry_unreadable,
                shown + " has " + std::to_string(versions->as_object()->size()) + " versions, the limit is " +
                    std::to_string(Limits::max_packument_versions));
  }
  Packument packument;
  packument.name_ = std::string(name);
  for (const auto& [key, value] : *versions->as_object()) {
    auto version = SemVer::parse(key);
    if (version && value.as_object() != nullptr) packument.entries_.push_back({*std::move(version), key});
  }
  std::ranges::stable_sort(packument.entries_,
                           [](const Entry& a, const Entry& b) { return a.version < b.version; });
  if (const json::Value* tags = root->find("dist-tags"); tags != nullptr && tags->as_object() != nullptr) {
    for (const auto& [tag, value] : *tags->as_object()) {
      if (const auto* version = value.as_string()) packument.tags_.emplace(tag, *version);
    }
  }
  packument.root_ = *std::move(root);
  return packument;
}

const Packument::Entry* Packument::entry_of(const SemVer& version) const {
  const auto found = std::ranges::find(entries_, version, &Entry::version);
  return found == entries_.end() ? nullptr : &*found;
}

bool Packument::deprecated(const Entry& entry) const {
  return deprecation(data_of(entry)).has_value();
}

const Packument::Entry* Packument::best_of(std::string_view range_text, const VersionRange& range) const {
  if (const auto latest = tags_.find("latest"); latest != tags_.end()) {
    const auto version = SemVer::parse(latest->second);
    const Entry* entry = version ? entry_of(*version) : nullptr;
    // As in npm, "*" takes `latest` also when that is a prerelease.
    if (entry && !deprecated(*entry) && (range_text == "*" || range.contains(*version))) return entry;
  }
  const Entry* last_resort = nullptr;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (!range.contains(entry->version)) continue;
    if (!deprecated(*entry)) return &*entry;
    if (last_resort == nullptr) last_resort = &*entry;
  }
  return last_resort;
}

Result<PackageRelease> Packument::choose(std::string_view wanted, Diagnostics& diagnostics) const {
  const Entry* chosen = nullptr;
  std::optional<SemVer> near;
  if (const auto range = VersionRange::parse(wanted)) {
    near = range->exact();
    chosen = near ? entry_of(*near) : best_of(wanted, *range);
  } else if (const auto tag = tags_.find(wanted); tag != tags_.end()) {
    const auto version = SemVer::parse(tag->second);
    if (version) near = *version;
    chosen = version ? entry_of(*version) : nullptr;
  }
  if (chosen == nullptr) return fail(not_found(wanted, near));

  PackageRelease release = read(*chosen);
  if (release.deprecated) {
    const std::string reason = release.deprecated->substr(0, Limits::max_warning_bytes);
    diagnostics.warn("npm:" + name_ + "@" + release.version + " is deprecated: " + printable(reason));
  }
  return release;
}

void Packument::keep_old_enough(const ReleaseAge& age) {
  const json::Value* const times = root_.find("time");
  std::erase_if(entries_, [&](const Entry& entry) { return !age.admits(string_member(times, entry.text)); });
  const auto newest_up_to = [&](const SemVer& meant) -> std::string {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      const bool other_kind = !entry->version.prerelease().empty() && meant.prerelease().empty();
      if (entry->version <= meant && !other_kind && !deprecated(*entry)) return entry->text;
    }
    return {};  // no version: the tag means nothing any more
  };
  for (auto& [tag, version] : tags_) {
    const auto meant = SemVer::parse(version);
    if (meant && entry_of(*meant) == nullptr) version = newest_up_to(*meant);
  }
}

std::optional<PackageRelease> Packument::find(std::string_view version) const {
  const auto parsed = SemVer::parse(version);
  const Entry* entry = parsed ? entry_of(*parsed) : nullptr;
  return entry ? std::optional(read(*entry)) : std::nullopt;
}

PackageRelease Packument::read(const Entry& entry) const {
  const json::Value& data = data_of(entry);
  const json::Value* dist = data.find("dist");
  return {.name = name_,
          .version = entry.version.to_string(),
          .deprecated = deprecation(data),
          .needs_resolver = registry::needs_resolver(data),
          .platforms = NpmPlatformRule::read(data),
          .tarball = string_member(dist, "tarball"),
          .integrity = string_member(dist, "integrity"),
          .shasum = string_member(dist, "shasum"),
          .signatures = signatures_of(dist),
          .published = string_member(root_.find("time"), entry.text)};
}

Error Packument::not_found(std::string_view wanted, const std::optional<SemVer>& near) const {
  std::string detail = name_ + " has nothing that is \"" + printable(wanted) + "\"";
  if (entries_.empty()) return Error(ErrorCode::version_not_found, detail + "; it has no version at all");

  // The versions around the one that was asked for, else the newest.
  const auto count = static_cast<std::ptrdiff_t>(std::min(Limits::shown_versions, entries_.size()));
  auto first = entries_.end() - count;
  if (near) {
    const auto place = std::ranges::lower_bound(entries_, *near, {}, &Entry::version);
    const auto before = std::min(place - entries_.begin(), (count + 1) / 2);
    first = std::min(place - before, first);
  }
  detail += near ? "; the nearest are" : "; the newest are";
  for (auto entry = first; entry != first + count; ++entry) {
    detail += (entry == first ? " " : ", ") + printable(entry->version.to_string());
  }
  if (!tags_.empty()) detail += "; tags:";
  std::size_t shown = 0;
  for (const auto& [tag, version] : tags_) {
    if (shown++ == Limits::shown_versions) break;
    detail += " " + printable(tag.substr(0, Limits::max_range_bytes)) + " = " +
              printable(version.substr(0, Limits::max_range_bytes));
  }
  return Error(ErrorCode::version_not_found, std::move(detail));
}

}  // namespace curupira::registry
