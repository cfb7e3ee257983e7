#include "installer/commit.h"

#include <utility>

#include "base/digest.h"
#include "base/json.h"
#include "base/printable.h"
#include "installer/commit_journal.h"
#include "installer/generation.h"
#include "installer/generation_record.h"
#include "installer/limits.h"
#include "manifest/manifest.h"

namespace curupira::installer {
namespace {

std::string sha256_of(std::string_view bytes) {
  Hasher hasher(DigestAlgorithm::sha256);
  hasher.update(bytes);
  return hasher.finish().hex();
}

/// Nothing when there is no such file.
Result<std::optional<std::string>> read_if_there(const FileSystem& files, const std::filesystem::path& file) {
  auto text = files.read_file(file, max_receipt_bytes);
  if (text) return std::optional(std::move(*text));
  if (text.error().code() == ErrorCode::file_not_found) return std::optional<std::string>();
  return fail(std::move(text).error());
}

/// What makes an extension's folder this one and no other; empty when there is no such folder.
Result<std::string> identity_of(const FileSystem& files, const std::filesystem::path& folder) {
  CURUPIRA_TRY(const auto status, files.status(folder));
  if (!status) return std::string();
  if (status->type != FileType::directory) return std::string("other");
  CURUPIRA_TRY(const auto manifest_text, read_if_there(files, folder / manifest::manifest_file_name));
  CURUPIRA_TRY(const auto receipt_text, read_if_there(files, folder / manifest::receipt_file_name));
  const std::string text = manifest_text.value_or("");
  return sha256_of(std::to_string(text.size()) + " " + text + receipt_text.value_or(""));
}

Result<std::string> identity_of_file(const FileSystem& files, const std::filesystem::path& file) {
  CURUPIRA_TRY(const auto bytes, read_if_there(files, file));
  return bytes ? sha256_of(*bytes) : std::string();
}

/// One transaction, its parts applied in order and taken back in reverse.
class Transaction {
 public:
  Transaction(FileSystem& files, const HomeLayout& home, const Journal& journal)
      : files_(files), home_(home), journal_(journal) {}

  Result<> apply() const {
    for (const auto& entry : journal_.extensions)
      CURUPIRA_CHECK(apply(entry));
    for (const auto& entry : journal_.files)
      CURUPIRA_CHECK(apply(entry));
    for (const auto number : journal_.generations)
      CURUPIRA_CHECK(apply_generation(number));
    if (!journal_.generations.empty()) CURUPIRA_CHECK(files_.sync_folder(home_.generations()));
    return files_.sync_folder(home_.extensions());
  }

  Result<> revert(const Changes& changes) const {
    for (const auto number : journal_.generations)
      CURUPIRA_CHECK(revert_generation(number));
    for (std::size_t i = journal_.files.size(); i > 0; --i)
      CURUPIRA_CHECK(revert(journal_.files[i - 1], changes.files[i - 1]));
    for (std::size_t i = journal_.extensions.size(); i > 0; --i)
      CURUPIRA_CHECK(revert(journal_.extensions[i - 1]));
    CURUPIRA_CHECK(files_.remove_file(journal_file(home_)));
    return files_.sync_folder(home_.root);
  }

 private:
  std::filesystem::path place_of(const JournalExtension& entry) const {
    return home_.extensions() / entry.name;
  }
  std::filesystem::path staged_of(const JournalExtension& entry) const {
    return journal_.staging / entry.name;
  }
  std::filesystem::path old_of(const JournalExtension& entry) const {
    return journal_.staging / (entry.name + ".old");
  }

  /// Puts one extension in its place; what was there before is in the staging folder then.
  Result<> apply(const JournalExtension& entry) const {
    CURUPIRA_TRY(const auto current, identity_of(files_, place_of(entry)));
    if (current == entry.after) return {};
    if (entry.after.empty()) {
      // Another one was put there since: that one is nobody's to remove.
      if (current != entry.before) return {};
      CURUPIRA_CHECK(files_.remove_tree(old_of(entry)));
      return files_.rename(place_of(entry), old_of(entry));
    }
    CURUPIRA_TRY(const auto waiting, identity_of(files_, staged_of(entry)));
    if (waiting.empty())
      return {};  // not there any more: another command replaced what this one had put in place
    if (current.empty()) return files_.rename(staged_of(entry), place_of(entry));
    if (files_.exchange(staged_of(entry), place_of(entry))) return {};
    // A file system without exchange: the journal covers the moment in which nothing is in the place.
    CURUPIRA_CHECK(files_.remove_tree(old_of(entry)));
    CURUPIRA_CHECK(files_.rename(place_of(entry), old_of(entry)));
    return files_.rename(staged_of(entry), place_of(entry));
  }

  /// Undoes `apply`, as far as it came.
  Result<> revert(const JournalExtension& entry) const {
    const bool was_there = !entry.before.empty();
    CURUPIRA_TRY(const auto current, identity_of(files_, place_of(entry)));
    if (current == entry.before) return {};
    if (current == entry.after && !current.empty()) {
      if (!was_there) return files_.rename(place_of(entry), staged_of(entry));
      CURUPIRA_TRY(const auto aside, files_.status(old_of(entry)));
      if (!aside) return files_.exchange(staged_of(entry), place_of(entry));
      CURUPIRA_CHECK(files_.rename(place_of(entry), staged_of(entry)));
    } else if (!current.empty() || !was_there) {
      return {};
    }
    return files_.rename(old_of(entry), place_of(entry));
  }

