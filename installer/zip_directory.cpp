#include "installer/zip_directory.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/printable.h"

namespace curupira::installer {
namespace {

constexpr std::size_t end_size = 22;      // end of central directory, without comment
constexpr std::size_t central_size = 46;  // without name, extra field and comment
constexpr std::size_t local_size = 30;    // without name and extra field
constexpr std::uint32_t all_ones = 0xFFFFFFFFU;

std::uint32_t number(std::string_view bytes, std::size_t offset, std::size_t length) {
  std::uint32_t value = 0;
  for (std::size_t i = length; i > 0; --i)
    value = (value << 8U) | static_cast<unsigned char>(bytes[offset + i - 1]);
  return value;
}

struct Central {
  std::string name;
  std::uint32_t flags = 0, method = 0, crc = 0, packed = 0, size = 0, offset = 0;
  std::uint32_t attributes = 0;
  bool unix_made = false;
};

struct End {
  std::uint64_t position = 0;
  std::uint32_t entries = 0, directory_size = 0, directory_offset = 0;
};

Result<End> find_end(const ReadAt& read_at, std::uint64_t file_size) {
  if (file_size < end_size) return fail(ErrorCode::archive_truncated, "the zip file has no directory");
  const auto tail_size = static_cast<std::size_t>(std::min<std::uint64_t>(file_size, end_size + 0xFFFF));
  CURUPIRA_TRY(const std::string tail, read_at(file_size - tail_size, tail_size));
  const std::string_view signature("PK\x05\x06", 4);
  const auto found = tail.rfind(signature, tail.size() - end_size);
  if (found == std::string::npos) return fail(ErrorCode::archive_truncated, "the zip file has no directory");
  const std::size_t comment = number(tail, found + 20, 2);
  const std::size_t behind = tail.size() - found - end_size;
  if (behind > comment)
    return fail(ErrorCode::archive_trailing_data,
                std::to_string(behind - comment) + " bytes follow the end of the zip file");
  if (behind < comment) return fail(ErrorCode::archive_truncated, "the comment of the zip file is cut off");
  if (found > 0 && tail.rfind(signature, found - 1) != std::string::npos) {
    // Stored data may hold these four bytes by chance; only one that also reaches the end of the file is a
    // second end.
    for (auto other = tail.rfind(signature, found - 1); other != std::string::npos;
         other = other == 0 ? std::string::npos : tail.rfind(signature, other - 1))
      if (tail.size() - other - end_size == number(tail, other + 20, 2))
        return fail(ErrorCode::archive_inconsistent, "the zip file has two ends of its directory");
  }
  End end;
  end.position = file_size - tail_size + found;
  end.entries = number(tail, found + 10, 2);
  end.directory_size = number(tail, found + 12, 4);
  end.directory_offset = number(tail, found + 16, 4);
  if (number(tail, found + 4, 2) != 0 || number(tail, found + 6, 2) != 0 ||
      number(tail, found + 8, 2) != end.entries)
    return fail(ErrorCode::archive_unreadable, "zip files in several parts are not read");
  if (end.entries == 0xFFFF || end.directory_size == all_ones || end.directory_offset == all_ones)
    return fail(ErrorCode::archive_unreadable,
                "zip64 is not read: files over 4 GB are beyond the limits anyway");
  return end;
}

/// A second name in the Info-ZIP Unicode path field: another reader would use that one.
bool has_other_name(std::string_view extra, std::string_view name) {
  while (extra.size() >= 4) {
    const std::size_t length = number(extra, 2, 2);
    if (extra.size() < 4 + length) return true;
    if (number(extra, 0, 2) == 0x7075 && (length < 5 || extra.substr(9, length - 5) != name)) return true;
    extra.remove_prefix(4 + length);
  }
  return !extra.empty();
}

Result<std::vector<Central>> read_central(const ReadAt& read_at, const End& end, std::size_t max_entries) {
  if (std::uint64_t{end.directory_offset} + end.directory_size != end.position)
    return fail(ErrorCode::archive_inconsistent, "the zip directory does not end where it says");
  if (end.entries > max_entries)
    return fail(ErrorCode::archive_bomb,
                std::to_string(end.entries) + " entries, allowed are " + std::to_string(max_entries));
  CURUPIRA_TRY(const std::string directory, read_at(end.directory_offset, end.directory_size));
  std::string_view rest = directory;
  std::vector<Central> members;
  for (std::uint32_t i = 0; i < end.entries; ++i) {
    if (rest.size() < central_size || rest.substr(0, 4) != std::string_view("PK\x01\x02", 4))
      return fail(ErrorCode::archive_inconsistent,
                  "entry " + std::to_string(i) + " of the zip directory is damaged");
    const std::size_t name_length = number(rest, 28, 2), extra_length = number(rest, 30, 2),
                      comment_length = number(rest, 32, 2);
    if (rest.size() < central_size + name_length + extra_length + comment_length)
      return fail(ErrorCode::archive_inconsistent,
                  "entry " + std::to_string(i) + " of the zip directory is cut off");
    Central member;
    member.name = rest.substr(central_size, name_length);
    member.unix_made = number(rest, 5, 1) == 3;
    member.flags = number(rest, 8, 2);
    member.method = number(rest, 10, 2);
    member.crc = number(rest, 16, 4);
    member.packed = number(rest, 20, 4);
    member.size = number(rest, 24, 4);
    member.attributes = number(rest, 38, 4);
    member.offset = number(rest, 42, 4);
    if (has_other_name(rest.substr(central_size + name_length, extra_length), member.name))
      return fail(ErrorCode::archive_inconsistent,
                  printable(member.name) + ": its extra field contradicts its name");
    if (member.packed == all_ones || member.size == all_ones || member.offset == all_ones)
      return fail(ErrorCode::archive_unreadable, printable(member.name) + ": zip64 is not read");
    if ((member.flags & 1U) != 0)
      return fail(ErrorCode::archive_unreadable, printable(member.name) + ": encrypted");
    if (member.method != 0 && member.method != 8)
      return fail(ErrorCode::archive_unreadable, printable(member.name) + ": compression method " +
                                                     std::to_string(member.method) +
                                                     ", read are stored and deflate");
    if (member.method == 0 && member.packed != member.size)
      return fail(ErrorCode::archive_inconsistent,
                  printable(member.name) + ": stored with two different sizes");
    rest.remove_prefix(central_size + name_length + extra_length + comment_length);
    members.push_back(std::move(member));
  }
  if (!rest.empty())
    return fail(ErrorCode::archive_inconsistent, "the zip directory has more than its entries");
  return members;
}

/// Where the member's data ends, after comparing the local header with the directory.
Result<std::uint64_t> check_local(const ReadAt& read_at, const Central& member) {
  CURUPIRA_TRY(const std::string header, read_at(member.offset, local_size));
  const auto contradiction = [&](std::string_view what) {
    return fail(
        ErrorCode::archive_inconsistent,
        printable(member.name) + ": the local header and the directory have different " + std::string(what));
  };
  if (header.substr(0, 4) != "PK\x03\x04") return contradiction("places");
  const std::size_t name_length = number(header, 26, 2), extra_length = number(header, 28, 2);
  CURUPIRA_TRY(const std::string name, read_at(member.offset + local_size, name_length));
  if (name != member.name) return contradiction("names");
  CURUPIRA_TRY(const std::string extra, read_at(member.offset + local_size + name_length, extra_length));
  if (has_other_name(extra, member.name)) return contradiction("names in an extra field");
  if (number(header, 6, 2) != member.flags) return contradiction("flags");
  if (number(header, 8, 2) != member.method) return contradiction("methods");
  const auto crc = number(header, 14, 4), packed = number(header, 18, 4), size = number(header, 22, 4);
  const bool described = (member.flags & 8U) != 0;  // the sizes stand behind the data
  const bool empty = described && crc == 0 && packed == 0 && size == 0;
  if (!empty && (packed != member.packed || size != member.size)) return contradiction("sizes");
  if (!empty && crc != member.crc) return contradiction("check sums");
  return std::uint64_t{member.offset} + local_size + name_length + extra_length + member.packed;
}

ArchiveEntry entry_of(const Central& member) {
  constexpr unsigned type_mask = 0170000, regular = 0100000, folder = 0040000, link = 0120000;
  ArchiveEntry entry;
  entry.path = member.name;
  entry.size = member.size;
  const bool slash = member.name.ends_with('/');
  const unsigned mode = member.unix_made ? member.attributes >> 16U : 0U;
  entry.mode = mode == 0 ? 0644U : mode & 07777U;
  entry.type = slash ? ArchiveEntry::Type::folder : ArchiveEntry::Type::file;
  const unsigned type = mode & type_mask;
  if (type == link) {
    entry.type = ArchiveEntry::Type::symbolic_link;
  } else if (type != 0 && type != (slash ? folder : regular)) {
    entry.type = ArchiveEntry::Type::other;
    entry.kind = type == 0010000   ? "a named pipe"
                 : type == 0020000 ? "a character device"
                 : type == 0060000 ? "a block device"
                 : type == 0140000 ? "a socket"
                                   : "an entry whose type contradicts its name";
  }
  return entry;
}

}  // namespace

Result<std::vector<ZipMember>> read_zip_directory(const ReadAt& read_at, std::uint64_t file_size,
                                                  std::size_t max_entries) {
  CURUPIRA_TRY(const End end, find_end(read_at, file_size));
  CURUPIRA_TRY(std::vector<Central> members, read_central(read_at, end, max_entries));
  std::sort(members.begin(), members.end(),
            [](const Central& a, const Central& b) { return a.offset < b.offset; });
  std::vector<ZipMember> result;
  std::uint64_t position = 0;
  bool descriptor = false;
  const auto gap_is_fine = [&](std::uint64_t next) {
    if (next < position) return false;
    const std::uint64_t gap = next - position;
    return gap == 0 || (descriptor && (gap == 12 || gap == 16));
  };
  for (const Central& member : members) {
    if (!gap_is_fine(member.offset))
      return fail(ErrorCode::archive_inconsistent,
                  printable(member.name) + ": bytes before it belong to no entry, or to two");
    CURUPIRA_TRY(position, check_local(read_at, member));
    descriptor = (member.flags & 8U) != 0;
    result.push_back({.entry = entry_of(member), .offset = member.offset});
  }
  if (!gap_is_fine(end.directory_offset))
    return fail(ErrorCode::archive_inconsistent,
                "bytes before the zip directory belong to no entry, or to two");
  return result;
}

}  // namespace curupira::installer
