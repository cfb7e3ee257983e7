#include "registry/folder_source.h"

#include <system_error>

#include "base/printable.h"
#include "registry/archive_name.h"

namespace curupira::registry {

namespace fs = std::filesystem;

Result<Resolution> FolderSource::resolve(const Reference& reference, const manifest::Platform&,
                                         Diagnostics&) {
  const auto* path = std::get_if<PathReference>(&reference);
  if (path == nullptr)
    return fail(ErrorCode::internal, "the path source was asked for " + printable(to_string(reference)));

  const Reference absolute = anchored(reference, tools_.current_folder);
  const fs::path& folder = std::get<PathReference>(absolute).folder;
  const std::string shown = printable(folder.string());
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return fail(ErrorCode::file_not_found, shown);
  if (error) return fail(ErrorCode::file_failed, shown + ": " + error.message());
  if (!fs::is_directory(status)) {
    const bool archive = has_archive_name(folder.string());
    return fail(Error(ErrorCode::reference_syntax, shown + " is not a folder")
                    .with_help(archive ? "write the archive's path without path:"
                                       : "path: takes the folder that the manifest file is in"));
  }
  return Resolution{
      .reference = absolute, .package = {}, .version = {}, .artifacts = {}, .content = LocalFolder{folder}};
}

}  // namespace curupira::registry
