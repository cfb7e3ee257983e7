#include "base/http_attempts.h"

#include <algorithm>
#include <span>

#include "base/digest.h"
#include "base/http_policy.h"
#include "base/loopback.h"
#include "base/printable.h"

namespace curupira {
namespace {

/// What a server says about a failure is shown up to here.
constexpr std::size_t max_shown_message = 300;

bool equal_ignoring_case(std::string_view a, std::string_view lower_case) {
  return std::equal(a.begin(), a.end(), lower_case.begin(), lower_case.end(), [](char x, char y) {
    return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y;
  });
}

bool is_bound_to_origin(std::string_view header) {
  return equal_ignoring_case(header, "authorization") || equal_ignoring_case(header, "cookie") ||
         equal_ignoring_case(header, "proxy-authorization");
}

/// Could end the line and begin another header.
bool breaks_line(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string basic(const Secret& user_info) {
  std::string login = user_info.reveal();
  if (login.find(':') == std::string::npos) login += ':';  // a token in place of a name has no password
  return "Basic " + base64_encode(std::as_bytes(std::span(login)));
}

/// One line of what the server says, unless it is a page for a browser.
std::string shown_message(std::string_view message) {
  const std::size_t begin = message.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || message[begin] == '<') return {};
  std::string line(message.substr(begin, max_shown_message));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  return printable(line);
}

}  // namespace

HttpAttempts::HttpAttempts(HttpTransfer& transfer, const HttpOptions& options, const HttpDefaults& defaults)
    : transfer_(transfer),
      options_(options),
      defaults_(defaults),
      visited_{transfer.request.url.without_fragment()} {
  if (const auto& resume = transfer.request.resume; resume && resume->offset > 0) {
    held_ = resume->offset;
    if (!breaks_line(resume->validator)) validator_ = resume->validator;
  }
}

/// Other programs send these logins in the open as well; we do only where nobody can listen.
std::optional<Secret> HttpAttempts::netrc_login(bool at_home) const {
  const Url& url = visited_.back();
  if (url.scheme() != "https" && !is_loopback_host(url.host())) return std::nullopt;
  const std::string user = at_home ? transfer_.request.url.user_info().reveal() : std::string();
  return defaults_.netrc.user_info_for(url, user, at_home);
}

Result<std::optional<Secret>> HttpAttempts::authorization() const {
  const HttpRequest& request = transfer_.request;
  std::optional<Secret> value;
  if (request.credentials != nullptr) value = request.credentials->authorization_for(visited_.back());
  // The user information of the first URL is for its origin; what a redirect brings is not ours to send.
  const Secret& login = request.url.user_info();
  const bool has_login = at_home() && !login.empty();
  if (!value && (!has_login || login.reveal().find(':') == std::string::npos)) {
    if (const auto stored = netrc_login(at_home())) value = Secret(basic(*stored));
  }
  if (!value && has_login) value = Secret(basic(login));
  if (value && breaks_line(value->reveal())) {
    return fail(ErrorCode::credentials_refused, "the credentials for " + visited_.back().origin() +
                                                    " hold a line break or control character");
  }
  return value;
}

Result<std::vector<std::string>> HttpAttempts::header_lines() {
  std::vector<std::string> lines;
  authorized_ = false;
  for (const auto& [name, value] : transfer_.request.headers) {
    if (name.empty() || breaks_line(name) || breaks_line(value)) {
      return fail(ErrorCode::internal, "the header " + printable(name) + " cannot be sent");
    }
    if (is_bound_to_origin(name)) {
      if (!at_home()) continue;
      authorized_ = true;
    }
    lines.push_back(name + ": " + value);
  }
  if (held_ > 0) {
    lines.push_back("Range: bytes=" + std::to_string(held_) + "-");
    lines.push_back("If-Range: " + validator_);
  }
  CURUPIRA_TRY(const auto authorized, authorization());
  if (authorized) {
    lines.push_back("Authorization: " + authorized->reveal());
    authorized_ = true;
  }
  return lines;
}

std::unique_ptr<HttpExchange> HttpAttempts::next() {
  const Url& url = visited_.back();
  const auto give_up = [this](Error error) {
    end(fail(std::move(error)));
    return nullptr;
  };
  if (url.scheme() != "http" && url.scheme() != "https") {
    return give_up(Error(ErrorCode::url_invalid, shown(url, false) + " is neither http nor https"));
  }
  if (transfer_.body == nullptr) return give_up(Error(ErrorCode::internal, "the transfer has no sink"));
  if (held_ > 0 && validator_.empty() && !start_over())
    return give_up(Error(ErrorCode::internal, "the transfer cannot begin anew"));
  const CredentialSource* const source = transfer_.request.credentials;
  transport_ = source != nullptr ? source->transport_for(url) : TransportOptions{};
  auto proxy = (transport_.proxies ? *transport_.proxies : defaults_.proxies).proxy_for(url);
  if (!proxy) return give_up(std::move(proxy).error());
  proxy_ = *std::move(proxy);
  const auto lines = header_lines();
  if (!lines) return give_up(lines.error());
  // Who we are is told to the server that was asked for, not to one that it sends us to.
  if (!transport_.client_certificate)
    transport_.client_certificate = at_home() ? defaults_.client_certificate : ClientCertificate{};
  if (!transport_.authorities) transport_.authorities = defaults_.authorities;
  auto exchange =
      std::make_unique<HttpExchange>(HttpExchange::Setup{.options = options_,
                                                         .authorities = *transport_.authorities,
                                                         .client_certificate = *transport_.client_certificate,
                                                         .check_certificate = transport_.check_certificate,
                                                         .url = url,
                                                         .proxy = proxy_,
                                                         .header_lines = *lines,
                                                         .max_bytes = transfer_.request.max_bytes,
                                                         .resume_from = held_,
                                                         .body = *transfer_.body,
                                                         .on_progress = transfer_.on_progress,
                                                         .on_answer = transfer_.on_answer});
  if (exchange->handle() == nullptr)
    return give_up(Error(ErrorCode::internal, "curl takes no further request"));
  return exchange;
}

void HttpAttempts::take(HttpAnswer answer, Time now) {
  transfer_.status = answer.status;
  note_progress(answer);
  const bool past_end = held_ > 0 && answer.status == 416;
  if ((answer.range_refused || past_end) && start_over()) {
    ranges_refused_ = true;
    visited_.erase(visited_.begin() + 1, visited_.end());
    return;
  }
  if (answer.failure) return fail_or_try_again(*answer.failure, answer, now);
  if (is_redirect(answer.status)) return follow(answer);
  const bool good = (answer.status >= 200 && answer.status <= 299) || answer.status == 304;
  if (!good) return fail_or_try_again(failure_of_status(answer), answer, now);
  end(HttpResponse{.status = answer.status,
                   .url = visited_.back(),
                   .headers = std::move(answer.headers),
                   .body_bytes = answer.body_bytes});
}

void HttpAttempts::note_progress(const HttpAnswer& answer) {
  if (!answer.body_began) return;
  held_ = answer.body_bytes;
  const HttpResponse response{.status = answer.status, .url = visited_.back(), .headers = answer.headers};
  const std::string* unit = response.header("accept-ranges");
  const bool knows_ranges = answer.status == 206 || (unit != nullptr && *unit == "bytes");
  validator_ = knows_ranges && !ranges_refused_ ? response.validator() : std::string();
}

bool HttpAttempts::start_over() {
  held_ = 0;
  validator_.clear();
  return transfer_.body->restart().has_value();
}

void HttpAttempts::follow(const HttpAnswer& answer) {
  const HttpResponse response{.status = answer.status, .url = visited_.back(), .headers = answer.headers};
  auto target = redirect_target(visited_, response.header("location"), options_.max_redirects);
  if (!target) return end(fail(std::move(target).error()));
  visited_.push_back(target->without_fragment());
}

HttpFailure HttpAttempts::failure_of_status(const HttpAnswer& answer) const {
  HttpFailure failure{.code = ErrorCode::http_status,
                      .what = "the server answered with status " + std::to_string(answer.status),
                      .worth_another_attempt = is_worth_another_attempt(answer.status)};
  if (answer.status == 401 || answer.status == 403) {
    failure.code = ErrorCode::credentials_refused;
    const std::string origin = visited_.back().origin();
    failure.what += authorized_ ? "; it does not accept the credentials that are configured for " + origin
                                : "; no credentials are configured for " + origin;
  }
  if (answer.status == 404 || answer.status == 410) failure.code = ErrorCode::http_not_found;
  if (answer.status == 407) return proxy_refusal(proxy_ && !proxy_->user_info.empty());
  // A server can repeat what it was sent, so its words are shown only when that was no secret.
  if (const std::string message = shown_message(answer.message); !authorized_ && !message.empty()) {
    failure.what += "; it says: " + message;
  }
  return failure;
}

void HttpAttempts::fail_or_try_again(const HttpFailure& failure, const HttpAnswer& answer, Time now) {
  if (!failure.worth_another_attempt || attempt_ >= options_.max_attempts)
    return end(fail(error_of(failure)));
  if (held_ > 0 && validator_.empty() && !start_over())
    return end(fail(error_of(failure)));  // the first failure is the one to tell
  const HttpResponse response{.status = answer.status, .url = visited_.back(), .headers = answer.headers};
  std::optional<std::chrono::seconds> asked;
  if (const std::string* value = response.header("retry-after")) {
    asked = parse_retry_after(*value, response.header("date"));
  }
  due_ = now + backoff(attempt_, options_.first_backoff, asked);
  ++attempt_;
  visited_.erase(visited_.begin() + 1, visited_.end());
}

Error HttpAttempts::error_of(const HttpFailure& failure) const {
  const std::string url = shown(visited_.back(), visited_.size() > 1);
  if (failure.of_sink) return Error(*failure.of_sink).while_doing("fetching " + url);
  std::string detail = url + ": " + failure.what;
  std::vector<std::string> notes;
  if (visited_.size() > 1) notes.push_back("redirected from " + shown(visited_.front(), false));
  if (proxy_) notes.push_back("through the proxy " + proxy_->address);
  if (attempt_ > 1) notes.push_back("after " + std::to_string(attempt_) + " attempts");
  for (std::size_t i = 0; i < notes.size(); ++i)
    detail += (i == 0 ? " (" : ", ") + notes[i];
  if (!notes.empty()) detail += ")";
  return Error(failure.code, std::move(detail));
}

void HttpAttempts::end(Result<HttpResponse> outcome) {
  transfer_.outcome = std::move(outcome);
  done_ = true;
}

}  // namespace curupira
