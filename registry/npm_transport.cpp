#include "registry/npm_transport.h"

#include <algorithm>
#include <array>
#include <memory>

namespace curupira::registry {

namespace {

constexpr std::array<std::string_view, 8> keys = {"cafile", "ca",          "ca[]",    "strict-ssl",
                                                  "proxy",  "https-proxy", "noproxy", "no-proxy"};

std::string with_slash(std::string path) {
  if (!path.ends_with('/')) path += '/';
  return path;
}

/// npm writes "null" for what is not set, and takes "false" for no proxy of its own.
bool means_nothing(std::string_view value) {
  return value.empty() || value == "null" || value == "false" || value == "undefined";
}

}  // namespace

bool NpmTransport::is_setting(std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

bool NpmTransport::set(const std::string& key, const std::string& value, const std::string& origin) {
  const auto keep = [&](std::optional<Setting>& setting) {
    if (!setting) setting = Setting{value, origin};
    return true;
  };
  if (key == "strict-ssl") return (value == "true" || value == "false") && keep(strict_);
  if (key == "noproxy" || key == "no-proxy") return keep(noproxy_);
  if (key == "https-proxy") return keep(https_proxy_);
  if (key == "proxy") return keep(proxy_);
  if (key == "cafile") return keep(cafile_);
  if (!means_nothing(value) && value.find("-----BEGIN CERTIFICATE-----") == std::string::npos) return false;
  return keep(ca_);
}

bool NpmTransport::set_certificate(std::string_view place, std::string_view member, const std::string& file,
                                   const std::string& origin) {
  const auto url = Url::parse("https:" + with_slash(std::string(place)));
  if (!url) return false;
  auto entry = std::ranges::find_if(certificates_, [&](const Certificate& each) {
    return each.origin == url->origin() && each.path == with_slash(url->path());
  });
  if (entry == certificates_.end()) {
    certificates_.push_back({url->origin(), with_slash(url->path()), {.origin = origin}});
    entry = certificates_.end() - 1;
  }
  std::string& member_file = member == "certfile" ? entry->files.certificate_file : entry->files.key_file;
  if (member_file.empty()) member_file = file;
  return true;
}

void NpmTransport::complete(const Environment& environment) {
  // As npm does: https-proxy, where it is set, counts for http as well.
  const bool own = https_proxy_ && !means_nothing(https_proxy_->value);
  const auto& proxy = own ? https_proxy_ : proxy_;
  const bool has_proxy = proxy && !means_nothing(proxy->value);
  if (has_proxy || noproxy_) {
    Environment variables = environment;
    if (has_proxy) {
      for (const char* name : {"http_proxy", "https_proxy"})
        variables.set(name, proxy->value);
    }
    if (noproxy_) variables.set("no_proxy", noproxy_->value);
    common_.proxies = std::make_shared<const ProxyRules>(variables);
  }
  const bool has_file = cafile_ && !means_nothing(cafile_->value);
  const bool has_pem = ca_ && !means_nothing(ca_->value);
  if (has_file || has_pem) {
    // npm lets cafile win where both are there.
    common_.authorities =
        TrustedAuthorities{.file = has_file ? cafile_->value : "",
                           .pem = has_file ? "" : ca_->value,
                           .origin = has_file ? "cafile in " + cafile_->origin : "ca in " + ca_->origin,
                           .exclusive = true};
  }
  if (strict_ && strict_->value == "false") unchecked_by_ = strict_->origin;
}

TransportOptions NpmTransport::options_for(const Url& url) const {
  TransportOptions options = common_;
  options.check_certificate = !unchecked_by_ || !registries_.contains(url.origin());
  const Certificate* best = nullptr;
  for (const Certificate& each : certificates_) {
    if (each.origin == url.origin() && with_slash(url.path()).starts_with(each.path) &&
        !each.files.certificate_file.empty() && (best == nullptr || each.path.size() > best->path.size()))
      best = &each;
  }
  if (best != nullptr) options.client_certificate = best->files;
  return options;
}

}  // namespace curupira::registry
