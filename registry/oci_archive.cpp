#include "registry/oci_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <string_view>
#include <utility>

#include "base/printable.h"
#include "base/system_error.h"
#include "base/tar_reader.h"

namespace curupira::registry {
namespace {

constexpr std::string_view blob_prefix = "blobs/sha256/";
constexpr std::size_t max_entries = max_oci_layers + 16;
constexpr std::size_t max_layout_bytes = 4096;

/// The file from its beginning.
class FileStream final : public ByteStream {
 public:
  explicit FileStream(int file) : file_(file) {}
  Result<std::size_t> read(std::span<std::byte> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size()) {
      const ssize_t count =
          ::pread(file_, buffer.data() + done, buffer.size() - done, static_cast<off_t>(position_));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0)
        return fail(ErrorCode::file_failed, "the bundle cannot be read: " + system_reason(errno));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
      position_ += static_cast<std::uint64_t>(count);
    }
    return done;
  }

 private:
  int file_;
  std::uint64_t position_ = 0;
};

Error changed(const std::string& name, const std::string& expected, const std::string& found) {
  return Error(ErrorCode::bundle_blob_changed,
               printable(name) + "\nexpected " + expected + "  found " + found);
}

tl::unexpected<Error> extra(const std::string& name) {
  return fail(ErrorCode::bundle_blob_extra, printable(name));
}

}  // namespace

/// The one pass over the file.
class OciArchiveScan {
 public:
  explicit OciArchiveScan(int file) : stream_(file), tar_(stream_) {}

  Result<> run() {
    while (true) {
      CURUPIRA_TRY(const auto entry, next());
      if (!entry) return {};
      if (++entries_ > max_entries)
        return fail(ErrorCode::bundle_unreadable, "more than " + std::to_string(max_entries) + " entries");
      CURUPIRA_CHECK(take(*entry));
    }
  }
  const std::string& layout() const { return layout_; }
  const std::string& index() const { return index_; }
  std::map<std::string, OciArchive::Place> take_blobs() { return std::move(blobs_); }

 private:
  Result<std::optional<ArchiveEntry>> next() {
    auto entry = tar_.next();
    if (!entry)
      return fail(Error(ErrorCode::bundle_unreadable, "it is no whole tar file").caused_by(entry.error()));
    return entry;
  }

  Result<> take(const ArchiveEntry& entry) {
    std::string name = entry.path.starts_with("./") ? entry.path.substr(2) : entry.path;
    if (entry.type == ArchiveEntry::Type::folder) {
      while (name.ends_with('/'))
        name.pop_back();
      if (name.empty() || name == "." || name == "blobs" || name == "blobs/sha256") return {};
      return extra(entry.path);
    }
    if (entry.type != ArchiveEntry::Type::file) return extra(entry.path);
    if (!seen_.insert(name).second)
      return fail(ErrorCode::bundle_unreadable, printable(name) + " is there twice");
    if (name == "oci-layout") return take_text(entry, max_layout_bytes, layout_);
    if (name == "index.json") return take_text(entry, max_oci_manifest_bytes, index_);
    if (!name.starts_with(blob_prefix)) return extra(entry.path);
    const std::string hex = name.substr(blob_prefix.size());
    if (!parse_oci_digest("sha256:" + hex)) return extra(entry.path);
    return take_blob(entry, hex);
  }

