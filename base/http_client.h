#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_sink.h"
#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/http_transport.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/url.h"

namespace curupira {

/// Says what the user's configuration has for an address: the Authorization header, and how the server is
/// reached. Asked anew at every redirect, so that neither a credential nor a relaxed rule crosses origins.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  /// The whole header value ("Bearer …", "Basic …"), or nothing.
  virtual std::optional<Secret> authorization_for(const Url& url) const = 0;
  virtual TransportOptions transport_for(const Url& url) const;
};

/// The beginning of a body that the sink has from an earlier run.
struct ResumePoint {
  std::uint64_t offset = 0;  ///< bytes
  std::string validator;     ///< the strong ETag or the Last-Modified of the answer that they came from
};

struct HttpRequest {
  Url url;
  std::vector<std::pair<std::string, std::string>> headers = {};
  const CredentialSource* credentials =
      nullptr;                             ///< none when null; user information of the URL is used otherwise
  std::uint64_t max_bytes = 1ull << 30;    ///< of the body
  std::optional<ResumePoint> resume = {};  ///< asks for the rest only (RFC 9110, Range and If-Range)
};

struct HttpResponse {
  int status = 0;
  Url url;                                                        ///< the last one, after redirects
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in lower case
  std::uint64_t body_bytes = 0;  ///< of the whole body, with what was resumed

  const std::string* header(std::string_view lower_case_name) const;
  /// What If-Range takes: the strong ETag, else Last-Modified; empty when the answer has neither.
  std::string validator() const;
};

/// One transfer among several; `outcome` is filled in.
struct HttpTransfer {
  HttpRequest request;
  ByteSink* body = nullptr;                                      ///< only gets the body of a 2xx answer
  std::function<void(std::uint64_t received)> on_progress = {};  ///< bytes of the body so far
  /// A 2xx answer begins, before its first byte: 206 goes on where the sink is, others begin anew (the sink
  /// was restarted). An error ends the transfer.
  std::function<Result<>(const HttpResponse&)> on_answer = {};
  Result<HttpResponse> outcome = fail(ErrorCode::internal, "the transfer was not run");
  int status = 0;  ///< of the last answer, whatever the outcome; 0 when none came
};

/// The one HTTP client of all phases: one TLS context, one set of proxy rules (design.md §4).
/// Follows up to 10 redirects, but never from https to http. A status other than 2xx and 304 is an error:
/// http_status (401 and 403: credentials_refused; 404 and 410: http_not_found). A
/// body that is shorter than announced is transfer_truncated, one that stands still for 30 s
/// transfer_stalled, one that is longer than `max_bytes` response_too_large. A proxy that wants another
/// password is proxy_refused. 408, 429, 5xx and broken connections are tried again, 3 times in all, from
/// where the body broke off when the server knows ranges.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  /// Runs all transfers, several at a time; returns when every outcome is known.
  virtual void perform(std::span<HttpTransfer> transfers) = 0;

  /// One transfer.
  Result<HttpResponse> get(HttpRequest request, ByteSink& body);
  /// One transfer into memory, at most `limit` bytes.
  Result<std::string> get_text(HttpRequest request, std::uint64_t limit);
};

struct HttpOptions {
  std::string user_agent = "curupira/" CURUPIRA_VERSION;
  int max_parallel = 16;
  int max_attempts = 3;
  std::chrono::milliseconds first_backoff{250};
  std::chrono::seconds connect_timeout{15};
  std::chrono::seconds stall_timeout{30};
  int max_redirects = 10;
  Diagnostics* diagnostics = nullptr;  ///< for warnings about the user's netrc file
};

/// `environment`: HTTP(S)_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE, SSL_CERT_DIR, CURUPIRA_CLIENT_CERT and
/// _KEY, CURUPIRA_STALL_TIMEOUT (seconds), and NETRC or HOME for the netrc file, which is used for https and
/// loopback hosts where neither the request nor its URL has credentials.
std::unique_ptr<HttpClient> make_curl_http_client(const Environment& environment, HttpOptions options = {});

}  // namespace curupira
