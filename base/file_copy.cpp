#include "base/file_copy.h"

#include <array>
#include <fstream>
#include <span>

#include "base/printable.h"

namespace curupira {

Result<> copy_into(const std::filesystem::path& path, ByteSink& sink) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    return fail(ErrorCode::file_not_found, printable(path.string()));
  if (!std::filesystem::is_regular_file(path, problem))
    return fail(ErrorCode::archive_unreadable, printable(path.string()) + " is no regular file");
  std::ifstream stream(path, std::ios::binary);
  std::array<char, 65536> buffer{};
  while (stream) {
    stream.read(buffer.data(), buffer.size());
    const auto count = static_cast<std::size_t>(stream.gcount());
    CURUPIRA_CHECK(sink.write(std::as_bytes(std::span(buffer).first(count))));
  }
  if (!stream.eof()) return fail(ErrorCode::file_failed, printable(path.string()) + " cannot be read");
  return {};
}

}  // namespace curupira
