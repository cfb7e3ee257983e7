#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/file_system.h"
#include "base/http_client.h"
#include "cli/doctor_findings.h"

namespace curupira::cli {

/// A server that doctor looks at.
struct ExaminedServer {
  enum class Kind { npm_registry, python_index, registry, other };
  Kind kind = Kind::other;
  Url url;
  std::string named_by;  ///< "@acme:registry in /home/me/.npmrc", "the command line"
  std::shared_ptr<const CredentialSource> credentials = {};  ///< null: none but the URL's own
  bool standard = false;  ///< named by nobody: a tool's default, which need not be reached from here
  std::optional<std::string> credential = {};  ///< which entry is sent, without its secret
};

/// The way to each server: who names it, the proxy and why, the authorities that count, and, by one request
/// to each, all at once, whether it answers and whether we are logged in. Nothing is tried twice.
Findings examine_servers(const std::vector<ExaminedServer>& servers, HttpClient& http,
                         const ReadOnlyFileSystem& files, const Environment& environment,
                         std::chrono::system_clock::time_point now);

/// For doctor: short waits, one attempt.
HttpOptions impatient_options();

}  // namespace curupira::cli
