#include "installer/lock_place.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"

namespace curupira::installer {
namespace {

std::string list_of(const std::vector<manifest::Platform>& platforms) {
  std::string text;
  for (const auto& platform : platforms)
    text += (text.empty() ? "" : ", ") + platform.text();
  return text;
}

/// The path of a reference, when it has one.
std::filesystem::path* path_of(registry::Reference& reference) {
  if (auto* const folder = std::get_if<registry::PathReference>(&reference)) return &folder->folder;
  auto* const archive = std::get_if<registry::ArchiveReference>(&reference);
  return archive != nullptr ? std::get_if<std::filesystem::path>(&archive->location) : nullptr;
}

}  // namespace

std::optional<ReplacedFile> OpenedLock::change() const {
  std::string after = write_lock(lock);
  if (before == after) return std::nullopt;
  return ReplacedFile{.path = file, .before = before, .after = std::move(after)};
}

SeenLock seen_by(const OpenedLock& opened) {
  SeenLock seen{.path = opened.file, .blobs = {}, .trees = {}};
  for (const auto& extension : opened.lock.extensions) {
    if (extension.tree) seen.trees.push_back(*extension.tree);
    for (const auto& artifact : extension.artifacts) {
      seen.blobs.push_back(std::string(name_of(artifact.digest.algorithm())) + "/" + artifact.digest.hex());
      if (artifact.tree) seen.trees.push_back(*artifact.tree);
    }
  }
  for (auto* const list : {&seen.blobs, &seen.trees}) {
    std::ranges::sort(*list);
    list->erase(std::ranges::unique(*list).begin(), list->end());
  }
  return seen;
}

Result<OpenedLock> open_lock(const FileSystem& files, const LockPlace& place,
                             const manifest::Platform& platform, Diagnostics& diagnostics) {
  OpenedLock opened{.file = place.file, .before = std::nullopt, .lock = {}};
  auto wanted = place.platforms;
  std::ranges::sort(wanted);
  wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
  auto text = files.read_file(place.file, max_lock_bytes);
  if (text) {
    CURUPIRA_TRY(opened.lock, parse_lock(*text, place.file));
    opened.before = *std::move(text);
    if (!wanted.empty() && wanted != opened.lock.platforms)
      diagnostics.warn("the lock file is for " + list_of(opened.lock.platforms) + ", the settings want " +
                       list_of(wanted) + ": `curupira plugins lock` changes that");
  } else if (text.error().code() == ErrorCode::file_not_found) {
    CURUPIRA_TRY(const auto folder, files.status(place.file.parent_path()));
    if (!folder) return fail(ErrorCode::file_not_found, printable(place.file.parent_path().string()));
    opened.lock.platforms = wanted.empty() ? std::vector{platform} : std::move(wanted);
  } else {
    return fail(std::move(text).error().while_doing("reading the lock file"));
  }
  if (!opened.lock.has(platform))
    return fail(ErrorCode::lock_platform, printable(place.file.string()) + " is for " +
                                              list_of(opened.lock.platforms) + ", this is " +
                                              platform.text());
  return opened;
}

Result<std::optional<ReplacedFile>> without_entry(const FileSystem& files, const std::filesystem::path& file,
                                                  std::string_view name) {
  auto text = files.read_file(file, max_lock_bytes);
  if (!text && text.error().code() == ErrorCode::file_not_found) return std::optional<ReplacedFile>();
  if (!text) return fail(std::move(text).error().while_doing("reading the lock file"));
  OpenedLock opened{.file = file, .before = *text, .lock = {}};
  CURUPIRA_TRY(opened.lock, parse_lock(*text, file));
  if (!opened.lock.remove(name)) return std::optional<ReplacedFile>();
  return opened.change();
}

registry::Reference reference_for_lock(const registry::Reference& reference,
                                       const std::filesystem::path& current,
                                       const std::filesystem::path& lock_folder) {
  registry::Reference result = reference;
  if (auto* const path = path_of(result)) {
    *path = (current / *path).lexically_normal().lexically_relative(lock_folder);
    // "x.zip" and "path:x" are read as well as "./x.zip", which says more clearly what it is.
    if (std::holds_alternative<registry::ArchiveReference>(result) && !path->string().starts_with(".."))
      *path = "./" + path->string();
  }
  return result;
}

Result<registry::Reference> reference_from_lock(const LockedExtension& extension,
                                                const std::filesystem::path& lock_folder) {
  auto reference = registry::parse_reference(extension.reference);
  if (!reference)
    return fail(Error(ErrorCode::lock_field, "the reference of " + printable(extension.name))
                    .caused_by(std::move(reference).error()));
  if (auto* const path = path_of(*reference)) *path = (lock_folder / *path).lexically_normal();
  return reference;
}

}  // namespace curupira::installer
