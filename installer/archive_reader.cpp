#include "installer/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "base/tar_reader.h"
#include "base/unique_fd.h"
#include "installer/zip_directory.h"

namespace curupira::installer {
namespace {

constexpr std::size_t read_size = 65536;

struct CloseArchive {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using Handle = std::unique_ptr<archive, CloseArchive>;

tl::unexpected<Error> library_error(archive* handle) {
  const char* const text = archive_error_string(handle);
  // Without a word it fails on gzip data whose check sum is cut off.
  if (text == nullptr) return fail(ErrorCode::archive_truncated, "it ends early");
  std::string detail = text;
  std::string lower = detail;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool truncated = lower.find("truncated") != std::string::npos;
  // A zstd stream is followed by something that is none.
  if (lower.find("unknown frame descriptor") != std::string::npos && archive_filter_bytes(handle, -1) > 0)
    return fail(ErrorCode::archive_trailing_data, "bytes follow the end of the compressed data");
  return fail(truncated ? ErrorCode::archive_truncated : ErrorCode::archive_unreadable, printable(detail));
}

struct OpenFile {
  UniqueFd descriptor;
  std::uint64_t size = 0;
};

Result<OpenFile> open_file(const std::filesystem::path& path) {
  OpenFile file{.descriptor = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), .size = 0};
  struct stat status {};
  if (!file.descriptor || ::fstat(file.descriptor.get(), &status) != 0)
    return fail(ErrorCode::file_failed, printable(path.string()) + ": " + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return fail(ErrorCode::archive_unreadable, "it is no regular file");
  file.size = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Result<std::string> read_bytes_at(int descriptor, std::uint64_t offset, std::size_t length) {
  std::string bytes(length, '\0');
  std::size_t done = 0;
  while (done < length) {
    const ssize_t count =
        ::pread(descriptor, bytes.data() + done, length - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(ErrorCode::file_failed, std::strerror(errno));
    if (count == 0)
      return fail(ErrorCode::archive_truncated, "it ends at byte " + std::to_string(offset + done));
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    value = (value << 8U) | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

/// The one decompression around a tar; data behind the compressed stream is noticed at the end.
class DecompressedStream final : public ByteStream {
 public:
  static Result<std::unique_ptr<DecompressedStream>> open(OpenFile file, int filter) {
    Handle handle(archive_read_new());
    if (!handle) return fail(ErrorCode::internal, "no memory for the archive reader");
    // The filter is given, not guessed: otherwise the library would also undo a second compression inside.
    archive_entry* entry = nullptr;
    archive_read_support_format_raw(handle.get());
    archive_read_support_format_empty(handle.get());
    if (archive_read_append_filter(handle.get(), filter) < ARCHIVE_WARN ||
        archive_read_open_fd(handle.get(), file.descriptor.get(), read_size) != ARCHIVE_OK)
      return library_error(handle.get());
    // Opening reads ahead; what fails then is told now only: the next call finds an empty stream.
    if (archive_error_string(handle.get()) != nullptr) return library_error(handle.get());
    const int status = archive_read_next_header(handle.get(), &entry);
    const bool empty = status == ARCHIVE_EOF;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN && !empty) return library_error(handle.get());
    return std::unique_ptr<DecompressedStream>(
        new DecompressedStream(std::move(file), std::move(handle), empty));
  }

  Result<std::size_t> read(std::span<std::byte> buffer) override {
    std::size_t done = 0;
    while (done < buffer.size() && !ended_) {
      const auto count = archive_read_data(handle_.get(), buffer.data() + done, buffer.size() - done);
      if (count < 0) return library_error(handle_.get());
      if (count == 0) {
        ended_ = true;
        CURUPIRA_CHECK(check_all_used());
      }
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  std::uint64_t file_size() const { return file_.size; }

 private:
  DecompressedStream(OpenFile file, Handle handle, bool ended)
      : file_(std::move(file)), handle_(std::move(handle)), ended_(ended) {}

  Result<> check_all_used() const {
    const auto used = archive_filter_bytes(handle_.get(), -1);
    if (used >= 0 && static_cast<std::uint64_t>(used) < file_.size)
      return fail(ErrorCode::archive_trailing_data,
                  std::to_string(file_.size - static_cast<std::uint64_t>(used)) +
                      " bytes follow the end of the compressed data");
    return {};
  }

  OpenFile file_;
  Handle handle_;
  bool ended_;
};

/// The library cannot tell a cut .xz file from one with bytes behind it; its footer can.
Result<> check_xz_end(const OpenFile& file) {
  constexpr std::size_t footer = 12;  // CRC32, backward size, flags, "YZ"
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(file.size, 1u << 20));
  CURUPIRA_TRY(std::string tail, read_bytes_at(file.descriptor.get(), file.size - length, length));
  const auto is_footer = [&](std::size_t end) {
    const std::string_view bytes = std::string_view(tail).substr(end - footer, footer);
    return bytes.ends_with("YZ") && bytes[8] == '\0' &&
           crc32_of(bytes.substr(4, 6)) == little_endian(bytes.substr(0, 4));
  };
  std::size_t end = tail.size();
  while (end >= footer && tail.compare(end - 4, 4, std::string(4, '\0')) == 0)
    end -= 4;  // stream padding
  if (end >= footer && is_footer(end)) return {};
  for (auto mark = tail.rfind("YZ"); mark != std::string::npos && mark + 2 >= footer;
       mark = mark == 0 ? std::string::npos : tail.rfind("YZ", mark - 1))
    if (is_footer(mark + 2))
      return fail(ErrorCode::archive_trailing_data,
                  std::to_string(tail.size() - mark - 2) + " bytes follow the end of the compressed data");
  return fail(ErrorCode::archive_truncated, "its compressed data has no end");
}

class TarArchive final : public ArchiveReader {
 public:
  explicit TarArchive(std::unique_ptr<DecompressedStream> stream)
      : stream_(std::move(stream)), tar_(*stream_) {}
  Result<std::optional<ArchiveEntry>> next() override { return tar_.next(); }
  Result<std::size_t> read(std::span<std::byte> buffer) override { return tar_.read(buffer); }
  std::uint64_t packed_size() const override { return stream_->file_size(); }

 private:
  std::unique_ptr<DecompressedStream> stream_;
  TarReader tar_;
};

/// The directory is ours (strict); the library only decompresses, and has to see the same members.
class ZipArchive final : public ArchiveReader {
 public:
  static Result<std::unique_ptr<ArchiveReader>> open(OpenFile file, const ArchiveLimits& limits) {
    const int descriptor = file.descriptor.get();
    const ReadAt read_at = [descriptor](std::uint64_t offset, std::size_t length) {
      return read_bytes_at(descriptor, offset, length);
    };
    CURUPIRA_TRY(auto members, read_zip_directory(read_at, file.size, limits.max_entries));
    Handle handle(archive_read_new());
    if (!handle) return fail(ErrorCode::internal, "no memory for the archive reader");
    archive_read_support_format_zip_seekable(handle.get());
    if (!members.empty() && archive_read_open_fd(handle.get(), descriptor, read_size) != ARCHIVE_OK)
      return library_error(handle.get());
    return std::unique_ptr<ArchiveReader>(
        new ZipArchive(std::move(file), std::move(handle), std::move(members)));
  }

  Result<std::optional<ArchiveEntry>> next() override {
    CURUPIRA_CHECK(finish_entry());
    if (index_ == members_.size()) return std::optional<ArchiveEntry>();
    archive_entry* header = nullptr;
    const int status = archive_read_next_header(handle_.get(), &header);
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
      if (status == ARCHIVE_EOF)
        return fail(ErrorCode::archive_inconsistent, "two readers see different numbers of entries");
      return library_error(handle_.get());
    }
    ArchiveEntry entry = members_[index_++].entry;
    if (entry.type == ArchiveEntry::Type::symbolic_link) {
      const char* const target = archive_entry_symlink(header);
      if (target == nullptr)
        return fail(ErrorCode::archive_link, printable(entry.path) + ": its target cannot be read");
      entry.link_target = target;
      entry.size = 0;
      return std::optional(std::move(entry));
    }
    if (archive_entry_size_is_set(header) != 0 &&
        static_cast<std::uint64_t>(archive_entry_size(header)) != entry.size)
      return fail(ErrorCode::archive_inconsistent, printable(entry.path) + ": two readers see two sizes");
    expected_ = entry.size;
    open_ = entry.type == ArchiveEntry::Type::file;
    return std::optional(std::move(entry));
  }

  Result<std::size_t> read(std::span<std::byte> buffer) override {
    if (!open_) return std::size_t{0};
    const auto count = archive_read_data(handle_.get(), buffer.data(), buffer.size());
    if (count < 0) return library_error(handle_.get());
    const auto bytes = static_cast<std::size_t>(count);
    if (bytes > expected_ || (bytes == 0 && expected_ != 0))
      return fail(ErrorCode::archive_inconsistent,
                  printable(members_[index_ - 1].entry.path) + ": it has another size than its header says");
    expected_ -= bytes;
    if (bytes == 0) open_ = false;
    return bytes;
  }

  std::uint64_t packed_size() const override { return file_.size; }

 private:
  ZipArchive(OpenFile file, Handle handle, std::vector<ZipMember> members)
      : file_(std::move(file)), handle_(std::move(handle)), members_(std::move(members)) {}

  Result<> finish_entry() {
    std::array<std::byte, 4096> rest{};
    while (open_)
      CURUPIRA_CHECK(read(rest));
    return {};
  }

  OpenFile file_;
  Handle handle_;
  std::vector<ZipMember> members_;
  std::size_t index_ = 0;
  std::uint64_t expected_ = 0;
  bool open_ = false;
};

}  // namespace

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::open(const std::filesystem::path& path,
                                                           const ArchiveLimits& limits) {
  CURUPIRA_TRY(OpenFile file, open_file(path));
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(file.size, 6));
  CURUPIRA_TRY(const std::string magic, read_bytes_at(file.descriptor.get(), 0, length));
  const std::string_view start = magic;
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06"))
    return ZipArchive::open(std::move(file), limits);
  int filter = ARCHIVE_FILTER_NONE;
  if (start.starts_with("\x1f\x8b")) filter = ARCHIVE_FILTER_GZIP;
  if (start.starts_with("\x28\xb5\x2f\xfd")) filter = ARCHIVE_FILTER_ZSTD;
  if (start.starts_with("BZh")) filter = ARCHIVE_FILTER_BZIP2;
  if (start == std::string_view("\xfd"
                                "7zXZ\0",
                                6))
    filter = ARCHIVE_FILTER_XZ;
  if (filter == ARCHIVE_FILTER_NONE)
    return fail(ErrorCode::archive_unreadable, file.size == 0
                                                   ? "the file is empty"
                                                   : "its first bytes are those of no archive that is read");
  if (filter == ARCHIVE_FILTER_XZ) CURUPIRA_CHECK(check_xz_end(file));
  CURUPIRA_TRY(auto stream, DecompressedStream::open(std::move(file), filter));
  return std::unique_ptr<ArchiveReader>(new TarArchive(std::move(stream)));
}

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::open_tar(const std::filesystem::path& path) {
  CURUPIRA_TRY(OpenFile file, open_file(path));
  CURUPIRA_TRY(auto stream, DecompressedStream::open(std::move(file), ARCHIVE_FILTER_NONE));
  return std::unique_ptr<ArchiveReader>(new TarArchive(std::move(stream)));
}

}  // namespace curupira::installer
