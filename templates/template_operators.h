#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "templates/template_limits.h"
#include "templates/template_value.h"

namespace curupira::templates {

/// A value, or what is wrong in the words of the template's author; the place is added by who knows it.
using TemplateOutcome = tl::expected<TemplateValue, std::string>;

/// "\"x\" has no value": for using `undefined` other than in `default` and `is defined`.
std::string undefined_text(const Undefined& undefined);

/// The characters of a text, each as a text.
std::vector<std::string> characters(std::string_view text);

/// + - * / // % ** ~ == != < <= > >= in, with the meanings of the peer: "+" adds numbers and joins texts and
/// lists, "//" and "%" round down, comparisons of different kinds have an order. Undefined operands are
/// errors.
TemplateOutcome apply_operator(std::string_view sign, const TemplateValue& left, const TemplateValue& right,
                               const TemplateLimits& limits);
TemplateOutcome negate(const TemplateValue& value);

/// `value.name`: a member of a map, else undefined.
TemplateOutcome attribute_of(const TemplateValue& value, std::string_view name);
/// `value[index]`: a member, an item (from the end when negative) or a character, else undefined.
TemplateOutcome item_of(const TemplateValue& value, const TemplateValue& index);
/// `value[from:to:step]` of a list or text.
TemplateOutcome slice_of(const TemplateValue& value, const TemplateValue& from, const TemplateValue& to,
                         const TemplateValue& step);
/// What `{% for %}` runs over and `join` joins: items, keys or characters; none is empty.
tl::expected<TemplateValue::List, std::string> items_of(const TemplateValue& value);

}  // namespace curupira::templates
