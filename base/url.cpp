#include "base/url.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/printable.h"

namespace curupira {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_unreserved(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

/// The text as an error may show it: what could be a password is left out, also in a text that is no URL. An
/// @ in the path ("/@acme/x") hides nothing, unless what stands before the path looks like a password with a
/// slash in it.
std::string shown(std::string_view text) {
  const auto at = text.rfind('@');
  if (at == std::string_view::npos) return excerpt(text);
  const auto slashes = text.find("//");
  const auto start = slashes < at ? slashes + 2 : 0;
  if (start > 0) {
    const auto authority = text.substr(start, text.find_first_of("/?#", start) - start);
    const auto colon = std::min(authority.find(':'), authority.size());
    const bool is_plain =
        authority.starts_with('[') ||
        std::ranges::all_of(authority.substr(std::min(colon + 1, authority.size())), is_digit);
    if (authority.find('@') == std::string_view::npos && (authority.empty() || is_plain))
      return excerpt(text);
  }
  return excerpt(text.substr(0, start)) + (at > start ? "…" : "") + excerpt(text.substr(at));
}

tl::unexpected<Error> invalid(std::string_view text, const std::string& reason) {
  return fail(ErrorCode::url_invalid, reason + ": \"" + shown(text) + "\"");
}

/// Why the characters of the URL cannot be used; empty when they can.
std::string_view fault_of_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte <= 0x20 || byte == 0x7f) return "the URL contains a space or a control character";
    if (byte >= 0x80) return "the URL contains a character that has to be written as %XX";
    if (byte == '\\') return "the URL contains a backslash";
    if (byte == '%' && (text.size() - i < 3 || hex_value(text[i + 1]) < 0 || hex_value(text[i + 2]) < 0)) {
      return "the URL has a % without two hexadecimal digits";
    }
  }
  return {};
}

bool is_host_name(std::string_view host) {
  if (host.empty() || host.front() == '.' || host.find("..") != std::string_view::npos) return false;
  return std::ranges::all_of(
      host, [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_'; });
}

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  return inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

std::uint16_t default_port(std::string_view scheme) {
  if (scheme == "https") return 443;
  return scheme == "http" ? 80 : 0;
}

/// The end of a scheme ("https:"), or npos when the text starts with something else.
std::size_t scheme_end(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return std::string_view::npos;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ':') return i;
    if (!is_letter(text[i]) && !is_digit(text[i]) && text[i] != '+' && text[i] != '-' && text[i] != '.')
      break;
  }
  return std::string_view::npos;
}

/// RFC 3986 §5.2.4. "%2e" counts as a dot: servers take it for one, and a path must not mean two things.
std::string remove_dot_segments(std::string_view path) {
  std::vector<std::string_view> kept;
  bool ends_with_slash = false;
  for (std::size_t at = 1; at <= path.size();) {
    const auto segment = path.substr(at, path.find('/', at) - at);
    at += segment.size() + 1;
    const bool last = at > path.size();
    std::string plain = lower(segment);
    for (std::size_t dot = 0; (dot = plain.find("%2e", dot)) != std::string::npos; ++dot)
      plain.replace(dot, 3, ".");
    if (plain == "." || plain == "..") {
      if (plain == ".." && !kept.empty()) kept.pop_back();
      ends_with_slash = last;
    } else {
      kept.push_back(segment);
    }
  }
  std::string result;
  for (const auto segment : kept)
    (result += '/') += segment;
  if (ends_with_slash || result.empty()) result += '/';
  return result;
}

struct Authority {
  std::string user_info, host;
  std::uint16_t port = 0;
};

