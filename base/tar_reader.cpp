#include "base/tar_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include "base/printable.h"

namespace curupira {
namespace {

constexpr std::size_t block_size = 512;
constexpr std::size_t max_extension_bytes = 1u << 20;  // of one pax header or GNU long name
constexpr std::uint64_t max_end_padding = 1u << 20;    // zeros behind the end

std::string_view text_field(std::string_view block, std::size_t offset, std::size_t length) {
  const auto field = block.substr(offset, length);
  return field.substr(0, field.find('\0'));
}

/// Octal digits between spaces, or base 256 (GNU) when the highest bit is set.
std::optional<std::uint64_t> number_field(std::string_view block, std::size_t offset, std::size_t length) {
  const auto field = block.substr(offset, length);
  std::uint64_t value = 0;
  const auto first = static_cast<unsigned char>(field[0]);
  if ((first & 0x80U) != 0) {
    if (first != 0x80U) return std::nullopt;  // negative, or beyond all limits
    for (const char c : field.substr(1)) {
      if (value > (~std::uint64_t{0} >> 8U)) return std::nullopt;
      value = (value << 8U) | static_cast<unsigned char>(c);
    }
    return value;
  }
  std::size_t i = 0;
  while (i < field.size() && field[i] == ' ')
    ++i;
  for (; i < field.size() && field[i] >= '0' && field[i] <= '7'; ++i)
    value = (value << 3U) | static_cast<std::uint64_t>(field[i] - '0');
  for (; i < field.size(); ++i)
    if (field[i] != ' ' && field[i] != '\0') return std::nullopt;
  return value;
}

bool checksum_fits(std::string_view block) {
  const auto expected = number_field(block, 148, 8);
  if (!expected) return false;
  std::uint64_t sum = 0;
  std::int64_t signed_sum = 0;  // of old writers whose char was signed
  for (std::size_t i = 0; i < block_size; ++i) {
    const char c = i >= 148 && i < 156 ? ' ' : block[i];
    sum += static_cast<unsigned char>(c);
    signed_sum += static_cast<signed char>(c);
  }
  return sum == *expected || (signed_sum >= 0 && static_cast<std::uint64_t>(signed_sum) == *expected);
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

struct TarReader::Header {
  std::string path, link;
  unsigned mode = 0;
  std::uint64_t size = 0;
  char type = '0';
};

std::string TarReader::place() const {
  return "at byte " + std::to_string(position_) + " of the tar stream";
}

Result<bool> TarReader::read_block(std::span<std::byte> block) {
  CURUPIRA_TRY(const std::size_t count, stream_.read(block));
  position_ += count;
  if (count == 0) return false;
  if (count < block.size()) return fail(ErrorCode::archive_truncated, "it ends " + place());
  return true;
}

Result<std::size_t> TarReader::read(std::span<std::byte> buffer) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), remaining_));
  if (wanted == 0) return std::size_t{0};
  CURUPIRA_TRY(const std::size_t count, stream_.read(buffer.first(wanted)));
  position_ += count;
  if (count == 0)
    return fail(ErrorCode::archive_truncated, "it ends " + place() + ", " + std::to_string(remaining_) +
                                                  " bytes of the last file are missing");
  remaining_ -= count;
  return count;
}

Result<> TarReader::skip_rest() {
  std::array<std::byte, 16384> buffer{};
  while (remaining_ > 0)
    CURUPIRA_CHECK(read(buffer));
  if (padding_ > 0) {
    const auto padding = static_cast<std::size_t>(padding_);
    padding_ = 0;
    CURUPIRA_TRY(const bool there, read_block(std::span(buffer).first(padding)));
    if (!there) return fail(ErrorCode::archive_truncated, "it ends " + place());
  }
  return {};
}

