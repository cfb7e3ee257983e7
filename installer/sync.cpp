#include "installer/sync.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "installer/any_age.h"
#include "installer/installed_receipts.h"
#include "installer/lock_entry.h"
#include "installer/lock_resolver.h"
#include "installer/lock_step.h"
#include "installer/policy.h"
#include "installer/prepared_install.h"
#include "installer/source_resolver.h"

namespace curupira::installer {
namespace {

using Action = PlannedExtension::Action;

/// Whether entry and settings name one package, and whether the locked version is what they ask for.
bool is_of_package(const LockedExtension& entry, const WantedExtension& wanted) {
  if (!wanted.reference) return entry.name == wanted.name;
  const bool npm = std::holds_alternative<registry::NpmReference>(*wanted.reference);
  const auto* const pip = std::get_if<registry::PipReference>(&*wanted.reference);
  const std::string& package = npm ? std::get<registry::NpmReference>(*wanted.reference).name : pip->name;
  return entry.package == package && entry.source.starts_with("npm") == npm;
}

bool satisfies(const LockedExtension& entry, const WantedExtension& wanted) {
  return is_of_package(entry, wanted) &&
         (!wanted.reference || check_reference(entry, *wanted.reference).has_value());
}

std::vector<WantedExtension> missing_of(const std::vector<WantedExtension>& wanted, const LockFile& lock) {
  std::vector<WantedExtension> missing;
  for (const auto& each : wanted) {
    const auto fits = [&](const LockedExtension& entry) { return satisfies(entry, each); };
    if (std::ranges::none_of(lock.extensions, fits)) missing.push_back(each);
  }
  return missing;
}

std::string label_of(const WantedExtension& wanted) {
  return "[plugins." + printable(wanted.alias) + "] " +
         printable(wanted.reference ? registry::to_string(*wanted.reference) : wanted.name);
}

std::string list_of(const std::vector<WantedExtension>& wanted) {
  std::string text;
  for (const auto& each : wanted)
    text += (text.empty() ? "" : "\n") + label_of(each);
  return text;
}

/// One command that makes a home from a lock file.
class Sync {
 public:
  Sync(const InstallerTools& tools, const SyncOptions& options, Diagnostics& diagnostics,
       InstallObserver& observer)
      : tools_(tools), any_age_(tools), options_(options), diagnostics_(diagnostics), observer_(observer) {}

  Result<> open(const std::string& command) {
    CURUPIRA_TRY(state_, open_install(tools_, options_.install.lock, command, diagnostics_, observer_));
    CURUPIRA_TRY(work_, tools_.files.create_temporary_folder(state_->home.staging(), "work."));
    return {};
  }
  PreparedInstall finish() { return PreparedInstall(std::move(state_)); }
  OpenedLock& lock() { return *state_->lock; }

  /// What the entry says, unless it is there.
  Result<> bring(const LockedExtension& entry) {
    CURUPIRA_TRY(const auto reference, reference_from_lock(entry, lock().folder()));
    CURUPIRA_CHECK(check_reference(entry, reference));
    CURUPIRA_TRY(const bool there, is_in_step(state_->store, entry, tools_.platform));
    if (there) {
      if (options_.install.policy != nullptr)
        CURUPIRA_CHECK(check_kept(*options_.install.policy, tools_.files, tools_.home, entry.name));
      keep(entry);
      return {};
    }
    auto brought = bring(entry, reference, false);
    const bool elsewhere = !brought && std::holds_alternative<registry::NpmReference>(reference) &&
                           (brought.error().code() == ErrorCode::http_not_found ||
                            brought.error().code() == ErrorCode::http_status);
    return elsewhere ? bring(entry, reference, true) : brought;
  }

  /// What is new, from the registries.
  Result<> add(const registry::Reference& reference) { return add(reference, tools_); }
  /// A version that is locked or installed already, from the registries: its age does not count.
  Result<> add_again(const registry::Reference& reference) { return add(reference, any_age_.tools()); }

