#pragma once

#include <span>
#include <string_view>

namespace curupira::agents {

/// A coding-agent program that is built in (spec/agents.md). How a profile becomes argv comes with
/// dispatching.
struct Provider {
  std::string_view name;        ///< in settings: "claude"
  std::string_view executable;  ///< on PATH: "claude"
};

/// All, sorted by name.
std::span<const Provider> providers();
const Provider* find_provider(std::string_view name);

}  // namespace curupira::agents
