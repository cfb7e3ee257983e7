#include "manifest/settings.h"

namespace curupira::manifest {
namespace {

constexpr std::string_view scheme_end = "://";
constexpr std::string_view git_suffix = ".git";

/// Where the text of the remote begins that may be shown: behind user name and password of a URL, and behind
/// the host of "git@host:owner/name".
std::string_view without_host_prefix(std::string_view remote) {
  if (const std::size_t scheme = remote.find(scheme_end); scheme != std::string_view::npos) {
    remote.remove_prefix(scheme + scheme_end.size());
    const std::size_t at = remote.substr(0, remote.find('/')).rfind('@');
    return at == std::string_view::npos ? remote : remote.substr(at + 1);
  }
  const std::size_t colon = remote.substr(0, remote.find('/')).find(':');
  return colon == std::string_view::npos ? remote : remote.substr(colon + 1);
}

}  // namespace

std::string forge_identity(std::string_view remote) {
  remote = without_host_prefix(remote);
  while (remote.ends_with('/'))
    remote.remove_suffix(1);
  while (remote.ends_with(git_suffix))
    remote.remove_suffix(git_suffix.size());
  const std::size_t last = remote.rfind('/');
  if (last == std::string_view::npos) return std::string(remote);
  std::string_view owner = remote.substr(0, last);
  while (owner.ends_with('/'))
    owner.remove_suffix(1);
  owner = owner.substr(owner.rfind('/') + 1);  // npos + 1 == 0: the whole of it
  const std::string name(remote.substr(last + 1));
  return owner.empty() ? name : std::string(owner) + "/" + name;
}

}  // namespace curupira::manifest
