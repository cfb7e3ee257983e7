#include "registry/repository_folder.h"

#include "base/file_copy.h"
#include "base/printable.h"
#include "registry/local_file.h"
#include "registry/part_folder.h"
#include "tuf/metadata.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

/// What is written to disk, and no more than is there.
constexpr std::uint64_t any_size = std::uint64_t{1} << 40;

Result<std::optional<std::string>> read_if_there(const FileSystem& files, const fs::path& path,
                                                 std::uint64_t max_bytes) {
  auto text = files.read_file(path, max_bytes);
  if (text) return std::optional(*std::move(text));
  if (text.error().code() == ErrorCode::file_not_found) return std::nullopt;
  if (text.error().code() == ErrorCode::response_too_large)
    return fail(ErrorCode::tuf_metadata_too_large,
                printable(path.filename().string()) + " is larger than " + format_bytes(max_bytes));
  return fail(std::move(text).error());
}

Result<bool> is_there(const FileSystem& files, const fs::path& path) {
  CURUPIRA_TRY(const auto status, files.status(path));
  return status.has_value();
}

}  // namespace

Result<> RepositoryFolder::create() {
  for (const fs::path& each : {metadata(), pending(), targets() / "packages", targets() / "artifacts",
                               targets() / "search", staging()})
    CURUPIRA_CHECK(files_.create_folders(each));
  return {};
}

Result<> RepositoryFolder::tidy() {
  CURUPIRA_CHECK(files_.create_folders(staging()));
  CURUPIRA_TRY(const auto leftovers, files_.list(staging()));
  for (const std::string& name : leftovers)
    CURUPIRA_CHECK(files_.remove_tree(staging() / name));
  remove_left_parts(files_, folder_, part_prefix);
  // Written while the lock is held: index.html, and who holds the lock.
  CURUPIRA_TRY(const auto names, files_.list(folder_));
  for (const std::string& name : names)
    if (name.starts_with(atomic_write_prefix)) CURUPIRA_CHECK(files_.remove_tree(folder_ / name));
  return {};
}

Result<std::optional<std::string>> RepositoryFolder::read_metadata(const std::string& name,
                                                                   std::uint64_t max_bytes) const {
  return read_if_there(files_, metadata() / name, max_bytes);
}

Result<std::optional<std::string>> RepositoryFolder::read_pending(const std::string& name,
                                                                  std::uint64_t max_bytes) const {
  return read_if_there(files_, pending() / name, max_bytes);
}

Result<bool> RepositoryFolder::has_metadata(const std::string& name) const {
  return is_there(files_, metadata() / name);
}

Result<bool> RepositoryFolder::has_pending(const std::string& name) const {
  return is_there(files_, pending() / name);
}

Result<std::vector<std::string>> RepositoryFolder::list_pending() const {
  auto names = files_.list(pending());
  if (!names && names.error().code() == ErrorCode::file_not_found) return std::vector<std::string>{};
  return names;
}

Result<fs::path> RepositoryFolder::staging_name() {
  CURUPIRA_CHECK(files_.create_folders(staging()));
  fs::path name;
  do {
    name = staging() / std::to_string(++staged_);
    CURUPIRA_TRY(const bool taken, is_there(files_, name));
    if (!taken) return name;
  } while (true);
}

Result<fs::path> RepositoryFolder::stage(const std::string& bytes) {
  CURUPIRA_TRY(fs::path staged, staging_name());
  CURUPIRA_TRY(const auto file, files_.create_file(staged, 0644));
  CURUPIRA_CHECK(file->write(std::as_bytes(std::span(bytes))));
  CURUPIRA_CHECK(file->commit());
  return staged;
}

Result<> RepositoryFolder::write_metadata(const std::vector<NamedBytes>& metadata_files) {
  std::vector<std::pair<fs::path, fs::path>> moves;
  for (const auto& [name, bytes] : metadata_files) {
    const fs::path path = metadata() / name;
    CURUPIRA_TRY(const auto there, read_if_there(files_, path, any_size));
    if (there && *there != bytes)
      return fail(ErrorCode::registry_busy, printable(name) + " was written meanwhile");
    if (there) continue;
    CURUPIRA_TRY(fs::path staged, stage(bytes));
    moves.emplace_back(std::move(staged), path);
  }
  for (const auto& [staged, path] : moves)
    CURUPIRA_CHECK(files_.rename(staged, path));
  return files_.sync_folder(metadata());
}

Result<> RepositoryFolder::write_timestamp(const std::string& bytes) {
  CURUPIRA_TRY(const fs::path staged, stage(bytes));
  CURUPIRA_CHECK(files_.rename(staged, metadata() / tuf::metadata_file_name(tuf::timestamp_role)));
  return files_.sync_folder(metadata());
}

Result<> RepositoryFolder::write_pending(const std::string& name, const std::string& bytes) {
  CURUPIRA_CHECK(files_.create_folders(pending()));
  CURUPIRA_TRY(const fs::path staged, stage(bytes));
  CURUPIRA_CHECK(files_.rename(staged, pending() / name));
  return files_.sync_folder(pending());
}

Result<> RepositoryFolder::release_timestamp() {
  const std::string name = tuf::metadata_file_name(tuf::timestamp_role);
  CURUPIRA_CHECK(files_.rename(pending() / name, metadata() / name));
  return files_.sync_folder(metadata());
}

Result<> RepositoryFolder::remove_pending(const std::string& name) {
  return files_.remove_file(pending() / name);
}

Result<> RepositoryFolder::stage(const TargetUpload& upload, const fs::path& staged) {
  CURUPIRA_TRY(const auto file, files_.create_file(staged, 0644));
  DigestSink digest(*file, DigestAlgorithm::sha256);
  if (upload.source.empty())
    CURUPIRA_CHECK(digest.write(std::as_bytes(std::span(upload.bytes))));
  else
    CURUPIRA_CHECK(copy_into(upload.source, digest));
  if (digest.finish() != upload.sha256)
    return fail(ErrorCode::digest_mismatch,
                printable(upload.source.string()) + " was changed while it was published");
  return file->commit();
}

Result<> RepositoryFolder::put(const TargetUpload& upload) {
  return put_at(targets() / upload.path, upload);
}

Result<> RepositoryFolder::put_beside(const TargetUpload& upload) {
  return put_at(folder_ / upload.path, upload);
}

Result<> RepositoryFolder::put_at(const fs::path& path, const TargetUpload& upload) {
  CURUPIRA_TRY(const bool there, is_there(files_, path));
  if (there) {
    const auto file = measure_local_file(path, any_size);
    if (file && file->sha256 == upload.sha256) return {};
  }
  CURUPIRA_TRY(const fs::path staged, staging_name());
  CURUPIRA_CHECK(stage(upload, staged));
  CURUPIRA_CHECK(files_.create_folders(path.parent_path()));
  CURUPIRA_CHECK(files_.rename(staged, path));
  return files_.sync_folder(path.parent_path());
}

Result<std::string> RepositoryFolder::read_target(const std::string& path, std::uint64_t max_bytes) const {
  return files_.read_file(targets() / path, max_bytes);
}

}  // namespace curupira::registry
