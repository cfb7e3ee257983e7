#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/http_client.h"

namespace curupira::registry::test {

/// A server as a function, behind the contract of HttpClient; nothing is tried again and nothing followed.
class ScriptedHttpClient final : public HttpClient {
 public:
  struct Asked {
    std::string line;           ///< "GET https://example.org/x"
    std::string authorization;  ///< empty when none was sent
    std::string content;
    std::vector<std::pair<std::string, std::string>> headers;
  };
  struct Answer {
    int status = 200;
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    bool breaks = false;  ///< there is no answer: the connection breaks
  };

  explicit ScriptedHttpClient(std::function<Answer(const Asked&)> server) : server_(std::move(server)) {}

  void perform(std::span<HttpTransfer> transfers) override {
    for (HttpTransfer& transfer : transfers)
      transfer.outcome = outcome_of(transfer);
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    for (const Asked& each : asked)
      all.push_back(each.line);
    return all;
  }

  std::vector<Asked> asked;

 private:
  Result<HttpResponse> outcome_of(HttpTransfer& transfer) {
    const HttpRequest& request = transfer.request;
    Asked question{.line = std::string(name_of(request.method)) + " " + request.url.to_string(),
                   .authorization = {},
                   .content = request.content.bytes,
                   .headers = request.headers};
    const auto secret =
        request.credentials != nullptr ? request.credentials->authorization_for(request.url) : std::nullopt;
    if (secret) question.authorization = secret->reveal();
    asked.push_back(question);
    Answer answer = server_(question);
    if (answer.breaks) return fail(ErrorCode::transfer_truncated, "the connection broke");
    const bool accepted = std::ranges::find(request.accepted, answer.status) != request.accepted.end();
    const bool good = answer.status >= 200 && answer.status <= 299;
    const std::string text = "the server answered with status " + std::to_string(answer.status);
    if (!good && !accepted) {
      if (answer.status == 401 || answer.status == 403) return fail(ErrorCode::credentials_refused, text);
      if (answer.status == 404) return fail(ErrorCode::http_not_found, text);
      return fail(ErrorCode::http_status, text);
    }
    if (good && request.method != HttpMethod::head)
      CURUPIRA_CHECK(transfer.body->write(std::as_bytes(std::span(answer.body))));
    return HttpResponse{.status = answer.status, .url = request.url, .headers = std::move(answer.headers)};
  }

  std::function<Answer(const Asked&)> server_;
};

}  // namespace curupira::registry::test
