#pragma once

#include <cstdint>
#include <string_view>

namespace curupira::installer {

/// What happens on the way, for progress bars, JSON lines and tests. Called from the installing thread only;
/// events travel beside the data, never inside it (design.md §2).
class InstallObserver {
 public:
  virtual ~InstallObserver() = default;
  virtual void waiting_for_lock(std::string_view /*holder*/) {}
  virtual void resolving(std::string_view /*reference*/) {}
  virtual void fetching(std::size_t /*artifacts*/, std::size_t /*already_in_store*/) {}
  /// `received` of all artifacts so far; `expected` is 0 while some size is unknown.
  virtual void fetched_bytes(std::uint64_t /*received*/, std::uint64_t /*expected*/) {}
  virtual void unpacking(std::string_view /*artifact*/) {}
  virtual void assembling(std::string_view /*reference*/) {}
  virtual void probing(std::string_view /*reference*/, std::string_view /*sandbox*/) {}
  virtual void committed(std::string_view /*name*/, std::string_view /*version*/) {}
};

}  // namespace curupira::installer
