#include "installer/seen_locks.h"

#include <algorithm>
#include <optional>

#include "base/digest.h"
#include "base/json.h"
#include "installer/lock_place.h"

namespace curupira::installer {
namespace {

constexpr std::size_t max_record_bytes = 16u << 20;

std::filesystem::path folder_of(const HomeLayout& home) {
  return home.root / "seen-locks";
}

json::Array array_of(std::vector<std::string>& texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  json::Array array;
  for (const auto& text : texts)
    array.emplace_back(text);
  return array;
}

std::optional<std::vector<std::string>> strings(const json::Value* value) {
  if (value == nullptr || value->as_array() == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto& each : *value->as_array()) {
    if (each.as_string() == nullptr) return std::nullopt;
    texts.push_back(*each.as_string());
  }
  return texts;
}

std::optional<SeenLock> parse(std::string_view text) {
  const auto root = json::parse(text);
  if (!root) return std::nullopt;
  const std::string* const path = root->find_string("path");
  auto blobs = strings(root->find("blobs"));
  auto trees = strings(root->find("trees"));
  if (path == nullptr || !std::filesystem::path(*path).is_absolute() || !blobs || !trees) return std::nullopt;
  return SeenLock{*path, std::move(*blobs), std::move(*trees)};
}

/// Nothing when the file is no lock file just now.
std::optional<SeenLock> read_now(const ReadOnlyFileSystem& files, const std::filesystem::path& path) {
  const auto text = files.read_file(path, max_lock_bytes);
  const auto parsed = text ? parse_lock(*text, path) : Result<LockFile>(fail(text.error()));
  if (!parsed) return std::nullopt;
  return seen_by({.file = path, .before = *text, .lock = *parsed});
}

}  // namespace

Result<> remember_lock(FileSystem& files, const HomeLayout& home, SeenLock lock) {
  json::Object root;
  root.set("format", 1);
  root.set("path", lock.path.string());
  root.set("blobs", array_of(lock.blobs));
  root.set("trees", array_of(lock.trees));
  const std::string text = json::write_pretty(root);
  const auto name = digest_of(DigestAlgorithm::sha256, lock.path.string()).hex().substr(0, 32) + ".json";
  const auto file = folder_of(home) / name;
  const auto known = files.read_file(file, max_record_bytes);
  if (known && *known == text) return {};
  CURUPIRA_CHECK(files.create_folders(folder_of(home)));
  return write_file_atomically(files, file, text);
}

Result<SeenLocks> seen_locks(const ReadOnlyFileSystem& files, const HomeLayout& home) {
  SeenLocks seen;
  const auto names = files.list(folder_of(home));
  if (!names) {
    if (names.error().code() == ErrorCode::file_not_found) return seen;
    return fail(names.error());
  }
  for (const auto& name : *names) {
    if (!name.ends_with(".json")) continue;
    const auto file = folder_of(home) / name;
    const auto text = files.read_file(file, max_record_bytes);
    auto lock = text ? parse(*text) : std::nullopt;
    if (!lock) {
      seen.unreadable.push_back(file);
      continue;
    }
    CURUPIRA_TRY(const auto status, files.status(lock->path));
    if (!status) {
      seen.gone.push_back(file);
      continue;
    }
    if (auto current = read_now(files, lock->path)) lock = std::move(current);
    seen.locks.push_back(std::move(*lock));
  }
  return seen;
}

}  // namespace curupira::installer
