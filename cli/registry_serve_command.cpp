#include <signal.h>
#include <sys/signalfd.h>

#include <array>
#include <ostream>

#include "base/loopback.h"
#include "base/printable.h"
#include "base/system_error.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "cli/report.h"
#include "registry/browse_page.h"
#include "serve/server.h"

namespace curupira::cli {
namespace {

namespace fs = std::filesystem;

/// From now on SIGINT and SIGTERM end nothing by themselves: the descriptor can be read after one.
Result<UniqueFd> watch_for_end() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  UniqueFd descriptor(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!descriptor) return fail(ErrorCode::file_failed, "signalfd: " + system_reason(errno));
  return descriptor;
}

/// A folder of something else would be empty for every client, and nobody would know why.
Result<> check_registry(const FileSystem& files, const fs::path& folder) {
  constexpr std::array<std::string_view, 3> marks{"metadata/timestamp.json", "npm", "simple"};
  for (const std::string_view mark : marks) {
    CURUPIRA_TRY(const auto status, files.status(folder / mark));
    if (status) return {};
  }
  return fail(ErrorCode::registry_missing, printable(folder.string()));
}

void log(Terminal& terminal, const serve::AnsweredRequest& request) {
  terminal.err() << request.client << ' ' << request.method << ' '
                 << (request.target.empty() ? "-" : printable(request.target)) << ' ' << request.status << ' '
                 << request.bytes << '\n'
                 << std::flush;
}

void print_ready(const Invocation& invocation, const serve::Server& server, const fs::path& folder,
                 const std::string& address, Terminal& terminal) {
  if (invocation.common.json) {
    json::Object document = registry_document("serve");
    document.set("folder", folder.string());
    document.set("url", server.url());
    document.set("address", address);
    document.set("port", static_cast<std::int64_t>(server.port()));
    terminal.out() << json::write_pretty(document) << std::flush;
    return;
  }
  terminal.out() << "Serving " << printable(folder.string()) << " at " << server.url() << '\n' << std::flush;
}

}  // namespace

Result<int> registry_serve_command(const Invocation& invocation, const RegistryServeArguments& arguments,
                                   Terminal& terminal) {
  const bool verbose = invocation.common.log_level == manifest::LogLevel::debug;
  const fs::path folder = absolute_path(invocation, arguments.folder);
  PrintedDiagnostics diagnostics(terminal, verbose);
  CURUPIRA_CHECK(check_registry(*make_posix_file_system(), folder));
  serve::ServeRequest request{.folder = folder,
                              .address = arguments.address,
                              .port = arguments.port,
                              .page = {.html = registry::browse_page(), .policy = registry::browse_policy()}};
  if (verbose) request.on_answer = [&](const serve::AnsweredRequest& answered) { log(terminal, answered); };
  const SystemClock clock;
  CURUPIRA_TRY(auto server, serve::Server::listen(clock, std::move(request)));
  CURUPIRA_TRY(const UniqueFd end, watch_for_end());
  if (!is_loopback_host(arguments.address))
    diagnostics.warn(
        "other machines can reach it, and nothing is encrypted: who may read the registry, and what they "
        "read, is up to the network. A web server with TLS before it changes that");
  print_ready(invocation, server, folder, arguments.address, terminal);
  CURUPIRA_CHECK(server.run(end.get()));
  return 0;
}

}  // namespace curupira::cli
