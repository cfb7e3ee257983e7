#pragma once

#include <span>
#include <string>
#include <string_view>

#include "templates/template_operators.h"

namespace curupira::templates {

/// The words after `is`, sorted.
std::span<const std::string> test_names();
bool is_test(std::string_view name);
bool test_takes_argument(std::string_view name);

/// `value is name(argument)`; `argument` is null for tests without one.
TemplateOutcome apply_test(std::string_view name, const TemplateValue& value, const TemplateValue* argument,
                           const TemplateLimits& limits);

}  // namespace curupira::templates
