#include "base/http_exchange.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/http_policy.h"
#include "base/printable.h"

namespace curupira {
namespace {

constexpr std::size_t max_header_bytes = 256u << 10;
constexpr std::size_t max_message = 2000;
/// The body of an answer that is no success is read to its end to keep the connection, but not for long.
constexpr std::uint64_t max_unwanted = 64u << 10;

struct EasyCleanup {
  void operator()(CURL* handle) const { ::curl_easy_cleanup(handle); }
};
struct ListFree {
  void operator()(curl_slist* list) const { ::curl_slist_free_all(list); }
};

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

long to_long(std::chrono::seconds time) {
  return std::max(1L, static_cast<long>(time.count()));
}

}  // namespace

struct HttpExchange::State {
  explicit State(const Setup& setup)
      : url(setup.url),
        authorities(setup.authorities),
        client_certificate(setup.client_certificate),
        with_proxy_login(setup.proxy && !setup.proxy->user_info.empty()),
        stall_timeout(setup.options.stall_timeout),
        connect_timeout(setup.options.connect_timeout),
        method(setup.method),
        max_bytes(setup.max_bytes),
        resume_from(setup.resume_from),
        body(setup.body),
        on_progress(setup.on_progress),
        on_answer(setup.on_answer),
        easy(::curl_easy_init()) {}

  template <class Value>
  void set(CURLoption option, Value value) {
    if (const CURLcode code = ::curl_easy_setopt(easy.get(), option, value); code != CURLE_OK) {
      refuse(ErrorCode::internal, "curl does not take option " + std::to_string(static_cast<int>(option)) +
                                      ": " + ::curl_easy_strerror(code));
    }
  }

  void refuse(ErrorCode code, std::string what) {
    if (!answer.failure) answer.failure = HttpFailure{.code = code, .what = std::move(what)};
  }
  void refuse(Error of_caller) {
    refuse(of_caller.code(), "");
    answer.failure->of_caller = std::move(of_caller);
  }

  bool success() const { return answer.status >= 200 && answer.status <= 299; }
  std::size_t take_header(std::string_view line);
  bool begin_body();
  bool check_part();
  std::size_t take_body(std::string_view bytes);
  void set_method(const HttpContent& to_send);
  std::size_t give_content(std::span<std::byte> buffer);
  HttpFailure failure_of(CURLcode code) const;
  std::string received() const;

