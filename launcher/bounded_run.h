#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/child_process.h"
#include "base/result.h"

namespace curupira::launcher {

/// How much of a run is waited for and kept.
struct RunBounds {
  std::chrono::milliseconds time;
  std::uint64_t output;      ///< bytes of stdout; one more ends the run
  std::uint64_t error_tail;  ///< last bytes of stderr that are kept
};

/// A run of a hostile program that is over, whatever it tried: its whole process tree is gone.
struct BoundedRun {
  enum class End { exited, out_of_time, too_much_output };
  End end = End::exited;
  ExitStatus status;  ///< of the program itself when it exited
  std::string output;
  std::string error_tail;
};

/// Runs `spec` until the program itself ends (processes that it leaves behind are not waited for) or a bound
/// is reached, then ends all that it started. Error: spawn_failed.
Result<BoundedRun> run_bounded(const ChildSpec& spec, const RunBounds& bounds);

}  // namespace curupira::launcher
