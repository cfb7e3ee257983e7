#include "registry/http_carrier.h"

#include <algorithm>

#include "base/loopback.h"
#include "base/netrc.h"
#include "base/printable.h"
#include "registry/carried_target.h"
#include "registry/copied_packages.h"
#include "registry/keyring.h"
#include "registry/npm_credentials.h"

namespace curupira::registry {
namespace {

/// Servers of files that may not be listed answer so for what is not there; the chain of roots ends with one.
constexpr int forbidden = 403;

}  // namespace

Result<std::unique_ptr<HttpCarrier>> HttpCarrier::open(const SourceTools& tools, Url base) {
  const std::string shown = printable(base.to_string());
  if (tools.http == nullptr) return fail(ErrorCode::offline_missing, "what is at " + shown);
  if (base.scheme() != "https" && !(base.scheme() == "http" && is_loopback_host(base.host())))
    return fail(ErrorCode::carrier_address, shown + " is not encrypted");
  if (!base.query().empty() || !base.fragment().empty())
    return fail(ErrorCode::carrier_address, shown + ": a registry's address has no query and no fragment");
  if (!base.path().ends_with('/')) {
    CURUPIRA_TRY(base, base.resolve(base.path() + "/"));
  }
  return std::unique_ptr<HttpCarrier>(new HttpCarrier(tools, std::move(base)));
}

std::string HttpCarrier::name() const {
  return printable(base_.to_string());
}

std::optional<Secret> HttpCarrier::Login::authorization_for(const Url& url) const {
  const std::string& login = base_.user_info().reveal();
  if (login.empty() || login.find(':') != std::string::npos || !url.same_origin(base_)) return std::nullopt;
  if (!found_) {
    CollectedDiagnostics unheard;  // the HTTP client warns about the same file
    auto stored = Netrc::load(tools_.environment, tools_.files, unheard).user_info_for(base_, login, true);
    if (!stored) {
      if (const auto password = ask_keyring(tools_, base_, login))
        stored = Secret(login + ":" + password->reveal());
    }
    found_ = stored ? std::optional(basic_authorization(*stored)) : std::nullopt;
  }
  return *found_;
}

Result<std::optional<std::string>> HttpCarrier::metadata(const std::string& file_name,
                                                         std::uint64_t max_bytes) {
  CURUPIRA_CHECK(check_metadata_name(file_name));
  CURUPIRA_TRY(Url url, base_.resolve("./metadata/" + percent_encode(file_name)));
  HttpRequest request{.url = std::move(url), .credentials = &login_, .max_bytes = max_bytes};
  if (file_name.ends_with(".root.json")) request.accepted = {forbidden};
  StringSink text(max_bytes);
  const auto answer = http_.get(std::move(request), text);
  if (answer && answer->status != forbidden) return text.take();
  if (answer || answer.error().code() == ErrorCode::http_not_found) return std::nullopt;
  return fail(answer.error());
}

Result<> HttpCarrier::target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                             ByteSink& sink) {
  CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
  CURUPIRA_TRY(Url url, base_.resolve("./targets/" + target.url_path()));
  const std::string carrier = name();
  TargetCheck check(target, carrier, max_bytes, sink);
  const auto answer =
      http_.get({.url = std::move(url), .credentials = &login_, .max_bytes = max_bytes}, check);
  if (answer) return check.finish();
  if (answer.error().code() == ErrorCode::http_not_found) return fail(missing_target(*this, path));
  return fail(answer.error());
}

}  // namespace curupira::registry
