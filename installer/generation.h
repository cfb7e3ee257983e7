#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/result.h"

namespace curupira::installer {

/// How many generations a commit leaves; older ones go.
inline constexpr std::size_t kept_generations = 20;

/// An extension as it stands in a generation.
struct GenerationExtension {
  std::string name;
  std::string version;
  std::string manifest_sha256;  ///< hexadecimal, of the manifest's bytes
  std::string receipt_sha256;   ///< hexadecimal, of the receipt's bytes
};

/// A file elsewhere that changed with the generation: the lock file. Its bytes lie in the generation's
/// folder.
struct GenerationFile {
  std::filesystem::path path;
  bool before = false;  ///< it was there when the command began
  bool after = false;   ///< it was there from then on
};

/// What this program had installed after a command that changed something:
///
///   generations/<n>/generation.json
///   generations/<n>/extensions/<name>/curupira-extension.toml, receipt.json
///   generations/<n>/files/<i>.before, <i>.after
///
/// The first command of a home records what was there before it as well, as generation 0.
struct Generation {
  static constexpr int format = 1;

  std::uint64_t number = 0;
  std::string time;                             ///< UTC, "2026-12-01T08:35:00Z"
  std::string command;                          ///< that made it: "install", "remove", "rollback to 3"
  std::vector<GenerationExtension> extensions;  ///< sorted by name
  std::vector<GenerationFile> files;

  const GenerationExtension* find(std::string_view name) const;
};

std::filesystem::path generation_folder(const HomeLayout& home, std::uint64_t number);
/// Where the generation keeps manifest and receipt of one extension.
std::filesystem::path kept_extension(const HomeLayout& home, std::uint64_t number, std::string_view name);

/// All that the home keeps, oldest first.
Result<std::vector<std::uint64_t>> generation_numbers(const ReadOnlyFileSystem& files,
                                                      const HomeLayout& home);
/// Errors: generation_missing, generation_unreadable.
Result<Generation> read_generation(const ReadOnlyFileSystem& files, const HomeLayout& home,
                                   std::uint64_t number);
/// All that can be read, oldest first.
Result<std::vector<Generation>> read_generations(const ReadOnlyFileSystem& files, const HomeLayout& home);
/// The bytes of file `index` of the generation, before or after it; nothing when it was not there.
Result<std::optional<std::string>> generation_file(const ReadOnlyFileSystem& files, const HomeLayout& home,
                                                   const Generation& generation, std::size_t index,
                                                   bool after);

/// Removes the oldest, so that `keep` stay; the newest is what is installed, and always stays. Gives the
/// numbers that went.
Result<std::vector<std::uint64_t>> drop_generations(FileSystem& files, const HomeLayout& home,
                                                    std::size_t keep);

/// How an extension differs between two generations; versions are empty where it is not there.
struct GenerationChange {
  std::string name;
  std::string from;
  std::string to;
};
std::vector<GenerationChange> changes_between(const Generation& from, const Generation& to);

}  // namespace curupira::installer
