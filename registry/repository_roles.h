#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "tuf/metadata.h"

namespace curupira::registry {

/// Delegated roles that every registry has (docs/keep-registry.md). Names of publishers' roles are others.
inline constexpr std::string_view bins_role = "bins";      ///< delegates to bins-00 …, by the name's hash
inline constexpr std::string_view search_role = "search";  ///< has the search index
/// Has what a mirror has of other ecosystems (docs/mirror.md); only registries that are one have this role.
inline constexpr std::string_view mirror_role = "mirror";
/// What people call the key that signs everything that changes daily: timestamp, snapshot, search, bins-xx.
inline constexpr std::string_view online_keys = "online";

inline constexpr int default_bin_bits = 8;
inline constexpr int max_bin_bits = 16;

/// From when they were signed. What is renewed before somebody misses it lives short: a mirror cannot hold
/// newer versions back for longer.
struct Lifetimes {
  std::chrono::days root{365};
  std::chrono::days targets{365};
  std::chrono::days publisher{365};
  std::chrono::days bin{90};
  std::chrono::days search{90};
  std::chrono::days mirror{90};
  std::chrono::days snapshot{30};
  std::chrono::days timestamp{7};

  std::chrono::days of(std::string_view role) const;
};

/// Whether metadata is worth renewing: less than a third of its life is left.
bool is_near_expiry(std::string_view role, const tuf::Common& common, std::chrono::sys_seconds now);

/// "acme" for "@acme/*": what the role of those who publish these names is called.
std::string role_name_for(std::string_view pattern);
/// False for names that mean something else: root, online, bins, bins-…
bool is_publisher_name(std::string_view role);

}  // namespace curupira::registry
