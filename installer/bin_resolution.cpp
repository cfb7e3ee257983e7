#include "installer/bin_resolution.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::installer {
namespace {

std::string list_of(const PackageJson& package) {
  std::string text;
  for (const auto& [command, path] : package.bins)
    text += (text.empty() ? "" : ", ") + printable(command);
  return text;
}

}  // namespace

Result<RelativePath> bin_path(const std::string& command, const std::string& text) {
  auto path = RelativePath::parse(text);
  if (!path)
    return fail(ErrorCode::bin_not_found, "bin \"" + printable(command) + "\" is \"" + printable(text) +
                                              "\", which is no path in the package");
  return std::move(*path);
}

Result<PackageBin> choose_bin(const PackageJson& package, const std::optional<std::string>& wanted) {
  const auto make = [](const auto& bin) -> Result<PackageBin> {
    CURUPIRA_TRY(RelativePath path, bin_path(bin.first, bin.second));
    return PackageBin{bin.first, std::move(path)};
  };
  const auto& bins = package.bins;
  const std::string name = printable(package.name);
  if (wanted) {
    const auto found = bins.find(*wanted);
    if (found != bins.end()) return make(*found);
    return fail(ErrorCode::bin_not_found, name + " has no bin \"" + printable(*wanted) + "\"" +
                                              (bins.empty() ? "" : "; it has " + list_of(package)));
  }
  if (bins.empty()) return fail(ErrorCode::bin_not_found, name + " has no \"bin\" in its package.json");
  const std::string& first = bins.begin()->second;
  const auto same = [&](const auto& bin) { return bin.second == first; };
  if (std::all_of(bins.begin(), bins.end(), same)) return make(*bins.begin());
  const auto own = bins.find(std::string(unscoped(package.name)));
  if (own != bins.end()) return make(*own);
  return fail(ErrorCode::bin_ambiguous, name + " has " + list_of(package));
}

}  // namespace curupira::installer
