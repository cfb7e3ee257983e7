#include "registry/folder_carrier.h"

#include "base/file_reader.h"
#include "base/printable.h"
#include "registry/carried_target.h"
#include "registry/copied_packages.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view temporary_prefix = ".curupira-part.";

class NoSink final : public ByteSink {
 public:
  Result<> write(std::span<const std::byte>) override { return {}; }
  Result<> restart() override { return {}; }
};

Result<Digest> digest_of_file(const FileReader& file) {
  NoSink nowhere;
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
  CURUPIRA_TRY(const fs::path work, files_.create_temporary_folder(place_.path(), temporary_prefix));
  const auto write = [&]() -> Result<> {
    CURUPIRA_TRY(const auto part, files_.create_file(work / "part", 0644));
    CURUPIRA_CHECK(fill(*part));
    CURUPIRA_CHECK(part->commit());
    return place(work / "part", to, sha256);
  };
  auto written = write();
  const auto removed = files_.remove_tree(work);
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
  CURUPIRA_TRY(const auto names, files_.list(place_.path()));
  for (const std::string& each : names)
    if (each.starts_with(temporary_prefix)) CURUPIRA_CHECK(files_.remove_tree(place_.path() / each));
  return {};
}

Result<> FolderCarrier::put_metadata(const std::string& file_name, std::string_view bytes) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  const fs::path to = place_.metadata() / file_name;
  if (has_version(file_name)) {
    return publish(to, digest_of(DigestAlgorithm::sha256, bytes),
                   [&](WritableFile& part) { return part.write(std::as_bytes(std::span(bytes))); });
  }
  CURUPIRA_CHECK(files_.create_folders(to.parent_path()));
  return write_file_atomically(files_, to, bytes);
}

}  // namespace curupira::registry
