#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/digest.h"
#include "base/result.h"

namespace curupira {

/// Takes bytes in order. A failed write ends the stream; no further write follows it.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Result<> write(std::span<const std::byte> bytes) = 0;
  /// Forgets what was written: the transfer starts again (a retry, the body of a redirect). Not every sink
  /// can.
  virtual Result<> restart() = 0;
};

/// Keeps the bytes in memory, at most `limit` of them. Error: response_too_large.
class StringSink final : public ByteSink {
 public:
  explicit StringSink(std::uint64_t limit) : limit_(limit) {}
  Result<> write(std::span<const std::byte> bytes) override;
  Result<> restart() override;
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  std::uint64_t limit_;
  std::string text_;
};

/// Passes on at most `limit` bytes. Error: artifact_too_large, with the limit in the text.
class LimitSink final : public ByteSink {
 public:
  LimitSink(ByteSink& next, std::uint64_t limit) : next_(next), limit_(limit) {}
  Result<> write(std::span<const std::byte> bytes) override;
  Result<> restart() override;
  std::uint64_t count() const { return count_; }

 private:
  ByteSink& next_;
  std::uint64_t limit_;
  std::uint64_t count_ = 0;
};

/// Passes bytes on and digests them on the way.
class DigestSink final : public ByteSink {
 public:
  DigestSink(ByteSink& next, DigestAlgorithm algorithm)
      : next_(next), algorithm_(algorithm), hasher_(algorithm) {}
  Result<> write(std::span<const std::byte> bytes) override;
  Result<> restart() override;
  /// The digest of all that was written; call once, at the end.
  Digest finish() { return hasher_.finish(); }

 private:
  ByteSink& next_;
  DigestAlgorithm algorithm_;
  Hasher hasher_;
};

}  // namespace curupira
