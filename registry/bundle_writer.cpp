#include "registry/bundle_writer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/file_copy.h"
#include "base/printable.h"
#include "registry/carried_target.h"
#include "registry/copied_packages.h"
#include "registry/oci_archive_writer.h"
#include "registry/oci_registry_manifests.h"
#include "registry/repository_lock.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t any_size = std::uint64_t{1} << 40;

}  // namespace

BundleWriter::BundleWriter(FileSystem& files, fs::path file)
    : files_(files), file_(std::move(file)), before_(file_) {}

BundleWriter::~BundleWriter() {
  if (lock_ && !changed_) abandon();
}

fs::path BundleWriter::part() const {
  fs::path folder = file_;
  return folder += ".part";
}

fs::path BundleWriter::collected(const Digest& sha256) const {
  return part() / sha256.hex();
}

Result<const OciLayout*> BundleWriter::before() {
  if (!is_there_) {
    CURUPIRA_TRY(const auto status, files_.status(file_));
    is_there_ = status.has_value();
  }
  if (!*is_there_) return nullptr;
  return before_.layout();
}

Result<std::optional<std::uint64_t>> BundleWriter::size_collected(const Digest& sha256) const {
  CURUPIRA_TRY(const auto status, files_.status(collected(sha256)));
  return status && status->type == FileType::regular ? std::optional(status->size) : std::nullopt;
}

Result<std::optional<std::uint64_t>> BundleWriter::size_before(const Digest& sha256) {
  CURUPIRA_TRY(const OciLayout* const layout, before());
  if (layout == nullptr || !layout->has(sha256)) return std::nullopt;
  Nowhere nowhere;
  if (!layout->read(sha256, nowhere)) return std::nullopt;  // damaged: it is brought anew
  CURUPIRA_TRY(const std::uint64_t size, layout->size(sha256));
  return std::optional(size);
}

Result<std::optional<std::string>> BundleWriter::metadata(const std::string& file_name,
                                                          std::uint64_t max_bytes) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  if (const auto put = metadata_.find(metadata_tag(file_name)); put != metadata_.end()) {
    CURUPIRA_TRY(std::string text, files_.read_file(collected(put->second.sha256), max_bytes));
    return std::optional(std::move(text));
  }
  CURUPIRA_TRY(const OciLayout* const layout, before());
  if (layout == nullptr) return std::nullopt;
  return before_.metadata(file_name, max_bytes);
}

Result<> BundleWriter::target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                              ByteSink& sink) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  if (target.sha256) {
    CURUPIRA_TRY(const auto size, size_collected(*target.sha256));
    if (size) {
      const std::string carrier = name();
      TargetCheck check(target, carrier, max_bytes, sink);
      CURUPIRA_CHECK(copy_into(collected(*target.sha256), check));
      return check.finish();
    }
  }
  CURUPIRA_TRY(const OciLayout* const layout, before());
  if (layout == nullptr) return fail(missing_target(*this, path));
  return before_.target(path, sha256, max_bytes, sink);
}

Result<bool> BundleWriter::has_target(const std::string& path, const Digest* sha256) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  if (!target.sha256) return false;
  const std::string tag = target_tag(*target.sha256);
  if (targets_.contains(tag)) return true;
  CURUPIRA_TRY(auto size, size_collected(*target.sha256));
  if (!size) {
    CURUPIRA_TRY(size, size_before(*target.sha256));
  }
  if (!size) return false;
  targets_.emplace(tag, Content{target.path.text(), *target.sha256, *size});
  return true;
}

Result<> BundleWriter::collect(const Digest& sha256, const std::function<Result<>(ByteSink&)>& fill) {
  CURUPIRA_CHECK(files_.create_folders(part()));
  const fs::path fresh = part() / "new";
  CURUPIRA_CHECK(files_.remove_file(fresh));
  CURUPIRA_TRY(const auto file, files_.create_file(fresh, 0644));
  DigestSink digest(*file, DigestAlgorithm::sha256);
  CURUPIRA_CHECK(fill(digest));
  if (const Digest found = digest.finish(); found != sha256)
    return fail(ErrorCode::digest_mismatch,
                "expected sha256:" + sha256.hex() + "  found sha256:" + found.hex());
  CURUPIRA_CHECK(file->commit());
  changed_ = true;
  return files_.rename(fresh, collected(sha256));
}

Result<> BundleWriter::put_target(const std::string& path, const fs::path& file, const Digest& sha256,
                                  std::uint64_t size) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, &sha256));
  CURUPIRA_TRY(const auto source, FileReader::open(file));
  if (source.size() != size)
    return fail(ErrorCode::size_mismatch, printable(file.native()) + " has " + format_bytes(source.size()) +
                                              ", not " + format_bytes(size));
  CURUPIRA_CHECK(collect(sha256, [&](ByteSink& sink) { return source.copy_into(sink); }));
  targets_.insert_or_assign(target_tag(sha256), Content{target.path.text(), sha256, size});
  return {};
}

