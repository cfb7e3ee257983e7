#pragma once

#include "templates/template_filters.h"

namespace curupira::templates {

/// One use of a filter; nothing in it is undefined, but for `default`.
struct FilterCall {
  const TemplateValue& value;
  const FilterArguments& arguments;
  const TemplateLimits& limits;
};

// Filters of lists, maps and texts as lists of characters.

TemplateOutcome attribute(const FilterCall& call);
TemplateOutcome first_item(const FilterCall& call);
TemplateOutcome last_item(const FilterCall& call);
TemplateOutcome join(const FilterCall& call);
TemplateOutcome to_list(const FilterCall& call);
/// The members of a map as lists of key and value, in the order of the keys.
TemplateOutcome pairs(const FilterCall& call);
/// `map("filter")` and `map(attribute="name")`.
TemplateOutcome map_attribute(const FilterCall& call);
TemplateOutcome reverse(const FilterCall& call);
TemplateOutcome sort(const FilterCall& call);
TemplateOutcome unique(const FilterCall& call);
TemplateOutcome sum(const FilterCall& call);
TemplateOutcome least(const FilterCall& call);
TemplateOutcome greatest(const FilterCall& call);

}  // namespace curupira::templates
