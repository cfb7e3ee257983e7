#include "templates/template_filters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include "base/json.h"
#include "base/printable.h"
#include "templates/letter_case.h"
#include "templates/template_list_filters.h"

namespace curupira::templates {
namespace {

constexpr std::string_view white = " \t\r\n\v\f";
constexpr int max_json_depth = 64;

tl::unexpected<std::string> wrong(std::string text) {
  return tl::unexpected<std::string>(std::move(text));
}

std::string text_of(const TemplateValue& value, const TemplateLimits& limits) {
  return printed(value, limits.max_output_bytes);
}

TemplateOutcome default_value(const FilterCall& call) {
  const auto* fallback = call.arguments.get(0, "default_value");
  const auto* also_false = call.arguments.get(1, "boolean");
  const bool replace = call.value.as_undefined() != nullptr ||
                       (also_false != nullptr && also_false->truthy() && !call.value.truthy());
  if (!replace) return call.value;
  return fallback == nullptr ? TemplateValue(std::string()) : *fallback;
}

TemplateOutcome from_json(const FilterCall& call) {
  const std::string text = text_of(call.value, call.limits);
  auto parsed = json::parse(text, {.max_bytes = call.limits.max_output_bytes, .max_depth = max_json_depth});
  if (!parsed) return wrong("fromjson: " + parsed.error().detail());
  return TemplateValue::from(*parsed);
}

TemplateOutcome to_json(const FilterCall& call) {
  int indent = 0;
  if (const auto* given = call.arguments.get(0, "indent"); given != nullptr && !given->is_none()) {
    const auto spaces = given->whole();
    if (!spaces || *spaces < 0 || *spaces > 16) return wrong("tojson: the indent is a number from 0 to 16");
    indent = given->as_bool() != nullptr ? 2 : static_cast<int>(*spaces);
  }
  std::string text;
  append_json(text, call.value, indent, call.limits.max_output_bytes);
  return TemplateValue(std::move(text));
}

TemplateOutcome length(const FilterCall& call) {
  if (const auto* text = call.value.as_string()) return TemplateValue::of_size(characters(*text).size());
  if (const auto* list = call.value.as_list()) return TemplateValue::of_size(list->size());
  if (const auto* map = call.value.as_map()) return TemplateValue::of_size(map->size());
  return wrong("length: " + std::string(call.value.type_name()) + " has none");
}

template <std::string (*Change)(std::string_view)>
TemplateOutcome change_case(const FilterCall& call) {
  return TemplateValue(Change(text_of(call.value, call.limits)));
}

TemplateOutcome trim(const FilterCall& call) {
  std::string_view marks = white;
  if (const auto* given = call.arguments.get(0, "chars")) {
    if (given->as_string() == nullptr) return wrong("trim: the characters are a text");
    marks = *given->as_string();
  }
  const std::string text = text_of(call.value, call.limits);
  const auto begin = text.find_first_not_of(marks);
  if (begin == std::string::npos) return TemplateValue(std::string());
  return TemplateValue(text.substr(begin, text.find_last_not_of(marks) - begin + 1));
}

TemplateOutcome replace(const FilterCall& call) {
  const auto* from = call.arguments.get(0, "from");
  const auto* to = call.arguments.get(1, "to");
  if (from == nullptr || to == nullptr) return wrong("replace takes two arguments: what, and by what");
  const std::string text = text_of(call.value, call.limits);
  const std::string old_text = text_of(*from, call.limits);
  const std::string new_text = text_of(*to, call.limits);
  if (old_text.empty()) return wrong("replace: an empty text cannot be replaced");
  std::string result;
  std::size_t at = 0;
  while (true) {
    const auto found = text.find(old_text, at);
    result += std::string_view(text).substr(at, found == std::string::npos ? found : found - at);
    if (found == std::string::npos) break;
    result += new_text;
    at = found + old_text.size();
    if (result.size() > call.limits.max_output_bytes) break;
  }
  return TemplateValue(std::move(result));
}

TemplateOutcome to_string_value(const FilterCall& call) {
  return TemplateValue(text_of(call.value, call.limits));
}

std::optional<double> parse_float(std::string_view text) {
  double value = 0;
  const auto* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(white);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white) - begin + 1);
}

