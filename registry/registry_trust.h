#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/digest.h"
#include "base/file_system.h"
#include "base/home_layout.h"
#include "registry/carrier.h"

namespace curupira::registry {

/// The first root of a registry as its carrier has it: trusted by nobody yet.
struct FirstRoot {
  std::string file;
  Digest fingerprint;  ///< sha256 of the file
};

/// `expected`: what its fingerprint has to be, when somebody knows; a carrier with another root gives way to
/// the next one. Errors: root_fingerprint; carrier_file_missing when there is none; tuf_metadata_too_large;
/// those of the carrier.
Result<FirstRoot> fetch_first_root(Carrier& carrier, const std::optional<Digest>& expected);

/// What is kept of a registry that was trusted, as far as that is known without asking it.
struct TrustState {
  std::optional<Digest> first_root;  ///< the fingerprint that was confirmed; nothing when it cannot be read
  std::int64_t root_version = 0;
  std::optional<std::chrono::sys_seconds> timestamp_expires = {};
  std::optional<std::chrono::sys_seconds> last_update = {};  ///< when the registry was asked last
};

/// Removes what killed commands left in the home's trust/ before it became a registry's.
void tidy_trust(FileSystem& files, const HomeLayout& home, std::chrono::system_clock::time_point now);

/// One registry's folder in the home, trust/<name>: a folder of tuf::TrustStore, with "first-root", the
/// fingerprint of the root with which trust began, "last-update", and below targets/ the targets that were
/// read.
class RegistryTrust {
 public:
  /// The file system has to outlive it. The name is that of a registry.
  RegistryTrust(FileSystem& files, const HomeLayout& home, const std::string& name);

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& name() const { return name_; }

  /// Error: tuf_trust_damaged when something else than a folder is there.
  Result<bool> exists() const;
  /// Trusts the root. `try_out` works with the new folder, which takes its place only when that succeeded;
  /// nothing is left of it else. Where somebody was faster, theirs stays.
  /// Errors: those of tuf::pin_root and of `try_out`.
  Result<> establish(const FirstRoot& root, const std::function<Result<>(const RegistryTrust&)>& try_out);
  /// Forgets all of it, also what is damaged.
  Result<> remove();

  std::optional<Digest> first_root() const;
  std::optional<std::chrono::sys_seconds> last_update() const;
  Result<> write_last_update(std::chrono::sys_seconds time) const;

  /// A target that was kept; nothing vouches for it. Nothing when there is none or when it is larger.
  std::optional<std::string> kept_target(const std::string& target, std::uint64_t max_bytes) const;
  /// While nobody else changes the folder.
  Result<> keep_target(const std::string& target, std::string_view bytes) const;

  /// Error: tuf_trust_damaged.
  Result<TrustState> state() const;

 private:
  RegistryTrust(FileSystem& files, std::string name, std::filesystem::path folder)
      : files_(files), name_(std::move(name)), folder_(std::move(folder)) {}
  std::filesystem::path target_file(const std::string& target) const;

  FileSystem& files_;
  std::string name_;
  std::filesystem::path folder_;
};

}  // namespace curupira::registry
