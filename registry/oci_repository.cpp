#include "registry/oci_repository.h"

#include <algorithm>

#include "base/loopback.h"
#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {
namespace {

constexpr std::string_view scheme = "oci://";

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// OCI distribution specification 1.1: runs of letters and digits, between them ".", "_", "__" or dashes.
bool is_path_component(std::string_view text) {
  if (text.empty() || !is_alphanumeric(text.front()) || !is_alphanumeric(text.back())) return false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && !is_alphanumeric(text[i]))
      ++i;
    const std::string_view separator = text.substr(begin, i - begin);
    const bool dashes = separator.find_first_not_of('-') == std::string_view::npos;
    if (!dashes && separator != "." && separator != "_" && separator != "__") return false;
    while (i < text.size() && is_alphanumeric(text[i]))
      ++i;
  }
  return true;
}

bool is_path(std::string_view text) {
  if (text.size() > Limits::max_oci_path_bytes) return false;
  while (true) {
    const std::size_t slash = text.find('/');
    if (!is_path_component(text.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
}

}  // namespace

Result<OciRepository> OciRepository::parse(std::string_view address) {
  const auto wrong = [&](const std::string& reason) {
    return fail(ErrorCode::carrier_address, "\"" + excerpt(address) + "\": " + reason);
  };
  if (!address.starts_with(scheme)) return wrong("an OCI repository is written oci://HOST/PATH");
  const std::string_view rest = address.substr(scheme.size());
  const std::size_t slash = rest.find('/');
  // What stands before an @ may be a password: it is not repeated.
  if (rest.substr(0, slash).find('@') != std::string_view::npos)
    return fail(Error(ErrorCode::carrier_address, "the address of an OCI registry holds no login")
                    .with_help("`docker login` or `oras login` keeps it where it is found"));
  const auto parsed = Url::parse("https://" + std::string(rest.substr(0, slash)) + "/");
  if (!parsed) return wrong("its host cannot be used");
  const std::string path(slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1));
  if (!is_path(path))
    return wrong(
        "after the host comes the path of a repository: lower case letters, digits, '.', '_', '-', '/'");
  if (!is_loopback_host(parsed->host())) return OciRepository{.origin = *parsed, .path = path};
  CURUPIRA_TRY(Url plain, Url::parse("http://" + std::string(rest.substr(0, slash)) + "/"));
  return OciRepository{.origin = std::move(plain), .path = path};
}

std::string OciRepository::authority() const {
  const std::string text = origin.origin();
  return text.substr(text.find("//") + 2);
}

std::string OciRepository::to_string() const {
  return std::string(scheme) + authority() + "/" + path;
}

}  // namespace curupira::registry
