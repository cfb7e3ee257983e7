#pragma once

#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"

namespace curupira {

/// A small process beside ours that ends all descendants of our children when we are killed: a child gets
/// SIGKILL from the system then, but what the child started does not. For commands that run other people's
/// programs for long; to be started before any thread. Ends with the object, and then ends nobody.
class OrphanGuard {
 public:
  /// Error: spawn_failed.
  static Result<OrphanGuard> start();

  OrphanGuard(OrphanGuard&&) noexcept = default;
  OrphanGuard& operator=(OrphanGuard&&) = delete;
  ~OrphanGuard();

 private:
  OrphanGuard(UniqueFd lifeline, int pid) : lifeline_(std::move(lifeline)), pid_(pid) {}
  UniqueFd lifeline_;  ///< the guard sees it close, however we end
  int pid_;
};

}  // namespace curupira
