#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/http_client.h"

namespace curupira::registry::test {

/// Answers from a table, as the contract of HttpClient says, and remembers what it was asked.
class FakeHttpClient final : public HttpClient {
 public:
  struct Request {
    std::string url;
    std::string accept;
    std::string authorization;  ///< empty when none was sent
  };

  void answer(const std::string& url, std::string body) { answers_[url] = {200, std::move(body)}; }
  void refuse(const std::string& url, int status) { answers_[url] = {status, {}}; }

  void perform(std::span<HttpTransfer> transfers) override {
    batches.push_back(transfers.size());
    for (HttpTransfer& transfer : transfers) {
      Request request{.url = transfer.request.url.to_string(), .accept = {}, .authorization = {}};
      for (const auto& [name, value] : transfer.request.headers) {
        if (name == "Accept") request.accept = value;
      }
      const CredentialSource* credentials = transfer.request.credentials;
      const auto secret = credentials ? credentials->authorization_for(transfer.request.url) : std::nullopt;
      if (secret) request.authorization = secret->reveal();
      requests.push_back(request);
      transfer.outcome = outcome_of(transfer);
    }
  }

  std::vector<Request> requests;
  std::vector<std::size_t> batches;  ///< how many transfers each call had

 private:
  struct Answer {
    int status = 404;
    std::string body;
  };

  Result<HttpResponse> outcome_of(HttpTransfer& transfer) {
    const auto found = answers_.find(transfer.request.url.to_string());
    const Answer answer = found == answers_.end() ? Answer{} : found->second;
    transfer.status = answer.status;
    const std::string text = "the server answered with status " + std::to_string(answer.status);
    if (answer.status == 401 || answer.status == 403) return fail(ErrorCode::credentials_refused, text);
    if (answer.status == 404 || answer.status == 410) return fail(ErrorCode::http_not_found, text);
    if (answer.status != 200) return fail(ErrorCode::http_status, text);
    CURUPIRA_CHECK(transfer.body->write(std::as_bytes(std::span(answer.body))));
    return HttpResponse{
        .status = 200, .url = transfer.request.url, .headers = {}, .body_bytes = answer.body.size()};
  }

  std::map<std::string, Answer> answers_;
};

}  // namespace curupira::registry::test
