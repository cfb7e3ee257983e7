#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/environment.h"
#include "base/proxy_rules.h"

namespace curupira {

/// Whose signatures count for a server's certificate.
struct TrustedAuthorities {
  std::string file = {};    ///< PEM; empty when not set
  std::string folder = {};  ///< of hashed names, as OpenSSL reads them
  std::string pem = {};     ///< the certificates themselves
  std::string origin = {};  ///< who names them, for messages: "cafile in /home/me/.npmrc"
  /// Nothing but these: the machine's own list does not count.
  bool exclusive = false;

  /// SSL_CERT_FILE and SSL_CERT_DIR, each in place of its half of the machine's own list.
  static TrustedAuthorities from(const Environment& environment);
  bool empty() const { return file.empty() && folder.empty() && pem.empty(); }
  /// "the file /a.pem (SSL_CERT_FILE)"
  std::string to_string() const;
};

/// What we show to a server that asks who we are. PEM files; a key with a passphrase cannot be used.
struct ClientCertificate {
  std::string certificate_file = {};  ///< empty when there is none
  std::string key_file = {};          ///< empty when the key is in the certificate's file
  std::string origin = {};            ///< who names it, for messages

  /// CURUPIRA_CLIENT_CERT and CURUPIRA_CLIENT_KEY.
  static ClientCertificate from(const Environment& environment);
};

/// How a server is reached where the user's configuration says something else than the environment.
struct TransportOptions {
  std::shared_ptr<const ProxyRules> proxies = {};            ///< null: those of the environment
  std::optional<TrustedAuthorities> authorities = {};        ///< nothing: those of the environment
  std::optional<ClientCertificate> client_certificate = {};  ///< nothing: the one of the environment
  bool check_certificate = true;                             ///< false: anybody may pose as this server
};

}  // namespace curupira
