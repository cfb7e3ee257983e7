#include "installer/folder_archive.h"

#include "base/file_copy.h"
#include "base/gzip_writer.h"
#include "base/tar_writer.h"
#include "manifest/manifest.h"

namespace curupira::installer {
namespace {

constexpr std::uint64_t any_size = std::uint64_t{1} << 40;

Result<> write_entries(TarWriter& tar, const std::filesystem::path& folder, const TreeListing& listing) {
  using Kind = TreeEntry::Kind;
  for (const TreeEntry& entry : listing.entries())
    if (entry.kind == Kind::folder) CURUPIRA_CHECK(tar.folder(entry.path.text()));
  for (const TreeEntry& entry : listing.entries()) {
    if (entry.kind != Kind::file && entry.kind != Kind::executable) continue;
    CURUPIRA_CHECK(tar.begin_file(entry.path.text(), entry.size, entry.kind == Kind::executable));
    CURUPIRA_CHECK(copy_into(entry.path.below(folder), tar));
    CURUPIRA_CHECK(tar.end_file());
  }
  // Behind the files: only links to earlier ones are unpacked.
  for (const TreeEntry& entry : listing.entries())
    if (entry.kind == Kind::link) CURUPIRA_CHECK(tar.symbolic_link(entry.path.text(), entry.target));
  return {};
}

}  // namespace

Result<PackedArchive> pack_folder(FileSystem& files, const std::filesystem::path& folder,
                                  const TreeListing& listing, const std::optional<std::string>& manifest,
                                  const std::filesystem::path& archive) {
  CURUPIRA_TRY(const auto file, files.create_file(archive, 0644));
  LimitSink count(*file, any_size);
  DigestSink digest(count, DigestAlgorithm::sha256);
  GzipWriter gzip(digest);
  TarWriter tar(gzip, 0);
  if (manifest) CURUPIRA_CHECK(tar.file(manifest::manifest_file_name, *manifest));
  CURUPIRA_CHECK(write_entries(tar, folder, listing));
  CURUPIRA_CHECK(tar.finish());
  CURUPIRA_CHECK(gzip.finish());
  CURUPIRA_CHECK(file->commit());
  return PackedArchive{.file = archive, .sha256 = digest.finish(), .size = count.count()};
}

}  // namespace curupira::installer
