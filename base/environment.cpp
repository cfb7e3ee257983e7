#include "base/environment.h"

namespace curupira {

Environment Environment::from(const char* const* entries) {
  Environment environment;
  for (; entries != nullptr && *entries != nullptr; ++entries) {
    const std::string_view entry = *entries;
    const std::size_t equals = entry.find('=');
    // A name is not empty; entries without '=' can exist but nobody can ask for them.
    if (equals == std::string_view::npos || equals == 0) continue;
    // Of several entries of one name the first counts, as getenv has it.
    environment.variables_.try_emplace(std::string(entry.substr(0, equals)), entry.substr(equals + 1));
  }
  return environment;
}

std::optional<std::string> Environment::get(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::string Environment::get_or(std::string_view name, std::string_view fallback) const {
  const auto found = variables_.find(name);
  return found == variables_.end() || found->second.empty() ? std::string(fallback) : found->second;
}

void Environment::unset(std::string_view name) {
  if (const auto found = variables_.find(name); found != variables_.end()) variables_.erase(found);
}

Environment Environment::only(const std::vector<std::string>& names) const {
  Environment chosen;
  for (const std::string& name : names) {
    if (auto value = get(name)) chosen.set(name, *std::move(value));
  }
  return chosen;
}

std::vector<std::string> Environment::entries() const {
  std::vector<std::string> entries;
  entries.reserve(variables_.size());
  for (const auto& [name, value] : variables_)
    entries.push_back(name + "=" + value);
  return entries;
}

}  // namespace curupira
