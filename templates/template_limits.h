#pragma once

#include <cstddef>

namespace curupira::templates {

/// What a prompt template may cost. The template is the user's; the values come from outside.
struct TemplateLimits {
  std::size_t max_template_bytes = 1u << 20;
  std::size_t max_output_bytes = 16u << 20;  ///< of the whole text, and of each value on the way to it
  int max_nesting = 100;                     ///< of blocks, brackets and operators
  std::size_t max_steps = 1'000'000;         ///< evaluated nodes and rounds of loops
};

}  // namespace curupira::templates
