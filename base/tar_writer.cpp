#include "base/tar_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "base/printable.h"

namespace curupira {
namespace {

constexpr std::size_t block_size = 512;
constexpr std::size_t name_bytes = 100;             // of a name in the header
constexpr std::uint64_t octal_limit = 1ull << 33U;  // the header has 11 octal digits for a size

void put_text(std::array<char, block_size>& block, std::size_t offset, std::string_view text) {
  std::copy(text.begin(), text.end(), block.begin() + static_cast<std::ptrdiff_t>(offset));
}

/// `digits` octal digits and a zero byte.
void put_octal(std::array<char, block_size>& block, std::size_t offset, std::size_t digits,
               std::uint64_t value) {
  for (std::size_t i = digits; i > 0; --i, value >>= 3U)
    block[offset + i - 1] = static_cast<char>('0' + (value & 7U));
}

/// Where octal digits do not suffice, as GNU tar writes it: a number to the base 256 with its highest bit
/// set. In a pax header the size would stand twice, for two readers to differ.
void put_size(std::array<char, block_size>& block, std::uint64_t size) {
  constexpr std::size_t offset = 124, length = 12;
  if (size < octal_limit) return put_octal(block, offset, length - 1, size);
  for (std::size_t i = length - 1; i > 0; --i, size >>= 8U)
    block[offset + i] = static_cast<char>(size & 0xFFU);
  block[offset] = static_cast<char>(0x80);
}

/// "23 path=a/long/name\n": the number counts itself.
std::string pax_record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (rest + std::to_string(length).size() != length)
    ++length;
  return std::to_string(length) + ' ' + std::string(key) + '=' + std::string(value) + '\n';
}

}  // namespace

Result<> TarWriter::block(const Entry& entry) {
  std::array<char, block_size> block{};
  put_text(block, 0, entry.path.substr(0, name_bytes));
  put_octal(block, 100, 7, entry.mode);
  put_octal(block, 108, 7, 0);
  put_octal(block, 116, 7, 0);
  put_size(block, entry.size);
  put_octal(block, 136, 11, std::min(modified_, octal_limit - 1));
  put_text(block, 148, "        ");
  block[156] = entry.type;
  put_text(block, 157, entry.target.substr(0, name_bytes));
  put_text(block, 257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : block)
    sum += static_cast<unsigned char>(c);
  put_octal(block, 148, 6, sum);
  block[154] = '\0';
  return out_.write(std::as_bytes(std::span(block)));
}

Result<> TarWriter::header(const Entry& entry) {
  std::string records;
  if (entry.target.size() > name_bytes) records += pax_record("linkpath", entry.target);
  if (entry.path.size() > name_bytes) records += pax_record("path", entry.path);
  if (!records.empty()) {
    CURUPIRA_CHECK(block({.path = "pax", .type = 'x', .mode = 0644, .size = records.size()}));
    CURUPIRA_CHECK(out_.write(std::as_bytes(std::span(records))));
    CURUPIRA_CHECK(pad(records.size()));
  }
  return block(entry);
}

Result<> TarWriter::pad(std::uint64_t size) {
  const std::array<std::byte, block_size> zeros{};
  return out_.write(std::span(zeros).first((block_size - size % block_size) % block_size));
}

Result<> TarWriter::folder(std::string_view path) {
  return header({.path = path, .type = '5', .mode = 0755});
}

Result<> TarWriter::symbolic_link(std::string_view path, std::string_view target) {
  return header({.path = path, .type = '2', .mode = 0777, .target = target});
}

Result<> TarWriter::begin_file(std::string_view path, std::uint64_t size, bool executable) {
  size_ = size;
  written_ = 0;
  return header({.path = path, .type = '0', .mode = executable ? 0755U : 0644U, .size = size});
}

Result<> TarWriter::write(std::span<const std::byte> bytes) {
  written_ += bytes.size();
  if (written_ > size_)
    return fail(ErrorCode::size_mismatch,
                "a file grew while it was packed: expected " + std::to_string(size_) + " bytes  found more");
  return out_.write(bytes);
}

Result<> TarWriter::restart() {
  return fail(ErrorCode::file_failed, "what is packed cannot be started again");
}

Result<> TarWriter::end_file() {
  if (written_ != size_)
    return fail(ErrorCode::size_mismatch, "a file shrank while it was packed: expected " +
                                              std::to_string(size_) + " bytes  found " +
                                              std::to_string(written_));
  return pad(size_);
}

Result<> TarWriter::file(std::string_view path, std::string_view contents) {
  CURUPIRA_CHECK(begin_file(path, contents.size()));
  CURUPIRA_CHECK(write(std::as_bytes(std::span(contents))));
  return end_file();
}

Result<> TarWriter::finish() {
  const std::array<std::byte, 2 * block_size> zeros{};
  return out_.write(zeros);
}

}  // namespace curupira
