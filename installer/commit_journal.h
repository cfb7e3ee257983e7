#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"

namespace curupira::installer {

/// One folder below extensions/ that a transaction changes.
struct JournalExtension {
  std::string name;
  std::string before;  ///< identity of what is there when it begins; empty when nothing is
  std::string after;   ///< identity of what is there when it is done; empty when it goes
};

/// One file elsewhere that a transaction changes.
struct JournalFile {
  std::filesystem::path path;
  std::string before;  ///< sha256 of its bytes, as above
  std::string after;
  std::string staged;  ///< the name of the new bytes in the staging folder
};

/// What a transaction is about to do: commit.json in the home. Once it is there, the transaction will be
/// finished.
struct Journal {
  std::filesystem::path staging;
  std::vector<JournalExtension> extensions = {};
  std::vector<JournalFile> files = {};
  std::vector<std::uint64_t> generations = {};  ///< that appear, staged as `staged_generation` says
};

std::filesystem::path journal_file(const HomeLayout& home);

/// By way of the staging folder, in one piece.
Result<> write_journal(FileSystem& files, const HomeLayout& home, const Journal& journal);

/// Nothing when there is none. Error: home_unusable for one that was never ours.
Result<std::optional<Journal>> read_journal(const FileSystem& files, const HomeLayout& home);

}  // namespace curupira::installer
