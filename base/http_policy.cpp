#include "base/http_policy.h"

#include <time.h>

#include <algorithm>
#include <charconv>

#include "base/printable.h"

namespace curupira {
namespace {

std::optional<std::time_t> parse_http_date(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return ::timegm(&parts);
}

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

}  // namespace

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool is_worth_another_attempt(int status) {
  return status == 408 || status == 429 || (status >= 500 && status <= 599);
}

Result<Url> redirect_target(const std::vector<Url>& visited, const std::string* location, int max_redirects) {
  const Url& from = visited.back();
  const std::string start = shown(from, visited.size() > 1);
  if (location == nullptr || location->empty()) {
    return fail(ErrorCode::redirect_refused, start + " redirects without saying where");
  }
  auto to = from.resolve(*location);
  if (!to) return fail(ErrorCode::redirect_refused, start + " redirects to what is no http or https URL");
  const std::string way = start + " redirects to " + shown(*to, true);
  if (to->scheme() != "http" && to->scheme() != "https") {
    return fail(ErrorCode::redirect_refused, way + ", which is no http or https URL");
  }
  if (from.scheme() == "https" && to->scheme() == "http") {
    return fail(ErrorCode::redirect_refused, way + ": from https to http nothing protects the answer");
  }
  if (std::any_of(visited.begin(), visited.end(),
                  [&](const Url& url) { return url.to_string() == to->to_string(); })) {
    return fail(ErrorCode::redirect_refused, way + ": a circle");
  }
  if (visited.size() > static_cast<std::size_t>(std::max(max_redirects, 0))) {
    return fail(ErrorCode::redirect_refused, way + ": more than " + std::to_string(max_redirects) +
                                                 " redirects, the first from " +
                                                 shown(visited.front(), false));
  }
  return *std::move(to);
}

std::optional<std::chrono::seconds> parse_retry_after(std::string_view value, const std::string* date) {
  long long seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc::result_out_of_range) return longest_retry_after;
  if (error == std::errc() && end == value.data() + value.size()) {
    if (seconds < 0) return std::nullopt;
    return std::min<std::chrono::seconds>(std::chrono::seconds(seconds), longest_retry_after);
  }
  const auto then = parse_http_date(std::string(value));
  const auto now = date != nullptr ? parse_http_date(*date) : std::nullopt;
  if (!then || !now) return std::nullopt;
  return std::chrono::seconds(std::clamp<long long>(*then - *now, 0, longest_retry_after.count()));
}

std::optional<std::chrono::seconds> parse_stall_timeout(std::string_view value) {
  const auto seconds = to_number(value);
  if (!seconds || *seconds < 1 || *seconds > 3600) return std::nullopt;
  return std::chrono::seconds(*seconds);
}

std::optional<ContentRange> parse_content_range(std::string_view value) {
  if (!value.starts_with("bytes ")) return std::nullopt;
  value.remove_prefix(6);
  const std::size_t dash = value.find('-'), slash = value.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos || slash < dash) return std::nullopt;
  const auto first = to_number(value.substr(0, dash));
  const auto last = to_number(value.substr(dash + 1, slash - dash - 1));
  const auto total = to_number(value.substr(slash + 1));
  if (!first || !last || *last < *first || (!total && value.substr(slash + 1) != "*")) return std::nullopt;
  if (total && *total <= *last) return std::nullopt;
  return ContentRange{*first, *last, total};
}

std::chrono::milliseconds backoff(int failed_attempts, std::chrono::milliseconds first,
                                  std::optional<std::chrono::seconds> retry_after) {
  const std::chrono::milliseconds longest = longest_retry_after;
  std::chrono::milliseconds wait = std::min(first, longest);
  for (int i = 1; i < failed_attempts && wait < longest; ++i)
    wait = std::min(2 * wait, longest);
  return retry_after ? std::clamp<std::chrono::milliseconds>(*retry_after, wait, longest) : wait;
}

std::string shown(const Url& url, bool redirected) {
  std::string text = url.to_string();
  if (const std::size_t query = text.find('?'); redirected && query != std::string::npos) {
    text.replace(query, std::string::npos, "?…");
  }
  return printable(text);
}

}  // namespace curupira
