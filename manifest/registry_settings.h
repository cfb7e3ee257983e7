#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/digest.h"
#include "base/result.h"

namespace curupira::manifest {

class TableReader;

/// `[registries.NAME]`: a registry of extensions that its user knows by this name.
struct RegistrySettings {
  std::string name;
  /// An address of a carrier. A folder's path is absolute. May hold a password: not for printing.
  std::string url;
  std::vector<std::string> mirrors = {};  ///< as `url`, asked in this order after it
  /// sha256 of the file of the first root; nothing when `registry add` pinned one.
  std::optional<Digest> root_fingerprint = {};
  TextPosition position = {};
};

/// Lower case letters, digits and '-', beginning with a letter, at most 40 bytes, and no word that begins
/// references or addresses already: "npm", "archive", "https".
bool is_registry_name(std::string_view name);

/// "sha256:<64 hexadecimal digits>"; nothing for another text.
std::optional<Digest> parse_root_fingerprint(std::string_view text);
std::string root_fingerprint_text(const Digest& fingerprint);

/// The tables `[registries.*]` of a document, in the order of the file. Relative paths are of the document's
/// folder, "~" is `home`. Errors: settings_field, registry_name, with file, line and column, and never with
/// an address.
Result<std::vector<RegistrySettings>> read_registries(TableReader& root, const std::filesystem::path& home);

/// The registries of a settings file, and nothing else of it. Errors: settings_syntax and those of
/// read_registries.
Result<std::vector<RegistrySettings>> parse_registries(std::string_view text,
                                                       const std::filesystem::path& file,
                                                       const std::filesystem::path& home,
                                                       Diagnostics& diagnostics);

}  // namespace curupira::manifest
