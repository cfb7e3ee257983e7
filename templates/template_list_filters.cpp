#include "templates/template_list_filters.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::templates {
namespace {

tl::unexpected<std::string> wrong(std::string text) {
  return tl::unexpected<std::string>(std::move(text));
}

TemplateValue nothing(std::string what) {
  return TemplateValue(Undefined{std::move(what), false});
}

bool less(const TemplateValue& a, const TemplateValue& b) {
  return compare(a, b) < 0;
}

/// "a.b" goes down two levels.
TemplateOutcome attribute_at(const TemplateValue& value, std::string_view path) {
  TemplateValue current = value;
  while (true) {
    const auto dot = path.find('.');
    auto next = attribute_of(current, path.substr(0, dot));
    if (!next || dot == std::string_view::npos) return next;
    current = *std::move(next);
    path.remove_prefix(dot + 1);
  }
}

}  // namespace

TemplateOutcome attribute(const FilterCall& call) {
  const auto* name = call.arguments.get(0, "name");
  if (name == nullptr || name->as_string() == nullptr) return wrong("attr takes the name of an attribute");
  return attribute_of(call.value, *name->as_string());
}

TemplateOutcome first_item(const FilterCall& call) {
  if (call.value.as_list() == nullptr && call.value.as_string() == nullptr &&
      call.value.as_map() == nullptr) {
    return wrong("first: " + std::string(call.value.type_name()) + " has no items");
  }
  auto items = items_of(call.value);
  if (!items) return wrong(items.error());
  return items->empty() ? nothing("the first item of an empty list") : std::move(items->front());
}

TemplateOutcome last_item(const FilterCall& call) {
  if (call.value.as_list() == nullptr && call.value.as_string() == nullptr) {
    return wrong("last: " + std::string(call.value.type_name()) + " has no order of items");
  }
  auto items = items_of(call.value);
  if (!items) return wrong(items.error());
  return items->empty() ? nothing("the last item of an empty list") : std::move(items->back());
}

TemplateOutcome join(const FilterCall& call) {
  std::string separator;
  if (const auto* given = call.arguments.get(0, "d"); given != nullptr && !given->is_none()) {
    separator = printed(*given, call.limits.max_output_bytes);
  }
  const auto items = items_of(call.value);
  if (!items) return wrong("join: " + items.error());
  std::string result;
  for (std::size_t n = 0; n < items->size() && result.size() <= call.limits.max_output_bytes; ++n) {
    if (const auto* undefined = (*items)[n].as_undefined()) return wrong(undefined_text(*undefined));
    if (n > 0) result += separator;
    append_printed(result, (*items)[n], call.limits.max_output_bytes);
  }
  return TemplateValue(std::move(result));
}

TemplateOutcome to_list(const FilterCall& call) {
  auto items = items_of(call.value);
  if (!items) return wrong("list: " + items.error());
  return TemplateValue(*std::move(items));
}

TemplateOutcome pairs(const FilterCall& call) {
  const auto* map = call.value.as_map();
  if (map == nullptr) return wrong("items: " + std::string(call.value.type_name()) + " is no map");
  TemplateValue::List result;
  for (const auto& [key, value] : *map)
    result.emplace_back(TemplateValue::List{TemplateValue(key), value});
  return TemplateValue(std::move(result));
}

TemplateOutcome map_attribute(const FilterCall& call) {
  const auto items = items_of(call.value);
  if (!items) return wrong("map: " + items.error());
  const auto& arguments = call.arguments;
  const bool by_filter = !arguments.positional.empty();
  const auto* given = by_filter ? &arguments.positional.front() : arguments.get(0, "attribute");
  const auto* name = given == nullptr ? nullptr : given->as_string();
  if (name == nullptr) return wrong("map takes a filter's name, or attribute=\"name\"");
  const auto* otherwise = arguments.get(1, "default");
  // `map` within `map` would let a short template nest without bound.
  if (by_filter && (!is_filter(*name) || *name == "map")) {
    return wrong("map: there is no filter \"" + printable(*name) + "\" for single items");
  }
  TemplateValue::List result;
  for (const auto& item : *items) {
    auto mapped = by_filter ? apply_filter(*name, item, {}, call.limits) : attribute_at(item, *name);
    if (!mapped) return wrong("map: " + mapped.error());
    if (mapped->as_undefined() != nullptr && otherwise != nullptr) {
      result.push_back(*otherwise);
    } else {
      result.push_back(*std::move(mapped));
    }
  }
  return TemplateValue(std::move(result));
}

TemplateOutcome reverse(const FilterCall& call) {
  auto items = items_of(call.value);
  if (!items) return wrong("reverse: " + items.error());
  std::ranges::reverse(*items);
  if (call.value.as_string() == nullptr) return TemplateValue(*std::move(items));
  std::string text;
  for (const auto& character : *items)
    text += *character.as_string();
  return TemplateValue(std::move(text));
}

TemplateOutcome sort(const FilterCall& call) {
  auto items = items_of(call.value);
  if (!items) return wrong("sort: " + items.error());
  std::ranges::stable_sort(*items, less);
  const auto* backwards = call.arguments.get(0, "reverse");
  if (backwards != nullptr && backwards->truthy()) std::ranges::reverse(*items);
  return TemplateValue(*std::move(items));
}

TemplateOutcome unique(const FilterCall& call) {
  const auto items = items_of(call.value);
  if (!items) return wrong("unique: " + items.error());
  TemplateValue::List result;
  const auto before = [](const TemplateValue* a, const TemplateValue* b) { return less(*a, *b); };
  std::vector<const TemplateValue*> seen;
  for (const auto& item : *items) {
    const auto at = std::ranges::lower_bound(seen, &item, before);
    if (at != seen.end() && equal(**at, item)) continue;
    seen.insert(at, &item);
    result.push_back(item);
  }
  return TemplateValue(std::move(result));
}

TemplateOutcome sum(const FilterCall& call) {
  const auto items = items_of(call.value);
  if (!items) return wrong("sum: " + items.error());
  TemplateValue total(WideInt{0});
  for (const auto& item : *items) {
    auto next = apply_operator("+", total, item, call.limits);
    if (!next) return next;
    total = *std::move(next);
  }
  return total;
}

TemplateOutcome least(const FilterCall& call) {
  const auto items = items_of(call.value);
  if (!items) return wrong("min: " + items.error());
  return items->empty() ? nothing("the least of an empty list") : *std::ranges::min_element(*items, less);
}

TemplateOutcome greatest(const FilterCall& call) {
  const auto items = items_of(call.value);
  if (!items) return wrong("max: " + items.error());
  return items->empty() ? nothing("the greatest of an empty list") : *std::ranges::max_element(*items, less);
}

}  // namespace curupira::templates
