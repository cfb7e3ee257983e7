#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "base/http_client.h"
#include "base/process_runner.h"
#include "base/result.h"
#include "installer/install_observer.h"
#include "installer/install_plan.h"
#include "installer/lock_place.h"
#include "launcher/sandbox.h"
#include "manifest/platform.h"
#include "manifest/policy.h"
#include "registry/reference.h"
#include "registry/source.h"
#include "registry/sources.h"

namespace curupira::installer {

/// What an installation works with; all of it is passed in.
struct InstallerTools {
  const HomeLayout& home;
  const Environment& environment;
  FileSystem& files;
  HttpClient* http;  ///< nothing when offline: then there is no transport at all
  ProcessRunner& processes;
  const std::vector<std::unique_ptr<registry::Source>>& sources;
  manifest::Platform platform;
  std::filesystem::path current_folder = {};  ///< where relative paths of references start
  /// What sources work with: for what a lock file names, which needs no resolver. Nothing: no lock file.
  const registry::SourceTools* source_tools = nullptr;
};

struct InstallOptions {
  bool allow_unsandboxed_probe = false;  ///< --probe-unsandboxed
  std::optional<LockPlace> lock = {};    ///< the lock file that is kept in step; nothing for none
  /// --network=prefer-cache: a reference that the lock file has means what is locked, not what is newest.
  bool prefer_cache = false;
  const manifest::Policy* policy = nullptr;  ///< what it refuses is not installed; nothing for no rule
  std::string command = "install";           ///< as which the generation is recorded
};

/// Everything fetched, verified, unpacked, assembled and described, but not visible yet. Holds the home's
/// lock. Destroyed without `commit`, it removes what it brought: nothing is left behind.
class PreparedInstall {
 public:
  PreparedInstall(PreparedInstall&&) noexcept;
  PreparedInstall& operator=(PreparedInstall&&) noexcept;
  ~PreparedInstall();

  const InstallPlan& plan() const;
  /// All extensions of the plan appear together, or none (design.md §2, step 10).
  Result<> commit(InstallObserver& observer) &&;
  /// Writes the lock file and installs nothing; true when it changed.
  Result<bool> commit_lock() &&;
  /// Keeps what was fetched in the store, for the lock file that names it; installs nothing.
  Result<> keep() &&;
  /// The commit would change the lock file.
  bool changes_lock() const;

  struct State;
  explicit PreparedInstall(std::unique_ptr<State> state);

 private:
  std::unique_ptr<State> state_;
};

/// Steps 2–9 of design.md §2 for all references at once: resolve → fetch → verify → unpack → assemble →
/// describe → plan. Several references are one transaction. Errors: those of each step, with the reference in
/// `doing`.
Result<PreparedInstall> prepare_install(const InstallerTools& tools,
                                        std::span<const registry::Reference> references,
                                        const InstallOptions& options, Diagnostics& diagnostics,
                                        InstallObserver& observer);

struct RemoveOptions {
  bool wait_until_unused = false;  ///< --force: wait for the commands that run the extension
  std::optional<std::filesystem::path> lock_file = {};  ///< that loses its entry in the same transaction
};

struct RemovedExtension {
  std::string name;
  std::string version;
  std::uint64_t freed_bytes = 0;  ///< of store objects that nothing uses any more
  std::uint64_t kept_bytes = 0;   ///< of those that only rollback could still use: `cache prune` frees them
};

/// Removes an extension and what only it used. Errors: not_installed (with the nearest name), not_managed,
/// in_use (pid). `observer.waiting_for_lock` is called once when it has to wait.
Result<RemovedExtension> remove_extension(const HomeLayout& home, FileSystem& files, std::string_view name,
                                          const RemoveOptions& options, InstallObserver& observer);

}  // namespace curupira::installer
