#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file_system.h"
#include "base/private_key.h"
#include "base/result.h"
#include "base/secret.h"

namespace curupira::registry {

/// Where passphrases come from: a terminal, a file, the environment.
class PassphraseSource {
 public:
  virtual ~PassphraseSource() = default;
  /// Of a key that is encrypted; `shown` names it. Asked again, with the next `attempt` from 0, when the last
  /// answer was not the key's. Nothing: there is no other. Error: passphrase_unusable.
  virtual Result<std::optional<Secret>> passphrase(const std::string& shown, int attempt) = 0;
  /// For keys that are made now: empty for none. Error: passphrase_unusable.
  virtual Result<Secret> new_passphrase() = 0;
};

/// A private key (PKCS#8 in PEM). Errors: file_not_found, registry_key_exposed when others may read the file,
/// signing_key_unreadable, those of the source.
Result<PrivateKey> read_private_key(const FileSystem& files, const std::filesystem::path& path,
                                    PassphraseSource& passphrases);

/// A public ed25519 key: PEM, or the private key's file of that name with ".pub" beside it. Errors:
/// file_not_found, signature_invalid.
Result<PublicKey> read_public_key(const FileSystem& files, const std::filesystem::path& path);

/// Writes `path` (mode 0600) and `path` with the ending ".pub". Error: registry_key_exists.
Result<> write_private_key(FileSystem& files, const std::filesystem::path& path, const PrivateKey& key,
                           const Secret& passphrase);

/// Beside root-1.pem: root-1.pub.
std::filesystem::path public_key_file(std::filesystem::path private_key_file);

}  // namespace curupira::registry
