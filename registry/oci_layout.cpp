#include "registry/oci_layout.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "base/tar_reader.h"
#include "registry/oci_manifest.h"

namespace curupira::registry {
namespace {

constexpr std::string_view blob_prefix = "blobs/sha256/";
constexpr std::size_t max_layout_bytes = 4096;
constexpr std::size_t piece_bytes = 1u << 18;

/// The file from its beginning.
class FileStream final : public ByteStream {
 public:
  explicit FileStream(const FileReader& file) : file_(file) {}
  Result<std::size_t> read(std::span<std::byte> buffer) override {
    CURUPIRA_TRY(const std::size_t count, file_.read(position_, buffer));
    position_ += count;
    return count;
  }

 private:
  const FileReader& file_;
  std::uint64_t position_ = 0;
};

Error changed(const std::string& name, const std::string& expected, const std::string& found) {
  return Error(ErrorCode::bundle_blob_changed,
               printable(name) + "\nexpected " + expected + "  found " + found);
}

tl::unexpected<Error> extra(const std::string& name) {
  return fail(ErrorCode::bundle_blob_extra, printable(name));
}

/// The one pass over the file.
class Scan {
 public:
  Scan(const FileReader& file, const OciLayoutReading& reading)
      : stream_(file), tar_(stream_), reading_(reading) {}

  Result<> run() {
    while (true) {
      CURUPIRA_TRY(const auto entry, next());
      if (!entry) return {};
      if (++entries_ > reading_.max_entries)
        return fail(ErrorCode::bundle_unreadable,
                    "more than " + std::to_string(reading_.max_entries) + " entries");
      CURUPIRA_CHECK(take(*entry));
    }
  }
  const std::string& layout() const { return layout_; }
  std::string take_index() { return std::move(index_); }
  std::map<Digest, OciLayout::Place> take_blobs() { return std::move(blobs_); }

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
    if (name == "oci-layout" || name == "index.json") {
      if (!texts_.insert(name).second) return twice(name);
      return name == "oci-layout" ? take_text(entry, max_layout_bytes, layout_)
                                  : take_text(entry, reading_.max_index_bytes, index_);
    }
    if (!name.starts_with(blob_prefix)) return extra(entry.path);
    const auto digest = parse_oci_digest("sha256:" + name.substr(blob_prefix.size()));
    if (!digest) return extra(entry.path);
    const bool fresh = blobs_.emplace(*digest, OciLayout::Place{tar_.position(), entry.size}).second;
    if (!fresh) return twice(name);
    return reading_.digest_blobs ? check_blob(entry, *digest) : Result<>();
  }

  static tl::unexpected<Error> twice(const std::string& name) {
    return fail(ErrorCode::bundle_unreadable, printable(name) + " is there twice");
  }

  Result<> take_text(const ArchiveEntry& entry, std::size_t limit, std::string& text) {
    if (entry.size > limit)
      return fail(ErrorCode::bundle_unreadable, printable(entry.path) + ": " + format_bytes(entry.size) +
                                                    ", allowed are " + format_bytes(limit));
    return read_contents([&](std::span<const std::byte> bytes) {
      text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
  }

  Result<> check_blob(const ArchiveEntry& entry, const Digest& digest) {
    Hasher hasher(DigestAlgorithm::sha256);
    CURUPIRA_CHECK(read_contents([&](std::span<const std::byte> bytes) { hasher.update(bytes); }));
    const Digest found = hasher.finish();
    if (found != digest) return fail(changed(entry.path, oci_digest(digest), oci_digest(found)));
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
  OciLayoutReading reading_;
  std::vector<std::byte> buffer_ = std::vector<std::byte>(piece_bytes);
  std::size_t entries_ = 0;
  std::set<std::string> texts_;
  std::string layout_, index_;
  std::map<Digest, OciLayout::Place> blobs_;
};

}  // namespace

std::string oci_blob_path(const Digest& blob) {
  return std::string(blob_prefix) + blob.hex();
}

Result<OciLayout> OciLayout::open(const std::filesystem::path& file, const OciLayoutReading& reading) {
  auto reader = FileReader::open(file);
  if (!reader) {
    std::error_code ignored;
    const bool regular = std::filesystem::is_regular_file(file, ignored);
    if (regular || reader.error().code() == ErrorCode::file_not_found) return fail(std::move(reader).error());
    return fail(ErrorCode::bundle_unreadable, printable(file.string()) + " is no regular file");
  }
  Scan scan(*reader, reading);
  CURUPIRA_CHECK(scan.run());
  std::string index = scan.take_index();
  if (scan.layout().find("\"imageLayoutVersion\"") == std::string::npos || index.empty())
    return fail(ErrorCode::bundle_unreadable, "it has no oci-layout and index.json");
  return OciLayout(*std::move(reader), std::move(index), scan.take_blobs());
}

Result<std::uint64_t> OciLayout::size(const Digest& blob) const {
  const auto place = blobs_.find(blob);
  if (place == blobs_.end()) return fail(ErrorCode::bundle_blob_missing, oci_blob_path(blob));
  return place->second.size;
}

Result<> OciLayout::copy(const Digest& blob, ByteSink& sink) const {
  CURUPIRA_TRY(const std::uint64_t bytes, size(blob));
  const Place& place = blobs_.at(blob);
  std::vector<std::byte> buffer(std::min<std::uint64_t>(piece_bytes, std::max<std::uint64_t>(bytes, 1)));
  std::uint64_t done = 0;
  while (done < bytes) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes - done));
    CURUPIRA_TRY(const std::size_t count, file_.read(place.offset + done, std::span(buffer).first(wanted)));
    if (count == 0) break;
    CURUPIRA_CHECK(sink.write(std::span(buffer).first(count)));
    done += count;
  }
  return {};
}

Result<> OciLayout::read(const Digest& blob, ByteSink& sink) const {
  DigestSink digest(sink, DigestAlgorithm::sha256);
  CURUPIRA_CHECK(copy(blob, digest));
  if (const Digest found = digest.finish(); found != blob)
    return fail(changed(oci_blob_path(blob), oci_digest(blob), oci_digest(found)));
  return {};
}

Result<std::string> OciLayout::read_text(const Digest& blob, std::uint64_t max_bytes) const {
  CURUPIRA_TRY(const std::uint64_t bytes, size(blob));
  if (bytes > max_bytes)
    return fail(ErrorCode::bundle_unreadable, oci_blob_path(blob) + ": " + format_bytes(bytes) +
                                                  ", allowed are " + format_bytes(max_bytes));
  StringSink sink(max_bytes);
  CURUPIRA_CHECK(read(blob, sink));
  return sink.take();
}

}  // namespace curupira::registry
