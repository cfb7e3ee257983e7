#include "manifest/policy_settings.h"

#include <algorithm>
#include <array>

#include "base/glob.h"
#include "base/nearest_name.h"
#include "base/printable.h"
#include "manifest/manifest.h"
#include "manifest/policy_values.h"
#include "manifest/registry_settings.h"
#include "manifest/settings_sections.h"

namespace curupira::manifest {
namespace {

constexpr std::string_view table_name = "policy";
constexpr int max_policy_depth = 64;

/// `[polcy]`, or `policy` below `[settings]`: nobody would read the rules in there.
Result<> refuse_misplaced(const TableReader& root) {
  constexpr std::string_view expected = "it would bind nothing: the rules stand in a table [policy]";
  const std::array<std::string, 1> names{std::string(table_name)};
  for (const auto& entry : root.fields()) {
    const toml::Table* const inner = entry.name == "settings" ? entry.value.as_table() : nullptr;
    if (inner != nullptr && inner->find(table_name) != nullptr) {
      return fail(root.document().error(ErrorCode::settings_field, inner->key_position(table_name),
                                        "[settings.policy]: " + std::string(expected)));
    }
    if (entry.name == table_name || !nearest_name(entry.name, names)) continue;
    return fail(root.document().error(ErrorCode::settings_field, entry.key_position,
                                      "[" + excerpt(entry.name) + "]: " + std::string(expected)));
  }
  return {};
}

/// The name of a registry; a slip of the pen in "npm" must not become a rule that never matches.
bool is_registry_pattern_scheme(std::string_view scheme) {
  static const std::vector<std::string> others{"npm", "pip", "path", "archive"};
  return is_registry_name(scheme) && !nearest_name(scheme, others);
}

/// What a pattern may look like; the text of the error when it is another.
std::optional<std::string> fault_of_pattern(std::string_view text) {
  const auto rest_after = [&](std::string_view scheme) { return text.substr(scheme.size()); };
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!glob_is_complete(text)) return "a glob whose [set] has an end";
  if (text == "*") return std::nullopt;
  if (text.starts_with("npm:")) {
    const auto name = rest_after("npm:");
    if (name.empty()) return "npm: and a name";
    if (name.find('@', 1) != std::string_view::npos) return "a package without version";
    if (std::ranges::any_of(name, is_upper)) return "lower case, as npm's names are";
    return std::nullopt;
  }
  if (text.starts_with("pip:")) {
    const auto name = rest_after("pip:");
    if (name.empty()) return "pip: and a name";
    if (name.find_first_of("@=<>~ ") != std::string_view::npos) return "a package without version";
    if (std::ranges::any_of(name, is_upper) || name.find_first_of("_.") != std::string_view::npos)
      return "a normal name (PEP 503): lower case, with '-' for '_' and '.'";
    return std::nullopt;
  }
  if (text.starts_with("path:") && text.size() > 5) return std::nullopt;
  if (text.starts_with("archive:")) {
    const auto place = rest_after("archive:");
    if (place.find('#') != std::string_view::npos) return "an archive without its digest";
    const std::size_t host = place.find("://");
    // "https://*.example.org*" would match any host: https://evil.example/.example.org
    if (host != std::string_view::npos && place.find('/', host + 3) == std::string_view::npos)
      return "a URL with a '/' after its host, like \"archive:https://downloads.example.org/*\"";
    if (!place.empty()) return std::nullopt;
    return "archive: and a URL or a file";
  }
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && is_registry_pattern_scheme(text.substr(0, colon))) {
    const auto name = text.substr(colon + 1);
    if (name.empty()) return "a registry and a name";
    if (name.find('@', 1) != std::string_view::npos) return "a package without version";
    if (std::ranges::any_of(name, is_upper)) return "a name in lower case";
    return std::nullopt;
  }
  return "a pattern that begins with \"npm:\", \"pip:\", \"path:\", \"archive:\" or the name of a registry "
         "and "
         "':', or \"*\" alone";
}

/// The pattern's glob: the path of one that names a folder or a file is absolute, from the settings file's
/// folder as all paths in there.
std::string glob_of(const std::string& text, const std::filesystem::path& folder,
                    const std::filesystem::path& home) {
  const std::size_t colon = text.find(':');
  const std::string scheme = text.substr(0, colon + 1);
  if (colon == std::string::npos || (scheme != "path:" && scheme != "archive:")) return text;
  const std::string place = text.substr(colon + 1);
  if (place == "*" || place.starts_with('/') || place.find("://") != std::string::npos) return text;
  return scheme + resolve_path(place, glob_of_text(folder.string()), glob_of_text(home.string())).string();
}

