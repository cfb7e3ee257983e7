#include "runtime/tool_globs.h"

#include "base/glob.h"

namespace curupira::runtime {

bool tools_allow(const std::vector<std::string>& tools, std::string_view trigger) {
  bool any_inclusion = false;
  bool included = false;
  for (const std::string_view tool : tools) {
    if (tool.starts_with('!')) {
      if (glob_matches(tool.substr(1), trigger)) return false;
      continue;
    }
    any_inclusion = true;
    included = included || glob_matches(tool, trigger);
  }
  return included || !any_inclusion;
}

}  // namespace curupira::runtime
