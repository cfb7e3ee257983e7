#include "agents/provider.h"

#include <algorithm>
#include <array>

namespace curupira::agents {

std::span<const Provider> providers() {
  static constexpr std::array all{
      Provider{"claude", "claude"},     Provider{"codex", "codex"},   Provider{"copilot", "copilot"},
      Provider{"cursor", "agent"},      Provider{"gemini", "gemini"}, Provider{"kilo", "kilo"},
      Provider{"opencode", "opencode"}, Provider{"pi", "pi"},         Provider{"qwen", "qwen"},
  };
  return all;
}

const Provider* find_provider(std::string_view name) {
  const auto all = providers();
  const auto found = std::ranges::find(all, name, &Provider::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace curupira::agents
