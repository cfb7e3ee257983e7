#include "installer/commit.h"

#include <optional>
#include <vector>

#include "base/digest.h"
#include "base/json.h"
#include "installer/limits.h"
#include "manifest/manifest.h"

namespace curupira::installer {
namespace {

constexpr std::size_t max_journal_bytes = 4u << 20;

struct JournalEntry {
  std::string name;
  std::string identity;  // of the new folder: tells whether it is in its place already
};

struct Journal {
  std::filesystem::path staging;
  std::vector<JournalEntry> entries;
};

std::filesystem::path journal_file(const HomeLayout& home) {
  return home.root / "commit.json";
}

/// What makes an extension's folder this one and no other; nothing when there is no such folder.
Result<std::optional<std::string>> identity_of(const FileSystem& files, const std::filesystem::path& folder) {
  const auto read = [&](std::string_view name, std::uint64_t limit) -> Result<std::string> {
    auto text = files.read_file(folder / name, limit);
    if (!text && text.error().code() == ErrorCode::file_not_found) return std::string();
    return text;
  };
  CURUPIRA_TRY(const auto status, files.status(folder));
  if (!status) return std::optional<std::string>();
  if (status->type != FileType::directory) return std::optional(std::string("other"));
  CURUPIRA_TRY(const std::string manifest_text, read(manifest::manifest_file_name, max_receipt_bytes));
  CURUPIRA_TRY(const std::string receipt_text, read(manifest::receipt_file_name, max_receipt_bytes));
  Hasher hasher(DigestAlgorithm::sha256);
  hasher.update(std::to_string(manifest_text.size()) + " " + manifest_text + receipt_text);
  return std::optional(hasher.finish().hex());
}

Result<> write_journal(FileSystem& files, const HomeLayout& home, const Journal& journal) {
  json::Array entries;
  for (const auto& entry : journal.entries) {
    json::Object object;
    object.set("name", entry.name);
    object.set("identity", entry.identity);
    entries.emplace_back(std::move(object));
  }
  json::Object root;
  root.set("format", 1);
  root.set("staging", journal.staging.filename().string());
  root.set("extensions", std::move(entries));
  // By way of the staging folder: what a killed command leaves of it goes with that folder.
  const auto staged = journal.staging / "commit.json";
  CURUPIRA_CHECK(write_file_atomically(files, staged, json::write_pretty(root)));
  CURUPIRA_CHECK(files.rename(staged, journal_file(home)));
  return files.sync_folder(home.root);
}

/// Nothing when there is none. It was written in one piece, so one that cannot be read was never ours.
Result<std::optional<Journal>> read_journal(const FileSystem& files, const HomeLayout& home) {
  const auto text = files.read_file(journal_file(home), max_journal_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::file_not_found) return std::optional<Journal>();
    return fail(text.error());
  }
  const auto damaged = [&] {
    return fail(Error(ErrorCode::home_unusable, journal_file(home).string() + " cannot be read")
                    .with_help("remove this file and install again"));
  };
  const auto root = json::parse(*text);
  if (!root) return damaged();
  const std::string* const staging = root->find_string("staging");
  const json::Value* const entries = root->find("extensions");
  if (staging == nullptr || entries == nullptr || entries->as_array() == nullptr) return damaged();
  Journal journal{.staging = home.staging() / std::filesystem::path(*staging).filename(), .entries = {}};
  for (const auto& entry : *entries->as_array()) {
    const std::string* const name = entry.find_string("name");
    const std::string* const identity = entry.find_string("identity");
    if (name == nullptr || identity == nullptr || !manifest::is_readable_extension_name(*name))
      return damaged();
    journal.entries.push_back({*name, *identity});
  }
  return std::optional(std::move(journal));
}

/// Puts one extension in its place; what was there before is in the staging folder then.
Result<> apply(FileSystem& files, const HomeLayout& home, const Journal& journal, const JournalEntry& entry) {
  const auto place = home.extensions() / entry.name;
  const auto staged = journal.staging / entry.name;
  CURUPIRA_TRY(const auto current, identity_of(files, place));
  if (current == entry.identity) return {};
  CURUPIRA_TRY(const auto waiting, identity_of(files, staged));
  if (!waiting) return {};  // not there any more: another command replaced what this one had put in place
  if (!current) return files.rename(staged, place);
  if (files.exchange(staged, place)) return {};
  // A file system without exchange: the journal covers the moment in which nothing is in the place.
  const auto old = journal.staging / (entry.name + ".old");
  CURUPIRA_CHECK(files.remove_tree(old));
  CURUPIRA_CHECK(files.rename(place, old));
  return files.rename(staged, place);
}

/// Undoes `apply`, as far as it came.
Result<> revert(FileSystem& files, const HomeLayout& home, const Journal& journal, const JournalEntry& entry,
                bool was_there) {
  const auto place = home.extensions() / entry.name;
  const auto staged = journal.staging / entry.name;
  const auto old = journal.staging / (entry.name + ".old");
  CURUPIRA_TRY(const auto current, identity_of(files, place));
  if (current == entry.identity) {
    if (!was_there) return files.rename(place, staged);
    CURUPIRA_TRY(const auto aside, files.status(old));
    if (!aside) return files.exchange(staged, place);
    CURUPIRA_CHECK(files.rename(place, staged));
  } else if (current || !was_there) {
    return {};
  }
  return files.rename(old, place);
}

}  // namespace

