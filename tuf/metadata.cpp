#include "tuf/metadata.h"

#include "base/url.h"

namespace curupira::tuf {

bool is_top_level_role(std::string_view name) {
  return name == root_role || name == timestamp_role || name == snapshot_role || name == targets_role;
}

const MetaFile* Snapshot::find(std::string_view role) const {
  const auto found = meta.find(listed_file_name(role));
  return found == meta.end() ? nullptr : &found->second;
}

std::string metadata_file_name(std::string_view role, std::optional<std::int64_t> version) {
  return (version ? std::to_string(*version) + "." : "") + percent_encode(role) + ".json";
}

std::string listed_file_name(std::string_view role) {
  return std::string(role) + ".json";
}

}  // namespace curupira::tuf
