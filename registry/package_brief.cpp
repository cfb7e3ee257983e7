#include "registry/package_brief.h"

#include "base/diagnostics.h"
#include "base/printable.h"
#include "manifest/manifest.h"

namespace curupira::registry {
namespace {

constexpr std::string_view member = "curupira";

void append_texts(json::Object& object, const char* name, const std::vector<std::string>& texts) {
  if (!texts.empty()) object.append(name, json::Array(texts.begin(), texts.end()));
}

Result<std::vector<std::string>> texts_of(tuf::Fields& fields, std::string_view name) {
  if (!fields.members().contains(name)) return std::vector<std::string>{};
  return fields.texts(name);
}

Result<PackageBrief> read(tuf::Fields& fields) {
  PackageBrief brief;
  if (fields.members().contains("latest")) {
    CURUPIRA_TRY(brief.latest, fields.text("latest"));
  }
  CURUPIRA_TRY(brief.summary, fields.text("summary"));
  if (brief.summary.size() > max_summary_bytes)
    return fail(ErrorCode::package_index_invalid,
                fields.place("summary") + " is longer than " + std::to_string(max_summary_bytes) + " bytes");
  CURUPIRA_TRY(brief.triggers, texts_of(fields, "triggers"));
  CURUPIRA_TRY(brief.yanked, texts_of(fields, "yanked"));
  return brief;
}

}  // namespace

PackageBrief brief_of(const PackageIndex& index, std::string summary) {
  PackageBrief brief{.latest = index.latest(), .summary = std::move(summary), .yanked = index.yanked()};
  if (!brief.latest) return brief;
  CollectedDiagnostics ignored;
  const auto manifest =
      manifest::parse_manifest(index.find(*brief.latest)->manifest, manifest::manifest_file_name, ignored);
  if (manifest) brief.triggers = manifest->trigger_types;
  return brief;
}

json::Object members_of(const PackageBrief& brief) {
  json::Object members;
  if (brief.latest) members.append("latest", *brief.latest);
  members.append("summary", brief.summary);
  append_texts(members, "triggers", brief.triggers);
  append_texts(members, "yanked", brief.yanked);
  return members;
}

Result<PackageBrief> read_brief(tuf::Fields& fields) {
  auto brief = read(fields);
  if (!brief) return fail(ErrorCode::package_index_invalid, brief.error().detail());
  return brief;
}

json::Object custom_of(const PackageBrief& brief) {
  json::Object custom;
  custom.append(std::string(member), members_of(brief));
  return custom;
}

Result<PackageBrief> read_custom(const std::optional<json::Object>& custom, const std::string& where) {
  const json::Value* const inner = custom ? custom->find(member) : nullptr;
  if (inner == nullptr)
    return fail(ErrorCode::package_index_invalid, where + " has no \"" + std::string(member) + "\"");
  auto fields = tuf::Fields::of(*inner, where);
  if (!fields) return fail(ErrorCode::package_index_invalid, fields.error().detail());
  return read_brief(*fields);
}

}  // namespace curupira::registry
