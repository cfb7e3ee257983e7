#include "templates/template_operators.h"

#include <algorithm>
#include <cmath>

#include "base/printable.h"

namespace curupira::templates {
namespace {

tl::unexpected<std::string> wrong(std::string text) {
  return tl::unexpected<std::string>(std::move(text));
}

tl::unexpected<std::string> too_long(const TemplateLimits& limits) {
  return wrong("a value becomes longer than the limit of " + format_bytes(limits.max_output_bytes));
}

std::string kinds(std::string_view sign, const TemplateValue& left, const TemplateValue& right) {
  return "\"" + std::string(sign) + "\" does not work on " + std::string(left.type_name()) + " and " +
         std::string(right.type_name());
}

std::string cannot_calculate(std::string_view sign, const TemplateValue& left, const TemplateValue& right) {
  return "cannot calculate " + printed(left, 64) + " " + std::string(sign) + " " + printed(right, 64);
}

/// Rounds down, so that the rest is never negative for a positive divisor.
WideInt floor_quotient(WideInt a, WideInt b) {
  const WideInt quotient = a / b;
  const WideInt rest = a % b;
  return rest < 0 ? (b > 0 ? quotient - 1 : quotient + 1) : quotient;
}

std::optional<WideInt> whole_power(WideInt base, WideInt exponent) {
  if (exponent < 0) return std::nullopt;
  if (base == 0 || base == 1) return exponent == 0 ? WideInt{1} : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  if (exponent > 127) return std::nullopt;
  WideInt result = 1;
  for (WideInt n = 0; n < exponent; ++n) {
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return result;
}

std::optional<WideInt> whole_result(std::string_view sign, WideInt a, WideInt b) {
  WideInt result = 0;
  if (sign == "+") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (sign == "-") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (sign == "*") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (sign == "**") return whole_power(a, b);
  // The one quotient that does not fit is that of the smallest number by -1.
  WideInt opposite = 0;
  if (b == 0 || (b == -1 && __builtin_sub_overflow(WideInt{0}, a, &opposite))) return std::nullopt;
  const WideInt quotient = floor_quotient(a, b);
  return sign == "//" ? quotient : a - quotient * b;
}

double float_result(std::string_view sign, double a, double b) {
  if (sign == "+") return a + b;
  if (sign == "-") return a - b;
  if (sign == "*") return a * b;
  if (sign == "/") return a / b;
  if (sign == "**") return std::pow(a, b);
  const double quotient = b > 0 ? std::floor(a / b) : std::ceil(a / b);
  return sign == "//" ? quotient : a - quotient * b;
}

TemplateOutcome calculate(std::string_view sign, const TemplateValue& left, const TemplateValue& right) {
  const auto a = left.whole();
  const auto b = right.whole();
  if (a && b && sign != "/") {
    if (const auto result = whole_result(sign, *a, *b)) return TemplateValue(*result);
    return wrong(cannot_calculate(sign, left, right));
  }
  const double divisor = *right.number();
  if (divisor == 0 && (sign == "/" || sign == "//" || sign == "%"))
    return wrong(cannot_calculate(sign, left, right));
  return TemplateValue(float_result(sign, *left.number(), divisor));
}

TemplateOutcome repeat(const TemplateValue& value, WideInt times, const TemplateLimits& limits) {
  if (times < 0) return wrong("nothing can be repeated " + to_string(times) + " times");
  const auto* text = value.as_string();
  const auto* list = value.as_list();
  const std::size_t size = text != nullptr ? text->size() : list->size();
  const std::size_t limit = text != nullptr ? limits.max_output_bytes : limits.max_steps;
  if (size == 0) return value;
  if (times > static_cast<WideInt>(limit / size)) return too_long(limits);
  const auto count = static_cast<std::size_t>(times);
  if (text != nullptr) {
    std::string result;
    for (std::size_t n = 0; n < count; ++n)
      result += *text;
    return TemplateValue(std::move(result));
  }
  TemplateValue::List result;
  for (std::size_t n = 0; n < count; ++n)
    result.insert(result.end(), list->begin(), list->end());
  return TemplateValue(std::move(result));
}

TemplateOutcome add(const TemplateValue& left, const TemplateValue& right, const TemplateLimits& limits) {
  if (left.as_string() != nullptr && right.as_string() != nullptr) {
    if (left.as_string()->size() + right.as_string()->size() > limits.max_output_bytes)
      return too_long(limits);
    return TemplateValue(*left.as_string() + *right.as_string());
  }
  if (left.as_list() != nullptr && right.as_list() != nullptr) {
    TemplateValue::List both = *left.as_list();
    if (both.size() + right.as_list()->size() > limits.max_steps) return too_long(limits);
    both.insert(both.end(), right.as_list()->begin(), right.as_list()->end());
    return TemplateValue(std::move(both));
  }
  return wrong(kinds("+", left, right));
}

TemplateOutcome contains(const TemplateValue& needle, const TemplateValue& holder) {
  if (const auto* text = holder.as_string()) {
    return TemplateValue(text->find(printed(needle, text->size() + 1)) != std::string::npos);
  }
  if (const auto* list = holder.as_list()) {
    return TemplateValue(std::ranges::any_of(*list, [&](const auto& item) { return equal(item, needle); }));
  }
  if (const auto* map = holder.as_map()) {
    return TemplateValue(needle.as_string() != nullptr && map->contains(*needle.as_string()));
  }
  return wrong("\"in\" needs a text, list or map on its right, not " + std::string(holder.type_name()));
}

std::optional<TemplateValue> compared(std::string_view sign, const TemplateValue& left,
                                      const TemplateValue& right) {
  if (sign == "==") return TemplateValue(equal(left, right));
  if (sign == "!=") return TemplateValue(!equal(left, right));
  if (sign == "<") return TemplateValue(compare(left, right) < 0);
  if (sign == "<=") return TemplateValue(compare(left, right) <= 0);
  if (sign == ">") return TemplateValue(compare(left, right) > 0);
  if (sign == ">=") return TemplateValue(compare(left, right) >= 0);
  return std::nullopt;
}

/// The positions that a slice takes, in their order.
std::vector<std::size_t> slice_positions(std::size_t size, std::optional<WideInt> from,
                                         std::optional<WideInt> to, WideInt step) {
  const auto length = static_cast<WideInt>(size);
  const auto bounded = [length](WideInt at, WideInt low, WideInt high) {
    return std::clamp<WideInt>(at < 0 ? at + length : at, low, high);
  };
  std::vector<std::size_t> positions;
  if (step > 0) {
    const WideInt end = to ? bounded(*to, 0, length) : length;
    const WideInt stride = std::min(step, length + 1);
    for (WideInt at = from ? bounded(*from, 0, length) : 0; at < end; at += stride) {
      positions.push_back(static_cast<std::size_t>(at));
    }
  } else {
    const WideInt end = to ? bounded(*to, -1, length - 1) : -1;
    const WideInt stride = std::max(step, -(length + 1));
    for (WideInt at = from ? bounded(*from, -1, length - 1) : length - 1; at > end; at += stride) {
      positions.push_back(static_cast<std::size_t>(at));
    }
  }
  return positions;
}

}  // namespace

std::string undefined_text(const Undefined& undefined) {
  const std::string what = undefined.what.empty() ? "a value that the prompt uses" : undefined.what;
  return what + " has no value for this task";
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> result;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0u) == 0x80u && !result.empty();
    if (continues && result.back().size() < 4) {
      result.back() += c;
    } else {
      result.emplace_back(1, c);
    }
  }
  return result;
}

