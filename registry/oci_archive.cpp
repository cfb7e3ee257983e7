#include "registry/oci_archive.h"

#include <set>
#include <utility>

namespace curupira::registry {
namespace {

constexpr std::size_t max_entries = max_oci_layers + 16;

}  // namespace

Result<OciArchive> OciArchive::open(const std::filesystem::path& file) {
  CURUPIRA_TRY(OciLayout layout, OciLayout::open(file, {.max_entries = max_entries,
                                                        .max_index_bytes = max_oci_manifest_bytes}));
  CURUPIRA_TRY(OciDescriptor descriptor, parse_oci_index(layout.index()));
  CURUPIRA_TRY(const std::string text, layout.read_text(descriptor.digest, max_oci_manifest_bytes));
  CURUPIRA_TRY(OciManifest manifest, parse_oci_manifest(text));
  OciArchive archive(std::move(layout), std::move(descriptor), std::move(manifest));
  CURUPIRA_CHECK(archive.check_names());
  return archive;
}

Result<> OciArchive::check_names() const {
  std::set<Digest> named;
  const auto check = [&](const OciDescriptor& blob) -> Result<> {
    named.insert(blob.digest);
    CURUPIRA_TRY(const std::uint64_t bytes, size(blob.digest));
    if (bytes == blob.size) return {};
    return fail(ErrorCode::bundle_blob_changed, oci_blob_path(blob.digest) + "\nexpected " +
                                                    std::to_string(blob.size) + " bytes  found " +
                                                    std::to_string(bytes));
  };
  CURUPIRA_CHECK(check(descriptor_));
  CURUPIRA_CHECK(check(manifest_.config));
  for (const OciDescriptor& layer : manifest_.layers)
    CURUPIRA_CHECK(check(layer));
  for (const auto& [blob, place] : layout_.blobs())
    if (!named.contains(blob)) return fail(ErrorCode::bundle_blob_extra, oci_blob_path(blob));
  return {};
}

}  // namespace curupira::registry