  /// A file that is neither the old nor the new one was changed by its user meanwhile, and stays.
  Result<> apply(const JournalFile& entry) const {
    CURUPIRA_TRY(const auto current, identity_of_file(files_, entry.path));
    if (current == entry.after || current != entry.before) return {};
    CURUPIRA_TRY(const auto folder, files_.status(entry.path.parent_path()));
    if (!folder) return {};
    if (entry.after.empty()) {
      CURUPIRA_CHECK(files_.remove_file(entry.path));
      return files_.sync_folder(entry.path.parent_path());
    }
    const auto staged = journal_.staging / entry.staged;
    CURUPIRA_TRY(const auto bytes, read_if_there(files_, staged));
    if (!bytes) return {};
    if (files_.rename(staged, entry.path)) return files_.sync_folder(entry.path.parent_path());
    // Beside another home, it may be on another file system.
    return write_file_atomically(files_, entry.path, *bytes);
  }

  Result<> revert(const JournalFile& entry, const ReplacedFile& file) const {
    CURUPIRA_TRY(const auto current, identity_of_file(files_, entry.path));
    if (current == entry.before || current != entry.after) return {};
    if (!file.before) return files_.remove_file(entry.path);
    return write_file_atomically(files_, entry.path, *file.before);
  }

  Result<> apply_generation(std::uint64_t number) const {
    const auto staged = staged_generation(journal_.staging, number);
    CURUPIRA_TRY(const auto waiting, files_.status(staged));
    if (!waiting) return {};
    CURUPIRA_CHECK(files_.create_folders(home_.generations()));
    return files_.rename(staged, generation_folder(home_, number));
  }

  /// It is this transaction's when it is not in the staging folder any more: numbers are given once.
  Result<> revert_generation(std::uint64_t number) const {
    const auto staged = staged_generation(journal_.staging, number);
    CURUPIRA_TRY(const auto waiting, files_.status(staged));
    CURUPIRA_TRY(const auto placed, files_.status(generation_folder(home_, number)));
    if (waiting || !placed) return {};
    return files_.rename(generation_folder(home_, number), staged);
  }

  FileSystem& files_;
  const HomeLayout& home_;
  const Journal& journal_;
};

/// The journal of `changes`, with the new bytes of files in the staging folder.
Result<> begin(FileSystem& files, const HomeLayout& home, const Changes& changes, Journal& journal) {
  CURUPIRA_CHECK(files.create_folders(home.extensions()));
  for (const auto& name : changes.staged) {
    CURUPIRA_TRY(auto after, identity_of(files, journal.staging / name));
    CURUPIRA_TRY(auto before, identity_of(files, home.extensions() / name));
    if (after.empty()) return fail(ErrorCode::internal, "the extension " + name + " is not staged");
    journal.extensions.push_back({name, std::move(before), std::move(after)});
  }
  for (const auto& name : changes.removed) {
    CURUPIRA_TRY(auto before, identity_of(files, home.extensions() / name));
    journal.extensions.push_back({name, std::move(before), {}});
  }
  for (const auto& file : changes.files) {
    JournalFile entry{.path = file.path,
                      .before = file.before ? sha256_of(*file.before) : std::string(),
                      .after = file.after ? sha256_of(*file.after) : std::string(),
                      .staged = "file." + std::to_string(journal.files.size())};
    CURUPIRA_TRY(const auto current, identity_of_file(files, file.path));
    if (current != entry.before)
      return fail(Error(ErrorCode::file_failed,
                        printable(file.path.string()) + " was changed by somebody else meanwhile")
                      .with_help("try again"));
    if (file.after) CURUPIRA_CHECK(write_file_atomically(files, journal.staging / entry.staged, *file.after));
    journal.files.push_back(std::move(entry));
  }
  CURUPIRA_TRY(journal.generations, stage_generations(files, home, journal.staging, changes));
  CURUPIRA_CHECK(files.sync_folder(journal.staging));
  return write_journal(files, home, journal);
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

tl::expected<void, CommitFailure> commit_changes(FileSystem& files, const HomeLayout& home,
                                                 const std::filesystem::path& staging,
                                                 const Changes& changes) {
  Journal journal{.staging = staging};
  const Transaction transaction(files, home, journal);
  auto outcome = begin(files, home, changes, journal);
  if (outcome) outcome = transaction.apply();
  if (outcome) {
    // All is in its place. A journal that stays is found, and found to be done, by the next command.
    static_cast<void>(files.remove_file(journal_file(home)));
    // What is too old goes with the next commit when it cannot go now.
    static_cast<void>(drop_generations(files, home, kept_generations));
    return {};
  }
  const bool reverted = transaction.revert(changes).has_value();
  return tl::unexpected(CommitFailure{.error = std::move(outcome).error(), .pending = !reverted});
}

Result<bool> finish_commit(FileSystem& files, const HomeLayout& home) {
  CURUPIRA_TRY(const auto journal, read_journal(files, home));
  if (!journal) return false;
  CURUPIRA_CHECK(Transaction(files, home, *journal).apply());
  CURUPIRA_CHECK(files.remove_file(journal_file(home)));
  return true;
}

}  // namespace curupira::installer
