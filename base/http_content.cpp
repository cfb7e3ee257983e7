#include "base/http_content.h"

#include <algorithm>
#include <cstring>

#include "base/printable.h"

namespace curupira {

Result<HttpContentReader> HttpContentReader::open(const HttpContent& content) {
  HttpContentReader reader(content);
  if (!content.file.empty()) {
    CURUPIRA_TRY(reader.file_, FileReader::open(content.file));
  }
  return reader;
}

Result<std::size_t> HttpContentReader::read(std::span<std::byte> buffer) {
  const std::uint64_t left = content_->size() - std::min(position_, content_->size());
  buffer = buffer.first(static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer.size())));
  if (buffer.empty()) return 0;
  if (file_) {
    CURUPIRA_TRY(const std::size_t count, file_->read(content_->offset + position_, buffer));
    if (count < buffer.size())
      return fail(ErrorCode::file_failed,
                  printable(content_->file.native()) + " became shorter while it was sent");
  } else {
    std::memcpy(buffer.data(), content_->bytes.data() + position_, buffer.size());
  }
  position_ += buffer.size();
  return buffer.size();
}

}  // namespace curupira
