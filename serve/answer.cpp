#include "serve/answer.h"

#include <array>
#include <cstdio>

#include "base/digest.h"
#include "serve/byte_range.h"
#include "serve/served_path.h"

namespace curupira::serve {
namespace {

using std::chrono::sys_seconds;

constexpr std::string_view simple_json = "application/vnd.pypi.simple.v1+json";
constexpr std::string_view html = "text/html; charset=utf-8";
/// Nothing but the page is shown as one with scripts, whatever a publisher put into the folder.
constexpr std::string_view no_scripts =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

std::string_view reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 206:
      return "Partial Content";
    case 301:
      return "Moved Permanently";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 416:
      return "Range Not Satisfiable";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
  }
  return "";
}

/// The head of an answer, field by field.
class Head {
 public:
  Head(int status, sys_seconds now) : status_(status) {
    text_ = "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason(status));
    add("Date", http_date(now));
    add("Server", "curupira");
    add("X-Content-Type-Options", "nosniff");
  }

  Head& add(std::string_view name, std::string_view value) {
    text_.append("\r\n").append(name).append(": ").append(value);
    return *this;
  }

  Answer finish(bool keep_alive) {
    add("Connection", keep_alive ? "keep-alive" : "close");
    return {.status = status_, .head = std::move(text_) + "\r\n\r\n", .keep_alive = keep_alive};
  }

 private:
  int status_;
  std::string text_;
};

Answer with_text(Head head, const Request& request, std::string text) {
  head.add("Content-Length", std::to_string(text.size()));
  Answer answer = head.finish(request.keep_alive);
  answer.length = request.head ? 0 : text.size();
  answer.text = std::move(text);
  return answer;
}

Answer plain(int status, const Request& request, sys_seconds now) {
  Head head(status, now);
  // What is missing may be published the next moment.
  head.add("Cache-Control", "no-store").add("Content-Type", "text/plain; charset=utf-8");
  if (status == 405) head.add("Allow", "GET, HEAD");
  if (status == 503) head.add("Retry-After", "1");
  return with_text(std::move(head), request,
                   std::to_string(status) + " " + std::string(reason(status)) + "\n");
}

/// Whether the client would rather have the JSON of an index of Python packages (PEP 691).
bool wants_simple_json(const Request& request) {
  return request.accept && request.accept->find(simple_json) != std::string::npos;
}

}  // namespace

std::string http_date(sys_seconds time) {
  constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT",
                days[std::chrono::weekday(day).c_encoding()], static_cast<unsigned>(date.day()),
                months[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

Answers::Answers(ServedFolder folder, Page page)
    : folder_(std::move(folder)),
      page_(std::move(page)),
      page_tag_('"' + digest_of(DigestAlgorithm::sha256, page_.html).hex().substr(0, 32) + '"') {}

Answer Answers::refusal(int status, sys_seconds now) const {
  return plain(status, {.keep_alive = false}, now);
}

Answer Answers::to(const Request& request, sys_seconds now) const {
  const auto path = served_path(request.target);
  if (!path) return plain(404, request, now);
  if (path->path.empty() || path->path == "index.html") return page(request, now);
  auto found = folder_.find(path->path);
  switch (found.kind) {
    case ServedFolder::Kind::busy:
      return refusal(503, now);
    case ServedFolder::Kind::folder:
      return folder(request, path->path, path->folder, now);
    case ServedFolder::Kind::file:
      if (!path->folder)
        return file(request, path->path, content_type(path->path), std::move(found.file), now);
      break;
    case ServedFolder::Kind::missing:
      break;
  }
  return plain(404, request, now);
}

Answer Answers::page(const Request& request, sys_seconds now) const {
  const bool known = request.if_none_match && matches_tag(*request.if_none_match, page_tag_);
  Head head(known ? 304 : 200, now);
  head.add("ETag", page_tag_).add("Cache-Control", "no-cache");
  head.add("Content-Security-Policy", page_.policy + "; frame-ancestors 'none'");
  head.add("Referrer-Policy", "no-referrer");
  if (known) return head.finish(request.keep_alive);
  head.add("Content-Type", html);
  return with_text(std::move(head), request, page_.html);
}

Answer Answers::folder(const Request& request, const std::string& path, bool with_slash,
                       sys_seconds now) const {
  const bool is_index = path == "simple" || path.starts_with("simple/");
  std::string file_path = path + (is_index && !wants_simple_json(request) ? "/index.html" : "/index.json");
  auto found = folder_.find(file_path);
  if (found.kind == ServedFolder::Kind::busy) return refusal(503, now);
  if (found.kind != ServedFolder::Kind::file) return plain(404, request, now);
  // Links in an index count from its folder. npm asks for a package by its name, and follows no links.
  if (is_index && !with_slash) {
    Head head(301, now);
    head.add("Location", url_path({.path = path, .folder = true})).add("Cache-Control", "no-cache");
    return with_text(std::move(head), request, {});
  }
  const auto type = is_index && file_path.ends_with(".json") ? simple_json : content_type(file_path);
  return file(request, file_path, type, std::move(found.file), now);
}

Answer Answers::file(const Request& request, const std::string& path, std::string_view type, ServedFile file,
                     sys_seconds now) const {
  const bool known = request.if_none_match && matches_tag(*request.if_none_match, file.tag);
  const bool same = !request.if_range || *request.if_range == file.tag;
  const RangeAnswer range =
      request.range && same && !known ? parse_range(*request.range, file.size) : RangeAnswer{};
  const bool part = range.kind == RangeAnswer::Kind::part;
  const bool beyond = range.kind == RangeAnswer::Kind::unsatisfiable;
  Head head(known ? 304 : beyond ? 416 : part ? 206 : 200, now);
  head.add("ETag", file.tag);
  head.add("Cache-Control", is_immutable(path) ? "public, max-age=31536000, immutable" : "no-cache");
  if (path.starts_with("simple/")) head.add("Vary", "Accept");
  if (known) return head.finish(request.keep_alive);
  const std::string size = std::to_string(file.size);
  if (beyond) return with_text(std::move(head.add("Content-Range", "bytes */" + size)), request, {});
  const std::uint64_t length = part ? range.range.length : file.size;
  if (part)
    head.add("Content-Range", "bytes " + std::to_string(range.range.first) + "-" +
                                  std::to_string(range.range.first + length - 1) + "/" + size);
  head.add("Content-Type", type)
      .add("Content-Security-Policy", no_scripts)
      .add("Accept-Ranges", "bytes")
      .add("Content-Length", std::to_string(length));
  Answer answer = head.finish(request.keep_alive);
  answer.offset = range.range.first;
  answer.length = request.head ? 0 : length;
  answer.file = std::move(file.file);
  return answer;
}

}  // namespace curupira::serve
