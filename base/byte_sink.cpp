#include "base/byte_sink.h"

#include "base/printable.h"

namespace curupira {

Result<> StringSink::write(std::span<const std::byte> bytes) {
  if (bytes.size() > limit_ - text_.size()) {
    return fail(ErrorCode::response_too_large, "more than " + format_bytes(limit_));
  }
  for (const std::byte b : bytes)
    text_.push_back(static_cast<char>(b));
  return {};
}

Result<> StringSink::restart() {
  text_.clear();
  return {};
}

Result<> LimitSink::write(std::span<const std::byte> bytes) {
  if (bytes.size() > limit_ - count_) {
    return fail(ErrorCode::artifact_too_large, "more than " + format_bytes(limit_));
  }
  CURUPIRA_CHECK(next_.write(bytes));
  count_ += bytes.size();
  return {};
}

Result<> LimitSink::restart() {
  CURUPIRA_CHECK(next_.restart());
  count_ = 0;
  return {};
}

Result<> DigestSink::write(std::span<const std::byte> bytes) {
  CURUPIRA_CHECK(next_.write(bytes));
  hasher_.update(bytes);
  return {};
}

Result<> DigestSink::restart() {
  CURUPIRA_CHECK(next_.restart());
  hasher_ = Hasher(algorithm_);
  return {};
}

}  // namespace curupira
