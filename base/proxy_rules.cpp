#include "base/proxy_rules.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace curupira {
namespace {

std::string cased(std::string_view text, char from, char to) {
  std::string changed(text);
  for (char& c : changed) {
    if (c >= from && c <= from + 25) c = static_cast<char>(c - from + to);
  }
  return changed;
}

std::string lower_case(std::string_view text) {
  return cased(text, 'A', 'a');
}

template <class Number>
std::optional<Number> to_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

/// 4 or 16 bytes; empty when it is no address.
std::vector<unsigned char> parse_ip(std::string_view text) {
  const std::string host(text);
  std::vector<unsigned char> bytes(16);
  if (::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1) return bytes;
  bytes.resize(4);
  if (::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1) return bytes;
  return {};
}

bool in_range(std::span<const unsigned char> address, std::span<const unsigned char> network, unsigned bits) {
  if (address.size() != network.size() || bits > 8 * network.size()) return false;
  for (std::size_t i = 0; i < network.size() && bits > 0; ++i) {
    const unsigned here = std::min(bits, 8u);
    const unsigned mask = (0xff00u >> here) & 0xffu;
    if (((address[i] ^ network[i]) & mask) != 0) return false;
    bits -= here;
  }
  return true;
}

/// An entry as host and port; no port means every one.
struct Exception {
  std::string_view host;
  std::optional<std::uint16_t> port;
};

Exception split_port(std::string_view entry) {
  if (entry.starts_with('[')) {
    const std::size_t bracket = entry.find(']');
    if (bracket == std::string_view::npos) return {entry, std::nullopt};
    const std::string_view rest = entry.substr(bracket + 1);
    return {entry.substr(1, bracket - 1),
            rest.starts_with(':') ? to_number<std::uint16_t>(rest.substr(1)) : std::nullopt};
  }
  const std::size_t colon = entry.find(':');
  if (colon == std::string_view::npos || entry.find(':', colon + 1) != std::string_view::npos) {
    return {entry, std::nullopt};  // a name, an IPv4 address or a bare IPv6 address
  }
  return {entry.substr(0, colon), to_number<std::uint16_t>(entry.substr(colon + 1))};
}

bool matches(std::string_view entry, const Url& url) {
  if (entry == "*") return true;
  const auto address = parse_ip(url.host());
  if (const std::size_t slash = entry.find('/'); slash != std::string_view::npos) {
    const auto bits = to_number<unsigned>(entry.substr(slash + 1));
    const auto network = parse_ip(entry.substr(0, slash));
    return bits && !address.empty() && !network.empty() && in_range(address, network, *bits);
  }
  auto [host, port] = split_port(entry);
  if (port && *port != url.port()) return false;
  if (!address.empty()) return address == parse_ip(host);
  if (host.starts_with("*.")) host.remove_prefix(1);
  if (host.starts_with('.')) host.remove_prefix(1);
  if (host.ends_with('.')) host.remove_suffix(1);
  std::string_view name = url.host();
  if (name.ends_with('.')) name.remove_suffix(1);
  if (host.empty() || !name.ends_with(host)) return false;
  return name.size() == host.size() || name[name.size() - host.size() - 1] == '.';
}

Result<Proxy> parse_proxy(std::string_view variable, const std::string& value) {
  // The value may hold a password, so that no error shows it.
  const auto refused = [&] {
    return fail(
        Error(ErrorCode::url_invalid, std::string(variable) + " is not the address of a proxy")
            .with_help("write it as http://HOST:PORT; https, socks4, socks4a, socks5 and socks5h are known"));
  };
  const std::size_t colon = value.find("://");
  const std::string scheme = colon == std::string::npos ? "http" : lower_case(value.substr(0, colon));
  constexpr std::array<std::string_view, 6> known{"http", "https", "socks4", "socks4a", "socks5", "socks5h"};
  if (std::find(known.begin(), known.end(), scheme) == known.end()) return refused();

  const bool socks = scheme.starts_with("socks");
  std::string_view authority =
      colon == std::string::npos ? std::string_view(value) : std::string_view(value).substr(colon + 3);
  authority = authority.substr(0, authority.find('/'));
  const auto url = Url::parse((scheme == "https" ? "https://" : "http://") + std::string(authority));
  if (!url || url->host().empty()) return refused();

  const std::string_view host_and_port =
      authority.substr(authority.rfind('@') == std::string_view::npos ? 0 : authority.rfind('@') + 1);
  const bool has_port = !host_and_port.empty() && host_and_port.back() != ']' &&
                        host_and_port.rfind(':') != std::string_view::npos;
  const unsigned port = socks && !has_port ? 1080u : url->port();
  const bool ipv6 = url->host().find(':') != std::string::npos;
  const std::string host = ipv6 ? "[" + url->host() + "]" : url->host();
  return Proxy{.address = scheme + "://" + host + ":" + std::to_string(port), .user_info = url->user_info()};
}

}  // namespace

ProxyRules::ProxyRules(const Environment& environment) {
  const auto all = find(environment, "all_proxy");
  http_ = find(environment, "http_proxy");
  // A web server passes the header "Proxy:" of a request to its programs as HTTP_PROXY.
  if (http_ && http_->variable == "HTTP_PROXY" && environment.get("REQUEST_METHOD")) http_.reset();
  https_ = find(environment, "https_proxy");
  if (!http_) http_ = all;
  if (!https_) https_ = all;

  const auto exceptions = find(environment, "no_proxy");
  const std::string list = exceptions ? lower_case(exceptions->value) : "";
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find_first_of(", \t", begin), list.size());
    if (end > begin) exceptions_.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::optional<ProxyRules::Setting> ProxyRules::find(const Environment& environment,
                                                    std::string_view lower_case_name) {
  for (std::string name : {std::string(lower_case_name), cased(lower_case_name, 'a', 'A')}) {
    if (std::string value = environment.get_or(name, ""); !value.empty()) {
      return Setting{std::move(name), std::move(value)};
    }
  }
  return std::nullopt;
}

const std::string* ProxyRules::exception_for(const Url& url) const {
  const auto found = std::find_if(exceptions_.begin(), exceptions_.end(),
                                  [&](const std::string& entry) { return matches(entry, url); });
  return found == exceptions_.end() ? nullptr : &*found;
}

Result<ProxyExplanation> ProxyRules::explain(const Url& url) const {
  ProxyExplanation explanation;
  if (const std::string* exception = exception_for(url)) explanation.exception = *exception;
  if (const auto& setting = url.scheme() == "https" ? https_ : http_) {
    explanation.variable = setting->variable;
    if (explanation.exception.empty()) {
      CURUPIRA_TRY(explanation.proxy, parse_proxy(setting->variable, setting->value));
    }
  }
  return explanation;
}

Result<std::optional<Proxy>> ProxyRules::proxy_for(const Url& url) const {
  CURUPIRA_TRY(ProxyExplanation explanation, explain(url));
  return std::move(explanation.proxy);
}

}  // namespace curupira
