#pragma once

#include <string>

#include "base/result.h"

namespace curupira::templates {

/// Error prompt_template: "line 3: …".
inline tl::unexpected<Error> template_failure(int line, const std::string& what) {
  return fail(ErrorCode::prompt_template, "line " + std::to_string(line) + ": " + what);
}

}  // namespace curupira::templates
