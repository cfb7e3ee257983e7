#include "registry/yanked_release.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

std::string words_of(const std::string& package, const std::string& version, const std::string& reason) {
  return "pip:" + printable(package) + "==" + printable(version) + " was taken back by its author: " +
         (reason.empty() ? "no reason is given" : excerpt(reason, Limits::max_warning_bytes));
}

}  // namespace

Result<> check_yanked(const SourceTools& tools, const PylockPackage& chosen,
                      std::span<const IndexFile> listed, Diagnostics& diagnostics) {
  const auto is_chosen = [&](const IndexFile& file) {
    return std::ranges::find(chosen.wheels, file.name, &LockedWheel::file_name) != chosen.wheels.end();
  };
  const auto yanked = std::ranges::find_if(
      listed, [&](const IndexFile& file) { return file.yanked.has_value() && is_chosen(file); });
  if (yanked == listed.end()) return {};
  std::string what = words_of(chosen.name, chosen.version, *yanked->yanked);
  if (tools.refuse_yanked && !tools.is_locked)
    return fail(ErrorCode::policy_yanked, *tools.refuse_yanked + ": " + what);
  diagnostics.warn(std::move(what));
  return {};
}

void report_yanked(const std::string& package, const std::string& version, const IndexFile& file,
                   Diagnostics& diagnostics) {
  if (file.yanked) diagnostics.warn(words_of(package, version, *file.yanked));
}

}  // namespace curupira::registry
