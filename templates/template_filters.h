#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "templates/template_operators.h"

namespace curupira::templates {

/// The arguments of a filter.
struct FilterArguments {
  std::vector<TemplateValue> positional = {};
  std::vector<std::pair<std::string, TemplateValue>> named = {};

  /// The positional argument, else the named one, else null.
  const TemplateValue* get(std::size_t position, std::string_view name) const;
};

/// The words after `|`, sorted.
std::span<const std::string> filter_names();
bool is_filter(std::string_view name);

/// `value | name(arguments)`. All but `default` refuse undefined values.
TemplateOutcome apply_filter(std::string_view name, const TemplateValue& value,
                             const FilterArguments& arguments, const TemplateLimits& limits);

}  // namespace curupira::templates