Result<> BundleWriter::put_metadata(const std::string& file_name, std::string_view bytes) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  const Digest sha256 = digest_of(DigestAlgorithm::sha256, bytes);
  const std::string tag = metadata_tag(file_name);
  if (has_version(file_name)) {
    std::optional<Digest> there;
    if (const auto put = metadata_.find(tag); put != metadata_.end()) there = put->second.sha256;
    CURUPIRA_TRY(const OciLayout* const layout, before());
    if (!there && layout != nullptr) {
      CURUPIRA_TRY(there, before_.metadata_digest(file_name));
    }
    if (there && *there != sha256)
      return fail(ErrorCode::carrier_taken,
                  file_name + " of " + name() + " is there already, with another content");
  }
  CURUPIRA_CHECK(
      collect(sha256, [&](ByteSink& sink) { return sink.write(std::as_bytes(std::span(bytes))); }));
  metadata_.insert_or_assign(tag, Content{file_name, sha256, bytes.size()});
  return {};
}

Result<> BundleWriter::begin(const LockRequest& request) {
  CURUPIRA_CHECK(files_.create_folders(part()));
  CURUPIRA_TRY(lock_, FileLock::try_acquire(part() / "lock", FileLock::Mode::exclusive));
  if (!lock_ && request.wait) {
    CURUPIRA_TRY(lock_, FileLock::acquire(part() / "lock", FileLock::Mode::exclusive));
  }
  if (!lock_) return fail(ErrorCode::registry_busy, "it writes " + name());
  return {};
}

void BundleWriter::abandon() {
  static_cast<void>(files_.remove_tree(part()));
}

Result<std::string> BundleWriter::manifest_of_metadata(const Content& content) {
  CURUPIRA_TRY(const std::string bytes, files_.read_file(collected(content.sha256), any_size));
  return write_oci_manifest(metadata_manifest(content.name, content.sha256, bytes));
}

Result<> BundleWriter::write_blob(const Digest& sha256, ByteSink& sink) {
  CURUPIRA_TRY(const auto size, size_collected(sha256));
  if (size) return copy_into(collected(sha256), sink);
  CURUPIRA_TRY(const OciLayout* const layout, before());
  if (layout == nullptr) return fail(ErrorCode::bundle_blob_missing, oci_blob_path(sha256));
  return layout->copy(sha256, sink);
}

Result<> BundleWriter::write() {
  std::map<Digest, OciLayoutBlob> blobs;
  std::vector<OciTagged> tagged;
  const auto add = [&](const Digest& digest, std::uint64_t size, std::function<Result<>(ByteSink&)> fill) {
    blobs.try_emplace(digest, OciLayoutBlob{.digest = digest, .size = size, .write = std::move(fill)});
  };
  // The text of a manifest is made twice, so that not all of them are in memory.
  const auto add_manifest = [&](const std::string& tag, std::string_view type,
                                const std::function<Result<std::string>()>& make) -> Result<> {
    CURUPIRA_TRY(const std::string text, make());
    const Digest digest = digest_of(DigestAlgorithm::sha256, text);
    tagged.push_back(
        {.tag = tag,
         .artifact_type = std::string(type),
         .manifest = {
             .media_type = std::string(oci_manifest_media_type), .digest = digest, .size = text.size()}});
    add(digest, text.size(), [make](ByteSink& sink) -> Result<> {
      CURUPIRA_TRY(const std::string again, make());
      return sink.write(std::as_bytes(std::span(again)));
    });
    return {};
  };
  const auto add_content = [&](const Content& content) {
    add(content.sha256, content.size,
        [this, &content](ByteSink& sink) { return write_blob(content.sha256, sink); });
  };
  const OciDescriptor configuration = oci_empty_configuration();
  add(configuration.digest, configuration.size,
      [data = configuration.data](ByteSink& sink) { return sink.write(std::as_bytes(std::span(data))); });
  CURUPIRA_CHECK(add_manifest(std::string(registry_tag), registry_artifact_type, []() -> Result<std::string> {
    return write_oci_manifest(registry_manifest());
  }));
  for (const auto& [tag, content] : metadata_) {
    add_content(content);
    CURUPIRA_CHECK(add_manifest(tag, metadata_artifact_type,
                                [this, &each = content] { return manifest_of_metadata(each); }));
  }
  for (const auto& [tag, content] : targets_) {
    add_content(content);
    CURUPIRA_CHECK(add_manifest(tag, target_artifact_type, [&each = content]() -> Result<std::string> {
      return write_oci_manifest(target_manifest(each.name, each.sha256, each.size));
    }));
  }
  std::ranges::sort(tagged, {}, &OciTagged::tag);
  std::vector<OciLayoutBlob> ordered;
  for (auto& [digest, blob] : blobs)
    ordered.push_back(std::move(blob));
  return write_oci_layout(files_, file_, write_oci_tags(tagged), ordered, 0);
}

Result<> BundleWriter::finish() {
  if (!changed_) return {};
  auto written = write();
  if (!written) return fail(std::move(written).error().while_doing("writing " + name()));
  CURUPIRA_CHECK(files_.remove_tree(part()));
  lock_.reset();
  metadata_.clear();
  targets_.clear();
  changed_ = false;
  is_there_.reset();
  before_ = BundleCarrier(file_);
  return {};
}

}  // namespace curupira::registry
