#include "serve/request.h"

#include <algorithm>
#include <cctype>

namespace curupira::serve {
namespace {

constexpr std::string_view line_end = "\r\n";

bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || others.find(c) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    if (lower(trim(list.substr(0, comma))) == word) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

/// The path of "http://host/path", which a server has to take as well (RFC 9112 §3.2.2).
std::string_view without_origin(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!lower(target.substr(0, scheme.size())).starts_with(scheme)) continue;
    const auto slash = target.find('/', scheme.size());
    return slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  return target;
}

/// Reads one head; `refusal()` is 0 when all of it was as it should be.
class Reader {
 public:
  ParsedRequest read(std::string_view head) {
    const auto first = head.find(line_end);
    request_line(head.substr(0, first));
    head.remove_prefix(std::min(first + line_end.size(), head.size()));
    int fields = 0;
    while (refusal_ == 0 && !head.starts_with(line_end)) {
      const auto end = std::min(head.find(line_end), head.size());
      if (++fields > max_header_fields) refuse(431);
      field(head.substr(0, end));
      head.remove_prefix(std::min(end + line_end.size(), head.size()));
    }
    if (refusal_ == 0 && (hosts_ > 1 || (hosts_ == 0 && !old_))) refuse(400);
    return {.refusal = refusal_, .request = std::move(request_)};
  }

 private:
  void refuse(int status) {
    if (refusal_ == 0) refusal_ = status;
  }

  void request_line(std::string_view line) {
    const auto first = line.find(' ');
    const auto last = line.rfind(' ');
    if (first == std::string_view::npos || last == first) return refuse(400);
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(method)) return refuse(400);
    if (std::ranges::any_of(target, [](char c) { return c <= ' ' || c > '~' || c == '#'; }))
      return refuse(400);
    const bool is_version = version.size() == 8 && version.starts_with("HTTP/") && version[6] == '.' &&
                            std::isdigit(static_cast<unsigned char>(version[5])) != 0 &&
                            std::isdigit(static_cast<unsigned char>(version[7])) != 0;
    if (!is_version) return refuse(400);
    if (version[5] != '1') return refuse(505);
    if (method != "GET" && method != "HEAD") return refuse(405);
    if (target.size() > max_target_bytes) return refuse(414);
    const std::string_view path = without_origin(target);
    if (path.empty() || path.front() != '/') return refuse(400);
    old_ = version == "HTTP/1.0";
    request_.head = method == "HEAD";
    request_.target = path;
    request_.keep_alive = !old_;
  }

  void field(std::string_view line) {
    const auto colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    // A line that begins with a blank would go on with the one before.
    if (colon == std::string_view::npos || !is_token(name)) return refuse(400);
    const std::string_view value = trim(line.substr(colon + 1));
    const auto is_control = [](unsigned char c) { return (c < ' ' && c != '\t') || c == 127; };
    if (std::ranges::any_of(value, is_control)) return refuse(400);
    take(lower(name), value);
  }

  void take(const std::string& name, std::string_view value) {
    if (name == "host") ++hosts_;
    if (name == "transfer-encoding") refuse(501);
    if (name == "content-length" && value != "0") {
      const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
      refuse(!value.empty() && std::ranges::all_of(value, is_digit) ? 413 : 400);
    }
    if (name == "connection") {
      if (lists(value, "close")) request_.keep_alive = false;
      if (old_ && lists(value, "keep-alive")) request_.keep_alive = true;
    }
    if (name == "range") keep(request_.range, value);
    if (name == "if-range") keep(request_.if_range, value);
    if (name == "if-none-match") keep(request_.if_none_match, value);
    if (name == "accept") keep(request_.accept, value);
  }

  /// Sent twice they are one list (RFC 9110 §5.2).
  static void keep(std::optional<std::string>& field, std::string_view value) {
    if (field)
      field->append(", ").append(value);
    else
      field = value;
  }

  int refusal_ = 0;
  int hosts_ = 0;
  bool old_ = false;
  Request request_;
};

}  // namespace

std::optional<std::size_t> head_length(std::string_view text) {
  const auto end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  return end + 4;
}

ParsedRequest parse_request(std::string_view head) {
  return Reader().read(head);
}

}  // namespace curupira::serve
