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
#include "base/http_client.h"
#include "base/http_failure.h"
#include "base/http_transport.h"
#include "base/proxy_rules.h"

namespace curupira {

/// What came of one request.
struct HttpAnswer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< names in lower case
  std::uint64_t body_bytes = 0;                                   ///< that the sink has
  bool body_began = false;     ///< the sink stands in the body of this answer
  bool range_refused = false;  ///< the rest of the body cannot be had; the whole may be
  bool was_sent = false;       ///< the server may have seen the request
  std::string message = {};    ///< the beginning of a body that the sink did not get
  std::optional<HttpFailure> failure = {};
};

/// One request to one URL and its answer: no redirect is followed, nothing is tried again.
class HttpExchange {
 public:
  struct Setup {
    const HttpOptions& options;
    const TrustedAuthorities& authorities;
    const ClientCertificate& client_certificate;
    bool check_certificate;
    const Url& url;
    const std::optional<Proxy>& proxy;
    const std::vector<std::string>& header_lines;
    HttpMethod method;
    const HttpContent& content;
    std::uint64_t max_bytes;
    std::uint64_t resume_from;  ///< that the sink has; the header lines ask for what comes then
    ByteSink& body;             ///< gets the body of a 2xx answer
    const std::function<void(std::uint64_t)>& on_progress;
    const std::function<Result<>(const HttpResponse&)>& on_answer;
  };

  explicit HttpExchange(const Setup& setup);
  ~HttpExchange();

  /// The curl handle that performs it; null when it cannot be performed. Its private pointer is this object.
  void* handle() const;
  /// Why there is no handle.
  HttpFailure refusal() const;
  /// After curl is done with it, with curl's result code.
  HttpAnswer finish(int curl_code);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curupira