TemplateOutcome apply_operator(std::string_view sign, const TemplateValue& left, const TemplateValue& right,
                               const TemplateLimits& limits) {
  for (const auto* operand : {&left, &right}) {
    if (const auto* undefined = operand->as_undefined()) {
      if (!(undefined->silent && sign == "~")) return wrong(undefined_text(*undefined));
    }
  }
  if (sign == "~") {
    std::string text = printed(left, limits.max_output_bytes);
    append_printed(text, right, limits.max_output_bytes);
    if (text.size() > limits.max_output_bytes) return too_long(limits);
    return TemplateValue(std::move(text));
  }
  if (auto result = compared(sign, left, right)) return *std::move(result);
  if (sign == "in") return contains(left, right);
  if (left.number() && right.number()) return calculate(sign, left, right);
  if (sign == "+") return add(left, right, limits);
  if (sign == "*") {
    const bool left_repeats = left.as_string() != nullptr || left.as_list() != nullptr;
    const bool right_repeats = right.as_string() != nullptr || right.as_list() != nullptr;
    if (left_repeats && right.whole()) return repeat(left, *right.whole(), limits);
    if (right_repeats && left.whole()) return repeat(right, *left.whole(), limits);
  }
  return wrong(kinds(sign, left, right));
}

TemplateOutcome negate(const TemplateValue& value) {
  if (const auto* undefined = value.as_undefined()) return wrong(undefined_text(*undefined));
  if (const auto* d = value.as_float()) return TemplateValue(-*d);
  WideInt result = 0;
  if (const auto i = value.whole(); i && !__builtin_sub_overflow(WideInt{0}, *i, &result))
    return TemplateValue(result);
  return wrong("\"-\" does not work on " + std::string(value.type_name()));
}

