#include "cli/registry_session.h"

#include <unistd.h>

#include <array>
#include <ostream>

#include "base/printable.h"

namespace curupira::cli {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

fs::path keys_beside(const fs::path& folder) {
  fs::path keys = folder;
  return keys += ".keys";
}

}  // namespace

std::string who_changes(const std::string& command, const Environment& environment) {
  const std::string user = environment.get_or("USER", environment.get_or("LOGNAME", ""));
  return "`registry " + command + "`" + (user.empty() ? "" : " by " + user) + " on " + host_name() +
         ", process " + std::to_string(::getpid());
}

fs::path absolute_path(const Invocation& invocation, const fs::path& path) {
  fs::path absolute = (invocation.current_folder / path).lexically_normal();
  if (!absolute.has_filename() && absolute.has_relative_path()) absolute = absolute.parent_path();
  return absolute;
}

RegistrySession::RegistrySession(const Invocation& invocation, const RegistryPlaceArguments& arguments,
                                 Terminal& terminal, Passphrases passphrases)
    : invocation_(invocation),
      terminal_(terminal),
      wait_(arguments.wait),
      files_(make_posix_file_system()),
      diagnostics_(terminal, invocation.common.log_level == manifest::LogLevel::debug),
      passphrases_(std::move(passphrases)),
      keys_(*files_, passphrases_),
      place_{.folder = absolute_path(invocation, arguments.folder), .keys = {}},
      tools_{.files = *files_, .clock = clock_, .keys = keys_, .diagnostics = diagnostics_} {
  place_.keys = arguments.keys ? absolute_path(invocation, *arguments.keys) : keys_beside(place_.folder);
}

Result<std::unique_ptr<RegistrySession>> RegistrySession::open(const Invocation& invocation,
                                                               const RegistryPlaceArguments& arguments,
                                                               Terminal& terminal) {
  const auto files = make_posix_file_system();
  std::optional<fs::path> file;
  if (arguments.passphrase_file) file = absolute_path(invocation, *arguments.passphrase_file);
  CURUPIRA_TRY(auto passphrases, Passphrases::of(*files, invocation.environment, file, terminal));
  std::unique_ptr<RegistrySession> session(
      new RegistrySession(invocation, arguments, terminal, std::move(passphrases)));
  for (const fs::path& each : arguments.key_files) {
    CURUPIRA_TRY(tuf::Key key, session->keys_.use_file(absolute_path(invocation, each)));
    session->given_.push_back(std::move(key));
  }
  CURUPIRA_CHECK(session->keys_.use_folder(session->place_.keys));
  return session;
}

Result<registry::Repository> RegistrySession::open_for_change(const std::string& command) {
  const auto say = [&](const std::string& holder) {
    terminal_.err() << "Waiting for " << printable(holder) << '\n' << std::flush;
  };
  return registry::Repository::open_for_change(
      tools_, place_, {.who = who_changes(command, invocation_.environment), .wait = wait_, .on_wait = say});
}

Result<fs::path> RegistrySession::new_key_file(const std::string& role) {
  CURUPIRA_CHECK(files_->create_folders(place_.keys));
  for (int number = 1;; ++number) {
    const bool plain = number == 1 && role != tuf::root_role;
    const fs::path file = place_.keys / (role + (plain ? "" : "-" + std::to_string(number)) + ".pem");
    CURUPIRA_TRY(const auto there, files_->status(file));
    CURUPIRA_TRY(const auto public_there, files_->status(registry::public_key_file(file)));
    if (!there && !public_there) return file;
  }
}

}  // namespace curupira::cli