/// The number of a value or of the digits in a text.
std::optional<double> number_in(const TemplateValue& value) {
  if (const auto* text = value.as_string()) return parse_float(trimmed(*text));
  return value.number();
}

TemplateOutcome to_int(const FilterCall& call) {
  if (const auto whole = call.value.whole()) return TemplateValue(*whole);
  if (const auto* text = call.value.as_string()) {
    const auto digits = trimmed(*text);
    std::int64_t value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (parsed.ec == std::errc{} && parsed.ptr == digits.data() + digits.size() && !digits.empty()) {
      return TemplateValue(static_cast<WideInt>(value));
    }
  }
  if (const auto number = number_in(call.value); number && std::abs(*number) < 1e18) {
    return TemplateValue(static_cast<WideInt>(*number));
  }
  if (const auto* fallback = call.arguments.get(0, "default")) return *fallback;
  return wrong("int: \"" + printable(printed(call.value, 64).substr(0, 64)) + "\" is no whole number");
}

TemplateOutcome to_float(const FilterCall& call) {
  if (const auto number = number_in(call.value)) return TemplateValue(*number);
  if (const auto* fallback = call.arguments.get(0, "default")) return *fallback;
  return wrong("float: \"" + printable(printed(call.value, 64).substr(0, 64)) + "\" is no number");
}

TemplateOutcome to_bool(const FilterCall& call) {
  return TemplateValue(call.value.truthy());
}

TemplateOutcome absolute(const FilterCall& call) {
  const auto number = call.value.number();
  if (!number) return wrong("abs: " + std::string(call.value.type_name()) + " is no number");
  if (*number >= 0) return call.value;
  return negate(call.value);
}

TemplateOutcome round_number(const FilterCall& call) {
  if (const auto* whole = call.value.as_int()) return TemplateValue(*whole);
  const auto number = call.value.number();
  if (!number) return wrong("round: " + std::string(call.value.type_name()) + " is no number");
  const auto* given = call.arguments.get(0, "precision");
  const auto digits = given == nullptr ? WideInt{0} : given->whole().value_or(-1);
  if (digits < 0 || digits > 15) return wrong("round: the precision is a number from 0 to 15");
  const double scale = std::pow(10.0, static_cast<double>(digits));
  const double scaled = *number * scale;
  return TemplateValue(std::isfinite(scaled) ? std::round(scaled) / scale : *number);
}

TemplateOutcome split(const FilterCall& call) {
  const std::string text = text_of(call.value, call.limits);
  const auto* given = call.arguments.get(0, "sep");
  TemplateValue::List parts;
  if (given == nullptr || given->is_none()) {
    for (std::size_t at = text.find_first_not_of(white); at != std::string::npos;) {
      const auto end = std::min(text.find_first_of(white, at), text.size());
      parts.emplace_back(text.substr(at, end - at));
      at = text.find_first_not_of(white, end);
    }
    return TemplateValue(std::move(parts));
  }
  const auto* separator = given->as_string();
  if (separator == nullptr || separator->empty())
    return wrong("split: the separator is a text that is not empty");
  std::size_t at = 0;
  for (auto found = text.find(*separator); found != std::string::npos; found = text.find(*separator, at)) {
    parts.emplace_back(text.substr(at, found - at));
    at = found + separator->size();
  }
  parts.emplace_back(text.substr(at));
  return TemplateValue(std::move(parts));
}

