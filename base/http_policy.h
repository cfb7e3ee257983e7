#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/url.h"

namespace curupira {

/// Whatever a server asks for, we do not wait longer than this before another attempt.
inline constexpr std::chrono::seconds longest_retry_after{30};

/// 301, 302, 303, 307, 308.
bool is_redirect(int status);

/// Another attempt may succeed: 408, 429 and 5xx.
bool is_worth_another_attempt(int status);

/// Where a redirect leads that has `location` and comes after the URLs of `visited`, the last of which gave
/// it. Errors: redirect_refused for a missing or unusable location, from https to http, in a circle, or too
/// many.
Result<Url> redirect_target(const std::vector<Url>& visited, const std::string* location, int max_redirects);

/// The value of a Retry-After header: seconds, or a date, which counts from `date`, the server's own Date
/// header.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view value, const std::string* date);

/// The value of CURUPIRA_STALL_TIMEOUT: 1 to 3600 seconds; nothing for anything else.
std::optional<std::chrono::seconds> parse_stall_timeout(std::string_view value);

/// Where a part of a body stands, by a Content-Range header: "bytes 5-9/10".
struct ContentRange {
  std::uint64_t first = 0, last = 0;
  std::optional<std::uint64_t> total = {};  ///< of the whole body; nothing for "*"
};
/// Nothing when it is another unit, no range, or contradicts itself.
std::optional<ContentRange> parse_content_range(std::string_view value);

/// How long to wait after `failed_attempts` (at least 1): doubles each time, and at least what the server
/// asks for.
std::chrono::milliseconds backoff(int failed_attempts, std::chrono::milliseconds first,
                                  std::optional<std::chrono::seconds> retry_after);

/// For messages: the URL, but for one that a redirect gave without its query, which may be a signature that
/// is as good as a password.
std::string shown(const Url& url, bool redirected);

}  // namespace curupira
