#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "templates/template_limits.h"

namespace curupira::templates {

/// A word between `{{` and `}}` or `{%` and `%}`.
struct TemplateToken {
  enum class Kind { name, integer, real, string, sign, end };
  Kind kind = Kind::end;
  std::string text;  ///< of a string its value; of a sign the sign
  int line = 0;
};

/// A piece of a template: text, `${key}`, or a tag with its words.
struct TemplateSegment {
  enum class Kind { text, placeholder, output, block };
  Kind kind = Kind::text;
  std::string text;                        ///< text as it stands; of a placeholder the key
  std::vector<TemplateToken> tokens = {};  ///< of output and block, closed by an `end`
  int line = 1;
};

/// Takes a template apart. Comments, `{% raw %}` and the whitespace control of `-` are done away with here;
/// inside a raw block only `${key}` means something. Error: prompt_template with the line.
Result<std::vector<TemplateSegment>> split_template(std::string_view text, const TemplateLimits& limits = {});

}  // namespace curupira::templates
