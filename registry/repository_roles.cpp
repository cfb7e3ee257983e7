#include "registry/repository_roles.h"

#include <algorithm>

namespace curupira::registry {
namespace {

constexpr std::size_t max_role_name_bytes = 64;

bool is_bin(std::string_view role) {
  return role.starts_with(bins_role) && role.size() > bins_role.size() && role[bins_role.size()] == '-';
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

}  // namespace

std::chrono::days Lifetimes::of(std::string_view role) const {
  if (role == tuf::root_role) return root;
  if (role == tuf::targets_role || role == bins_role) return targets;
  if (role == tuf::snapshot_role) return snapshot;
  if (role == tuf::timestamp_role) return timestamp;
  if (role == search_role) return search;
  if (role == mirror_role) return mirror;
  return is_bin(role) ? bin : publisher;
}

bool is_near_expiry(std::string_view role, const tuf::Common& common, std::chrono::sys_seconds now) {
  return common.expires - now < std::chrono::seconds(Lifetimes().of(role)) / 3;
}

std::string role_name_for(std::string_view pattern) {
  std::string name;
  for (const char c : pattern.substr(0, pattern.find('/')))
    if (is_name_character(c)) name += c;
  while (!name.empty() && (name.back() == '-' || name.back() == '_' || name.back() == '.'))
    name.pop_back();
  return name;
}

bool is_publisher_name(std::string_view role) {
  return !role.empty() && role.size() <= max_role_name_bytes &&
         std::ranges::all_of(role, is_name_character) && role.front() != '.' &&
         !tuf::is_top_level_role(role) && role != bins_role && role != search_role && role != mirror_role &&
         role != online_keys && !is_bin(role);
}

}  // namespace curupira::registry
