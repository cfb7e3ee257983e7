#include "tuf/delegation_match.h"

#include <algorithm>
#include <charconv>

#include "base/digest.h"
#include "base/glob.h"

namespace curupira::tuf {
namespace {

std::string_view next_segment(std::string_view& rest, bool& ended) {
  const std::size_t slash = rest.find('/');
  const std::string_view segment = rest.substr(0, slash);
  ended = slash == std::string_view::npos;
  rest.remove_prefix(ended ? rest.size() : slash + 1);
  return segment;
}

bool matches(const DelegatedRole& role, const TargetName& target, const std::string& path_hash) {
  if (role.paths)
    return std::ranges::any_of(
        *role.paths, [&](const std::string& pattern) { return path_matches(pattern, target.text()); });
  return role.path_hash_prefixes &&
         std::ranges::any_of(*role.path_hash_prefixes,
                             [&](const std::string& prefix) { return path_hash.starts_with(prefix); });
}

}  // namespace

bool path_matches(std::string_view pattern, std::string_view path) {
  bool pattern_ended = false;
  bool path_ended = false;
  while (!pattern_ended && !path_ended) {
    const std::string_view pattern_segment = next_segment(pattern, pattern_ended);
    const std::string_view path_segment = next_segment(path, path_ended);
    if (!glob_matches(pattern_segment, path_segment)) return false;
  }
  return pattern_ended && path_ended;
}

std::vector<MatchingDelegation> matching_delegations(const Delegations& delegations,
                                                     const TargetName& target) {
  if (delegations.succinct_roles) {
    const SuccinctRoles& roles = *delegations.succinct_roles;
    // A target is in one bin and in no other.
    return {{.role = bin_name(roles, bin_of(roles, target)), .keys = &roles.keys, .terminating = true}};
  }
  std::vector<MatchingDelegation> found;
  const std::string path_hash = target.path_hash();
  for (const DelegatedRole& role : *delegations.roles) {
    if (!matches(role, target, path_hash)) continue;
    found.push_back({.role = role.name, .keys = &role.keys, .terminating = role.terminating.value_or(false)});
    if (found.back().terminating) break;
  }
  return found;
}

std::uint32_t bin_of(const SuccinctRoles& roles, const TargetName& target) {
  const Digest digest = digest_of(DigestAlgorithm::sha256, target.text());
  std::uint32_t number = 0;
  for (const std::byte byte : digest.bytes().first(4))
    number = number << 8 | std::to_integer<std::uint32_t>(byte);
  return number >> (32 - roles.bit_length);
}

std::string bin_name(const SuccinctRoles& roles, std::uint32_t bin) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (int bits = roles.bit_length; bits > 0; bits -= 4) {
    hex.insert(hex.begin(), digits[bin & 15u]);
    bin >>= 4;
  }
  return roles.name_prefix + "-" + hex;
}

const RoleKeys* keys_for(const Delegations& delegations, std::string_view role) {
  if (delegations.roles) {
    const auto found = std::ranges::find(*delegations.roles, role, &DelegatedRole::name);
    if (found != delegations.roles->end()) return &found->keys;
  }
  if (!delegations.succinct_roles) return nullptr;
  const SuccinctRoles& bins = *delegations.succinct_roles;
  const std::size_t dash = role.rfind('-');
  if (dash == std::string_view::npos) return nullptr;
  const std::string_view hex = role.substr(dash + 1);
  std::uint32_t bin = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), bin, 16);
  const bool is_bin =
      error == std::errc() && std::uint64_t{bin} >> bins.bit_length == 0 && bin_name(bins, bin) == role;
  return is_bin ? &bins.keys : nullptr;
}

}  // namespace curupira::tuf
