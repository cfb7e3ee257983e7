#include "installer/partial_downloads.h"

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "installer/limits.h"

namespace curupira::installer {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t max_note_bytes = 4096;

}  // namespace

fs::path partial_folder(const HomeLayout& home) {
  return home.cache() / "partial";
}

fs::path PartialDownloads::stem(const Digest& digest) const {
  return folder_ / (std::string(name_of(digest.algorithm())) + "-" + digest.hex());
}

fs::path PartialDownloads::file(const Digest& digest) const {
  return stem(digest).string() + ".part";
}

std::optional<ResumePoint> PartialDownloads::find(const Digest& digest) const {
  if (!enabled()) return std::nullopt;
  const auto status = files_.status(file(digest));
  if (!status || !*status || (*status)->type != FileType::regular || (*status)->size == 0)
    return std::nullopt;
  const auto text = files_.read_file(stem(digest).string() + ".json", max_note_bytes);
  if (!text) return std::nullopt;
  const auto note = json::parse(*text);
  const std::string* validator = note ? note->find_string("validator") : nullptr;
  if (validator == nullptr || validator->empty()) return std::nullopt;
  return ResumePoint{(*status)->size, *validator};
}

Result<> PartialDownloads::keep(const Digest& digest, const fs::path& staged, const std::string& validator) {
  CURUPIRA_CHECK(files_.create_folders(folder_));
  CURUPIRA_CHECK(files_.rename(staged, file(digest)));
  return note_validator(digest, validator);
}

Result<> PartialDownloads::note_validator(const Digest& digest, const std::string& validator) {
  const fs::path note = stem(digest).string() + ".json";
  if (validator.empty()) return files_.remove_file(note);
  json::Object object;
  object.set("validator", validator);
  return write_file_atomically(files_, note, json::write_pretty(std::move(object)), 0600);
}

Result<> PartialDownloads::finish(const Digest& digest, const fs::path& staged) {
  CURUPIRA_CHECK(files_.rename(file(digest), staged));
  return files_.remove_file(stem(digest).string() + ".json");
}

void PartialDownloads::remove(const Digest& digest) {
  if (!enabled()) return;
  static_cast<void>(files_.remove_file(file(digest)));
  static_cast<void>(files_.remove_file(stem(digest).string() + ".json"));
}

void PartialDownloads::tidy(std::chrono::system_clock::time_point now) {
  if (!enabled()) return;
  const auto names = files_.list(folder_);
  if (!names) return;
  struct Kept {
    std::string name;
    FileStatus status;
  };
  std::vector<Kept> kept;
  for (const std::string& name : *names) {
    const auto status = files_.status(folder_ / name);
    if (status && *status) kept.push_back({name, **status});
  }
  std::ranges::sort(kept, std::ranges::greater{}, [](const Kept& each) { return each.status.modified; });
  std::uint64_t sum = 0;
  for (const Kept& each : kept) {
    // A note is as old as the first byte of its part: it goes when its part is gone.
    const bool note = each.name.ends_with(".json");
    if (!note) sum += each.status.size;
    const bool too_old = now - each.status.modified > max_partial_age;
    if (note ? !too_old : !too_old && sum <= max_partial_bytes) continue;
    static_cast<void>(files_.remove_tree(folder_ / each.name));
  }
}

}  // namespace curupira::installer