TemplateOutcome attribute_of(const TemplateValue& value, std::string_view name) {
  if (const auto* undefined = value.as_undefined()) return wrong(undefined_text(*undefined));
  if (const auto* map = value.as_map()) {
    if (const auto found = map->find(name); found != map->end()) return found->second;
  }
  return TemplateValue(Undefined{"the attribute \"" + printable(name.substr(0, 100)) + "\"", false});
}

TemplateOutcome item_of(const TemplateValue& value, const TemplateValue& index) {
  if (const auto* undefined = value.as_undefined()) return wrong(undefined_text(*undefined));
  if (const auto* undefined = index.as_undefined()) return wrong(undefined_text(*undefined));
  if (const auto* name = index.as_string()) return attribute_of(value, *name);
  const auto missing = TemplateValue(Undefined{"the item [" + printable(printed(index, 64)) + "]", false});
  const auto position = index.whole();
  if (!position) return missing;
  const auto at = [&](std::size_t size) -> std::optional<std::size_t> {
    const auto length = static_cast<WideInt>(size);
    if (*position >= length || *position < -length) return std::nullopt;
    return static_cast<std::size_t>(*position < 0 ? *position + length : *position);
  };
  if (const auto* list = value.as_list()) {
    const auto found = at(list->size());
    return found ? (*list)[*found] : missing;
  }
  if (const auto* text = value.as_string()) {
    auto all = characters(*text);
    const auto found = at(all.size());
    return found ? TemplateValue(std::move(all[*found])) : missing;
  }
  return missing;
}

TemplateOutcome slice_of(const TemplateValue& value, const TemplateValue& from, const TemplateValue& to,
                         const TemplateValue& step) {
  for (const auto* part : {&value, &from, &to, &step}) {
    if (const auto* undefined = part->as_undefined()) return wrong(undefined_text(*undefined));
  }
  for (const auto* part : {&from, &to, &step}) {
    if (!part->is_none() && part->as_int() == nullptr) return wrong("the parts of a slice are whole numbers");
  }
  const WideInt stride = step.whole().value_or(1);
  if (stride == 0) return wrong("the step of a slice is not 0");
  if (const auto* list = value.as_list()) {
    TemplateValue::List result;
    for (const auto at : slice_positions(list->size(), from.whole(), to.whole(), stride))
      result.push_back((*list)[at]);
    return TemplateValue(std::move(result));
  }
  if (const auto* text = value.as_string()) {
    const auto all = characters(*text);
    std::string result;
    for (const auto at : slice_positions(all.size(), from.whole(), to.whole(), stride))
      result += all[at];
    return TemplateValue(std::move(result));
  }
  return wrong("a slice needs a text or list, not " + std::string(value.type_name()));
}

tl::expected<TemplateValue::List, std::string> items_of(const TemplateValue& value) {
  if (const auto* undefined = value.as_undefined()) return wrong(undefined_text(*undefined));
  if (const auto* list = value.as_list()) return *list;
  TemplateValue::List items;
  if (const auto* map = value.as_map()) {
    for (const auto& member : *map)
      items.emplace_back(member.first);
    return items;
  }
  if (const auto* text = value.as_string()) {
    for (auto& one : characters(*text))
      items.emplace_back(std::move(one));
    return items;
  }
  if (value.is_none()) return items;
  return wrong(std::string(value.type_name()) + " cannot be run through");
}

}  // namespace curupira::templates
