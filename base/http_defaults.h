#pragma once

#include "base/environment.h"
#include "base/http_client.h"
#include "base/http_transport.h"
#include "base/netrc.h"
#include "base/proxy_rules.h"

namespace curupira {

/// What holds for every transfer of a client where the request's own configuration says nothing else.
struct HttpDefaults {
  ProxyRules proxies;
  TrustedAuthorities authorities;
  ClientCertificate client_certificate;
  Netrc netrc;

  static HttpDefaults from(const Environment& environment, Diagnostics* diagnostics);
};

}  // namespace curupira
