#include "base/http_failure.h"

#include <curl/curl.h>

#include <algorithm>

#include "base/http_policy.h"
#include "base/printable.h"

namespace curupira {

HttpFailure proxy_refusal(bool with_login) {
  return {ErrorCode::proxy_refused,
          with_login ? "the proxy does not accept the user name and the password (status 407)"
                     : "the proxy wants a user name and a password (status 407)"};
}

HttpFailure failure_of_transfer(const FailedTransfer& failed) {
  const std::string& reason = failed.reason;
  const bool answered = failed.answered;
  if (!answered && failed.proxy_status == 407) return proxy_refusal(failed.with_proxy_login);
  if (!answered && failed.proxy_status >= 300) {
    return {ErrorCode::network_unreachable,
            "the proxy refuses the connection with status " + std::to_string(failed.proxy_status),
            is_worth_another_attempt(failed.proxy_status)};
  }
  switch (failed.curl_code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      // Also what claims to be the answer but is not HTTP/1.0 or later.
      return {failed.connected ? ErrorCode::http_status : ErrorCode::url_invalid, reason};
    case CURLE_WEIRD_SERVER_REPLY:
      return {ErrorCode::http_status, "what came is no HTTP answer: " + reason};
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
      // Not tried again: the next mirror is asked at once (NixOS/nix#6901).
      return {ErrorCode::network_unreachable, reason};
    case CURLE_OPERATION_TIMEDOUT:
      if (!failed.connected) {
        return {ErrorCode::network_unreachable,
                "no connection within " + std::to_string(failed.connect_timeout.count()) + " s"};
      }
      // A server that has not said anything is not asked again; one that began may have had a hiccup.
      return {ErrorCode::transfer_stalled,
              "nothing, or less than " + std::to_string(least_http_speed) + " bytes a second, came for " +
                  std::to_string(std::max<long long>(1, failed.stall_timeout.count())) + " s; " +
                  (answered ? failed.received : "the server had not answered at all"),
              answered};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorCode::tls_failed,
              "the certificates of " + failed.authorities.to_string() + " cannot be read: " + reason};
    case CURLE_SSL_CERTPROBLEM:
      return {ErrorCode::tls_failed,
              "the client certificate " + printable(failed.client_certificate.certificate_file) + " (" +
                  printable(failed.client_certificate.origin) + ") cannot be used: " + reason};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return {ErrorCode::tls_failed,
              reason + "; trusted are the certificates of " + failed.authorities.to_string()};
    case CURLE_SSL_CONNECT_ERROR:
      return {ErrorCode::tls_failed, reason, true};
    case CURLE_GOT_NOTHING:
      return {ErrorCode::network_unreachable, "the server closed the connection without an answer", true};
    case CURLE_PARTIAL_FILE:
      return {ErrorCode::transfer_truncated, "the connection ended when " + failed.received, true};
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      if (answered)
        return {ErrorCode::transfer_truncated, "the connection broke when " + failed.received + ": " + reason,
                true};
      return {ErrorCode::network_unreachable, "the connection broke before the answer: " + reason, true};
    default:
      return {ErrorCode::http_status, reason};
  }
}

}  // namespace curupira
