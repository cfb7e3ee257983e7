#include "installer/sync.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/printable.h"
#include "installer/installed_receipts.h"
#include "installer/lock_entry.h"
#include "installer/lock_transaction.h"

namespace curupira::installer {
namespace {

/// Whether entry and settings name one package, and whether the locked version is what they ask for.
bool is_of_package(const LockedExtension& entry, const WantedExtension& wanted) {
  if (!wanted.reference) return entry.name == wanted.name;
  if (const auto* const npm = std::get_if<registry::NpmReference>(&*wanted.reference))
    return entry.package == npm->name && entry.source.starts_with("npm");
  if (const auto* const pip = std::get_if<registry::PipReference>(&*wanted.reference))
    return entry.package == pip->name && entry.source == "pip";
  return entry.reference == registry::to_string(*wanted.reference);
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

bool gives_no_place(const WantedExtension& wanted) {
  return !wanted.reference;
}

/// What the settings name and neither a lock file nor a registry can bring.
Error without_place(const std::vector<WantedExtension>& missing) {
  std::vector<WantedExtension> nameless;
  std::ranges::copy_if(missing, std::back_inserter(nameless), gives_no_place);
  return Error(ErrorCode::lock_out_of_date, list_of(nameless))
      .with_help("the settings say a name and no place: `curupira plugins install REFERENCE` brings it");
}

}  // namespace

Result<PreparedInstall> prepare_sync(const InstallerTools& tools, const SyncOptions& options,
                                     Diagnostics& diagnostics, InstallObserver& observer) {
  LockTransaction sync(tools, options.install, diagnostics, observer);
  CURUPIRA_CHECK(sync.open("sync"));
  if (!sync.lock().before && (options.frozen || options.wanted.empty()))
    return fail(
        Error(ErrorCode::lock_missing, printable(sync.lock().file.string()))
            .with_help("it stands beside the settings file in use, which --config names; `curupira plugins "
                       "lock` writes one"));
  const auto missing = missing_of(options.wanted, sync.lock().lock);
  if (std::ranges::any_of(missing, gives_no_place)) return fail(without_place(missing));
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
  for (const auto& wanted : missing)
    CURUPIRA_CHECK(sync.add(*wanted.reference));
  sync.remove_what_the_lock_lacks();
  return sync.finish();
}

Result<PreparedInstall> prepare_lock(const InstallerTools& tools, const SyncOptions& options,
                                     Diagnostics& diagnostics, InstallObserver& observer) {
  LockTransaction sync(tools, options.install, diagnostics, observer);
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
      CURUPIRA_CHECK(sync.add_again(registry::pinned(reference, entry.version)));
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
    CURUPIRA_CHECK(sync.add_again(registry::pinned(reference, entry.version)));
    if (LockedExtension again = *lock.find(receipt.name); again.name == receipt.name) {
      again.reference =
          registry::to_string(reference_for_lock(reference, tools.current_folder, sync.lock().folder()));
      lock.put(std::move(again));
    }
  }
  for (const auto& wanted : missing_of(options.wanted, lock))
    diagnostics.warn(label_of(wanted) +
                     " is not installed, and the settings do not say where it is: it is not locked");
  return sync.finish();
}

}  // namespace curupira::installer
