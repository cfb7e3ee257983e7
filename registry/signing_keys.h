#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/private_key_file.h"
#include "tuf/document.h"
#include "tuf/key.h"
#include "tuf/metadata.h"

namespace curupira::registry {

/// The private keys that are at hand: those that were given, and those of a folder, which are read when they
/// have to sign. By key id (TUF 1.0.34 §4.2).
class SigningKeys {
 public:
  /// Both have to outlive this.
  SigningKeys(FileSystem& files, PassphraseSource& passphrases) : files_(files), passphrases_(passphrases) {}

  /// Every NAME.pub of the folder says which key NAME.pem is. A folder that is not there has no keys.
  Result<> use_folder(const std::filesystem::path& folder);
  /// Reads it. Gives its public half.
  Result<tuf::Key> use_file(const std::filesystem::path& file);
  /// Makes a key and keeps it as `file`.
  Result<tuf::Key> make(const std::filesystem::path& file);

  bool has(std::string_view key_id) const;
  /// The file of a key, for messages; empty when it is not here.
  std::filesystem::path file_of(std::string_view key_id) const;
  /// Adds the signatures of those of `role`'s keys that are here and have not signed. How many of the role's
  /// keys have signed then.
  Result<std::int64_t> sign(tuf::Document& document, const tuf::RoleKeys& role);
  /// Whether enough of the role's keys are here.
  bool can_sign(const tuf::RoleKeys& role) const;

 private:
  struct Known {
    std::filesystem::path file;
    std::optional<PrivateKey> key;
  };
  Result<const PrivateKey*> load(const std::string& key_id, Known& known);

  FileSystem& files_;
  PassphraseSource& passphrases_;
  std::map<std::string, Known, std::less<>> keys_;
  std::optional<Secret> new_passphrase_;  // one for all keys that are made at once
};

}  // namespace curupira::registry