Result<std::vector<PolicyPattern>> patterns(TableReader& table, std::string_view name,
                                            const SettingsFolders& folders) {
  CURUPIRA_TRY(const auto texts, table.texts(name));
  std::vector<PolicyPattern> all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (const auto fault = fault_of_pattern(texts[i])) return fail(table.wrong_item(name, i, *fault));
    all.push_back({.text = texts[i],
                   .glob = glob_of(texts[i], table.document().file.parent_path(), folders.home),
                   .position = (*table.find(name)->as_array())[i].position()});
  }
  return all;
}

Result<std::vector<PolicyPattern>> at_least_one_pattern(TableReader& table, std::string_view name,
                                                        const SettingsFolders& folders) {
  CURUPIRA_TRY(auto all, patterns(table, name, folders));
  if (all.empty()) return fail(table.wrong(name, "an array with at least one pattern"));
  return all;
}

Result<MinimumLevel> minimum_level(TableReader& table, const SettingsFolders& folders) {
  CURUPIRA_CHECK(refuse_unknown(table, {"packages", "minimum_level"}));
  MinimumLevel rule;
  rule.position = table.position();
  CURUPIRA_TRY(rule.packages, at_least_one_pattern(table, "packages", folders));
  CURUPIRA_TRY(const auto text, table.text("minimum_level"));
  rule.position = table.position_of("minimum_level");
  std::vector<std::string> names;
  for (const auto level :
       {VerificationLevel::digest, VerificationLevel::registry_signed, VerificationLevel::publisher_signed}) {
    names.emplace_back(name_of(level));
    if (names.back() != text) continue;
    rule.level = level;
    return rule;
  }
  return fail(table.wrong("minimum_level", one_of(names) + did_you_mean(text, names)));
}

/// `[[policy.verification]]`, in the order of the file.
Result<std::vector<MinimumLevel>> minimum_levels(TableReader& table, const SettingsFolders& folders) {
  constexpr std::string_view name = "verification";
  std::vector<MinimumLevel> rules;
  const toml::Value* const value = table.find(name);
  if (value == nullptr) return rules;
  const toml::Array* const array = value->as_array();
  if (array == nullptr) return fail(table.wrong(name, "tables [[policy.verification]]"));
  for (std::size_t i = 0; i < array->size(); ++i) {
    const toml::Table* const inner = (*array)[i].as_table();
    if (inner == nullptr) return fail(table.wrong_item(name, i, "a table"));
    TableReader reader(table.document(), *inner, (*array)[i].position(), "policy.verification");
    CURUPIRA_TRY(auto rule, minimum_level(reader, folders));
    rules.push_back(std::move(rule));
  }
  return rules;
}

Result<std::optional<AllowedNames>> allowed_names(TableReader& table, std::string_view name) {
  if (!table.has(name)) return std::optional<AllowedNames>();
  CURUPIRA_TRY(auto globs, table.texts(name));
  for (std::size_t i = 0; i < globs.size(); ++i) {
    if (!glob_is_complete(globs[i])) return fail(table.wrong_item(name, i, "a glob whose [set] has an end"));
  }
  return std::optional(AllowedNames{.globs = std::move(globs), .position = table.position_of(name)});
}

Result<std::optional<AllowedNames>> allowed_runtimes(TableReader& table) {
  CURUPIRA_TRY(auto names, allowed_names(table, "runtimes"));
  std::vector<std::string> known;
  for (const auto runtime : {Runtime::node, Runtime::python, Runtime::executable})
    known.emplace_back(name_of(runtime));
  for (std::size_t i = 0; names && i < names->globs.size(); ++i) {
    const std::string& name = names->globs[i];
    if (std::ranges::find(known, name) == known.end())
      return fail(table.wrong_item("runtimes", i, one_of(known) + did_you_mean(name, known)));
  }
  return names;
}