Result<> TarReader::check_end() {
  std::array<std::byte, 16384> buffer{};
  std::uint64_t zeros = 0;
  while (true) {
    CURUPIRA_TRY(const std::size_t count, stream_.read(buffer));
    if (count == 0) return {};
    if (!all_zero(std::span(buffer).first(count)))
      return fail(ErrorCode::archive_trailing_data, "the tar stream goes on after its end, " + place());
    position_ += count;
    zeros += count;
    if (zeros > max_end_padding)
      return fail(ErrorCode::archive_trailing_data,
                  "more than " + format_bytes(max_end_padding) + " of zeros follow its end");
  }
}

Result<std::string> TarReader::read_text(const Header& header, std::string_view what) {
  if (header.size > max_extension_bytes)
    return fail(ErrorCode::archive_bomb, std::string(what) + " of " + format_bytes(header.size) +
                                             ", allowed are " + format_bytes(max_extension_bytes));
  remaining_ = header.size;
  padding_ = (block_size - header.size % block_size) % block_size;
  std::string text(static_cast<std::size_t>(header.size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    CURUPIRA_TRY(const std::size_t count, read(std::as_writable_bytes(std::span(text)).subspan(done)));
    done += count;
  }
  CURUPIRA_CHECK(skip_rest());
  return text;
}

Result<> TarReader::read_pax(const Header& header, bool global, Extensions& extensions) {
  CURUPIRA_TRY(const std::string text, read_text(header, "a pax header"));
  std::string_view rest = text;
  while (!rest.empty()) {
    std::size_t length = 0;
    const auto* const end = rest.data() + rest.size();
    const auto parsed = std::from_chars(rest.data(), end, length);
    const auto prefix = static_cast<std::size_t>(parsed.ptr - rest.data());
    if (parsed.ec != std::errc{} || parsed.ptr == end || *parsed.ptr != ' ' || length > rest.size() ||
        length <= prefix + 1 || rest[length - 1] != '\n')
      return fail(ErrorCode::archive_inconsistent, "a pax header cannot be read, " + place());
    const auto record = rest.substr(prefix + 1, length - prefix - 2);
    rest.remove_prefix(length);
    const auto equals = record.find('=');
    if (equals == std::string_view::npos)
      return fail(ErrorCode::archive_inconsistent, "a pax record has no '=', " + place());
    const auto key = record.substr(0, equals);
    const auto value = record.substr(equals + 1);
    if (key.starts_with("GNU.sparse."))
      return fail(ErrorCode::archive_entry_type, "a sparse file, " + place());
    if (key != "path" && key != "linkpath" && key != "size") continue;
    if (global)
      return fail(ErrorCode::archive_inconsistent,
                  "a global pax header sets \"" + std::string(key) + "\" of all entries");
    if (key == "size") {
      std::uint64_t size = 0;
      const auto number = std::from_chars(value.data(), value.data() + value.size(), size);
      if (extensions.size || number.ec != std::errc{} || number.ptr != value.data() + value.size())
        return fail(ErrorCode::archive_inconsistent,
                    "a pax size cannot be read or appears twice, " + place());
      extensions.size = size;
      continue;
    }
    auto& target = key == "path" ? extensions.path : extensions.link;
    if (target) return fail(ErrorCode::archive_inconsistent, "an entry has two long names, " + place());
    target = std::string(value);
  }
  return {};
}

Result<ArchiveEntry> TarReader::entry_of(const Header& header, const Extensions& extensions) {
  ArchiveEntry entry;
  entry.path = extensions.path.value_or(header.path);
  entry.link_target = extensions.link.value_or(header.link);
  entry.mode = header.mode;
  entry.size = header.size;
  // uv#16387: a reader of the pax size and a reader of the header size would see different files.
  if (extensions.size && *extensions.size != header.size)
    return fail(ErrorCode::archive_inconsistent, printable(entry.path) + ": its header says " +
                                                     std::to_string(header.size) + " bytes, its pax header " +
                                                     std::to_string(*extensions.size));
  switch (header.type) {
    case '\0':
    case '0':
    case '7':
      entry.type = entry.path.ends_with('/') ? ArchiveEntry::Type::folder : ArchiveEntry::Type::file;
      break;
    case '1':
      entry.type = ArchiveEntry::Type::hard_link;
      break;
    case '2':
      entry.type = ArchiveEntry::Type::symbolic_link;
      break;
    case '5':
      entry.type = ArchiveEntry::Type::folder;
      break;
    default:
      entry.type = ArchiveEntry::Type::other;
      entry.kind = header.type == '3'   ? "a character device"
                   : header.type == '4' ? "a block device"
                   : header.type == '6' ? "a named pipe"
                   : header.type == 'S' ? "a sparse file"
                                        : "an entry of type '" + printable(std::string(1, header.type)) + "'";
  }
  if (entry.type != ArchiveEntry::Type::file && entry.type != ArchiveEntry::Type::other && entry.size != 0)
    return fail(ErrorCode::archive_inconsistent, printable(entry.path) + ": a folder or link with " +
                                                     std::to_string(entry.size) + " bytes of contents");
  remaining_ = entry.size;
  padding_ = (block_size - entry.size % block_size) % block_size;
  return entry;
}

Result<std::optional<ArchiveEntry>> TarReader::next() {
  CURUPIRA_CHECK(skip_rest());
  Extensions extensions;
  bool pax = false;
  while (true) {
    std::array<std::byte, block_size> bytes{};
    const std::uint64_t start = position_;
    CURUPIRA_TRY(const bool there, read_block(bytes));
    if (!there)
      return fail(start == 0 ? ErrorCode::archive_unreadable : ErrorCode::archive_truncated,
                  start == 0 ? "there is nothing in it" : "the end mark is missing " + place());
    if (all_zero(bytes)) {
      if (extensions.any) return fail(ErrorCode::archive_truncated, "a long name has no entry, " + place());
      CURUPIRA_CHECK(check_end());
      return std::optional<ArchiveEntry>();
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as text
    const std::string_view block(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!checksum_fits(block))
      return fail(start == 0 ? ErrorCode::archive_unreadable : ErrorCode::archive_inconsistent,
                  "no tar header at byte " + std::to_string(start) + " of the stream");
    Header header;
    const auto mode = number_field(block, 100, 8);
    const auto size = number_field(block, 124, 12);
    if (!mode || !size || *size > (std::uint64_t{1} << 62U))
      return fail(ErrorCode::archive_inconsistent, "a number in the header cannot be read, " + place());
    header.mode = static_cast<unsigned>(*mode & 07777U);
    header.size = *size;
    header.type = block[156];
    header.path = text_field(block, 0, 100);
    header.link = text_field(block, 157, 100);
    if (block.substr(257, 6) == std::string_view("ustar\0", 6)) {
      if (const auto prefix = text_field(block, 345, 155); !prefix.empty())
        header.path = std::string(prefix) + "/" + header.path;
    }
    if (header.type == 'g') {
      Extensions ignored;
      CURUPIRA_CHECK(read_pax(header, true, ignored));
    } else if (header.type == 'x') {
      if (extensions.any)
        return fail(ErrorCode::archive_inconsistent, "two headers for one entry, " + place());
      extensions.any = pax = true;
      CURUPIRA_CHECK(read_pax(header, false, extensions));
    } else if (header.type == 'L' || header.type == 'K') {
      auto& target = header.type == 'L' ? extensions.path : extensions.link;
      if (pax || target)
        return fail(ErrorCode::archive_inconsistent, "two headers for one entry, " + place());
      extensions.any = true;
      CURUPIRA_TRY(std::string text, read_text(header, "a long name"));
      target = text.substr(0, text.find('\0'));
    } else {
      CURUPIRA_TRY(ArchiveEntry entry, entry_of(header, extensions));
      return std::optional(std::move(entry));
    }
  }
}

}  // namespace curupira
