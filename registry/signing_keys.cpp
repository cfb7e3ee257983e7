#include "registry/signing_keys.h"

#include <algorithm>

#include "base/printable.h"
#include "tuf/hex.h"

namespace curupira::registry {

namespace fs = std::filesystem;

Result<> SigningKeys::use_folder(const fs::path& folder) {
  auto names = files_.list(folder);
  if (!names && names.error().code() == ErrorCode::file_not_found) return {};
  if (!names) return fail(std::move(names).error());
  for (const std::string& name : *names) {
    const fs::path path = folder / name;
    if (path.extension() != ".pub") continue;
    CURUPIRA_TRY(const PublicKey public_key, read_public_key(files_, path));
    CURUPIRA_TRY(const tuf::Key key, tuf::Key::from_ed25519(public_key));
    fs::path file = path;
    file.replace_extension(".pem");
    CURUPIRA_TRY(const auto status, files_.status(file));
    if (status) keys_.try_emplace(key.id(), Known{.file = std::move(file), .key = {}});
  }
  return {};
}

Result<tuf::Key> SigningKeys::use_file(const fs::path& file) {
  CURUPIRA_TRY(PrivateKey key, read_private_key(files_, file, passphrases_));
  CURUPIRA_TRY(tuf::Key named, tuf::Key::from_ed25519(key.public_key()));
  keys_.insert_or_assign(named.id(), Known{.file = file, .key = std::move(key)});
  return named;
}

Result<tuf::Key> SigningKeys::make(const fs::path& file) {
  if (!new_passphrase_) {
    CURUPIRA_TRY(new_passphrase_, passphrases_.new_passphrase());
  }
  CURUPIRA_TRY(PrivateKey key, PrivateKey::generate());
  CURUPIRA_CHECK(write_private_key(files_, file, key, *new_passphrase_));
  CURUPIRA_TRY(tuf::Key named, tuf::Key::from_ed25519(key.public_key()));
  keys_.insert_or_assign(named.id(), Known{.file = file, .key = std::move(key)});
  return named;
}

bool SigningKeys::has(std::string_view key_id) const {
  return keys_.find(key_id) != keys_.end();
}

fs::path SigningKeys::file_of(std::string_view key_id) const {
  const auto found = keys_.find(key_id);
  return found == keys_.end() ? fs::path() : found->second.file;
}

Result<std::int64_t> SigningKeys::sign(tuf::Document& document, const tuf::RoleKeys& role) {
  CURUPIRA_TRY(const std::string bytes, tuf::bytes_to_sign(document.content));
  std::int64_t signatures = 0;
  for (const std::string& id : role.key_ids) {
    if (document.signature_of(id) == nullptr) {
      const auto found = keys_.find(id);
      if (found == keys_.end()) continue;
      CURUPIRA_TRY(const PrivateKey* const key, load(id, found->second));
      CURUPIRA_TRY(const auto signature, key->sign(bytes));
      document.signatures.push_back({.key_id = id, .hex = tuf::hex_of(signature)});
    }
    ++signatures;
  }
  return signatures;
}

bool SigningKeys::can_sign(const tuf::RoleKeys& role) const {
  return std::ranges::count_if(role.key_ids, [&](const std::string& id) { return has(id); }) >=
         role.threshold;
}

Result<const PrivateKey*> SigningKeys::load(const std::string& key_id, Known& known) {
  if (known.key) return &*known.key;
  CURUPIRA_TRY(PrivateKey key, read_private_key(files_, known.file, passphrases_));
  CURUPIRA_TRY(const tuf::Key named, tuf::Key::from_ed25519(key.public_key()));
  if (named.id() != key_id)
    return fail(ErrorCode::signing_key_unreadable,
                printable(known.file.string()) + " is not the key of the .pub file beside it");
  known.key = std::move(key);
  return &*known.key;
}

}  // namespace curupira::registry
