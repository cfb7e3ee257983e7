#include "runtime/extension_pool.h"

#include "base/printable.h"

namespace curupira::runtime {
namespace {

/// What makes two processes the same: lists behind their lengths, so that no two keys run into one.
std::vector<std::string> key_of(const launcher::LaunchCommand& command, const Environment& environment) {
  std::vector<std::string> key{std::to_string(command.argv.size())};
  key.insert(key.end(), command.argv.begin(), command.argv.end());
  key.push_back(command.cwd ? command.cwd->string() : std::string());
  const auto variables = environment.entries();
  key.insert(key.end(), variables.begin(), variables.end());
  return key;
}

Error failed_before(ErrorCode code, const ExtensionIdentity& identity) {
  return Error(code, printable(identity.name) + " " + printable(identity.version) +
                         " failed earlier in this command and is not started again")
      .with_help("the error above says why it failed");
}

}  // namespace

// One after the other: a child must not outlive the thread that started it, so no threads are made for this.
ExtensionPool::~ExtensionPool() {
  for (auto& [key, entry] : entries_) {
    if (entry.session) entry.session->shut_down();
  }
}

Result<ExtensionSession*> ExtensionPool::session(const PluginTarget& target,
                                                 const ExtensionEnvironment& environment) {
  const auto [found, is_new] = entries_.try_emplace(key_of(target.command, environment.variables));
  Entry& entry = found->second;
  if (is_new) {
    auto started = start(target, environment);
    if (!started) {
      entry.failure = started.error().code();
      return fail(std::move(started).error());
    }
    entry.session = *std::move(started);
  }
  if (!entry.session) return fail(failed_before(entry.failure, target.identity));
  if (!entry.session->alive()) return fail(failed_before(ErrorCode::extension_transport, target.identity));
  return entry.session.get();
}

Result<std::unique_ptr<ExtensionSession>> ExtensionPool::start(const PluginTarget& target,
                                                               const ExtensionEnvironment& environment) {
  if (target.receipt != nullptr && !markers_.contains(target.receipt->name)) {
    CURUPIRA_TRY(auto marker, manifest::RunningMarker::create(home_, *target.receipt));
    markers_.emplace(target.receipt->name, std::move(marker));
  }
  CURUPIRA_TRY(auto session, ExtensionSession::start(target.command, environment.variables, target.identity,
                                                     limits_, environment.withheld));
  return std::make_unique<ExtensionSession>(std::move(session));
}

}  // namespace curupira::runtime
