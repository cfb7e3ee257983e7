#include "templates/template_tests.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "templates/letter_case.h"

namespace curupira::templates {
namespace {

using Check = bool (*)(const TemplateValue&);

bool is_list_like(const TemplateValue& value) {
  return value.as_list() != nullptr || value.as_map() != nullptr || value.as_string() != nullptr;
}

bool has_remainder(const TemplateValue& value, WideInt divisor, WideInt rest) {
  const auto* i = value.as_int();
  return i != nullptr && ((*i % divisor) + divisor) % divisor == rest;
}

/// Tests without argument.
const std::map<std::string, Check, std::less<>>& checks() {
  static const std::map<std::string, Check, std::less<>> all{
      {"boolean", [](const TemplateValue& v) { return v.as_bool() != nullptr; }},
      {"defined", [](const TemplateValue& v) { return v.as_undefined() == nullptr; }},
      {"even", [](const TemplateValue& v) { return has_remainder(v, 2, 0); }},
      {"false", [](const TemplateValue& v) { return v.as_bool() != nullptr && !*v.as_bool(); }},
      {"float", [](const TemplateValue& v) { return v.as_float() != nullptr; }},
      {"integer", [](const TemplateValue& v) { return v.as_int() != nullptr; }},
      {"iterable", is_list_like},
      {"lower",
       [](const TemplateValue& v) {
         return v.as_string() != nullptr && lower_case(*v.as_string()) == *v.as_string();
       }},
      {"mapping", [](const TemplateValue& v) { return v.as_map() != nullptr; }},
      {"none", [](const TemplateValue& v) { return v.is_none(); }},
      {"number", [](const TemplateValue& v) { return v.is_number(); }},
      {"odd", [](const TemplateValue& v) { return has_remainder(v, 2, 1); }},
      {"sequence", [](const TemplateValue& v) { return v.as_list() != nullptr; }},
      {"string", [](const TemplateValue& v) { return v.as_string() != nullptr; }},
      {"true", [](const TemplateValue& v) { return v.as_bool() != nullptr && *v.as_bool(); }},
      {"undefined", [](const TemplateValue& v) { return v.as_undefined() != nullptr; }},
      {"upper",
       [](const TemplateValue& v) {
         return v.as_string() != nullptr && upper_case(*v.as_string()) == *v.as_string();
       }},
  };
  return all;
}

/// Tests that are operators by another name.
const std::map<std::string, std::string, std::less<>>& comparisons() {
  static const std::map<std::string, std::string, std::less<>> all{
      {"eq", "=="}, {"equalto", "=="}, {"ge", ">="}, {"greaterthan", ">"}, {"gt", ">"},      {"in", "in"},
      {"le", "<="}, {"lessthan", "<"}, {"lt", "<"},  {"ne", "!="},         {"sameas", "=="},
  };
  return all;
}

const std::vector<std::string>& other_tests() {
  static const std::vector<std::string> all{"divisibleby", "endingwith", "startingwith"};
  return all;
}

}  // namespace

std::span<const std::string> test_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = other_tests();
    for (const auto& [name, check] : checks())
      names.push_back(name);
    for (const auto& [name, sign] : comparisons())
      names.push_back(name);
    std::ranges::sort(names);
    return names;
  }();
  return all;
}

bool is_test(std::string_view name) {
  return std::ranges::binary_search(test_names(), name, std::less<>());
}

bool test_takes_argument(std::string_view name) {
  return !checks().contains(name);
}

TemplateOutcome apply_test(std::string_view name, const TemplateValue& value, const TemplateValue* argument,
                           const TemplateLimits& limits) {
  if (const auto check = checks().find(name); check != checks().end())
    return TemplateValue(check->second(value));
  if (argument == nullptr) return tl::unexpected("the test \"" + std::string(name) + "\" takes one argument");
  if (const auto sign = comparisons().find(name); sign != comparisons().end()) {
    return apply_operator(sign->second, value, *argument, limits);
  }
  for (const auto* part : {&value, argument}) {
    if (const auto* undefined = part->as_undefined()) return tl::unexpected(undefined_text(*undefined));
  }
  if (name == "divisibleby") {
    const auto number = value.whole();
    const auto divisor = argument->whole();
    // By -1 all are divisible; the division itself would overflow for the smallest number.
    return TemplateValue(number && divisor && *divisor != 0 && (*divisor == -1 || *number % *divisor == 0));
  }
  const auto* text = value.as_string();
  const auto* part = argument->as_string();
  if (text == nullptr || part == nullptr) return TemplateValue(false);
  return TemplateValue(name == "startingwith" ? text->starts_with(*part) : text->ends_with(*part));
}

}  // namespace curupira::templates
