#include "cli/passphrases.h"

#include "base/printable.h"

namespace curupira::cli {
namespace {

constexpr const char* variable = "CURUPIRA_KEY_PASSPHRASE";
constexpr std::uint64_t max_file_bytes = 4096;
constexpr int max_attempts = 3;
constexpr unsigned for_others = 0077;

tl::unexpected<Error> unusable(std::string why) {
  return fail(ErrorCode::passphrase_unusable, std::move(why));
}

Result<Secret> read_first_line(const FileSystem& files, const std::filesystem::path& file) {
  const std::string shown = printable(file.string());
  CURUPIRA_TRY(const auto status, files.status(file));
  if (!status) return fail(ErrorCode::file_not_found, shown);
  if (status->type == FileType::regular && (status->mode & for_others) != 0)
    return fail(Error(ErrorCode::passphrase_unusable, "others can read " + shown).with_help("chmod 600 it"));
  CURUPIRA_TRY(std::string text, files.read_file(file, max_file_bytes));
  text.resize(std::min(text.find('\n'), text.size()));
  if (text.ends_with('\r')) text.pop_back();
  if (text.empty()) return unusable("the first line of " + shown + " is empty");
  return Secret(std::move(text));
}

}  // namespace

Result<Passphrases> Passphrases::of(const FileSystem& files, const Environment& environment,
                                    const std::optional<std::filesystem::path>& file, Terminal& terminal) {
  if (file) {
    CURUPIRA_TRY(Secret read, read_first_line(files, *file));
    return Passphrases(std::move(read), terminal);
  }
  std::string text = environment.get_or(variable, "");
  if (text.empty()) return Passphrases(std::nullopt, terminal);
  return Passphrases(Secret(std::move(text)), terminal);
}

Result<std::optional<Secret>> Passphrases::passphrase(const std::string& shown, int attempt) {
  if (given_) return attempt == 0 ? given_ : std::nullopt;
  if (attempt == 0 && typed_) return typed_;
  if (!terminal_.can_ask()) return unusable(shown + " is encrypted, and there is no terminal to ask on");
  if (attempt >= max_attempts) return std::optional<Secret>();
  typed_ = terminal_.ask_secret("Passphrase of " + shown);
  return typed_;
}

Result<Secret> Passphrases::new_passphrase() {
  if (given_) return *given_;
  if (!terminal_.can_ask()) return Secret();
  const auto first = terminal_.ask_secret("Passphrase of the new keys (empty: none)");
  if (!first) return unusable("none was typed");
  if (first->empty()) return *first;
  const auto second = terminal_.ask_secret("The same again");
  if (!second || *second != *first) return unusable("the two that were typed differ; no key was made");
  typed_ = first;
  return *first;
}

}  // namespace curupira::cli
