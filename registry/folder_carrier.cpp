#include "registry/folder_carrier.h"

#include "base/file_reader.h"
#include "base/printable.h"
#include "registry/carried_target.h"
#include "registry/copied_packages.h"
#include "registry/part_folder.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

Result<Digest> digest_of_file(const FileReader& file) {
  Nowhere nowhere;
  DigestSink digest(nowhere, DigestAlgorithm::sha256);
  CURUPIRA_CHECK(file.copy_into(digest));
  return digest.finish();
}

/// Error: carrier_taken when another content is there.
Result<bool> is_there(const fs::path& path, const Digest& sha256) {
  const auto file = FileReader::open(path);
  if (!file) {
    if (file.error().code() == ErrorCode::file_not_found) return false;
    return fail(file.error());
  }
  CURUPIRA_TRY(const Digest found, digest_of_file(*file));
  if (found == sha256) return true;
  return fail(ErrorCode::carrier_taken, printable(path.native()) + " is there already, with another content");
}

}  // namespace

std::string FolderCarrier::name() const {
  return printable(place_.path().native());
}

Result<> FolderCarrier::check_folder() const {
  CURUPIRA_TRY(const auto names, files_.list(place_.path()));
  return {};
}

Result<std::optional<std::string>> FolderCarrier::metadata(const std::string& file_name,
                                                           std::uint64_t max_bytes) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  auto text = files_.read_file(place_.metadata() / file_name, max_bytes);
  if (text) return *std::move(text);
  if (text.error().code() != ErrorCode::file_not_found) return fail(std::move(text).error());
  CURUPIRA_CHECK(check_folder());
  return std::nullopt;
}

Result<> FolderCarrier::target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                               ByteSink& sink) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  const auto file = FileReader::open(target.path.below(place_.targets()));
  if (!file) {
    if (file.error().code() != ErrorCode::file_not_found) return fail(file.error());
    CURUPIRA_CHECK(check_folder());
    return fail(missing_target(*this, path));
  }
  const std::string carrier = name();
  TargetCheck check(target, carrier, max_bytes, sink);
  CURUPIRA_CHECK(file->copy_into(check));
  return check.finish();
}

Result<bool> FolderCarrier::has_target(const std::string& path, const Digest* sha256) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  CURUPIRA_TRY(const auto status, files_.status(target.path.below(place_.targets())));
  return status && status->type == FileType::regular;
}

Result<> FolderCarrier::publish(const fs::path& to, const Digest& sha256,
                                const std::function<Result<>(WritableFile&)>& fill) {
  CURUPIRA_TRY(const bool there, is_there(to, sha256));
  if (there) return {};
  CURUPIRA_CHECK(files_.create_folders(to.parent_path()));
  return write_part(fill, [&](const fs::path& part) { return place(part, to, sha256); });
}

Result<> FolderCarrier::write_part(const std::function<Result<>(WritableFile&)>& fill,
                                   const std::function<Result<>(const fs::path&)>& place) {
  CURUPIRA_TRY(PartFolder work, PartFolder::create(files_, place_.path(), part_prefix));
  const auto write = [&]() -> Result<> {
    const fs::path part = work.path() / "part";
    CURUPIRA_TRY(const auto file, files_.create_file(part, 0644));
    CURUPIRA_CHECK(fill(*file));
    CURUPIRA_CHECK(file->commit());
    return place(part);
  };
  auto written = write();
  const auto removed = work.remove();
  if (!written) return written;
  return removed;
}

Result<> FolderCarrier::place(const fs::path& temporary, const fs::path& to, const Digest& sha256) {
  if (files_.hard_link(temporary, to)) return files_.sync_folder(to.parent_path());
  CURUPIRA_TRY(const bool there, is_there(to, sha256));
  if (there) return {};
  // Not every file system has hard links.
  CURUPIRA_CHECK(files_.rename(temporary, to));
  return files_.sync_folder(to.parent_path());
}

Result<> FolderCarrier::put_target(const std::string& path, const fs::path& file, const Digest& sha256,
                                   std::uint64_t size) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, &sha256));
  CURUPIRA_TRY(const auto source, FileReader::open(file));
  if (source.size() != size)
    return fail(ErrorCode::size_mismatch, printable(file.native()) + " has " + format_bytes(source.size()) +
                                              ", not " + format_bytes(size));
  return publish(target.path.below(place_.targets()), sha256, [&](WritableFile& part) -> Result<> {
    DigestSink digest(part, DigestAlgorithm::sha256);
    CURUPIRA_CHECK(source.copy_into(digest));
    const Digest found = digest.finish();
    if (found == sha256) return {};
    return fail(ErrorCode::digest_mismatch, printable(file.native()) + "\nexpected sha256:" + sha256.hex() +
                                                "  found sha256:" + found.hex());
  });
}

Result<> FolderCarrier::begin(const LockRequest& request) {
  CURUPIRA_CHECK(files_.create_folders(place_.path()));
  CURUPIRA_TRY(auto lock, RepositoryLock::take(place_, request));
  lock_.emplace(std::move(lock));
  remove_left_parts(files_, place_.path(), part_prefix);
  return {};
}

Result<> FolderCarrier::put_metadata(const std::string& file_name, std::string_view bytes) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  const fs::path to = place_.metadata() / file_name;
  const auto fill = [&](WritableFile& part) { return part.write(std::as_bytes(std::span(bytes))); };
  if (has_version(file_name)) return publish(to, digest_of(DigestAlgorithm::sha256, bytes), fill);
  CURUPIRA_CHECK(files_.create_folders(to.parent_path()));
  return write_part(fill, [&](const fs::path& part) -> Result<> {
    CURUPIRA_CHECK(files_.rename(part, to));
    return files_.sync_folder(to.parent_path());
  });
}

}  // namespace curupira::registry
