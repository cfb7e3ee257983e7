#include "manifest/settings.h"

#include <algorithm>

namespace curupira::manifest {
namespace {

template <class T>
const T* find_by(const std::vector<T>& all, std::string T::*member, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.*member == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const Repository* Settings::find_repository(std::string_view alias) const {
  return find_by(repositories, &Repository::alias, alias);
}

const Plugin* Settings::find_plugin(std::string_view alias) const {
  return find_by(plugins, &Plugin::alias, alias);
}

const AgentProfile* Settings::find_profile(std::string_view name) const {
  return find_by(profiles, &AgentProfile::name, name);
}

std::string Automation::plugin_alias() const {
  const std::size_t slash = trigger_type.find('/');
  return slash == std::string::npos ? std::string() : trigger_type.substr(0, slash);
}

std::string Automation::local_trigger() const {
  const std::size_t slash = trigger_type.find('/');
  return slash == std::string::npos ? trigger_type : trigger_type.substr(slash + 1);
}

}  // namespace curupira::manifest
