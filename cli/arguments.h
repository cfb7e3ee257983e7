#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/registry_arguments.h"
#include "manifest/settings.h"

namespace curupira::cli {

/// Options that every command has, before or after its name (spec/settings.md).
struct CommonArguments {
  std::optional<std::filesystem::path> config = {};
  std::optional<manifest::LogLevel> log_level = {};
  bool json = false;
};

struct InstallArguments {
  std::vector<std::string> references;
  bool yes = false;
  bool dry_run = false;
  bool probe_unsandboxed = false;
  bool prefer_cache = false;  ///< --network=prefer-cache
};

struct ListArguments {
  bool strict = false;
};

struct InfoArguments {
  std::string name;
};

struct RemoveArguments {
  std::vector<std::string> names;
  bool force = false;
};

struct RollbackArguments {
  std::optional<std::uint64_t> generation = {};  ///< without: one back
  bool list = false;
};

struct VerifyArguments {
  std::vector<std::string> names;  ///< empty: all
  bool repair = false;             ///< make anew what is damaged
  bool explain = false;            ///< what was signed, instead of comparing
};

struct CacheInfoArguments {};

struct CacheVerifyArguments {};

struct CachePruneArguments {
  std::optional<std::uint64_t> max_bytes = {};
  std::optional<std::uint32_t> max_age_days = {};
  std::optional<std::uint32_t> keep_generations = {};
  bool dry_run = false;
};

struct PolicyTestArguments {
  std::vector<std::string> references;
  bool resolve = false;  ///< also what is only known when the package is
};

struct LockArguments {
  std::optional<std::string> platform = {};
};

struct SyncArguments {
  bool frozen = false;
  bool offline = false;
  bool yes = false;
  bool dry_run = false;
};

struct BundleCreateArguments {
  std::filesystem::path output;
  std::optional<std::filesystem::path> lock = {};
  std::optional<std::filesystem::path> since = {};
  std::vector<std::string> platforms = {};
  bool offline = false;
};

struct BundleInspectArguments {
  std::filesystem::path file;
};

struct BundleInstallArguments {
  std::filesystem::path file;
  std::optional<std::string> digest = {};  ///< "sha256:<hex>"
  bool yes = false;
  bool dry_run = false;
};

struct OutdatedArguments {};

struct UpdateArguments {
  std::vector<std::string> names;
  bool yes = false;
  bool accept_changes = false;
  bool dry_run = false;
};

struct ValidateArguments {};

struct RunArguments {
  bool dry_run = false;
  bool watch = false;
  std::optional<std::uint32_t> size = {};
};

struct TuiArguments {};

struct DoctorArguments {
  bool network_only = false;
  std::vector<std::string> urls;  ///< empty: the configured registries and indexes
};

/// Text that was asked for instead of a command: --help, --version.
struct ShowText {
  std::string text;
};

struct Arguments {
  CommonArguments common;
  std::variant<InstallArguments, ListArguments, InfoArguments, RemoveArguments, RollbackArguments,
               VerifyArguments, CacheInfoArguments, CacheVerifyArguments, CachePruneArguments, LockArguments,
               SyncArguments, BundleCreateArguments, BundleInspectArguments, BundleInstallArguments,
               OutdatedArguments, UpdateArguments, ValidateArguments, RunArguments, TuiArguments,
               DoctorArguments, PolicyTestArguments, RegistryArguments, ShowText>
      command;
};

/// argv → command. Error: usage, with the text that CLI users expect (what was wrong, where the help is).
Result<Arguments> parse_arguments(int argc, const char* const* argv);

}  // namespace curupira::cli
