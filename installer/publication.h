#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "installer/installer.h"
#include "registry/release.h"

namespace curupira::installer {

/// What shall be published: a folder or an archive with an extension.
struct PublicationRequest {
  std::filesystem::path path;               ///< absolute
  std::optional<std::string> scope = {};    ///< "acme": the package is called @acme/NAME
  std::optional<std::string> summary = {};  ///< one line for those who search
};

/// Extensions that would install: complete in the store, with the files of every platform, and installed
/// nowhere. Destroyed, it removes what it brought.
class PreparedPublication {
 public:
  struct State;
  explicit PreparedPublication(std::unique_ptr<State> state);
  PreparedPublication(PreparedPublication&&) noexcept;
  PreparedPublication& operator=(PreparedPublication&&) noexcept;
  ~PreparedPublication();

  /// Their files are there as long as this lives.
  std::span<const registry::Release> releases() const;

 private:
  std::unique_ptr<State> state_;
};

/// Does with each what an installation does before anything is visible, for all platforms of its launch
/// table. A folder becomes an archive, the same one for the same contents; a manifest that the package
/// printed is put into it. Files that a launch table names by an address become files of the release; those
/// that it names by a path are in the archive. Errors: those of prepare_install; package_name.
Result<PreparedPublication> prepare_publication(const InstallerTools& tools,
                                                std::span<const PublicationRequest> requests,
                                                const InstallOptions& options, Diagnostics& diagnostics,
                                                InstallObserver& observer);

}  // namespace curupira::installer
