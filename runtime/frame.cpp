#include "runtime/frame.h"

#include <algorithm>
#include <charconv>

#include "base/printable.h"

namespace curupira::runtime {
namespace {

constexpr std::size_t max_quoted_bytes = 160;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

Error stdout_pollution(std::string_view bytes) {
  const auto end = std::min(bytes.find('\n'), bytes.size());
  auto line = bytes.substr(0, std::min(end, max_quoted_bytes));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) line = bytes.substr(0, std::min(bytes.size(), max_quoted_bytes));
  return Error(ErrorCode::extension_stdout, "the first bytes that are no frame header: \"" + printable(line) +
                                                "\"" + (line.size() < bytes.size() ? " and more" : ""))
      .with_help("stdout is for frames and stderr is for logs: the extension has to print this on stderr");
}

Result<std::string> encode_frame(std::string_view body, std::uint32_t max_bytes) {
  if (body.size() > max_bytes) {
    return fail(ErrorCode::extension_frame_too_large, "the request has " + format_bytes(body.size()) +
                                                          "; the limit of a frame is " +
                                                          format_bytes(max_bytes));
  }
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string frame;
  frame.reserve(frame_header_size + body.size());
  for (int shift = 28; shift >= 0; shift -= 4)
    frame += digits[(body.size() >> shift) & 15u];
  frame += body;
  return frame;
}

Result<std::uint32_t> parse_frame_header(std::string_view header, std::uint32_t max_bytes) {
  if (header.size() != frame_header_size || !std::ranges::all_of(header, is_hex)) {
    return fail(stdout_pollution(header));
  }
  std::uint32_t length = 0;
  std::from_chars(header.data(), header.data() + header.size(), length, 16);
  if (length > max_bytes) {
    return fail(
        Error(ErrorCode::extension_frame_too_large, "the frame header \"" + std::string(header) +
                                                        "\" announces " + format_bytes(length) +
                                                        "; the limit is " + format_bytes(max_bytes))
            .with_help("nothing of it was read; when these are the first letters of a text: stdout is for "
                       "frames and stderr is for logs"));
  }
  return length;
}

Result<std::optional<std::string>> FrameDecoder::next() {
  const auto begin = std::string_view(buffer_).substr(0, frame_header_size);
  if (!std::ranges::all_of(begin, is_hex)) return fail(stdout_pollution(buffer_));
  if (begin.size() < frame_header_size) return std::nullopt;
  CURUPIRA_TRY(const std::uint32_t length, parse_frame_header(begin, max_bytes_));
  if (buffer_.size() - frame_header_size < length) return std::nullopt;
  std::string body = buffer_.substr(frame_header_size, length);
  buffer_.erase(0, frame_header_size + length);
  return body;
}

std::optional<FrameDecoder::Progress> FrameDecoder::progress() const {
  if (buffer_.size() < frame_header_size) return std::nullopt;
  const auto length = parse_frame_header(std::string_view(buffer_).substr(0, frame_header_size), max_bytes_);
  if (!length) return std::nullopt;
  return Progress{buffer_.size() - frame_header_size, *length};
}

}  // namespace curupira::runtime
