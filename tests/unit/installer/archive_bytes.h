#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Archives byte by byte, so that they can be as wrong as a test needs them, and depend on no archive
/// library.
namespace curupira::installer::test {

inline std::string octal(std::uint64_t value, std::size_t length) {
  std::string text(length - 1, '0');
  for (std::size_t i = length - 1; i > 0 && value != 0; --i, value >>= 3U)
    text[i - 1] = static_cast<char>('0' + (value & 7U));
  return text + '\0';
}

struct TarEntry {
  std::string name;
  std::string contents = {};
  char type = '0';
  std::string link = {};
  unsigned mode = 0644;
  std::optional<std::uint64_t> size = {};  ///< another than the contents have
  std::string prefix = {};
};

/// One header with its contents, padded.
inline std::string tar_bytes(const TarEntry& entry) {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, std::string_view text) { block.replace(at, text.size(), text); };
  put(0, std::string_view(entry.name).substr(0, 100));
  put(100, octal(entry.mode, 8));
  put(108, octal(0, 8));
  put(116, octal(0, 8));
  put(124, octal(entry.size.value_or(entry.contents.size()), 12));
  put(136, octal(0, 12));
  put(148, "        ");
  block[156] = entry.type;
  put(157, std::string_view(entry.link).substr(0, 100));
  put(257, std::string_view("ustar\0"
                            "00",
                            8));
  put(345, entry.prefix);
  std::uint64_t sum = 0;
  for (const char c : block)
    sum += static_cast<unsigned char>(c);
  put(148, octal(sum, 7) + " ");
  std::string padded = entry.contents;
  padded.resize((padded.size() + 511) / 512 * 512, '\0');
  return block + padded;
}

/// A pax header for the entry after it (`type` 'x'), or for all ('g').
inline std::string pax_bytes(const std::vector<std::pair<std::string, std::string>>& fields,
                             char type = 'x') {
  std::string body;
  for (const auto& [key, value] : fields) {
    const std::string rest = " " + key + "=" + value + "\n";
    std::size_t length = rest.size() + 1;
    while (std::to_string(length).size() + rest.size() != length)
      ++length;
    body += std::to_string(length) + rest;
  }
  return tar_bytes({.name = "PaxHeader", .contents = body, .type = type});
}

inline std::string end_of_tar() {
  return std::string(1024, '\0');
}

inline std::string tar_of(const std::vector<TarEntry>& entries) {
  std::string bytes;
  for (const auto& entry : entries)
    bytes += tar_bytes(entry);
  return bytes + end_of_tar();
}

inline std::string little_endian(std::uint32_t value, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i, value >>= 8U)
    text += static_cast<char>(value & 0xFFU);
  return text;
}

inline std::uint32_t crc32_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

/// gzip with stored blocks.
inline std::string gzip_of(std::string_view bytes) {
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  for (std::size_t at = 0;;) {
    const std::size_t length = std::min<std::size_t>(bytes.size() - at, 0xFFFF);
    const bool last = at + length == bytes.size();
    out += last ? '\1' : '\0';
    out += little_endian(static_cast<std::uint32_t>(length), 2);
    out += little_endian(static_cast<std::uint32_t>(~length & 0xFFFFU), 2);
    out += bytes.substr(at, length);
    at += length;
    if (last) break;
  }
  return out + little_endian(crc32_of(bytes), 4) + little_endian(static_cast<std::uint32_t>(bytes.size()), 4);
}

struct ZipEntry {
  std::string name;
  std::string contents = {};
  unsigned mode = 0100644;  ///< with file type; 0 for an entry not made on Unix
  std::uint32_t flags = 0;
  std::uint32_t method = 0;
  std::optional<std::string> local_name = {};      ///< when it contradicts
  std::optional<std::uint32_t> local_size = {};    ///< when it contradicts
  std::optional<std::uint32_t> central_size = {};  ///< when it contradicts
  std::string central_extra = {};
  std::string before = {};  ///< bytes between the entry before and this one
};

/// A zip file of stored entries.
inline std::string zip_of(const std::vector<ZipEntry>& entries, std::string_view comment = "") {
  std::string bytes, directory;
  for (const auto& entry : entries) {
    bytes += entry.before;
    const auto size = static_cast<std::uint32_t>(entry.contents.size());
    const auto offset = static_cast<std::uint32_t>(bytes.size());
    const auto common = [&](std::uint32_t shown_size) {
      return little_endian(entry.flags, 2) + little_endian(entry.method, 2) + little_endian(0, 4) +
             little_endian(crc32_of(entry.contents), 4) + little_endian(shown_size, 4) +
             little_endian(shown_size, 4);
    };
    const std::string local_name = entry.local_name.value_or(entry.name);
    bytes += "PK\x03\x04" + little_endian(20, 2) + common(entry.local_size.value_or(size)) +
             little_endian(static_cast<std::uint32_t>(local_name.size()), 2) + little_endian(0, 2) +
             local_name + entry.contents;
    directory += "PK\x01\x02" + little_endian(entry.mode != 0 ? 0x0314 : 0x0014, 2) + little_endian(20, 2) +
                 common(entry.central_size.value_or(size)) +
                 little_endian(static_cast<std::uint32_t>(entry.name.size()), 2) +
                 little_endian(static_cast<std::uint32_t>(entry.central_extra.size()), 2) +
                 little_endian(0, 2) + little_endian(0, 2) + little_endian(0, 2) +
                 little_endian(entry.mode << 16U, 4) + little_endian(offset, 4) + entry.name +
                 entry.central_extra;
  }
  const auto count = static_cast<std::uint32_t>(entries.size());
  return bytes + directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(count, 2) +
         little_endian(count, 2) + little_endian(static_cast<std::uint32_t>(directory.size()), 4) +
         little_endian(static_cast<std::uint32_t>(bytes.size()), 4) +
         little_endian(static_cast<std::uint32_t>(comment.size()), 2) + std::string(comment);
}

/// An npm tarball: everything below package/.
inline std::string npm_tarball(const std::map<std::string, std::string>& files) {
  std::vector<TarEntry> entries;
  for (const auto& [name, contents] : files)
    entries.push_back({.name = "package/" + name, .contents = contents});
  return gzip_of(tar_of(entries));
}

}  // namespace curupira::installer::test
