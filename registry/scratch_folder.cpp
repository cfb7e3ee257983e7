#include "registry/scratch_folder.h"

#include <span>
#include <utility>

namespace curupira::registry {

Result<ScratchFolder> ScratchFolder::create(FileSystem& files, const HomeLayout& home,
                                            std::string_view prefix) {
  CURUPIRA_CHECK(files.create_folders(home.staging()));
  CURUPIRA_TRY(auto path, files.create_temporary_folder(home.staging(), prefix));
  return ScratchFolder(files, std::move(path));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : files_(other.files_), path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  // What cannot be removed now stays in staging/, where the next command removes it.
  if (!path_.empty()) static_cast<void>(files_.remove_tree(path_));
}

Result<> ScratchFolder::write(std::string_view name, std::string_view text, unsigned mode) {
  CURUPIRA_TRY(const auto file, files_.create_file(path_ / name, mode));
  CURUPIRA_CHECK(file->write(std::as_bytes(std::span(text))));
  return file->commit();
}

}  // namespace curupira::registry
