#include "registry/private_key_file.h"

#include "base/printable.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_key_file_bytes = 16u << 10;
constexpr unsigned for_others = 0077;

std::string pem_of(const PublicKey& key) {
  constexpr std::size_t line_length = 64;
  const std::string base64 = base64_encode(key.der());
  std::string pem = "-----BEGIN PUBLIC KEY-----\n";
  for (std::size_t start = 0; start < base64.size(); start += line_length)
    pem += base64.substr(start, line_length) + "\n";
  return pem + "-----END PUBLIC KEY-----\n";
}

Result<> check_private(const FileSystem& files, const fs::path& path) {
  const std::string shown = printable(path.string());
  CURUPIRA_TRY(const auto status, files.status(path));
  if (!status) return fail(ErrorCode::file_not_found, shown);
  if (status->type != FileType::regular)
    return fail(ErrorCode::signing_key_unreadable, shown + " is not a regular file");
  if ((status->mode & for_others) == 0) return {};
  std::string mode = "000";
  for (int i = 0; i < 3; ++i)
    mode[static_cast<std::size_t>(i)] = static_cast<char>('0' + (status->mode >> (6 - 3 * i) & 7u));
  return fail(ErrorCode::registry_key_exposed, shown + " has the mode " + mode + ", allowed is 600");
}

}  // namespace

Result<PrivateKey> read_private_key(const FileSystem& files, const fs::path& path,
                                    PassphraseSource& passphrases) {
  CURUPIRA_CHECK(check_private(files, path));
  CURUPIRA_TRY(const Secret pem, [&]() -> Result<Secret> {
    CURUPIRA_TRY(std::string text, files.read_file(path, max_key_file_bytes));
    return Secret(std::move(text));
  }());
  const std::string shown = printable(path.string());
  const bool encrypted = pem.reveal().find("ENCRYPTED PRIVATE KEY") != std::string::npos;
  auto key = PrivateKey::from_pem(pem.reveal(), Secret());
  for (int attempt = 0; !key && encrypted; ++attempt) {
    CURUPIRA_TRY(const auto passphrase, passphrases.passphrase(shown, attempt));
    if (!passphrase) break;
    key = PrivateKey::from_pem(pem.reveal(), *passphrase);
  }
  if (!key) return fail(ErrorCode::signing_key_unreadable, shown + ": " + key.error().detail());
  return key;
}

Result<PublicKey> read_public_key(const FileSystem& files, const fs::path& path) {
  CURUPIRA_TRY(std::string pem, files.read_file(path, max_key_file_bytes));
  if (pem.find("PRIVATE KEY") != std::string::npos) {
    CURUPIRA_TRY(pem, files.read_file(public_key_file(path), max_key_file_bytes));
  }
  auto key = PublicKey::from_pem(SignatureScheme::ed25519, pem);
  if (!key) return fail(ErrorCode::signature_invalid, printable(path.string()) + ": " + key.error().detail());
  return key;
}

Result<> write_private_key(FileSystem& files, const fs::path& path, const PrivateKey& key,
                           const Secret& passphrase) {
  for (const fs::path& each : {path, public_key_file(path)}) {
    CURUPIRA_TRY(const auto status, files.status(each));
    if (status) return fail(ErrorCode::registry_key_exists, printable(each.string()));
  }
  CURUPIRA_TRY(const Secret pem, [&]() -> Result<Secret> {
    CURUPIRA_TRY(std::string text, key.to_pem(passphrase));
    return Secret(std::move(text));
  }());
  CURUPIRA_CHECK(write_file_atomically(files, path, pem.reveal(), 0600));
  return write_file_atomically(files, public_key_file(path), pem_of(key.public_key()), 0644);
}

fs::path public_key_file(fs::path private_key_file) {
  return private_key_file.replace_extension(".pub");
}

}  // namespace curupira::registry