  void remove_what_the_lock_lacks() {
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

 private:
  InstallRun make_run() const {
    return {.store = state_->store,
            .session = state_->additions,
            .files = tools_.files,
            .staging = work_,
            .observer = observer_};
  }
  Result<> add(const registry::Reference& reference, const InstallerTools& tools) {
    SourceResolver resolver(tools, lock().lock.platforms, diagnostics_);
    const InstallRun run = make_run();
    return add_extension(*state_, preparation(run, resolver, false), {reference});
  }
  Preparation preparation(const InstallRun& run, Resolver& resolver, bool from_lock) const {
    return {.tools = tools_,
            .options = options_.install,
            .run = run,
            .diagnostics = diagnostics_,
            .resolver = resolver,
            .other_platforms = from_lock ? std::vector<manifest::Platform>{}
                                         : other_platforms(state_->lock, tools_.platform),
            .recheck_closure = from_lock};
  }
  Result<> bring(const LockedExtension& entry, const registry::Reference& reference, bool ask_registry) {
    LockResolver resolver(*tools_.source_tools, state_->store, entry, ask_registry, diagnostics_);
    const InstallRun run = make_run();
    return add_extension(*state_, preparation(run, resolver, true), {reference, &entry});
  }
  void keep(const LockedExtension& entry) {
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

  const InstallerTools& tools_;
  AnyAge any_age_;
  const SyncOptions& options_;
  Diagnostics& diagnostics_;
  InstallObserver& observer_;
  std::unique_ptr<PreparedInstall::State> state_;
  std::filesystem::path work_;
};

/// The reference that gives the locked version again, whatever is new since.
registry::Reference pinned(const LockedExtension& entry, registry::Reference reference) {
  if (auto* const npm = std::get_if<registry::NpmReference>(&reference)) npm->range = entry.version;
  if (auto* const pip = std::get_if<registry::PipReference>(&reference))
    pip->specifiers = "==" + entry.version;
  return reference;
}

}  // namespace

Result<PreparedInstall> prepare_sync(const InstallerTools& tools, const SyncOptions& options,
                                     Diagnostics& diagnostics, InstallObserver& observer) {
  Sync sync(tools, options, diagnostics, observer);
  CURUPIRA_CHECK(sync.open("sync"));
  if (!sync.lock().before && (options.frozen || options.wanted.empty()))
    return fail(ErrorCode::lock_missing, printable(sync.lock().file.string()));
  const auto missing = missing_of(options.wanted, sync.lock().lock);
  if (options.frozen && !missing.empty()) return fail(ErrorCode::lock_out_of_date, list_of(missing));
  if (tools.http == nullptr && !missing.empty())
    return fail(Error(ErrorCode::offline_missing, list_of(missing) + "\nwhich the lock file does not have")
                    .with_help("`curupira plugins lock` on a machine with network adds it"));
  const LockFile locked = sync.lock().lock;
  for (const auto& entry : locked.extensions) {
    // The settings ask for another version of it now.
    const auto superseded = [&](const WantedExtension& wanted) { return is_of_package(entry, wanted); };
    if (std::ranges::none_of(missing, superseded)) CURUPIRA_CHECK(sync.bring(entry));
  }
  for (const auto& wanted : missing) {
    if (!wanted.reference)
      return fail(Error(ErrorCode::lock_out_of_date, label_of(wanted))
                      .with_help("`curupira plugins install` the extension of this name"));
    CURUPIRA_CHECK(sync.add(*wanted.reference));
  }
  sync.remove_what_the_lock_lacks();
  return sync.finish();
}

Result<PreparedInstall> prepare_lock(const InstallerTools& tools, const SyncOptions& options,
                                     Diagnostics& diagnostics, InstallObserver& observer) {
  Sync sync(tools, options, diagnostics, observer);
  auto place = *options.install.lock;
  std::ranges::sort(place.platforms);
  CURUPIRA_CHECK(sync.open("lock"));
  LockFile& lock = sync.lock().lock;
  const LockFile before = lock;
  if (!place.platforms.empty() && place.platforms != lock.platforms) {
    lock.platforms = place.platforms;
    if (!lock.has(tools.platform))
      return fail(ErrorCode::lock_platform, "[lock] platforms does not have " + tools.platform.text());
    for (const auto& entry : before.extensions) {
      CURUPIRA_TRY(const auto reference, reference_from_lock(entry, sync.lock().folder()));
      CURUPIRA_CHECK(sync.add_again(pinned(entry, reference)));
      LockedExtension again = *lock.find(entry.name);
      again.reference = entry.reference;
      lock.put(std::move(again));
    }
  }
  for (const auto& wanted : missing_of(options.wanted, lock))
    if (wanted.reference) CURUPIRA_CHECK(sync.add(*wanted.reference));
  for (const auto& receipt : installed_receipts(tools.files, tools.home)) {
    if (lock.find(receipt.name) != nullptr) continue;
    CURUPIRA_TRY(auto reference, registry::parse_reference(receipt.reference));
    const LockedExtension entry{.name = receipt.name,
                                .version = receipt.version,
                                .reference = receipt.reference,
                                .source = receipt.source,
                                .package = receipt.package,
                                .launch = receipt.launch_type,
                                .manifest = digest_of(DigestAlgorithm::sha256, ""),
                                .permissions = {},
                                .artifacts = {}};
    CURUPIRA_CHECK(sync.add_again(pinned(entry, reference)));
    if (LockedExtension again = *lock.find(receipt.name); again.name == receipt.name) {
      again.reference =
          registry::to_string(reference_for_lock(reference, tools.current_folder, sync.lock().folder()));
      lock.put(std::move(again));
    }
  }
  return sync.finish();
}

}  // namespace curupira::installer
