#include "installer/mirror_archive.h"

#include <algorithm>

#include "installer/lock_transaction.h"

namespace curupira::installer {

Result<std::optional<LockedExtension>> lock_as_installed(const InstallerTools& tools,
                                                         const registry::Reference& reference,
                                                         const std::vector<manifest::Platform>& platforms,
                                                         Diagnostics& diagnostics,
                                                         InstallObserver& observer) {
  InstallerTools own = tools;
  if (std::ranges::find(platforms, own.platform) == platforms.end()) own.platform = platforms.front();
  // A lock file that is not there and is never written.
  const InstallOptions options{
      .lock = LockPlace{.file = tools.home.staging() / lock_file_name, .platforms = platforms}};
  LockTransaction transaction(own, options, diagnostics, observer);
  CURUPIRA_CHECK(transaction.open("registry mirror"));
  const auto added = transaction.add(reference);
  if (!added && added.error().code() == ErrorCode::manifest_missing) return std::nullopt;
  if (!added) return fail(added.error());
  const auto& extensions = transaction.lock().lock.extensions;
  if (extensions.empty()) return std::nullopt;
  return extensions.front();
}

}  // namespace curupira::installer
