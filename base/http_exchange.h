#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_sink.h"
#include "base/environment.h"
#include "base/http_client.h"
#include "base/proxy_rules.h"

namespace curupira {

/// Whose signatures count in place of the machine's own list of authorities.
struct TrustedAuthorities {
  std::string file;    ///< SSL_CERT_FILE; empty when not set
  std::string folder;  ///< SSL_CERT_DIR
  static TrustedAuthorities from(const Environment& environment);
  /// "the file /a.pem (SSL_CERT_FILE)"
  std::string to_string() const;
};

/// Why an exchange gave no answer. The text holds no URL and no credential.
struct HttpFailure {
  ErrorCode code = ErrorCode::internal;
  std::string what;
  bool worth_another_attempt = false;
  std::optional<Error> of_sink = {};  ///< the receiver did not want the bytes
};

/// What came of one request.
struct HttpAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in lower case
  std::uint64_t body_bytes = 0;                                   ///< that the sink got
  std::string message = {};  ///< the beginning of a body that the sink did not get
  std::optional<HttpFailure> failure = {};
};

/// One request to one URL and its answer: no redirect is followed, nothing is tried again.
class HttpExchange {
 public:
  struct Setup {
    const HttpOptions& options;
    const TrustedAuthorities& authorities;
    const Url& url;
    const std::optional<Proxy>& proxy;
    const std::vector<std::string>& header_lines;
    std::uint64_t max_bytes;
    ByteSink& body;  ///< gets the body of a 2xx answer
    const std::function<void(std::uint64_t)>& on_progress;
  };

  explicit HttpExchange(const Setup& setup);
  ~HttpExchange();

  /// The curl handle that performs it; null when there is none left or an option was refused. Its private
  /// pointer is this object.
  void* handle() const;
  /// After curl is done with it, with curl's result code.
  HttpAnswer finish(int curl_code);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curupira
