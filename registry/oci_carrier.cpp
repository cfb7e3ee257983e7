#include "registry/oci_carrier.h"

#include "base/printable.h"
#include "registry/carried_target.h"
#include "registry/copied_packages.h"
#include "registry/local_file.h"
#include "registry/oci_registry_manifests.h"

namespace curupira::registry {
namespace {

Error unreadable(const std::string& carrier, const std::string& what) {
  return Error(ErrorCode::carrier_unreadable, carrier + ": " + what);
}

}  // namespace

Result<std::unique_ptr<OciCarrier>> OciCarrier::open(const SourceTools& tools, Diagnostics& diagnostics,
                                                     OciRepository repository, std::uint64_t chunk_bytes) {
  if (tools.http == nullptr) return fail(ErrorCode::offline_missing, "what is at " + repository.to_string());
  return std::unique_ptr<OciCarrier>(new OciCarrier(tools, diagnostics, std::move(repository), chunk_bytes));
}

Result<std::optional<OciDescriptor>> OciCarrier::metadata_layer(const std::string& file_name) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  CURUPIRA_TRY(const auto fetched, client_.manifest(metadata_tag(file_name)));
  if (!fetched) return std::nullopt;
  if (const OciDescriptor* const layer = metadata_layer_of(fetched->manifest)) return *layer;
  return fail(unreadable(name(), "what has the tag " + metadata_tag(file_name) + " is no metadata"));
}

Result<std::optional<std::string>> OciCarrier::metadata(const std::string& file_name,
                                                        std::uint64_t max_bytes) {
  CURUPIRA_TRY(const auto layer, metadata_layer(file_name));
  if (!layer) return std::nullopt;
  CURUPIRA_CHECK(check_metadata_size(*layer, file_name, name(), max_bytes));
  if (!layer->data.empty()) return layer->data;
  StringSink text(max_bytes);
  CURUPIRA_TRY(const bool there, client_.blob(layer->digest, layer->size, text));
  if (!there) return fail(unreadable(name(), "it lacks the bytes of " + file_name));
  if (digest_of(DigestAlgorithm::sha256, text.text()) != layer->digest)
    return fail(unreadable(name(), "the bytes of " + file_name + " are not those of its manifest"));
  return text.take();
}

Result<> OciCarrier::target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                            ByteSink& sink) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  const std::string carrier = name();
  if (!target.sha256)
    return fail(ErrorCode::carrier_file_missing,
                carrier + " has targets by their sha256, which is not known of " + printable(path));
  TargetCheck check(target, carrier, max_bytes, sink);
  CURUPIRA_TRY(const bool there, client_.blob(*target.sha256, max_bytes, check));
  if (!there) return fail(missing_target(*this, path));
  return check.finish();
}

Result<> OciCarrier::read_account() {
  if (account_read_) return {};
  account_read_ = true;
  CURUPIRA_TRY(const auto manifest, client_.manifest(std::string(registry_tag)));
  if (!manifest) return {};
  // It only saves requests: whatever goes wrong with it, each target can be asked for.
  const auto referrers = client_.referrers(manifest->descriptor.digest);
  if (!referrers || !*referrers) return {};
  account_ = manifest->descriptor;
  for (const OciReferrer& referrer : **referrers) {
    const auto sha256 = referrer.annotations.find(std::string(target_sha256_annotation));
    if (referrer.artifact_type == target_artifact_type && sha256 != referrer.annotations.end())
      accounted_.insert(sha256->second);
  }
  return {};
}

Result<bool> OciCarrier::has_target(const std::string& path, const Digest* sha256) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  if (!target.sha256) return false;
  CURUPIRA_CHECK(read_account());
  if (accounted_.contains(target.sha256->hex())) return true;
  return client_.has_manifest(target_tag(*target.sha256));
}

Result<> OciCarrier::put_configuration() {
  if (has_configuration_) return {};
  const OciDescriptor configuration = oci_empty_configuration();
  CURUPIRA_CHECK(client_.put_blob(configuration.digest, {.bytes = configuration.data}));
  CURUPIRA_TRY(const bool there, client_.has_manifest(std::string(registry_tag)));
  if (!there) {
    CURUPIRA_CHECK(client_.put_manifest(std::string(registry_tag), registry_manifest()));
    account_read_ = false;
  }
  has_configuration_ = true;
  return {};
}

Result<> OciCarrier::put_target(const std::string& path, const std::filesystem::path& file,
                                const Digest& sha256, std::uint64_t size) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, &sha256));
  CURUPIRA_TRY(const LocalFile measured, measure_local_file(file, size));
  if (measured.size != size)
    return fail(ErrorCode::size_mismatch, printable(file.native()) + " has " + format_bytes(measured.size) +
                                              ", not " + format_bytes(size));
  if (measured.sha256 != sha256)
    return fail(ErrorCode::digest_mismatch, printable(file.native()) + "\nexpected sha256:" + sha256.hex() +
                                                "  found sha256:" + measured.sha256.hex());
  CURUPIRA_CHECK(put_configuration());
  CURUPIRA_CHECK(client_.put_blob(sha256, {.file = file, .file_bytes = size}));
  CURUPIRA_CHECK(read_account());
  const std::string tag = target_tag(sha256);
  CURUPIRA_TRY(const bool there, client_.has_manifest(tag));
  if (there) return {};
  CURUPIRA_CHECK(client_.put_manifest(tag, target_manifest(target.path.text(), sha256, size, account_)));
  return {};
}

Result<> OciCarrier::put_metadata(const std::string& file_name, std::string_view bytes) {
  const Digest sha256 = digest_of(DigestAlgorithm::sha256, bytes);
  const auto check = [&](const std::optional<OciDescriptor>& layer) -> Result<> {
    if (!layer || layer->digest == sha256) return {};
    return fail(ErrorCode::carrier_taken,
                file_name + " of " + name() + " is there already, with another content");
  };
  CURUPIRA_TRY(const auto before, metadata_layer(file_name));
  if (has_version(file_name)) CURUPIRA_CHECK(check(before));
  if (before && before->digest == sha256) return {};
  CURUPIRA_CHECK(put_configuration());
  CURUPIRA_CHECK(client_.put_blob(sha256, {.bytes = std::string(bytes)}));
  CURUPIRA_CHECK(client_.put_manifest(metadata_tag(file_name), metadata_manifest(file_name, sha256, bytes)));
  if (!has_version(file_name)) return {};
  // Another publisher may have written it in the meantime.
  CURUPIRA_TRY(const auto after, metadata_layer(file_name));
  return check(after);
}

}  // namespace curupira::registry
