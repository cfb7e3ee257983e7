#pragma once

#include <filesystem>
#include <optional>

#include "base/environment.h"
#include "base/file_system.h"
#include "cli/terminal.h"
#include "registry/private_key_file.h"

namespace curupira::cli {

/// Passphrases of keys: of a file, of CURUPIRA_KEY_PASSPHRASE, else asked on the terminal. What was typed
/// once is tried for the next key before it is asked for again.
class Passphrases final : public registry::PassphraseSource {
 public:
  /// Error: passphrase_unusable for a file that others can read, or that has no line.
  static Result<Passphrases> of(const FileSystem& files, const Environment& environment,
                                const std::optional<std::filesystem::path>& file, Terminal& terminal);

  Result<std::optional<Secret>> passphrase(const std::string& shown, int attempt) override;
  Result<Secret> new_passphrase() override;

 private:
  Passphrases(std::optional<Secret> given, Terminal& terminal)
      : given_(std::move(given)), terminal_(terminal) {}

  std::optional<Secret> given_;
  std::optional<Secret> typed_;
  Terminal& terminal_;
};

}  // namespace curupira::cli
