#include "registry/oci_archive_writer.h"

#include <algorithm>
#include <utility>

#include "base/file_copy.h"
#include "base/tar_writer.h"
#include "registry/oci_layout.h"
#include "registry/part_folder.h"

namespace curupira::registry {
namespace {

Result<> write_blob(TarWriter& tar, const OciLayoutBlob& blob) {
  CURUPIRA_CHECK(tar.begin_file(oci_blob_path(blob.digest), blob.size));
  DigestSink digest(tar, DigestAlgorithm::sha256);
  CURUPIRA_CHECK(blob.write(digest));
  CURUPIRA_CHECK(tar.end_file());
  if (const Digest found = digest.finish(); found != blob.digest)
    return fail(ErrorCode::digest_mismatch, oci_blob_path(blob.digest) + "\nexpected " +
                                                oci_digest(blob.digest) + "  found " + oci_digest(found));
  return {};
}

Result<> write_all(ByteSink& out, const std::string& index, const std::vector<OciLayoutBlob>& blobs,
                   std::uint64_t modified) {
  TarWriter tar(out, modified);
  CURUPIRA_CHECK(tar.file("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}"));
  CURUPIRA_CHECK(tar.file("index.json", index));
  for (const OciLayoutBlob& blob : blobs)
    CURUPIRA_CHECK(write_blob(tar, blob));
  return tar.finish();
}

OciLayoutBlob to_write(const OciBlob& blob) {
  return {.digest = blob.descriptor.digest,
          .size = blob.descriptor.size,
          .write = [&blob](ByteSink& sink) -> Result<> {
            return blob.file.empty() ? sink.write(std::as_bytes(std::span(blob.bytes)))
                                     : copy_into(blob.file, sink);
          }};
}

}  // namespace

Result<> write_oci_layout(FileSystem& files, const std::filesystem::path& file, const std::string& index,
                          const std::vector<OciLayoutBlob>& blobs, std::uint64_t modified) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  CURUPIRA_TRY(PartFolder work, PartFolder::create(files, folder, ".curupira-bundle."));
  const auto write = [&]() -> Result<> {
    const auto part = work.path() / "part";
    CURUPIRA_TRY(auto out, files.create_file(part, 0644));
    CURUPIRA_CHECK(write_all(*out, index, blobs, modified));
    CURUPIRA_CHECK(out->commit());
    CURUPIRA_CHECK(files.rename(part, file));
    return files.sync_folder(folder);
  };
  auto written = write();
  const auto removed = work.remove();
  if (!written) return written;
  return removed;
}

Result<OciDescriptor> write_oci_archive(FileSystem& files, const std::filesystem::path& file,
                                        const OciManifest& manifest, std::vector<OciBlob> blobs,
                                        std::uint64_t modified) {
  std::string text = write_oci_manifest(manifest);
  const OciDescriptor descriptor{.media_type = std::string(oci_manifest_media_type),
                                 .digest = digest_of(DigestAlgorithm::sha256, text),
                                 .size = text.size()};
  // Readers that stream find what says what the rest is before the rest.
  std::ranges::sort(blobs, {}, [](const OciBlob& blob) { return blob.descriptor.digest; });
  const auto twice =
      std::ranges::unique(blobs, {}, [](const OciBlob& blob) { return blob.descriptor.digest; });
  blobs.erase(twice.begin(), twice.end());
  const auto config = std::ranges::find(blobs, manifest.config.digest,
                                        [](const OciBlob& blob) { return blob.descriptor.digest; });
  if (config != blobs.end()) std::rotate(blobs.begin(), config, config + 1);
  blobs.insert(blobs.begin(), OciBlob{.descriptor = descriptor, .bytes = std::move(text)});

  std::vector<OciLayoutBlob> entries;
  for (const OciBlob& blob : blobs)
    entries.push_back(to_write(blob));
  CURUPIRA_CHECK(
      write_oci_layout(files, file, write_oci_index(descriptor, manifest.artifact_type), entries, modified));
  return descriptor;
}

}  // namespace curupira::registry
