#include "registry/oci_client.h"

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {
namespace {

/// The registry may have taken a part of an upload that broke off: it is begun anew so many times.
constexpr int upload_attempts = 2;
constexpr std::uint64_t max_answer_bytes = 1u << 20;

bool is_broken_connection(const Error& error) {
  return error.code() == ErrorCode::transfer_truncated || error.code() == ErrorCode::network_unreachable;
}

/// "sha256:…" of an answer's header, when it has one that we can read.
std::optional<Digest> announced_digest(const HttpResponse& response) {
  const std::string* const header = response.header("docker-content-digest");
  if (header == nullptr) return std::nullopt;
  const auto digest = parse_oci_digest(*header);
  if (!digest) return std::nullopt;
  return *digest;
}

Result<Url> with_digest(const Url& upload, const Digest& digest) {
  return upload.resolve("?" + upload.query() + (upload.query().empty() ? "" : "&") +
                        "digest=" + percent_encode(oci_digest(digest)));
}

/// Reading and writing want different permissions.
std::string actions_of(HttpMethod method) {
  return method == HttpMethod::get || method == HttpMethod::head ? "pull" : "pull,push";
}

}  // namespace

OciClient::OciClient(const SourceTools& tools, Diagnostics& diagnostics, OciRepository repository,
                     std::uint64_t chunk_bytes)
    : http_(*tools.http),
      repository_(std::move(repository)),
      authorization_(tools, diagnostics, repository_),
      chunk_bytes_(chunk_bytes) {}

tl::unexpected<Error> OciClient::unreadable(const std::string& what) const {
  return fail(ErrorCode::carrier_unreadable, repository_.to_string() + ": " + what);
}

Result<Url> OciClient::url(const std::string& path) const {
  return repository_.origin.resolve("/v2/" + repository_.path + "/" + path);
}

Result<HttpResponse> OciClient::ask(HttpRequest request, ByteSink& body) {
  request.credentials = &authorization_;
  request.with_netrc = false;
  HttpRequest first = request;
  first.accepted.push_back(401);
  auto answer = http_.get(std::move(first), body);
  if (!answer && answer.error().code() == ErrorCode::credentials_refused)
    return fail(authorization_.refused(answer.error()));
  if (!answer || answer->status != 401) return answer;
  if (!answer->url.same_origin(repository_.origin))
    return unreadable("it leads to " + answer->url.origin() + ", which wants a login of its own");
  CURUPIRA_CHECK(authorization_.answer(*answer, actions_of(request.method)));
  answer = http_.get(std::move(request), body);
  if (!answer && answer.error().code() == ErrorCode::credentials_refused)
    return fail(authorization_.refused(answer.error()));
  return answer;
}

Result<HttpResponse> OciClient::ask(HttpRequest request) {
  request.max_bytes = max_answer_bytes;
  StringSink dropped(max_answer_bytes);
  return ask(std::move(request), dropped);
}

Result<std::optional<OciClient::Fetched>> OciClient::manifest(const std::string& reference) {
  CURUPIRA_TRY(Url address, url("manifests/" + reference));
  StringSink text(Limits::max_oci_carrier_manifest_bytes);
  CURUPIRA_TRY(const HttpResponse answer, ask({.url = std::move(address),
                                               .headers = {{"Accept", std::string(oci_manifest_media_type)}},
                                               .max_bytes = Limits::max_oci_carrier_manifest_bytes,
                                               .accepted = {404}},
                                              text));
  if (answer.status == 404) return std::nullopt;
  const Digest digest = digest_of(DigestAlgorithm::sha256, text.text());
  if (const auto announced = announced_digest(answer); announced && *announced != digest)
    return unreadable("the manifest " + printable(reference) + " is " + oci_digest(digest) +
                      ", but is announced as " + oci_digest(*announced));
  if (reference.starts_with("sha256:") && reference != oci_digest(digest))
    return unreadable("the manifest " + reference + " is in truth " + oci_digest(digest));
  auto manifest = parse_oci_manifest(text.text());
  if (!manifest)
    return unreadable("the manifest " + printable(reference) +
                      " cannot be read: " + manifest.error().detail());
  return Fetched{.descriptor = {.media_type = std::string(oci_manifest_media_type),
                                .digest = digest,
                                .size = text.text().size()},
                 .manifest = *std::move(manifest)};
}

Result<bool> OciClient::has(const std::string& path, std::string_view accept) {
  CURUPIRA_TRY(Url address, url(path));
  HttpRequest request{.url = std::move(address), .method = HttpMethod::head, .accepted = {404}};
  if (!accept.empty()) request.headers.emplace_back("Accept", std::string(accept));
  CURUPIRA_TRY(const HttpResponse answer, ask(std::move(request)));
  return answer.status != 404;
}

Result<bool> OciClient::has_manifest(const std::string& reference) {
  return has("manifests/" + reference, oci_manifest_media_type);
}

Result<bool> OciClient::has_blob(const Digest& digest) {
  return has("blobs/" + oci_digest(digest), "");
}

Result<OciDescriptor> OciClient::put_manifest(const std::string& tag, const OciManifest& manifest) {
  const std::string text = write_oci_manifest(manifest);
  CURUPIRA_TRY(Url address, url("manifests/" + tag));
  CURUPIRA_TRY(const HttpResponse answer,
               ask({.url = std::move(address),
                    .headers = {{"Content-Type", std::string(oci_manifest_media_type)}},
                    .method = HttpMethod::put,
                    .content = {.bytes = text}}));
  const Digest digest = digest_of(DigestAlgorithm::sha256, text);
  if (const auto announced = announced_digest(answer); announced && *announced != digest)
    return unreadable("it took the manifest " + tag + " for another one: " + oci_digest(*announced));
  return OciDescriptor{
      .media_type = std::string(oci_manifest_media_type), .digest = digest, .size = text.size()};
}

Result<bool> OciClient::blob(const Digest& digest, std::uint64_t max_bytes, ByteSink& sink) {
  CURUPIRA_TRY(Url address, url("blobs/" + oci_digest(digest)));
  CURUPIRA_TRY(const HttpResponse answer,
               ask({.url = std::move(address), .max_bytes = max_bytes, .accepted = {404}}, sink));
  return answer.status != 404;
}

Result<Url> OciClient::upload_url(const HttpResponse& answer) const {
  const std::string* const location = answer.header("location");
  if (location == nullptr) return unreadable("it does not say where an upload goes");
  const auto next = answer.url.resolve(*location);
  if (!next) return unreadable("it sends an upload to what is no URL");
  if (!next->same_origin(repository_.origin))
    return unreadable("it sends an upload to another server, " + next->origin());
  return next->without_fragment();
}

Result<Url> OciClient::begin_upload() {
  CURUPIRA_TRY(Url address, url("blobs/uploads/"));
  CURUPIRA_TRY(const HttpResponse answer, ask({.url = std::move(address), .method = HttpMethod::post}));
  return upload_url(answer);
}

Result<> OciClient::upload(const Digest& digest, const HttpContent& content) {
  const std::vector<std::pair<std::string, std::string>> bytes{{"Content-Type", "application/octet-stream"}};
  CURUPIRA_TRY(Url place, begin_upload());
  const std::uint64_t size = content.size();
  if (size <= chunk_bytes_ || content.file.empty()) {
    CURUPIRA_TRY(Url last, with_digest(place, digest));
    CURUPIRA_CHECK(
        ask({.url = std::move(last), .headers = bytes, .method = HttpMethod::put, .content = content}));
    return {};
  }
  for (std::uint64_t sent = 0; sent < size;) {
    HttpContent chunk = content;
    chunk.offset += sent;
    chunk.file_bytes = std::min(chunk_bytes_, size - sent);
    const std::uint64_t end = sent + chunk.file_bytes;
    HttpRequest request{.url = place, .headers = bytes, .method = HttpMethod::patch, .content = chunk};
    request.headers.emplace_back("Content-Range", std::to_string(sent) + "-" + std::to_string(end - 1));
    CURUPIRA_TRY(const HttpResponse answer, ask(std::move(request)));
    CURUPIRA_TRY(place, upload_url(answer));
    sent = end;
  }
  CURUPIRA_TRY(Url last, with_digest(place, digest));
  CURUPIRA_CHECK(ask({.url = std::move(last), .headers = bytes, .method = HttpMethod::put}));
  return {};
}

Result<> OciClient::put_blob(const Digest& digest, const HttpContent& content) {
  CURUPIRA_TRY(const bool there, has_blob(digest));
  if (there) return {};
  Result<> uploaded;
  for (int attempt = 0; attempt < upload_attempts; ++attempt) {
    uploaded = upload(digest, content);
    if (uploaded || !is_broken_connection(uploaded.error())) break;
  }
  return uploaded;
}

Result<std::optional<std::vector<OciReferrer>>> OciClient::referrers(const Digest& subject) {
  std::vector<OciReferrer> all;
  CURUPIRA_TRY(Url page, url("referrers/" + oci_digest(subject)));
  for (int count = 0; count < Limits::max_oci_index_pages; ++count) {
    StringSink text(Limits::max_oci_index_bytes);
    // Registries without the API answer in several ways, some with 405.
    CURUPIRA_TRY(const HttpResponse answer, ask({.url = page,
                                                 .headers = {{"Accept", std::string(oci_index_media_type)}},
                                                 .max_bytes = Limits::max_oci_index_bytes,
                                                 .accepted = {404, 405}},
                                                text));
    if (answer.status == 404 || answer.status == 405) return std::nullopt;
    CURUPIRA_TRY(auto some, parse_oci_referrers(text.text()));
    std::ranges::move(some, std::back_inserter(all));
    const std::string* const link = answer.header("link");
    const std::string next = link != nullptr ? next_page(*link) : std::string();
    if (next.empty()) break;
    CURUPIRA_TRY(page, page.resolve(next));
    if (!page.same_origin(repository_.origin)) return unreadable("its list goes on at another server");
  }
  return all;
}

}  // namespace curupira::registry
