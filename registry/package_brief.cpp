#include "registry/package_brief.h"

#include "base/diagnostics.h"
#include "base/printable.h"
#include "manifest/manifest.h"
#include "tuf/fields.h"

namespace curupira::registry {
namespace {

constexpr std::string_view member = "curupira";

json::Array array_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

Result<PackageBrief> read(const json::Object& custom, const std::string& where) {
  tuf::Fields outer(custom, where);
  CURUPIRA_TRY(auto fields, outer.object(member));
  PackageBrief brief;
  if (fields.members().contains("latest")) {
    CURUPIRA_TRY(brief.latest, fields.text("latest"));
  }
  CURUPIRA_TRY(brief.summary, fields.text("summary"));
  if (brief.summary.size() > max_summary_bytes)
    return fail(ErrorCode::package_index_invalid,
                fields.place("summary") + " is longer than " + std::to_string(max_summary_bytes) + " bytes");
  CURUPIRA_TRY(brief.triggers, fields.texts("triggers"));
  CURUPIRA_TRY(brief.yanked, fields.texts("yanked"));
  return brief;
}

}  // namespace

PackageBrief brief_of(const PackageIndex& index, std::string summary) {
  PackageBrief brief{.latest = index.latest(), .summary = std::move(summary), .yanked = index.yanked()};
  if (!brief.latest) return brief;
  CollectedDiagnostics ignored;
  const auto manifest = manifest::parse_manifest(index.find(*brief.latest)->manifest,
                                                 manifest::manifest_file_name, ignored);
  if (manifest) brief.triggers = manifest->trigger_types;
  return brief;
}

json::Object custom_of(const PackageBrief& brief) {
  json::Object inner;
  if (brief.latest) inner.append("latest", *brief.latest);
  inner.append("summary", brief.summary);
  inner.append("triggers", array_of(brief.triggers));
  inner.append("yanked", array_of(brief.yanked));
  json::Object custom;
  custom.append(std::string(member), std::move(inner));
  return custom;
}

Result<PackageBrief> read_brief(const std::optional<json::Object>& custom, const std::string& where) {
  if (!custom)
    return fail(ErrorCode::package_index_invalid, where + " has no \"" + std::string(member) + "\"");
  auto brief = read(*custom, where);
  if (!brief) return fail(ErrorCode::package_index_invalid, brief.error().detail());
  return brief;
}

}  // namespace curupira::registry
