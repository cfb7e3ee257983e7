#include "registry/bundle_carrier.h"

#include "base/printable.h"
#include "registry/carried_target.h"
#include "registry/copied_packages.h"
#include "registry/limits.h"
#include "registry/oci_registry_manifests.h"

namespace curupira::registry {

std::string BundleCarrier::name() const {
  return printable(file_.native());
}

Result<const OciLayout*> BundleCarrier::layout() {
  if (layout_) return &*layout_;
  const auto open = [&]() -> Result<> {
    // What is asked for is checked when it is read: a bundle may be as large as a registry.
    CURUPIRA_TRY(layout_, OciLayout::open(file_, {.max_entries = Limits::max_bundle_entries,
                                                  .max_index_bytes = Limits::max_bundle_index_bytes,
                                                  .digest_blobs = false}));
    CURUPIRA_TRY(const auto tagged, parse_oci_tags(layout_->index(), Limits::max_bundle_index_bytes));
    for (const OciTagged& each : tagged)
      if (!each.tag.starts_with(target_tag_prefix)) manifests_.emplace(each.tag, each.manifest.digest);
    if (manifests_.empty())
      return fail(Error(ErrorCode::bundle_unreadable, "there is no registry in it")
                      .with_help("`curupira registry copy FROM FILE.bundle` writes one"));
    return {};
  };
  if (auto opened = open(); !opened) {
    layout_.reset();
    return fail(std::move(opened).error().while_doing("reading " + name()));
  }
  return &*layout_;
}

Result<std::optional<OciDescriptor>> BundleCarrier::metadata_layer(const std::string& file_name) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  CURUPIRA_TRY(const OciLayout* const layout, this->layout());
  const auto tagged = manifests_.find(metadata_tag(file_name));
  if (tagged == manifests_.end()) return std::nullopt;
  CURUPIRA_TRY(const std::string text,
               layout->read_text(tagged->second, Limits::max_oci_carrier_manifest_bytes));
  CURUPIRA_TRY(const OciManifest manifest, parse_oci_manifest(text));
  if (const OciDescriptor* const layer = metadata_layer_of(manifest)) return *layer;
  return fail(ErrorCode::bundle_unreadable,
              name() + ": what has the tag " + tagged->first + " is no metadata");
}

Result<std::optional<Digest>> BundleCarrier::metadata_digest(const std::string& file_name) {
  CURUPIRA_TRY(const std::optional<OciDescriptor> layer, metadata_layer(file_name));
  if (!layer) return std::optional<Digest>();
  return std::optional(layer->digest);
}

Result<std::optional<std::string>> BundleCarrier::metadata(const std::string& file_name,
                                                           std::uint64_t max_bytes) {
  CURUPIRA_TRY(const auto layer, metadata_layer(file_name));
  if (!layer) return std::nullopt;
  CURUPIRA_CHECK(check_metadata_size(*layer, file_name, name(), max_bytes));
  if (!layer->data.empty()) return layer->data;
  CURUPIRA_TRY(std::string text, layout_->read_text(layer->digest, max_bytes));
  return std::optional(std::move(text));
}

Result<> BundleCarrier::target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                               ByteSink& sink) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  CURUPIRA_TRY(const OciLayout* const layout, this->layout());
  const std::string carrier = name();
  if (!target.sha256)
    return fail(ErrorCode::carrier_file_missing,
                carrier + " has targets by their sha256, which is not known of " + printable(path));
  if (!layout->has(*target.sha256)) return fail(missing_target(*this, path));
  TargetCheck check(target, carrier, max_bytes, sink);
  CURUPIRA_CHECK(layout->copy(*target.sha256, check));
  return check.finish();
}

}  // namespace curupira::registry