/// "user:password@host:port". The failure is the reason only: the caller knows the whole text.
tl::expected<Authority, std::string> parse_authority(std::string_view text, std::string_view scheme) {
  Authority authority;
  authority.port = default_port(scheme);
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    const auto user_info = text.substr(0, at);
    if (user_info.find('@') != std::string_view::npos)
      return tl::unexpected<std::string>("the URL has more than one @ before its path");
    authority.user_info = percent_decode(user_info).value_or(std::string());
    text.remove_prefix(at + 1);
  }
  std::string_view port;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return tl::unexpected<std::string>("the URL has [ without ]");
    authority.host = lower(text.substr(1, end - 1));
    if (!is_ipv6(authority.host)) return tl::unexpected<std::string>("the URL has a bad IPv6 address");
    text.remove_prefix(end + 1);
    if (!text.empty() && text.front() != ':')
      return tl::unexpected<std::string>("the URL has text after its host");
    if (!text.empty()) port = text.substr(1);
  } else {
    const auto colon = std::min(text.find(':'), text.size());
    authority.host = lower(text.substr(0, colon));
    if (colon < text.size()) port = text.substr(colon + 1);
    if (!authority.host.empty() && !is_host_name(authority.host)) {
      return tl::unexpected<std::string>("the URL has a bad host name");
    }
  }
  if (!port.empty()) {
    const auto [end, code] = std::from_chars(port.data(), port.data() + port.size(), authority.port);
    if (code != std::errc() || end != port.data() + port.size() || authority.port == 0) {
      return tl::unexpected<std::string>("the URL has a bad port");
    }
  }
  return authority;
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  if (const auto fault = fault_of_characters(text); !fault.empty()) return invalid(text, std::string(fault));
  const auto colon = scheme_end(text);
  if (colon == std::string_view::npos) return invalid(text, "the URL is not absolute");
  Url url;
  url.scheme_ = lower(text.substr(0, colon));
  const bool is_file = url.scheme_ == "file";
  if (url.scheme_ != "https" && url.scheme_ != "http" && !is_file) {
    return invalid(text, "the URL has another scheme than https, http and file");
  }
  std::string_view rest = text.substr(colon + 1);
  if (!rest.starts_with("//")) return invalid(text, "the URL has no // after its scheme");
  rest.remove_prefix(2);

  const auto authority_text = rest.substr(0, rest.find_first_of("/?#"));
  rest.remove_prefix(authority_text.size());
  auto authority = parse_authority(authority_text, url.scheme_);
  if (!authority) return invalid(text, authority.error());
  if (is_file) {
    if (authority->host == "localhost") authority->host.clear();
    if (!authority->host.empty() || !authority->user_info.empty() || authority->port != 0) {
      return invalid(text, "a file URL has a path only, as in file:///folder/file");
    }
  } else if (authority->host.empty()) {
    return invalid(text, "the URL has no host");
  }
  url.host_ = std::move(authority->host);
  url.port_ = authority->port;
  url.user_info_ = Secret(std::move(authority->user_info));

  if (const auto hash = rest.find('#'); hash != std::string_view::npos) {
    url.fragment_ = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
    url.query_ = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (is_file && rest.empty()) return invalid(text, "the file URL has no path");
  url.path_ = rest.empty() ? "/" : remove_dot_segments(rest);
  return url;
}

std::string Url::origin() const {
  std::string text = scheme_ + "://";
  text += host_.find(':') == std::string::npos ? host_ : "[" + host_ + "]";
  if (port_ != default_port(scheme_)) text += ":" + std::to_string(port_);
  return text;
}

std::string Url::to_string() const {
  std::string text = origin() + path_;
  if (!query_.empty()) text += "?" + query_;
  return text;
}

std::string Url::file_name() const {
  const std::string segment = path_.substr(path_.rfind('/') + 1);
  return percent_decode(segment).value_or(segment);
}

Url Url::without_fragment() const {
  Url url = *this;
  url.fragment_.clear();
  return url;
}

Result<Url> Url::resolve(std::string_view reference) const {
  if (scheme_end(reference) != std::string_view::npos) return parse(reference);
  if (reference.starts_with("//")) return parse(scheme_ + ":" + std::string(reference));

  std::string text = origin();
  if (reference.starts_with('/')) {
    text += reference;
  } else if (reference.empty() || reference.starts_with('#')) {
    text = to_string() + std::string(reference);
  } else if (reference.starts_with('?')) {
    text += path_ + std::string(reference);
  } else {
    text += path_.substr(0, path_.rfind('/') + 1) + std::string(reference);
  }
  CURUPIRA_TRY(Url url, parse(text));
  url.user_info_ = user_info_;
  return url;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 0x0fu];
    }
  }
  return out;
}

Result<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = text.size() - i < 3 ? -1 : hex_value(text[i + 1]);
    const int low = text.size() - i < 3 ? -1 : hex_value(text[i + 2]);
    if (high < 0 || low < 0) return invalid(text, "a % without two hexadecimal digits");
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace curupira
