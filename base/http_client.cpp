#include "base/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "base/http_attempts.h"
#include "base/http_policy.h"

namespace curupira {
namespace {

using Time = HttpAttempts::Time;
using Milliseconds = std::chrono::milliseconds;

constexpr std::uint64_t max_dropped_body = 1'000'000;

/// At least this often the loop looks at what is due.
constexpr Milliseconds longest_wait{1000};

/// Keeps curl's library initialised for as long as a client lives; curl counts.
struct CurlLibrary {
  CurlLibrary() : ready(::curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {}
  CurlLibrary(const CurlLibrary&) = delete;
  CurlLibrary& operator=(const CurlLibrary&) = delete;
  ~CurlLibrary() {
    if (ready) ::curl_global_cleanup();
  }
  bool ready;
};

struct MultiCleanup {
  void operator()(CURLM* multi) const { ::curl_multi_cleanup(multi); }
};

struct Run {
  HttpAttempts attempts;
  std::unique_ptr<HttpExchange> exchange;
};

class CurlHttpClient final : public HttpClient {
 public:
  CurlHttpClient(const Environment& environment, HttpOptions options)
      : options_(std::move(options)),
        defaults_(HttpDefaults::from(environment, options_.diagnostics)),
        multi_(library_.ready ? ::curl_multi_init() : nullptr) {
    options_.max_parallel = std::max(options_.max_parallel, 1);
    const std::string patience = environment.get_or("CURUPIRA_STALL_TIMEOUT", "");
    if (const auto seconds = parse_stall_timeout(patience)) options_.stall_timeout = *seconds;
    // More connections are kept than used at once, so that the next phase finds those of the last one.
    if (multi_) ::curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, 2L * options_.max_parallel);
  }

  void perform(std::span<HttpTransfer> transfers) override {
    const std::scoped_lock lock(mutex_);  // connections are shared, curl's handle is not made for two threads
    std::deque<Run> runs;
    for (HttpTransfer& transfer : transfers) {
      if (multi_) {
        runs.push_back({HttpAttempts(transfer, options_, defaults_), nullptr});
      } else {
        transfer.outcome = fail(ErrorCode::internal, "curl could not be initialised");
      }
    }
    while (start_due(runs)) {
      int running = 0;
      ::curl_multi_perform(multi_.get(), &running);
      if (!take_finished(runs)) {
        ::curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(wait_time(runs).count()), nullptr);
      }
    }
  }

 private:
  /// Starts what may start now. False when all is done.
  bool start_due(std::deque<Run>& runs) {
    const Time now = std::chrono::steady_clock::now();
    auto active =
        std::count_if(runs.begin(), runs.end(), [](const Run& run) { return run.exchange != nullptr; });
    bool unfinished = false;
    for (Run& run : runs) {
      while (!run.attempts.done() && !run.exchange && run.attempts.due() <= now &&
             active < options_.max_parallel) {
        run.exchange = run.attempts.next();
        if (!run.exchange) continue;
        if (::curl_multi_add_handle(multi_.get(), run.exchange->handle()) == CURLM_OK) {
          ++active;
        } else {
          run.exchange.reset();
          run.attempts.take(
              {.failure = HttpFailure{.code = ErrorCode::internal, .what = "curl takes no transfer"}}, now);
        }
      }
      unfinished = unfinished || !run.attempts.done();
    }
    return unfinished;
  }

  bool take_finished(std::deque<Run>& runs) {
    bool any = false;
    int left = 0;
    while (const CURLMsg* message = ::curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const auto run = std::find_if(runs.begin(), runs.end(), [&](const Run& candidate) {
        return candidate.exchange && candidate.exchange->handle() == message->easy_handle;
      });
      const int code = message->data.result;  // the message ends with the handle
      ::curl_multi_remove_handle(multi_.get(), message->easy_handle);
      if (run == runs.end()) continue;
      HttpAnswer answer = run->exchange->finish(code);
      run->exchange.reset();
      run->attempts.take(std::move(answer), std::chrono::steady_clock::now());
      any = true;
    }
    return any;
  }

  /// Until the next attempt is due.
  static Milliseconds wait_time(const std::deque<Run>& runs) {
    const Time now = std::chrono::steady_clock::now();
    Milliseconds wait = longest_wait;
    for (const Run& run : runs) {
      if (run.attempts.done() || run.exchange || run.attempts.due() <= now) continue;
      wait = std::min(wait, std::chrono::ceil<Milliseconds>(run.attempts.due() - now));
    }
    return wait;
  }

  CurlLibrary library_;
  HttpOptions options_;
  HttpDefaults defaults_;
  std::unique_ptr<CURLM, MultiCleanup> multi_;
  std::mutex mutex_;
};

}  // namespace

std::string_view name_of(HttpMethod method) {
  switch (method) {
    case HttpMethod::head:
      return "HEAD";
    case HttpMethod::post:
      return "POST";
    case HttpMethod::put:
      return "PUT";
    case HttpMethod::patch:
      return "PATCH";
    case HttpMethod::get:
      break;
  }
  return "GET";
}

TransportOptions CredentialSource::transport_for(const Url&) const {
  return {};
}

std::string HttpResponse::validator() const {
  // A weak one says "as good as", not "the same bytes".
  if (const std::string* tag = header("etag"); tag != nullptr && tag->starts_with('"')) return *tag;
  const std::string* date = header("last-modified");
  return date != nullptr ? *date : std::string();
}

const std::string* HttpResponse::header(std::string_view lower_case_name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const auto& header) { return header.first == lower_case_name; });
  return found == headers.end() ? nullptr : &found->second;
}

Result<HttpResponse> HttpClient::get(HttpRequest request, ByteSink& body) {
  HttpTransfer transfer{.request = std::move(request), .body = &body};
  perform({&transfer, 1});
  return std::move(transfer.outcome);
}

Result<HttpResponse> HttpClient::send(HttpRequest request) {
  request.max_bytes = std::min(request.max_bytes, max_dropped_body);
  StringSink dropped(max_dropped_body);
  return get(std::move(request), dropped);
}

Result<std::string> HttpClient::get_text(HttpRequest request, std::uint64_t limit) {
  request.max_bytes = std::min(request.max_bytes, limit);
  StringSink text(limit);
  CURUPIRA_CHECK(get(std::move(request), text));
  return text.take();
}

std::unique_ptr<HttpClient> make_curl_http_client(const Environment& environment, HttpOptions options) {
  return std::make_unique<CurlHttpClient>(environment, std::move(options));
}

}  // namespace curupira
