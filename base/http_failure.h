#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/http_transport.h"

namespace curupira {

/// Below this many bytes a second a transfer stands still, in earnest or on purpose.
inline constexpr long least_http_speed = 10;

/// Why an exchange gave no answer. The text holds no URL and no credential.
struct HttpFailure {
  ErrorCode code = ErrorCode::internal;
  std::string what;
  bool worth_another_attempt = false;
  std::optional<Error> of_caller = {};  ///< the sink did not take the bytes, or the content cannot be read
};

/// Of a proxy that answers with status 407; `with_login` when it got a user name.
HttpFailure proxy_refusal(bool with_login);

/// What is known of a transfer that curl could not do.
struct FailedTransfer {
  int curl_code;
  std::string reason;  ///< curl's, printable
  bool connected;
  bool answered;         ///< a status line came
  std::string received;  ///< "2 kB of 4 kB had come"
  int proxy_status;      ///< of CONNECT; 0 when there was none
  bool with_proxy_login;
  std::chrono::seconds connect_timeout, stall_timeout;
  const TrustedAuthorities& authorities;
  const ClientCertificate& client_certificate;
};

HttpFailure failure_of_transfer(const FailedTransfer& failed);

}  // namespace curupira
