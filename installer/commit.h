#pragma once

#include <filesystem>
#include <span>
#include <string>

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

/// Writes manifest and receipt of one extension into `staging`/<name>.
Result<> stage_extension(FileSystem& files, const std::filesystem::path& staging,
                         const std::string& manifest_text, const manifest::Receipt& receipt);

/// Makes the staged extensions visible, all of them or none (design.md §2, step 10). A journal says what is
/// under way: stopped at any instant, `finish_commit` of the next command brings the new state about, or the
/// old one stands.
tl::expected<void, CommitFailure> commit_extensions(FileSystem& files, const HomeLayout& home,
                                                    const std::filesystem::path& staging,
                                                    std::span<const std::string> names);

/// Finishes the commit of a command that was killed. Call it under the home's lock, before anything else.
/// True when there was one.
Result<bool> finish_commit(FileSystem& files, const HomeLayout& home);

}  // namespace curupira::installer