Result<std::optional<MinimumReleaseAge>> minimum_release_age(TableReader& table) {
  constexpr std::string_view name = "minimum_release_age";
  if (!table.has(name)) return std::optional<MinimumReleaseAge>();
  const std::string* const text = table.find(name)->as_string();
  const auto age = text != nullptr ? parse_duration(*text) : std::nullopt;
  if (!age) return fail(table.wrong(name, "a time like \"3d\", \"12h\" or \"2w\""));
  return std::optional(MinimumReleaseAge{.age = *age, .text = *text, .position = table.position_of(name)});
}

Result<std::optional<MaxMetadataAge>> max_metadata_age(TableReader& table) {
  constexpr std::string_view name = "registry_metadata_max_age";
  if (!table.has(name)) return std::optional<MaxMetadataAge>();
  const std::string* const text = table.find(name)->as_string();
  const auto age = text != nullptr ? parse_duration(*text) : std::nullopt;
  if (!age) return fail(table.wrong(name, "a time like \"3d\", \"12h\" or \"2w\""));
  return std::optional(MaxMetadataAge{.age = *age, .text = *text, .position = table.position_of(name)});
}

Result<std::optional<MaxPackageSize>> max_package_size(TableReader& table) {
  constexpr std::string_view name = "max_package_size";
  if (!table.has(name)) return std::optional<MaxPackageSize>();
  const toml::Value& value = *table.find(name);
  std::optional<std::uint64_t> bytes;
  if (const auto* number = value.as_integer(); number != nullptr && *number > 0)
    bytes = static_cast<std::uint64_t>(*number);
  if (const auto* text = value.as_string()) bytes = parse_byte_size(*text);
  if (!bytes) return fail(table.wrong(name, "a size like \"50 MB\", or a number of bytes"));
  return std::optional(MaxPackageSize{.bytes = *bytes, .position = table.position_of(name)});
}

Result<std::optional<PolicySwitch>> policy_switch(TableReader& table, std::string_view name) {
  if (!table.has(name)) return std::optional<PolicySwitch>();
  const bool* const allowed = table.find(name)->as_bool();
  if (allowed == nullptr) return fail(table.wrong(name, "true or false"));
  return std::optional(PolicySwitch{.allowed = *allowed, .position = table.position_of(name)});
}

}  // namespace

Result<Policy> read_policy(TableReader& root, const SettingsFolders& folders) {
  Policy policy;
  policy.file = root.document().file;
  CURUPIRA_CHECK(refuse_misplaced(root));
  CURUPIRA_TRY(auto table, root.optional_table(table_name));
  if (!table) return policy;
  CURUPIRA_CHECK(refuse_unknown(
      *table, {"allow", "deny", "verification", "minimum_release_age", "registry_metadata_max_age",
               "max_package_size", "permissions", "runtimes", "allow_probe", "allow_yanked"}));
  if (table->has("allow")) {
    CURUPIRA_TRY(policy.allow, patterns(*table, "allow", folders));
    policy.allow_position = table->position_of("allow");
  }
  CURUPIRA_TRY(policy.deny, patterns(*table, "deny", folders));
  CURUPIRA_TRY(policy.verification, minimum_levels(*table, folders));
  CURUPIRA_TRY(policy.minimum_release_age, minimum_release_age(*table));
  CURUPIRA_TRY(policy.registry_metadata_max_age, max_metadata_age(*table));
  CURUPIRA_TRY(policy.max_package_size, max_package_size(*table));
  CURUPIRA_TRY(policy.permissions, allowed_names(*table, "permissions"));
  CURUPIRA_TRY(policy.runtimes, allowed_runtimes(*table));
  CURUPIRA_TRY(policy.allow_probe, policy_switch(*table, "allow_probe"));
  CURUPIRA_TRY(policy.allow_yanked, policy_switch(*table, "allow_yanked"));
  return policy;
}

Result<Policy> parse_policy(std::string_view text, const std::filesystem::path& file,
                            const SettingsFolders& folders, Diagnostics& diagnostics) {
  const Document document{.file = file, .field_error = ErrorCode::settings_field, .diagnostics = diagnostics};
  auto parsed = toml::parse(text, {.max_bytes = max_settings_bytes, .max_depth = max_policy_depth});
  if (!parsed) {
    return fail(
        syntax_error(document, parsed.error(), ErrorCode::settings_syntax, ErrorCode::settings_syntax));
  }
  TableReader root(document, *parsed, TextPosition{.line = 1, .column = 1}, {});
  return read_policy(root, folders);
}

}  // namespace curupira::manifest