TemplateOutcome lines(const FilterCall& call) {
  const std::string text = text_of(call.value, call.limits);
  TemplateValue::List parts;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const bool carriage = end > at && text[end - 1] == '\r';
    parts.emplace_back(text.substr(at, end - at - (carriage ? 1 : 0)));
    at = end + 1;
  }
  return TemplateValue(std::move(parts));
}

TemplateOutcome indent(const FilterCall& call) {
  const auto* given = call.arguments.get(0, "width");
  const auto width = given == nullptr ? WideInt{4} : given->whole().value_or(-1);
  if (width < 0 || width > 1000) return wrong("indent: the width is a number from 0 to 1000");
  const auto* first = call.arguments.get(1, "first");
  const std::string spaces(static_cast<std::size_t>(width), ' ');
  const std::string text = text_of(call.value, call.limits);
  std::string result = first != nullptr && first->truthy() ? spaces : std::string();
  for (std::size_t at = 0; at < text.size() && result.size() <= call.limits.max_output_bytes; ++at) {
    result += text[at];
    if (text[at] == '\n' && at + 1 < text.size() && text[at + 1] != '\n') result += spaces;
  }
  return TemplateValue(std::move(result));
}

using Filter = TemplateOutcome (*)(const FilterCall&);

const std::map<std::string, Filter, std::less<>>& filters() {
  static const std::map<std::string, Filter, std::less<>> all{
      {"abs", absolute},
      {"attr", attribute},
      {"bool", to_bool},
      {"capitalize", change_case<capitalized>},
      {"count", length},
      {"d", default_value},
      {"default", default_value},
      {"dictsort", pairs},
      {"first", first_item},
      {"float", to_float},
      {"fromjson", from_json},
      {"indent", indent},
      {"int", to_int},
      {"items", pairs},
      {"join", join},
      {"last", last_item},
      {"length", length},
      {"lines", lines},
      {"list", to_list},
      {"lower", change_case<lower_case>},
      {"map", map_attribute},
      {"max", greatest},
      {"min", least},
      {"replace", replace},
      {"reverse", reverse},
      {"round", round_number},
      {"safe", to_string_value},
      {"sort", sort},
      {"split", split},
      {"string", to_string_value},
      {"sum", sum},
      {"title", change_case<title_case>},
      {"tojson", to_json},
      {"trim", trim},
      {"unique", unique},
      {"upper", change_case<upper_case>},
  };
  return all;
}

}  // namespace

const TemplateValue* FilterArguments::get(std::size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  const auto found = std::ranges::find(named, name, [](const auto& argument) { return argument.first; });
  return found == named.end() ? nullptr : &found->second;
}

std::span<const std::string> filter_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const auto& [name, filter] : filters())
      names.push_back(name);
    return names;
  }();
  return all;
}

bool is_filter(std::string_view name) {
  return filters().contains(name);
}

TemplateOutcome apply_filter(std::string_view name, const TemplateValue& value,
                             const FilterArguments& arguments, const TemplateLimits& limits) {
  const auto found = filters().find(name);
  if (found == filters().end()) return wrong("there is no filter \"" + printable(name) + "\"");
  const bool takes_undefined = found->second == default_value;
  if (const auto* undefined = value.as_undefined(); undefined != nullptr && !takes_undefined) {
    return wrong(undefined_text(*undefined));
  }
  for (const auto& argument : arguments.positional) {
    const auto* undefined = argument.as_undefined();
    if (undefined != nullptr && !takes_undefined) return wrong(undefined_text(*undefined));
  }
  if (arguments.positional.size() + arguments.named.size() > 2) {
    return wrong("the filter \"" + std::string(name) + "\" takes no more than two arguments");
  }
  auto result = found->second(FilterCall{value, arguments, limits});
  if (!result) return result;
  if (const auto* text = result->as_string(); text != nullptr && text->size() > limits.max_output_bytes) {
    return wrong("a value becomes longer than the limit of " + format_bytes(limits.max_output_bytes));
  }
  return result;
}

}  // namespace curupira::templates
