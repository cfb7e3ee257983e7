#include <algorithm>

#include "base/printable.h"
#include "manifest/launch_parser.h"
#include "manifest/manifest.h"
#include "manifest/table_reader.h"

namespace curupira::manifest {
namespace {

constexpr std::int64_t known_manifest_version = 1;
constexpr std::int64_t known_protocol_version = 2;
constexpr std::size_t max_name_length = 64;
constexpr std::size_t max_trigger_length = 128;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

/// First, so that a manifest of a later format is told so instead of being measured by the rules of this one.
Result<> check_format(TableReader& table) {
  CURUPIRA_TRY(const auto version, table.integer("manifest_version"));
  if (version != known_manifest_version) {
    return fail(
        table.wrong(ErrorCode::manifest_version, "manifest_version", std::to_string(known_manifest_version)));
  }
  return {};
}

Result<> check_kind(TableReader& table) {
  CURUPIRA_TRY(const auto kind, table.text("kind"));
  CURUPIRA_TRY(const auto agents, table.texts("agent_providers"));
  if (kind == "agent") return fail(table.wrong(ErrorCode::manifest_kind, "kind", "\"trigger\""));
  if (!agents.empty()) {
    return fail(table.document().error(
        ErrorCode::manifest_kind, table.position_of("agent_providers"),
        "field \"agent_providers\": expected none, found \"" + printable(agents[0]) + "\""));
  }
  if (kind == "both") {
    table.document().note(table.position_of("kind"),
                          "kind = \"both\" is read as \"trigger\": agents are built in");
  } else if (kind != "trigger") {
    return fail(table.wrong("kind", "\"trigger\""));
  }
  return {};
}

Result<> check_protocol(TableReader& table) {
  CURUPIRA_TRY(const auto version, table.integer("protocol_version"));
  if (version != known_protocol_version) {
    return fail(table.wrong(ErrorCode::manifest_protocol, "protocol_version",
                            std::to_string(known_protocol_version)));
  }
  return {};
}

Result<std::string> extension_name(TableReader& table) {
  CURUPIRA_TRY(auto name, table.text("name"));
  if (!is_readable_extension_name(name)) {
    return fail(
        table.wrong("name", "letters, digits, '-' and '_', at most " + std::to_string(max_name_length)));
  }
  return name;
}

Result<std::string> semantic_version(TableReader& table) {
  CURUPIRA_TRY(auto version, table.text("version"));
  auto parsed = SemVer::parse(version);
  if (!parsed) {
    return fail(
        table.wrong("version", "a semantic version like \"1.2.3\"").caused_by(std::move(parsed).error()));
  }
  return version;
}

Result<Runtime> runtime(TableReader& table) {
  CURUPIRA_TRY(const auto name, table.text("runtime"));
  std::vector<std::string> names;
  for (const Runtime runtime : {Runtime::python, Runtime::node, Runtime::executable}) {
    if (name == name_of(runtime)) return runtime;
    names.emplace_back(name_of(runtime));
  }
  return fail(table.wrong("runtime", one_of(names) + did_you_mean(name, names)));
}

bool is_local_trigger(std::string_view name) {
  return !name.empty() && name.size() <= max_trigger_length &&
         std::none_of(name.begin(), name.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return c == '/' || byte < 0x20 || byte == 0x7f;
         });
}

Result<std::vector<std::string>> trigger_types(TableReader& table) {
  CURUPIRA_TRY(auto names, table.texts("trigger_types"));
  if (names.empty()) return fail(table.wrong("trigger_types", "at least one trigger name"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_local_trigger(names[i])) {
      return fail(table.wrong_item("trigger_types", i,
                                   "a local trigger name without '/' and control characters, at most " +
                                       std::to_string(max_trigger_length) + " bytes"));
    }
    const auto here = names.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(names.begin(), here, names[i]) != here) {
      return fail(table.wrong_item("trigger_types", i, "each name once"));
    }
  }
  return names;
}

Result<std::optional<PackageRef>> package(TableReader& table) {
  CURUPIRA_TRY(auto reader, table.optional_table("package"));
  if (!reader) return std::nullopt;
  PackageRef result;
  CURUPIRA_TRY(result.source, reader->text("source"));
  CURUPIRA_TRY(result.name, reader->text("name"));
  if (result.name.empty()) return fail(reader->wrong("name", "the name of a package"));
  CURUPIRA_TRY(result.version, reader->optional_text("version"));
  reader->warn_about_unknown();
  return result;
}

Result<std::vector<std::string>> permissions(TableReader& table) {
  CURUPIRA_TRY(auto reader, table.optional_table("capabilities"));
  if (!reader) return std::vector<std::string>();
  CURUPIRA_TRY(auto all, reader->texts("permissions"));
  reader->warn_about_unknown();
  return all;
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view text, const std::filesystem::path& file,
                                Diagnostics& diagnostics) {
  const Document document{.file = file, .field_error = ErrorCode::manifest_field, .diagnostics = diagnostics};
  auto parsed = toml::parse(text, {.max_bytes = max_manifest_bytes, .max_depth = max_manifest_depth});
  if (!parsed) {
    return fail(
        syntax_error(document, parsed.error(), ErrorCode::manifest_syntax, ErrorCode::manifest_too_large));
  }
  TableReader table(document, *parsed, TextPosition{.line = 1, .column = 1}, {});
  CURUPIRA_CHECK(check_format(table));
  CURUPIRA_CHECK(check_kind(table));
  CURUPIRA_CHECK(check_protocol(table));
  Manifest result;
  CURUPIRA_TRY(result.name, extension_name(table));
  CURUPIRA_TRY(result.version, semantic_version(table));
  CURUPIRA_TRY(result.runtime, runtime(table));
  CURUPIRA_TRY(result.trigger_types, trigger_types(table));
  CURUPIRA_TRY(auto launch, table.table("launch"));
  CURUPIRA_TRY(result.launch, parse_launch(launch));
  CURUPIRA_TRY(result.package, package(table));
  CURUPIRA_TRY(result.permissions, permissions(table));
  table.warn_about_unknown();
  return result;
}

bool is_new_extension_name(std::string_view name) {
  if (name.empty() || name.size() > max_name_length) return false;
  if (!is_lower(name.front()) && !is_digit(name.front())) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '_'; });
}

bool is_readable_extension_name(std::string_view name) {
  if (name.empty() || name.size() > max_name_length) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return is_lower(c) || is_upper(c) || is_digit(c) || c == '-' || c == '_';
  });
}

}  // namespace curupira::manifest