Result<> stage_extension(FileSystem& files, const std::filesystem::path& staging,
                         const std::string& manifest_text, const manifest::Receipt& receipt) {
  const auto folder = staging / receipt.name;
  CURUPIRA_CHECK(files.create_folders(folder));
  CURUPIRA_CHECK(write_file_atomically(files, folder / manifest::manifest_file_name, manifest_text));
  CURUPIRA_CHECK(write_file_atomically(files, folder / manifest::receipt_file_name,
                                       json::write_pretty(manifest::to_json(receipt))));
  return files.set_mode(folder, 0755);
}

tl::expected<void, CommitFailure> commit_extensions(FileSystem& files, const HomeLayout& home,
                                                    const std::filesystem::path& staging,
                                                    std::span<const std::string> names) {
  Journal journal{.staging = staging, .entries = {}};
  std::vector<bool> was_there;
  const auto begin = [&]() -> Result<> {
    CURUPIRA_CHECK(files.create_folders(home.extensions()));
    for (const auto& name : names) {
      CURUPIRA_TRY(const auto identity, identity_of(files, staging / name));
      CURUPIRA_TRY(const auto current, identity_of(files, home.extensions() / name));
      if (!identity) return fail(ErrorCode::internal, "the extension " + name + " is not staged");
      journal.entries.push_back({name, *identity});
      was_there.push_back(current.has_value());
    }
    CURUPIRA_CHECK(files.sync_folder(staging));
    return write_journal(files, home, journal);
  };
  const auto finish = [&]() -> Result<> {
    for (const auto& entry : journal.entries)
      CURUPIRA_CHECK(apply(files, home, journal, entry));
    return files.sync_folder(home.extensions());
  };
  auto outcome = begin();
  if (outcome) outcome = finish();
  if (outcome) {
    // All is in its place. A journal that stays is found, and found to be done, by the next command.
    static_cast<void>(files.remove_file(journal_file(home)));
    return {};
  }
  const auto take_back = [&]() -> Result<> {
    for (std::size_t i = journal.entries.size(); i > 0; --i)
      CURUPIRA_CHECK(revert(files, home, journal, journal.entries[i - 1], was_there[i - 1]));
    CURUPIRA_CHECK(files.remove_file(journal_file(home)));
    return files.sync_folder(home.root);
  };
  const bool reverted = take_back().has_value();
  return tl::unexpected(CommitFailure{.error = std::move(outcome).error(), .pending = !reverted});
}

Result<bool> finish_commit(FileSystem& files, const HomeLayout& home) {
  CURUPIRA_TRY(const auto journal, read_journal(files, home));
  if (!journal) return false;
  for (const auto& entry : journal->entries)
    CURUPIRA_CHECK(apply(files, home, *journal, entry));
  CURUPIRA_CHECK(files.sync_folder(home.extensions()));
  CURUPIRA_CHECK(files.remove_file(journal_file(home)));
  return true;
}

}  // namespace curupira::installer
