#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// Why extensions did not appear. `pending`: the journal is written and could not be taken back, so the next
/// command will finish the transaction; what it needs has to stay.
struct CommitFailure {
  Error error;
  bool pending = false;
};

/// A file outside extensions/ that changes together with them: the lock file.
struct ReplacedFile {
  std::filesystem::path path;         ///< absolute
  std::optional<std::string> before;  ///< its bytes when the command began; nothing when there was none
  std::optional<std::string> after;   ///< its bytes from now on; nothing when it goes
};

/// What one transaction changes.
struct Changes {
  std::vector<std::string> staged = {};   ///< extensions that appear: staged under their names
  std::vector<std::string> removed = {};  ///< extensions that go
  std::vector<ReplacedFile> files = {};
  std::string command = {};  ///< what the generation that it makes is called: "install", "remove"
};

/// Writes manifest and receipt of one extension into `staging`/<name>.
Result<> stage_extension(FileSystem& files, const std::filesystem::path& staging,
                         const std::string& manifest_text, const manifest::Receipt& receipt);

/// Makes the changes visible, all of them or none (design.md §2, step 10). A journal says what is under way:
/// stopped at any instant, `finish_commit` of the next command brings the new state about, or the old one
/// stands. The new state is kept as a generation, which appears with it (generation.h); when there are more
/// than `kept_generations`, the oldest go. Error file_failed when a file is not any more what it was when the
/// command began.
tl::expected<void, CommitFailure> commit_changes(FileSystem& files, const HomeLayout& home,
                                                 const std::filesystem::path& staging,
                                                 const Changes& changes);

/// Finishes the commit of a command that was killed. Call it under the home's lock, before anything else.
/// True when there was one.
Result<bool> finish_commit(FileSystem& files, const HomeLayout& home);

}  // namespace curupira::installer
