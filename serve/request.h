#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace curupira::serve {

inline constexpr std::size_t max_head_bytes = 8192;  ///< request line and header fields, with their ends
inline constexpr std::size_t max_target_bytes = 2048;
inline constexpr int max_header_fields = 64;

/// What the server heeds of a request (RFC 9112).
struct Request {
  bool head = false;        ///< HEAD, not GET
  std::string target = {};  ///< path and query, as they were sent; begins with '/'
  bool keep_alive = true;
  std::optional<std::string> range = {};
  std::optional<std::string> if_range = {};
  std::optional<std::string> if_none_match = {};
  std::optional<std::string> accept = {};
};

/// A request, or the status of the answer to what is none: 400, 405, 413, 414, 431, 501, 505. After that the
/// connection ends, since nobody knows where the next request would begin.
struct ParsedRequest {
  int refusal = 0;
  Request request = {};
};

/// The length of the head at the beginning of `text`, with the empty line at its end; nothing when more has
/// to come.
std::optional<std::size_t> head_length(std::string_view text);

/// Strict, as what one server reads in another way than the proxy before it is how requests are smuggled:
/// lines end with CRLF, no folded lines, one Host, no body. `head` is as `head_length` found it.
ParsedRequest parse_request(std::string_view head);

}  // namespace curupira::serve
