#pragma once

#include <memory>

#include "base/byte_sink.h"
#include "base/result.h"

namespace curupira {

/// Compresses what is written, as one gzip member without a time or a name: the same bytes give the same
/// file.
class GzipWriter final : public ByteSink {
 public:
  explicit GzipWriter(ByteSink& out);
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;
  ~GzipWriter() override;

  Result<> write(std::span<const std::byte> bytes) override;
  Result<> restart() override;
  /// What is left, and the check sum; nothing may follow.
  Result<> finish();

 private:
  struct State;
  ByteSink& out_;
  std::unique_ptr<State> state_;
};

}  // namespace curupira
