#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/http_client.h"
#include "base/http_defaults.h"
#include "base/http_exchange.h"

namespace curupira {

/// The way of one transfer through redirects and attempts to its outcome. Each attempt starts at the first
/// URL, and where the last one broke off, if the server can go on from there.
class HttpAttempts {
 public:
  using Time = std::chrono::steady_clock::time_point;

  HttpAttempts(HttpTransfer& transfer, const HttpOptions& options, const HttpDefaults& defaults);

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
  std::optional<Secret> netrc_login(bool at_home) const;
  bool at_home() const { return visited_.back().same_origin(transfer_.request.url); }
  /// What the sink has now, and whether the next attempt may begin behind it.
  void note_progress(const HttpAnswer& answer);
  bool start_over();
  bool sends_content() const;
  /// The server may get the request once more without harm.
  bool may_repeat(const HttpAnswer& answer) const;
  bool is_accepted(int status) const;
  void follow(const HttpAnswer& answer);
  void fail_or_try_again(const HttpFailure& failure, const HttpAnswer& answer, Time now);
  HttpFailure failure_of_status(const HttpAnswer& answer) const;
  Error error_of(const HttpFailure& failure) const;
  void end(Result<HttpResponse> outcome);

  HttpTransfer& transfer_;
  const HttpOptions& options_;
  const HttpDefaults& defaults_;
  TransportOptions transport_;  ///< for the URL that is asked now
  std::vector<Url> visited_;    ///< of this attempt; the last one is asked now
  std::optional<Proxy> proxy_;
  bool authorized_ = false;  ///< the last request carried credentials
  std::uint64_t held_ = 0;   ///< bytes of the body that the sink has
  std::string validator_;    ///< of the answer that they came from; empty: no going on from there
  bool ranges_refused_ = false;
  int attempt_ = 1;
  Time due_ = Time::min();
  bool done_ = false;
};

}  // namespace curupira
