#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/registry_copy_arguments.h"
#include "cli/registry_use_arguments.h"
#include "registry/repository_roles.h"

namespace CLI {
class App;
}

namespace curupira::cli {

/// Which registry, and with which keys.
struct RegistryPlaceArguments {
  std::filesystem::path folder;
  std::optional<std::filesystem::path> keys = {};  ///< default: beside the registry, DIR.keys
  std::vector<std::filesystem::path> key_files = {};
  std::optional<std::filesystem::path> passphrase_file = {};
  bool wait = false;
};

struct RegistryInitArguments {
  RegistryPlaceArguments place;
  int root_keys = 1;
  int root_threshold = 1;
  int bits = registry::default_bin_bits;
};

struct RegistryPublishArguments {
  RegistryPlaceArguments place;
  std::vector<std::filesystem::path> paths;
  std::optional<std::string> scope = {};
  std::optional<std::string> summary = {};
  bool probe_unsandboxed = false;
};

struct RegistryYankArguments {
  RegistryPlaceArguments place;
  std::string name;
  std::string version;
  std::optional<std::string> reason = {};  ///< nothing: it counts again
};

struct RegistryRefreshArguments {
  RegistryPlaceArguments place;
};

struct RegistryKeysListArguments {
  RegistryPlaceArguments place;
};

struct RegistryKeysNewArguments {
  std::filesystem::path file;
  std::optional<std::filesystem::path> passphrase_file = {};
};

struct RegistryKeysChangeArguments {
  enum class Change { add, rotate, revoke };
  Change change = Change::add;
  RegistryPlaceArguments place;
  std::string role;
  std::optional<std::string> key_id = {};               ///< or its beginning, or the file of its public half
  std::vector<std::filesystem::path> public_keys = {};  ///< none: a new key is made
  std::optional<std::int64_t> threshold = {};
};

struct RegistryDelegateArguments {
  RegistryPlaceArguments place;
  std::string pattern;
  std::optional<std::string> name = {};
  std::optional<std::filesystem::path> public_key = {};
};

struct RegistrySignArguments {
  RegistryPlaceArguments place;                          ///< `folder` may be a root in a file of its own
  std::vector<std::filesystem::path> signed_files = {};  ///< that came back from holders of root keys
};

struct RegistryVerifyArguments {
  RegistryPlaceArguments place;
};

struct RegistryMirrorArguments {
  RegistryPlaceArguments place;
  std::vector<std::string> references = {};
  std::optional<std::filesystem::path> lock = {};
  bool update = false;
  std::vector<std::string> platforms = {};
  std::optional<std::string> url = {};
  bool dry_run = false;
  bool yes = false;
};

struct RegistryPruneArguments {
  RegistryPlaceArguments place;
  int keep_days = 30;
  bool dry_run = false;
};

struct RegistryUndelegateArguments {
  RegistryPlaceArguments place;
  std::string what;  ///< a pattern, or a publisher's name
  bool with_packages = false;
};

struct RegistryServeArguments {
  std::filesystem::path folder;
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: a free one
};

using RegistryArguments =
    std::variant<RegistryInitArguments, RegistryPublishArguments, RegistryYankArguments,
                 RegistryRefreshArguments, RegistryKeysListArguments, RegistryKeysNewArguments,
                 RegistryKeysChangeArguments, RegistryDelegateArguments, RegistrySignArguments,
                 RegistryVerifyArguments, RegistryUseArguments, RegistryMirrorArguments,
                 RegistryCopyArguments, RegistryServeArguments, RegistryPruneArguments,
                 RegistryUndelegateArguments>;

/// `curupira registry …` on the command line.
class RegistryCommands {
 public:
  /// `add_common` gives a command the options that every command has.
  RegistryCommands(CLI::App& app, const std::function<void(CLI::App&)>& add_common);
  RegistryCommands(RegistryCommands&&) noexcept;
  ~RegistryCommands();
  /// What was asked for; nothing when it was another command.
  std::optional<RegistryArguments> chosen() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curupira::cli