  Result<> take_text(const ArchiveEntry& entry, std::size_t limit, std::string& text) {
    if (entry.size > limit)
      return fail(ErrorCode::bundle_unreadable, printable(entry.path) + ": " + format_bytes(entry.size) +
                                                    ", allowed are " + format_bytes(limit));
    return read_contents([&](std::span<const std::byte> bytes) {
      text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
  }

  Result<> take_blob(const ArchiveEntry& entry, const std::string& hex) {
    blobs_[hex] = {.offset = tar_.position(), .size = entry.size};
    Hasher hasher(DigestAlgorithm::sha256);
    CURUPIRA_CHECK(read_contents([&](std::span<const std::byte> bytes) { hasher.update(bytes); }));
    const std::string found = hasher.finish().hex();
    if (found != hex) return fail(changed(entry.path, "sha256:" + hex, "sha256:" + found));
    return {};
  }

  template <class Take>
  Result<> read_contents(const Take& take) {
    while (true) {
      const auto count = tar_.read(buffer_);
      if (!count)
        return fail(Error(ErrorCode::bundle_unreadable, "it is no whole tar file").caused_by(count.error()));
      if (*count == 0) return {};
      take(std::span<const std::byte>(buffer_).first(*count));
    }
  }

  FileStream stream_;
  TarReader tar_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(1u << 18U);
  std::size_t entries_ = 0;
  std::set<std::string> seen_;
  std::string layout_, index_;
  std::map<std::string, OciArchive::Place> blobs_;
};

Result<OciArchive> OciArchive::open(const std::filesystem::path& file) {
  UniqueFd descriptor(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!descriptor)
    return fail(errno == ENOENT ? Error(ErrorCode::file_not_found, printable(file.string()))
                                : system_error(ErrorCode::file_failed, "cannot open", file, errno));
  struct stat status {};
  if (::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail(ErrorCode::bundle_unreadable, printable(file.string()) + " is no regular file");
  OciArchiveScan scan(descriptor.get());
  CURUPIRA_CHECK(scan.run());
  if (scan.layout().find("\"imageLayoutVersion\"") == std::string::npos || scan.index().empty())
    return fail(ErrorCode::bundle_unreadable, "it has no oci-layout and index.json");
  CURUPIRA_TRY(OciDescriptor manifest, parse_oci_index(scan.index()));
  OciArchive archive(std::move(descriptor), std::move(manifest),
                     {.artifact_type = {}, .config = manifest, .layers = {}}, scan.take_blobs());
  CURUPIRA_TRY(const std::string text, archive.read_text(archive.descriptor_.digest, max_oci_manifest_bytes));
  CURUPIRA_TRY(archive.manifest_, parse_oci_manifest(text));
  CURUPIRA_CHECK(archive.check_names());
  return archive;
}

Result<> OciArchive::check_names() const {
  std::set<std::string> named{descriptor_.digest.hex()};
  const auto check = [&](const OciDescriptor& blob) -> Result<> {
    named.insert(blob.digest.hex());
    CURUPIRA_TRY(const std::uint64_t bytes, size(blob.digest));
    if (bytes != blob.size)
      return fail(changed(std::string(blob_prefix) + blob.digest.hex(), std::to_string(blob.size) + " bytes",
                          std::to_string(bytes)));
    return {};
  };
  CURUPIRA_CHECK(check(descriptor_));
  CURUPIRA_CHECK(check(manifest_.config));
  for (const OciDescriptor& layer : manifest_.layers)
    CURUPIRA_CHECK(check(layer));
  for (const auto& [hex, place] : blobs_)
    if (!named.contains(hex)) return extra(std::string(blob_prefix) + hex);
  return {};
}

Result<std::uint64_t> OciArchive::size(const Digest& blob) const {
  const auto place = blobs_.find(blob.hex());
  if (place == blobs_.end())
    return fail(ErrorCode::bundle_blob_missing, std::string(blob_prefix) + blob.hex());
  return place->second.size;
}

Result<> OciArchive::read(const Digest& blob, ByteSink& sink) const {
  CURUPIRA_TRY(const std::uint64_t bytes, size(blob));
  const Place& place = blobs_.at(blob.hex());
  DigestSink digest(sink, DigestAlgorithm::sha256);
  std::vector<std::byte> buffer(std::min<std::uint64_t>(1u << 18U, std::max<std::uint64_t>(bytes, 1)));
  std::uint64_t done = 0;
  while (done < bytes) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes - done));
    const ssize_t count =
        ::pread(file_.get(), buffer.data(), wanted, static_cast<off_t>(place.offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(ErrorCode::file_failed, "the bundle cannot be read: " + system_reason(errno));
    if (count == 0) break;
    CURUPIRA_CHECK(digest.write(std::span(buffer).first(static_cast<std::size_t>(count))));
    done += static_cast<std::uint64_t>(count);
  }
  if (const Digest found = digest.finish(); found != blob)
    return fail(changed(std::string(blob_prefix) + blob.hex(), oci_digest(blob), oci_digest(found)));
  return {};
}

Result<std::string> OciArchive::read_text(const Digest& blob, std::uint64_t max_bytes) const {
  CURUPIRA_TRY(const std::uint64_t bytes, size(blob));
  if (bytes > max_bytes)
    return fail(ErrorCode::bundle_unreadable, std::string(blob_prefix) + blob.hex() + ": " +
                                                  format_bytes(bytes) + ", allowed are " +
                                                  format_bytes(max_bytes));
  StringSink sink(max_bytes);
  CURUPIRA_CHECK(read(blob, sink));
  return sink.take();
}

}  // namespace curupira::registry
