#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "templates/template_lexer.h"
#include "templates/template_value.h"

namespace curupira::templates {

/// The value of a number as written: 12, 0x1f, 1.5e3. Error: prompt_template when it is too large.
Result<TemplateValue> number_literal(const TemplateToken& token);

/// The value of true, false and none, as Jinja or as Python writes them; nothing for other names.
std::optional<TemplateValue> named_constant(std::string_view name);

/// Words of the expression language, which are no names of fields.
bool is_keyword(std::string_view name);

}  // namespace curupira::templates
