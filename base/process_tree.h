#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace curupira {

/// The name of the environment variable that marks the descendants of one child.
///
/// A descendant can leave the process group and the session (setsid), and lose its parent (double fork): then
/// nothing in the process table leads back to our child. What it keeps is its environment, and
/// /proc/<pid>/environ of processes of the same user can be read. A marker in a file or a descriptor would be
/// closed by every daemon; control groups need rights that we do not have. A descendant that also starts with
/// an empty environment is found for as long as its parents live, because the tree is stopped before it is
/// killed.
inline constexpr std::string_view process_mark_name = "CURUPIRA_CHILD";

/// An identifier that no other child has; starts with `mark_prefix_of` this process.
std::string new_process_mark();

/// Ends everything that descends from `leader`, which must be an unreaped child of ours and the leader of a
/// session, and reaps what became our child that way; not `leader` itself. Waits for their end at most
/// `limit`.
void kill_process_tree(int leader, std::string_view mark, std::chrono::milliseconds limit);

/// What the marks of all children of the process `host` begin with.
std::string mark_prefix_of(int host);

/// Ends all processes whose mark begins with `mark_prefix`, with their descendants. Waits at most `limit`.
void kill_marked_processes(std::string_view mark_prefix, std::chrono::milliseconds limit);

}  // namespace curupira
