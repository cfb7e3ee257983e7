#include "registry/keyring.h"

#include "base/process_runner.h"
#include "registry/limits.h"

namespace curupira::registry {

std::optional<Secret> ask_keyring(const SourceTools& tools, const Url& index, const std::string& user) {
  const auto keyring = find_program(tools.environment, "keyring");
  // A name that looks like an option must not become one.
  if (!keyring || user.empty() || user.front() == '-') return std::nullopt;
  const std::string origin = index.origin();
  for (const std::string& service : {index.to_string(), origin.substr(origin.find("//") + 2)}) {
    const auto output = tools.processes.run({.argv = {keyring->string(), "get", service, user},
                                             .environment = tools.environment,
                                             .cwd = {},
                                             .time_limit = Limits::keyring_time_limit,
                                             .max_output = Limits::max_keyring_bytes});
    if (!output || !output->status.success()) continue;
    std::string password = output->standard_output;
    while (!password.empty() && (password.back() == '\n' || password.back() == '\r'))
      password.pop_back();
    if (!password.empty()) return Secret(std::move(password));
  }
  return std::nullopt;
}

}  // namespace curupira::registry
