#pragma once

namespace curupira::cli {

/// Ctrl-C ends the program with exit code 130 and a word on what that means (spec/settings.md). Children die
/// with it; what was under way is invisible, and the next command tidies it up (design.md §3).
void end_on_interrupt();

}  // namespace curupira::cli
