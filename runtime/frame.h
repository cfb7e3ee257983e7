#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace curupira::runtime {

inline constexpr std::size_t frame_header_size = 8;

/// Eight lower-case hexadecimal digits with the length in bytes, then the body (spec/protocol.md §1).
/// Error: extension_frame_too_large when the body is longer than `max_bytes`.
Result<std::string> encode_frame(std::string_view body, std::uint32_t max_bytes);

/// The length that a header announces. Errors: extension_stdout when it is not eight hexadecimal digits;
/// extension_frame_too_large, before anything is allocated for it.
Result<std::uint32_t> parse_frame_header(std::string_view header, std::uint32_t max_bytes);

/// Takes frames out of bytes that arrive in pieces.
class FrameDecoder {
 public:
  explicit FrameDecoder(std::uint32_t max_bytes) : max_bytes_(max_bytes) {}

  void feed(std::string_view bytes) { buffer_ += bytes; }
  /// The next body, or nothing while it is not complete. Text that cannot begin a header is an error at its
  /// first byte, not only at the eighth: what prints "hi" and waits must not be waited for. After an error
  /// there is no going on.
  Result<std::optional<std::string>> next();

  /// What was fed and not taken.
  std::string_view pending() const { return buffer_; }
  /// Bytes of the body that is under way: come and announced; nothing while there is no whole header.
  struct Progress {
    std::size_t come = 0;
    std::size_t announced = 0;
  };
  std::optional<Progress> progress() const;

 private:
  std::uint32_t max_bytes_;
  std::string buffer_;
};

/// "the first bytes that are no frame header: \"Listening…\"": the error of text on stdout.
Error stdout_pollution(std::string_view bytes);

}  // namespace curupira::runtime