  const Url& url;
  const TrustedAuthorities& authorities;
  const ClientCertificate& client_certificate;
  bool with_proxy_login;
  std::chrono::seconds stall_timeout, connect_timeout;
  HttpMethod method;
  std::uint64_t max_bytes, resume_from;
  ByteSink& body;
  const std::function<void(std::uint64_t)>& on_progress;
  const std::function<Result<>(const HttpResponse&)>& on_answer;
  std::unique_ptr<CURL, EasyCleanup> easy;
  std::unique_ptr<curl_slist, ListFree> headers;
  std::array<char, CURL_ERROR_SIZE> words{};
  std::optional<HttpContentReader> content;
  HttpAnswer answer;
  std::size_t header_bytes = 0;
  std::uint64_t unwanted = 0;
  std::optional<std::uint64_t> announced;  ///< length of the whole body
};

std::size_t HttpExchange::State::take_header(std::string_view line) {
  header_bytes += line.size();
  if (header_bytes > max_header_bytes) {
    refuse(ErrorCode::response_too_large,
           "the headers of the answer are longer than " + format_bytes(max_header_bytes));
    return 0;
  }
  if (line.starts_with("HTTP/")) {  // a new answer, after 100 Continue for example
    answer.headers.clear();
    answer.status = 0;
    answer.body_began = false;
    announced.reset();
    const std::size_t space = std::min(line.find(' '), line.size() - 1);
    std::from_chars(line.data() + space + 1, line.data() + line.size(), answer.status);
    return line.size();
  }
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && colon > 0) {
    std::string name(line.substr(0, colon));
    for (char& c : name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    const std::string_view value = trim(line.substr(colon + 1));
    if (name == "content-length") {
      std::uint64_t length = 0;
      if (std::from_chars(value.data(), value.data() + value.size(), length).ec == std::errc())
        announced = length;
    }
    answer.headers.emplace_back(std::move(name), value);
    return line.size();
  }
  // Lines after the body end with an empty one, too.
  if (trim(line).empty() && success() && !answer.body_began && !begin_body()) return 0;
  return line.size();
}

/// The headers are complete. False when the body is not wanted.
bool HttpExchange::State::begin_body() {
  const bool part = answer.status == 206;
  if (part && !check_part()) return false;
  if (method != HttpMethod::head && announced.value_or(0) > max_bytes) {
    refuse(ErrorCode::response_too_large,
           "the answer has " + format_bytes(*announced) + ", allowed are " + format_bytes(max_bytes));
    return false;
  }
  Result<> ready;
  if (!part && resume_from > 0) ready = body.restart();
  answer.body_bytes = part ? resume_from : 0;
  answer.body_began = true;
  if (ready && on_answer) {
    ready = on_answer(HttpResponse{
        .status = answer.status, .url = url, .headers = answer.headers, .body_bytes = announced.value_or(0)});
  }
  if (ready) return true;
  refuse(std::move(ready).error());
  return false;
}

/// A part is taken only when it is exactly the rest.
bool HttpExchange::State::check_part() {
  const HttpResponse response{.url = url, .headers = answer.headers};
  const std::string* header = response.header("content-range");
  const auto range = header != nullptr ? parse_content_range(*header) : std::nullopt;
  const bool rest = range && resume_from > 0 && range->first == resume_from &&
                    (!range->total || range->last + 1 == *range->total) &&
                    (!announced || *announced == range->last - range->first + 1);
  if (rest) {
    announced = range->last + 1;
    return true;
  }
  answer.range_refused = resume_from > 0;
  refuse(ErrorCode::http_status, "the server answered with another part of the file than was asked for");
  return false;
}

std::size_t HttpExchange::State::take_body(std::string_view bytes) {
  if (!success()) {
    unwanted += bytes.size();
    answer.message.append(bytes.substr(0, max_message - std::min(max_message, answer.message.size())));
    return unwanted > max_unwanted ? 0 : bytes.size();
  }
  if (bytes.size() > max_bytes - answer.body_bytes) {
    refuse(ErrorCode::response_too_large, "the answer is longer than " + format_bytes(max_bytes));
    return 0;
  }
  answer.body_bytes += bytes.size();
  if (auto written = body.write(std::as_bytes(std::span(bytes))); !written) {
    refuse(std::move(written).error());
    return 0;
  }
  if (on_progress) on_progress(answer.body_bytes);
  return bytes.size();
}

void HttpExchange::State::set_method(const HttpContent& to_send) {
  if (method == HttpMethod::get) return;
  if (method == HttpMethod::head) return set(CURLOPT_NOBODY, 1L);
  auto reader = HttpContentReader::open(to_send);
  if (!reader) return refuse(std::move(reader).error());
  content = *std::move(reader);
  using Callback = std::size_t (*)(char*, std::size_t, std::size_t, void*);
  const Callback on_read = [](char* buffer, std::size_t, std::size_t size, void* self) {
    return static_cast<State*>(self)->give_content(std::as_writable_bytes(std::span(buffer, size)));
  };
  // curl rewinds where a kept connection turns out to be dead.
  using Seek = int (*)(void*, curl_off_t, int);
  const Seek on_seek = [](void* self, curl_off_t offset, int origin) {
    if (origin != SEEK_SET || offset < 0) return CURL_SEEKFUNC_FAIL;
    static_cast<State*>(self)->content->seek(static_cast<std::uint64_t>(offset));
    return CURL_SEEKFUNC_OK;
  };
  set(CURLOPT_UPLOAD, 1L);
  set(CURLOPT_CUSTOMREQUEST, std::string(name_of(method)).c_str());
  set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(to_send.size()));
  set(CURLOPT_READFUNCTION, on_read);
  set(CURLOPT_READDATA, static_cast<void*>(this));
  set(CURLOPT_SEEKFUNCTION, on_seek);
  set(CURLOPT_SEEKDATA, static_cast<void*>(this));
}

std::size_t HttpExchange::State::give_content(std::span<std::byte> buffer) {
  auto count = content->read(buffer);
  if (count) return *count;
  refuse(std::move(count).error());
  return CURL_READFUNC_ABORT;
}

std::string HttpExchange::State::received() const {
  std::string text = format_bytes(answer.body_bytes);
  if (announced) text += " of " + format_bytes(*announced);
  return text + " had come";
}

HttpFailure HttpExchange::State::failure_of(CURLcode code) const {
  long proxy_status = 0;
  ::curl_easy_getinfo(easy.get(), CURLINFO_HTTP_CONNECTCODE, &proxy_status);
  curl_off_t connected = 0;
  ::curl_easy_getinfo(easy.get(), CURLINFO_PRETRANSFER_TIME_T, &connected);
  return failure_of_transfer(
      {.curl_code = code,
       .reason = printable(words[0] != '\0' ? words.data() : ::curl_easy_strerror(code)),
       .connected = connected > 0,
       .answered = answer.status != 0,
       .received = received(),
       .proxy_status = static_cast<int>(proxy_status),
       .with_proxy_login = with_proxy_login,
       .connect_timeout = connect_timeout,
       .stall_timeout = stall_timeout,
       .authorities = authorities,
       .client_certificate = client_certificate});
}

