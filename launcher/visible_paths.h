#pragma once

#include <filesystem>
#include <vector>

namespace curupira::launcher {

/// The system's folders and files that interpreters need to start, those that exist: programs and libraries,
/// the loader's cache, the alternatives' links. Nothing of users, no secrets, no configuration of services.
std::vector<std::filesystem::path> system_paths();

/// Whether `path` is `folder` or below it, by their text.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Each of `paths` that exists, as it is written and with all links resolved, without those that `covered` or
/// another one of the result contains already. Sorted, so that a folder comes before what would be below it.
std::vector<std::filesystem::path> distinct_paths(const std::vector<std::filesystem::path>& paths,
                                                  const std::vector<std::filesystem::path>& covered);

}  // namespace curupira::launcher
