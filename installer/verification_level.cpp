#include "installer/verification_level.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::installer {

using manifest::ReceiptArtifact;
using manifest::VerificationLevel;

std::optional<VerificationLevel> weakest_level(std::span<const ReceiptArtifact> artifacts) {
  if (artifacts.empty()) return std::nullopt;
  return std::ranges::min_element(artifacts, {}, &ReceiptArtifact::level)->level;
}

std::vector<LoweredLevel> level_went_down(std::span<const ReceiptArtifact> before,
                                          std::span<const ReceiptArtifact> now) {
  std::vector<LoweredLevel> lowered;
  const auto weakest_before = weakest_level(before);
  for (const ReceiptArtifact& artifact : now) {
    // A package can be there in several versions: the least of them is what it had.
    std::optional<VerificationLevel> level;
    for (const ReceiptArtifact& earlier : before)
      if (earlier.package == artifact.package) level = std::min(level.value_or(earlier.level), earlier.level);
    if (!level) level = weakest_before;
    if (level && artifact.level < *level)
      lowered.push_back({artifact.package, artifact.version, *level, artifact.level});
  }
  return lowered;
}

Result<> require_levels(std::span<const ReceiptArtifact> promised, std::span<const ReceiptArtifact> now) {
  std::string detail;
  for (const LoweredLevel& lowered : level_went_down(promised, now))
    detail += (detail.empty() ? "" : "\n") + to_string(lowered);
  if (detail.empty()) return {};
  return fail(ErrorCode::level_lowered, detail);
}

std::string to_string(const LoweredLevel& lowered) {
  return printable(lowered.package) + (lowered.version.empty() ? "" : "@" + printable(lowered.version)) +
         ": " + std::string(manifest::name_of(lowered.before)) + " → " +
         std::string(manifest::name_of(lowered.now));
}

}  // namespace curupira::installer
