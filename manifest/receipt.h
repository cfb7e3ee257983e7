#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/json.h"
#include "base/relative_path.h"
#include "base/result.h"

namespace curupira::manifest {

inline constexpr std::string_view receipt_file_name = "receipt.json";

/// Who vouches for an artifact: a ladder (design.md §4). npm reaches `registry_signed`.
enum class VerificationLevel { digest, registry_signed, publisher_signed };
std::string_view name_of(VerificationLevel level);  ///< "digest", "registry-signed", "publisher-signed"

/// One file that was fetched and verified for an extension.
struct ReceiptArtifact {
  std::string package;   ///< name in its ecosystem, or the file name for archives and binaries
  std::string version;   ///< empty when it has none
  std::string location;  ///< file name in its registry; else where it came from, without credentials
  Digest digest;
  std::uint64_t size = 0;  ///< bytes
  VerificationLevel level = VerificationLevel::digest;
};

/// Where the files of the extension are in the store.
struct ReceiptContent {
  enum class Kind { tree, node_modules, venv };
  Kind kind = Kind::tree;
  std::string digest;  ///< hexadecimal sha256: the folder's name below trees/ or environments/
};

/// How the extension starts: what `LaunchCommand` is made of, without a path of this machine.
struct ReceiptCommand {
  enum class Interpreter { none, node, venv_python };
  Interpreter interpreter = Interpreter::none;
  /// With an interpreter: the script; without one: the program, in `content`. Nothing when `path_program` is
  /// set.
  std::optional<RelativePath> entry = {};
  /// A program that is looked up on PATH at each start (`executable` launches with a bare name).
  std::optional<std::string> path_program = {};
  std::vector<std::string> args = {};
  bool in_content_folder =
      false;  ///< the working folder is the content's (executable launches), else the caller's
};

/// What this program knows of an extension that it installed: extensions/<name>/receipt.json, beside the
/// manifest.
struct Receipt {
  static constexpr int format = 1;

  std::string name;
  std::string version;
  std::string reference;    ///< as the user gave it, normalised: "npm:@acme/x@^1.2"
  std::string source;       ///< "npm", "pip", "archive", "path", "curupira:NAME" of the registry NAME
  std::string package;      ///< the name in the source; for archive and path the extension's name
  std::string launch_type;  ///< of the manifest as published: "npx", "uvx", "executable", "binary", "archive"
  std::vector<ReceiptArtifact> artifacts;
  ReceiptContent content;
  ReceiptCommand command;
  std::vector<std::string> trees;  ///< every tree of the store that `content` is made of (hexadecimal sha256)
  bool probed = false;             ///< the manifest came from a sandboxed start, not from a file
  std::string sandbox = {};        ///< of the probe: "bubblewrap", "landlock", "none"; empty when not probed
};

json::Value to_json(const Receipt& receipt);
/// Error: receipt_unreadable with the member that is wrong, or a newer format.
Result<Receipt> parse_receipt(std::string_view text);

}  // namespace curupira::manifest
