#include "installer/lock_transaction.h"

#include <algorithm>
#include <utility>

#include "installer/installed_receipts.h"
#include "installer/lock_entry.h"
#include "installer/lock_python.h"
#include "installer/lock_step.h"
#include "installer/locked_addition.h"
#include "installer/policy.h"
#include "installer/source_resolver.h"
#include "registry/python_lock.h"

namespace curupira::installer {

using Action = PlannedExtension::Action;

Result<> LockTransaction::open(const std::string& command) {
  CURUPIRA_TRY(state_, open_install(tools_, options_.lock, command, diagnostics_, observer_));
  CURUPIRA_TRY(work_, tools_.files.create_temporary_folder(state_->home.staging(), "work."));
  return {};
}

InstallRun LockTransaction::run() const {
  return {.store = state_->store,
          .session = state_->additions,
          .files = tools_.files,
          .staging = work_,
          .observer = observer_};
}

Preparation LockTransaction::preparation(const InstallRun& run, Resolver& resolver) const {
  return {.tools = tools_,
          .options = options_,
          .run = run,
          .diagnostics = diagnostics_,
          .resolver = resolver,
          .other_platforms = other_platforms(state_->lock, tools_.platform)};
}

Result<> LockTransaction::bring(const LockedExtension& entry, LockResolver::Folders folders) {
  CURUPIRA_TRY(const auto reference, reference_from_lock(entry, lock().folder()));
  CURUPIRA_CHECK(check_reference(entry, reference));
  CURUPIRA_TRY(const bool there, is_in_step(state_->store, entry, tools_.platform));
  if (there) {
    if (options_.policy != nullptr)
      CURUPIRA_CHECK(check_kept(*options_.policy, tools_.files, tools_.home, entry.name));
    keep(entry);
    return {};
  }
  if (is_installed_from(reference, entry.name) && folders == LockResolver::Folders::as_named)
    folders = LockResolver::Folders::else_from_store;
  const InstallRun run = this->run();
  return add_locked_extension(*state_, tools_, options_, run, diagnostics_,
                              {.reference = reference, .entry = entry, .folders = folders});
}

/// Then the place that it came from is not needed any more: a bundle's folder was never on this machine.
bool LockTransaction::is_installed_from(const registry::Reference& reference, const std::string& name) const {
  const auto receipts = installed_receipts(tools_.files, tools_.home);
  return std::ranges::any_of(receipts, [&](const manifest::Receipt& receipt) {
    return receipt.name == name && receipt.reference == registry::to_string(reference);
  });
}

Result<std::vector<Digest>> LockTransaction::bring_for(const LockedExtension& entry,
                                                       std::span<const manifest::Platform> platforms) {
  CURUPIRA_TRY(const auto reference, reference_from_lock(entry, lock().folder()));
  CURUPIRA_CHECK(check_reference(entry, reference));
  LockedAddition addition{
      .reference = reference, .entry = entry, .folders = LockResolver::Folders::else_from_store};
  for (const auto& platform : platforms)
    if (platform != tools_.platform) addition.other_platforms.push_back(platform);
  const InstallRun run = this->run();
  CURUPIRA_CHECK(add_locked_extension(*state_, tools_, options_, run, diagnostics_, addition));
  return bring_wheels(entry, platforms);
}

Result<std::vector<Digest>> LockTransaction::bring_wheels(const LockedExtension& entry,
                                                          std::span<const manifest::Platform> platforms) {
  std::vector<Digest> digests;
  if (entry.python.empty()) return digests;
  const registry::PythonLock lock = python_lock_of(entry, entry.source == "pip" ? entry.package : "");
  CURUPIRA_TRY(const auto wheels, registry::fitting_wheels(lock, platforms));
  for (const auto& wheel : wheels)
    digests.push_back(wheel.file.sha256);
  CURUPIRA_TRY(const auto artifacts,
               registry::locate_wheels(*tools_.source_tools, wheels, [&](const Digest& digest) {
                 const auto there = state_->store.has_blob(digest);
                 return there && *there;
               }));
  SourceResolver resolver(tools_, {}, diagnostics_);
  const InstallRun run = this->run();
  CURUPIRA_CHECK(fetch_verified(preparation(run, resolver), artifacts));
  return digests;
}

Result<> LockTransaction::add(const registry::Reference& reference, const InstallerTools& tools) {
  SourceResolver resolver(tools, lock().lock.platforms, diagnostics_);
  const InstallRun run = this->run();
  return add_extension(*state_, preparation(run, resolver), {reference});
}

void LockTransaction::remove_what_the_lock_lacks() {
  for (const auto& receipt : installed_receipts(tools_.files, tools_.home)) {
    if (lock().lock.find(receipt.name) != nullptr) continue;
    state_->removed.push_back(receipt.name);
    state_->plan.extensions.push_back({.action = Action::remove,
                                       .name = receipt.name,
                                       .version = receipt.version,
                                       .installed_version = receipt.version,
                                       .reference = receipt.reference,
                                       .source = receipt.source,
                                       .launch_type = receipt.launch_type,
                                       .artifacts = {},
                                       .permissions = {}});
  }
}

void LockTransaction::keep(const LockedExtension& entry) {
  state_->plan.extensions.push_back({.action = Action::keep,
                                     .name = entry.name,
                                     .version = entry.version,
                                     .installed_version = entry.version,
                                     .reference = entry.reference,
                                     .source = entry.source,
                                     .launch_type = entry.launch,
                                     .artifacts = {},
                                     .permissions = entry.permissions});
}

}  // namespace curupira::installer
