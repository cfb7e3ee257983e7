#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/url.h"

namespace curupira {

struct Proxy {
  std::string address;  ///< "http://proxy.example.org:3128", without user information: safe to print
  Secret user_info;     ///< "user:password", unescaped; empty when there is none
};

/// Why a URL goes the way it goes: for people who look for a fault.
struct ProxyExplanation {
  std::optional<Proxy> proxy = {};  ///< nothing for a direct connection
  std::string variable = {};        ///< that names the proxy for such URLs; empty when none does
  std::string exception = {};       ///< the entry of no_proxy that this URL matches; empty when none does
};

/// Which proxy a URL goes through, by the variables that other programs read too, lower case names first:
/// http_proxy or https_proxy by the URL's scheme, else all_proxy; none for what no_proxy names.
///
/// Entries of no_proxy, separated by commas or spaces: a host, which stands for its subdomains too (".host"
/// and
/// "*.host" mean the same), an IP address, a range of addresses ("10.0.0.0/8"), each but the last also with
/// ":port", or "*" for everything.
class ProxyRules {
 public:
  explicit ProxyRules(const Environment& environment);

  /// Nothing for a direct connection. Error: url_invalid with the name of the variable, without its value.
  Result<std::optional<Proxy>> proxy_for(const Url& url) const;
  /// The same, with the reasons. Error: as above.
  Result<ProxyExplanation> explain(const Url& url) const;

 private:
  struct Setting {
    std::string variable, value;
  };
  static std::optional<Setting> find(const Environment& environment, std::string_view lower_case_name);
  /// The entry that excepts the URL; null when there is none.
  const std::string* exception_for(const Url& url) const;

  std::optional<Setting> http_, https_;
  std::vector<std::string> exceptions_;
};

}  // namespace curupira
