#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/http_client.h"
#include "base/http_exchange.h"

namespace curupira {

/// The way of one transfer through redirects and attempts to its outcome. Each attempt starts at the first
/// URL.
class HttpAttempts {
 public:
  using Time = std::chrono::steady_clock::time_point;

  HttpAttempts(HttpTransfer& transfer, const HttpOptions& options, const ProxyRules& proxies,
               const TrustedAuthorities& authorities);

  bool done() const { return done_; }
  /// Not before this time: an attempt that follows a failed one waits.
  Time due() const { return due_; }
  /// The next exchange; null when the transfer is done before it.
  std::unique_ptr<HttpExchange> next();
  /// What came of it.
  void take(HttpAnswer answer, Time now);

 private:
  Result<std::vector<std::string>> header_lines();
  Result<std::optional<Secret>> authorization() const;
  void follow(const HttpAnswer& answer);
  void fail_or_try_again(const HttpFailure& failure, const HttpAnswer& answer, Time now);
  HttpFailure failure_of_status(const HttpAnswer& answer) const;
  Error error_of(const HttpFailure& failure) const;
  void end(Result<HttpResponse> outcome);

  HttpTransfer& transfer_;
  const HttpOptions& options_;
  const ProxyRules& proxies_;
  const TrustedAuthorities& authorities_;
  std::vector<Url> visited_;  ///< of this attempt; the last one is asked now
  std::optional<Proxy> proxy_;
  bool authorized_ = false;  ///< the last request carried credentials
  bool used_sink_ = false;
  int attempt_ = 1;
  Time due_ = Time::min();
  bool done_ = false;
};

}  // namespace curupira
