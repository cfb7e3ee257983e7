#include "templates/template_error.h"
#include "templates/template_filters.h"
#include "templates/template_renderer.h"
#include "templates/template_tests.h"

// The expressions of TemplateRenderer.

namespace curupira::templates {
namespace {

using Kind = TemplateExpression::Kind;

Result<TemplateValue> located(int line, TemplateOutcome outcome) {
  if (!outcome) return template_failure(line, outcome.error());
  return *std::move(outcome);
}

}  // namespace

Result<TemplateValue> TemplateRenderer::evaluate(const TemplateExpression& expression) {
  CURUPIRA_CHECK(count_step(expression.line));
  CURUPIRA_TRY(TemplateValue value, evaluate_kind(expression));
  if (value.depth() > limits_.max_nesting) {
    return template_failure(expression.line,
                            "a value is nested deeper than " + std::to_string(limits_.max_nesting));
  }
  return value;
}

Result<TemplateValue> TemplateRenderer::evaluate_kind(const TemplateExpression& expression) {
  const auto& operands = expression.operands;
  switch (expression.kind) {
    case Kind::literal:
      return expression.value;
    case Kind::name:
      return look_up(expression.text);
    case Kind::list:
    case Kind::map:
      return evaluate_collection(expression);
    case Kind::attribute: {
      CURUPIRA_TRY(const TemplateValue value, evaluate(operands[0]));
      return located(expression.line, attribute_of(value, expression.text));
    }
    case Kind::index: {
      CURUPIRA_TRY(const TemplateValue value, evaluate(operands[0]));
      CURUPIRA_TRY(const TemplateValue index, evaluate(operands[1]));
      return located(expression.line, item_of(value, index));
    }
    case Kind::slice: {
      CURUPIRA_TRY(const TemplateValue value, evaluate(operands[0]));
      CURUPIRA_TRY(const TemplateValue from, evaluate(operands[1]));
      CURUPIRA_TRY(const TemplateValue to, evaluate(operands[2]));
      CURUPIRA_TRY(const TemplateValue step, evaluate(operands[3]));
      return located(expression.line, slice_of(value, from, to, step));
    }
    case Kind::negative: {
      CURUPIRA_TRY(const TemplateValue value, evaluate(operands[0]));
      return located(expression.line, negate(value));
    }
    case Kind::negation: {
      CURUPIRA_TRY(const bool holds, evaluate_truth(operands[0]));
      return TemplateValue(!holds);
    }
    case Kind::binary: {
      CURUPIRA_TRY(const TemplateValue left, evaluate(operands[0]));
      CURUPIRA_TRY(const TemplateValue right, evaluate(operands[1]));
      return located(expression.line, apply_operator(expression.text, left, right, limits_));
    }
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::conditional:
      return evaluate_conditional(expression);
    case Kind::filter:
    case Kind::test:
      return evaluate_call(expression);
  }
  return template_failure(expression.line, "an expression of no kind");
}

Result<TemplateValue> TemplateRenderer::evaluate_collection(const TemplateExpression& expression) {
  if (expression.kind == Kind::list) {
    TemplateValue::List list;
    for (const auto& operand : expression.operands) {
      CURUPIRA_TRY(TemplateValue item, evaluate(operand));
      // Here and not where it is used: the place of the mistake is this one.
      if (const auto* undefined = item.as_undefined()) {
        return template_failure(operand.line, undefined_text(*undefined));
      }
      list.push_back(std::move(item));
    }
    return TemplateValue(std::move(list));
  }
  TemplateValue::Map map;
  for (std::size_t n = 0; n + 1 < expression.operands.size(); n += 2) {
    CURUPIRA_TRY(const TemplateValue key, evaluate(expression.operands[n]));
    CURUPIRA_TRY(TemplateValue value, evaluate(expression.operands[n + 1]));
    for (const auto* part : {&key, &std::as_const(value)}) {
      if (const auto* undefined = part->as_undefined()) {
        return template_failure(expression.line, undefined_text(*undefined));
      }
    }
    if (key.as_string() == nullptr) {
      return template_failure(expression.line,
                              "the keys of a map are texts, not " + std::string(key.type_name()));
    }
    map.insert_or_assign(*key.as_string(), std::move(value));
  }
  return TemplateValue(std::move(map));
}

Result<bool> TemplateRenderer::evaluate_truth(const TemplateExpression& expression) {
  CURUPIRA_TRY(const TemplateValue value, evaluate(expression));
  if (const auto* undefined = value.as_undefined(); undefined != nullptr && !undefined->silent) {
    return template_failure(expression.line, undefined_text(*undefined));
  }
  return value.truthy();
}

/// `and` and `or` give the operand that decides; what is not needed is not evaluated.
Result<TemplateValue> TemplateRenderer::evaluate_conditional(const TemplateExpression& expression) {
  const auto& operands = expression.operands;
  if (expression.kind == Kind::conditional) {
    CURUPIRA_TRY(const bool holds, evaluate_truth(operands[1]));
    if (holds) return evaluate(operands[0]);
    if (operands.size() > 2) return evaluate(operands[2]);
    return TemplateValue(Undefined{"the missing else of an if", true});
  }
  CURUPIRA_TRY(TemplateValue left, evaluate(operands[0]));
  if (const auto* undefined = left.as_undefined(); undefined != nullptr && !undefined->silent) {
    return template_failure(expression.line, undefined_text(*undefined));
  }
  const bool decided = left.truthy() == (expression.kind == Kind::disjunction);
  if (decided) return left;
  return evaluate(operands[1]);
}

Result<TemplateValue> TemplateRenderer::evaluate_call(const TemplateExpression& expression) {
  const auto& operands = expression.operands;
  CURUPIRA_TRY(const TemplateValue value, evaluate(operands[0]));
  FilterArguments arguments;
  for (std::size_t n = 1; n < operands.size(); ++n) {
    CURUPIRA_TRY(TemplateValue argument, evaluate(operands[n]));
    arguments.positional.push_back(std::move(argument));
  }
  for (const auto& [name, operand] : expression.named) {
    CURUPIRA_TRY(TemplateValue argument, evaluate(operand));
    arguments.named.emplace_back(name, std::move(argument));
  }
  if (expression.kind == Kind::filter) {
    return located(expression.line, apply_filter(expression.text, value, arguments, limits_));
  }
  const auto* argument = arguments.positional.empty() ? nullptr : &arguments.positional.front();
  return located(expression.line, apply_test(expression.text, value, argument, limits_));
}

}  // namespace curupira::templates
