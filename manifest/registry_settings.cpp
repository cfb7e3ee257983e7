#include "manifest/registry_settings.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "manifest/settings.h"
#include "manifest/settings_sections.h"
#include "manifest/table_reader.h"

namespace curupira::manifest {
namespace {

constexpr std::string_view section = "registries";
constexpr std::size_t max_name_bytes = 40;
constexpr std::size_t max_address_bytes = 4096;
constexpr std::string_view fingerprint_prefix = "sha256:";
constexpr int max_depth = 64;

/// Why a text is no address; it is never repeated, since it may hold a password.
std::optional<std::string> fault_of_address(const std::string& text) {
  if (text.empty()) return "it is empty";
  if (text.size() > max_address_bytes) return "it is longer than " + format_bytes(max_address_bytes);
  if (printable(text) != text) return "it has control characters, or characters that cannot be seen";
  return std::nullopt;
}

/// An address with a scheme stays; else it is a path.
std::string anchored_address(const std::string& text, const std::filesystem::path& folder,
                             const std::filesystem::path& home) {
  const std::size_t colon = text.find("://");
  if (colon != std::string::npos && text.find('/') == colon + 1) return text;
  return resolve_path(text, folder, home).string();
}

/// A place of the document, what stands there, and why it is wrong, without the value.
Error wrong_address(const TableReader& table, TextPosition position, const std::string& field,
                    const std::string& fault) {
  return table.document().error(
      ErrorCode::settings_field, position,
      "field \"" + table.path() + "." + field + "\": expected the address of a registry, but " + fault);
}

Result<RegistrySettings> read_registry(TableReader& table, const toml::Table& registries,
                                       const std::filesystem::path& home) {
  RegistrySettings result;
  result.name = table.name();
  result.position = registries.key_position(table.name());
  CURUPIRA_CHECK(refuse_unknown(table, {"url", "mirrors", "root_fingerprint"}));
  const std::filesystem::path folder = table.document().file.parent_path();
  CURUPIRA_TRY(const std::string url, table.text("url"));
  if (const auto fault = fault_of_address(url))
    return fail(wrong_address(table, table.position_of("url"), "url", *fault));
  result.url = anchored_address(url, folder, home);
  CURUPIRA_TRY(const auto mirrors, table.texts("mirrors"));
  for (std::size_t i = 0; i < mirrors.size(); ++i) {
    if (const auto fault = fault_of_address(mirrors[i]))
      return fail(wrong_address(table, (*table.find("mirrors")->as_array())[i].position(),
                                "mirrors[" + std::to_string(i) + "]", *fault));
    result.mirrors.push_back(anchored_address(mirrors[i], folder, home));
  }
  CURUPIRA_TRY(const auto fingerprint, table.optional_text("root_fingerprint"));
  if (fingerprint) {
    result.root_fingerprint = parse_root_fingerprint(*fingerprint);
    if (!result.root_fingerprint)
      return fail(table.wrong("root_fingerprint", "\"sha256:\" and 64 hexadecimal digits"));
  }
  return result;
}

}  // namespace

bool is_registry_name(std::string_view name) {
  constexpr std::array<std::string_view, 9> taken{"npm",  "pip",   "path", "archive", "curupira",
                                                  "http", "https", "file", "oci"};
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_inner = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= max_name_bytes && is_letter(name.front()) &&
         std::ranges::all_of(name, is_inner) && std::ranges::find(taken, name) == taken.end();
}

std::optional<Digest> parse_root_fingerprint(std::string_view text) {
  if (!text.starts_with(fingerprint_prefix)) return std::nullopt;
  auto digest = Digest::from_hex(DigestAlgorithm::sha256, text.substr(fingerprint_prefix.size()));
  return digest ? std::optional(*digest) : std::nullopt;
}

std::string root_fingerprint_text(const Digest& fingerprint) {
  return std::string(fingerprint_prefix) + fingerprint.hex();
}

Result<std::vector<RegistrySettings>> read_registries(TableReader& root, const std::filesystem::path& home) {
  std::vector<RegistrySettings> registries;
  CURUPIRA_TRY(auto table, root.optional_table(section));
  if (!table) return registries;
  CURUPIRA_TRY(auto tables, table->tables());
  for (TableReader& each : tables) {
    if (!is_registry_name(each.name()))
      return fail(table->document().error(
          ErrorCode::registry_name, table->fields().key_position(each.name()),
          "name in [" + std::string(section) + "]: found \"" + excerpt(each.name(), 80) + "\""));
    CURUPIRA_TRY(auto registry, read_registry(each, table->fields(), home));
    registries.push_back(std::move(registry));
  }
  return registries;
}

Result<std::vector<RegistrySettings>> parse_registries(std::string_view text,
                                                       const std::filesystem::path& file,
                                                       const std::filesystem::path& home,
                                                       Diagnostics& diagnostics) {
  const Document document{.file = file, .field_error = ErrorCode::settings_field, .diagnostics = diagnostics};
  auto parsed = toml::parse(text, {.max_bytes = max_settings_bytes, .max_depth = max_depth});
  if (!parsed) {
    return fail(
        syntax_error(document, parsed.error(), ErrorCode::settings_syntax, ErrorCode::settings_syntax));
  }
  TableReader root(document, *parsed, TextPosition{.line = 1, .column = 1}, {});
  return read_registries(root, home);
}

}  // namespace curupira::manifest
