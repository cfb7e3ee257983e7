#include "registry/local_file.h"

#include <array>
#include <fstream>
#include <system_error>

#include "base/printable.h"

namespace curupira::registry {

Result<LocalFile> measure_local_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  const std::string shown = printable(path.string());
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return fail(ErrorCode::file_not_found, shown);
  if (error) return fail(ErrorCode::file_failed, shown + ": " + error.message());
  if (!std::filesystem::is_regular_file(status))
    return fail(ErrorCode::file_failed, shown + " is not a regular file");

  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::file_failed, shown + " cannot be opened");
  Hasher hasher(DigestAlgorithm::sha256);
  std::uint64_t size = 0;
  std::array<char, 1u << 16> block{};
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    size += count;
    if (size > max_bytes) {
      return fail(ErrorCode::artifact_too_large, shown + " is larger than " + format_bytes(max_bytes));
    }
    hasher.update(std::string_view(block.data(), count));
  }
  if (!file.eof()) return fail(ErrorCode::file_failed, shown + " cannot be read");
  return LocalFile{hasher.finish(), size};
}

}  // namespace curupira::registry
