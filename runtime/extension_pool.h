#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/home_layout.h"
#include "base/result.h"
#include "manifest/running_marker.h"
#include "runtime/clean_environment.h"
#include "runtime/extension_session.h"
#include "runtime/plugin_lookup.h"

namespace curupira::runtime {

/// The extension processes of one command: one for each command line and environment, shared by all
/// automations and aliases, for the life of the command. What failed is not started again
/// (NousResearch/hermes-agent#101025, docker/mcp-gateway#318). While the pool lives, each extension is marked
/// as running, so that nobody removes it.
class ExtensionPool {
 public:
  ExtensionPool(const HomeLayout& home, const SessionLimits& limits) : home_(home), limits_(limits) {}
  ExtensionPool(const ExtensionPool&) = delete;
  ExtensionPool& operator=(const ExtensionPool&) = delete;
  ~ExtensionPool();  ///< shuts all down

  /// The session that lives as long as the pool. Errors: those of ExtensionSession::start at the first call;
  /// later ones have the code of the first and say that it failed before.
  Result<ExtensionSession*> session(const PluginTarget& target, const ExtensionEnvironment& environment);

 private:
  struct Entry {
    std::unique_ptr<ExtensionSession> session;  ///< null when it did not start
    ErrorCode failure{};
  };
  Result<std::unique_ptr<ExtensionSession>> start(const PluginTarget& target,
                                                  const ExtensionEnvironment& environment);

  const HomeLayout& home_;
  SessionLimits limits_;
  std::map<std::string, manifest::RunningMarker> markers_;  ///< by extension
  std::map<std::vector<std::string>, Entry> entries_;       ///< by argv, folder and environment
};

}  // namespace curupira::runtime