HttpExchange::HttpExchange(const Setup& setup) : state_(std::make_unique<State>(setup)) {
  State& state = *state_;
  if (!state.easy) return;
  state.set(CURLOPT_PRIVATE, static_cast<void*>(this));
  state.set(CURLOPT_ERRORBUFFER, state.words.data());
  state.set(CURLOPT_NOSIGNAL, 1L);
  state.set(CURLOPT_PROTOCOLS_STR, "http,https");
  state.set(CURLOPT_URL, setup.url.to_string().c_str());
  state.set_method(setup.content);
  state.set(CURLOPT_USERAGENT, setup.options.user_agent.c_str());
  state.set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  state.set(CURLOPT_PIPEWAIT, 1L);
  state.set(CURLOPT_FOLLOWLOCATION, 0L);
  state.set(CURLOPT_CONNECTTIMEOUT, to_long(setup.options.connect_timeout));
  state.set(CURLOPT_LOW_SPEED_LIMIT, least_http_speed);
  state.set(CURLOPT_LOW_SPEED_TIME, to_long(setup.options.stall_timeout));

  // Both always, also empty: left out, curl looks into the environment of the process.
  state.set(CURLOPT_PROXY, setup.proxy ? setup.proxy->address.c_str() : "");
  state.set(CURLOPT_NOPROXY, "");
  state.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (setup.proxy && !setup.proxy->user_info.empty()) {
    const std::string& login = setup.proxy->user_info.reveal();
    const std::size_t colon = std::min(login.find(':'), login.size());
    state.set(CURLOPT_PROXYUSERNAME, login.substr(0, colon).c_str());
    state.set(CURLOPT_PROXYPASSWORD, colon < login.size() ? login.substr(colon + 1).c_str() : "");
  }

  state.set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  state.set(CURLOPT_SSL_VERIFYPEER, setup.check_certificate ? 1L : 0L);
  state.set(CURLOPT_SSL_VERIFYHOST, setup.check_certificate ? 2L : 0L);
  if (setup.authorities.exclusive) {
    for (const CURLoption option :
         {CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO, CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH})
      state.set(option, static_cast<const char*>(nullptr));
  }
  if (const std::string& pem = setup.authorities.pem; !pem.empty()) {
    curl_blob blob{.data = const_cast<char*>(pem.data()), .len = pem.size(), .flags = CURL_BLOB_COPY};
    state.set(CURLOPT_CAINFO_BLOB, &blob);
    state.set(CURLOPT_PROXY_CAINFO_BLOB, &blob);
  }
  if (const std::string& file = setup.authorities.file; !file.empty()) {
    state.set(CURLOPT_CAINFO, file.c_str());
    state.set(CURLOPT_PROXY_CAINFO, file.c_str());
  }
  if (const std::string& folder = setup.authorities.folder; !folder.empty()) {
    state.set(CURLOPT_CAPATH, folder.c_str());
    state.set(CURLOPT_PROXY_CAPATH, folder.c_str());
  }

  if (const ClientCertificate& own = setup.client_certificate; !own.certificate_file.empty()) {
    state.set(CURLOPT_SSLCERT, own.certificate_file.c_str());
    state.set(CURLOPT_SSLKEY, (own.key_file.empty() ? own.certificate_file : own.key_file).c_str());
    state.set(CURLOPT_KEYPASSWD, "");  // left out, OpenSSL would ask on the terminal
  }

  for (const std::string& line : setup.header_lines) {
    curl_slist* longer = ::curl_slist_append(state.headers.get(), line.c_str());
    if (longer == nullptr) {
      state.refuse(ErrorCode::internal, "no memory for the headers");
      break;
    }
    static_cast<void>(state.headers.release());
    state.headers.reset(longer);
  }
  state.set(CURLOPT_HTTPHEADER, state.headers.get());

  using Callback = std::size_t (*)(char*, std::size_t, std::size_t, void*);
  const Callback on_header = [](char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<State*>(self)->take_header({data, size});
  };
  const Callback on_body = [](char* data, std::size_t, std::size_t size, void* self) {
    return static_cast<State*>(self)->take_body({data, size});
  };
  state.set(CURLOPT_HEADERFUNCTION, on_header);
  state.set(CURLOPT_HEADERDATA, static_cast<void*>(state_.get()));
  state.set(CURLOPT_WRITEFUNCTION, on_body);
  state.set(CURLOPT_WRITEDATA, static_cast<void*>(state_.get()));
  // A request with an option missing, a certificate check for example, must not go out.
  if (state.answer.failure) state.easy.reset();
}

HttpExchange::~HttpExchange() = default;

void* HttpExchange::handle() const {
  return state_->easy.get();
}

HttpFailure HttpExchange::refusal() const {
  return state_->answer.failure.value_or(
      HttpFailure{.code = ErrorCode::internal, .what = "curl takes no further request"});
}

HttpAnswer HttpExchange::finish(int curl_code) {
  const auto code = static_cast<CURLcode>(curl_code);
  long sent = 0;
  ::curl_easy_getinfo(state_->easy.get(), CURLINFO_REQUEST_SIZE, &sent);
  state_->answer.was_sent = sent > 0;
  const bool enough = code == CURLE_WRITE_ERROR && state_->unwanted > max_unwanted;
  if (!state_->answer.failure && code != CURLE_OK && !enough)
    state_->answer.failure = state_->failure_of(code);
  // curl takes the end of the connection for the end of the headers.
  if (!state_->answer.failure && state_->success() && !state_->answer.body_began)
    state_->answer.failure =
        HttpFailure{ErrorCode::transfer_truncated, "the connection ended within the headers", true};
  return std::move(state_->answer);
}

}  // namespace curupira
