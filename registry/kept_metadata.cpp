#include "registry/kept_metadata.h"

#include "base/printable.h"
#include "registry/carrier.h"

namespace curupira::registry {

Result<std::optional<std::string>> KeptMetadata::fetch(const std::string& name, std::uint64_t max_bytes) {
  if (name.ends_with(".root.json")) return std::nullopt;
  const std::string role_file = has_version(name) ? name.substr(name.find('.') + 1) : name;
  auto text = files_.read_file(folder_ / role_file, max_bytes);
  if (text) return *std::move(text);
  if (text.error().code() != ErrorCode::file_not_found) return fail(std::move(text).error());
  return fail(Error(ErrorCode::offline_missing,
                    printable(name) + " of the registry " + registry_ + " was not read while it could be"));
}

}  // namespace curupira::registry
