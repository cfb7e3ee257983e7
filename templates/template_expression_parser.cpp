#include <algorithm>
#include <array>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "templates/template_error.h"
#include "templates/template_filters.h"
#include "templates/template_literal.h"
#include "templates/template_parser.h"
#include "templates/template_tests.h"

namespace curupira::templates {
namespace {

using Kind = TemplateExpression::Kind;
using Parsed = Result<TemplateExpression>;

std::string unknown(std::string_view kind, std::string_view name, std::span<const std::string> known) {
  std::string text = "there is no " + std::string(kind) + " \"" + printable(name) + "\"";
  if (const auto near = nearest_name(name, known)) return text + " (did you mean \"" + *near + "\"?)";
  text += "; there are";
  for (std::size_t n = 0; n < known.size(); ++n)
    text += (n == 0 ? " " : ", ") + known[n];
  return text;
}

/// Binding, from loose to tight, as in the peer: if-else, or, and, not, comparison and in, + -, ~, * / // %,
/// **, minus, then attributes, indices, filters and tests of what stands before them.
class ExpressionParser {
 public:
  ExpressionParser(TokenCursor& tokens, const TemplateLimits& limits) : tokens_(tokens), limits_(limits) {}

  Parsed conditional() {
    CURUPIRA_CHECK(enter());
    CURUPIRA_TRY(TemplateExpression value, disjunction());
    while (tokens_.at_word("if")) {
      auto node = start(Kind::conditional);
      tokens_.take();
      CURUPIRA_TRY(TemplateExpression condition, disjunction());
      node.operands.push_back(std::move(value));
      node.operands.push_back(std::move(condition));
      if (tokens_.take_word("else")) {
        CURUPIRA_TRY(TemplateExpression other, conditional());
        node.operands.push_back(std::move(other));
      }
      CURUPIRA_TRY(value, finish(std::move(node)));
    }
    --open_;
    return value;
  }

  Parsed disjunction() { return logical("or", Kind::disjunction, &ExpressionParser::conjunction); }

 private:
  TemplateExpression start(Kind kind) const { return {.kind = kind, .line = tokens_.peek().line}; }

  Parsed finish(TemplateExpression node) const {
    for (const auto& operand : node.operands)
      node.depth = std::max(node.depth, operand.depth + 1);
    for (const auto& [name, operand] : node.named)
      node.depth = std::max(node.depth, operand.depth + 1);
    if (node.depth > limits_.max_nesting) return too_deep(node.line);
    return node;
  }

  Parsed pair(TemplateExpression node, TemplateExpression left, TemplateExpression right) const {
    node.operands.push_back(std::move(left));
    node.operands.push_back(std::move(right));
    return finish(std::move(node));
  }

  tl::unexpected<Error> too_deep(int line) const {
    return template_failure(line,
                            "an expression is nested deeper than " + std::to_string(limits_.max_nesting));
  }

  Result<> enter() {
    if (++open_ > limits_.max_nesting) return too_deep(tokens_.peek().line);
    return {};
  }

  using Tighter = Parsed (ExpressionParser::*)();

  Parsed logical(std::string_view word, Kind kind, Tighter tighter) {
    CURUPIRA_TRY(TemplateExpression left, (this->*tighter)());
    while (tokens_.at_word(word)) {
      auto node = start(kind);
      tokens_.take();
      CURUPIRA_TRY(TemplateExpression right, (this->*tighter)());
      CURUPIRA_TRY(left, pair(std::move(node), std::move(left), std::move(right)));
    }
    return left;
  }

  Parsed conjunction() { return logical("and", Kind::conjunction, &ExpressionParser::negation); }

  Parsed negation() {
    if (!tokens_.at_word("not")) return comparison();
    CURUPIRA_CHECK(enter());
    auto node = start(Kind::negation);
    tokens_.take();
    CURUPIRA_TRY(TemplateExpression operand, negation());
    --open_;
    node.operands.push_back(std::move(operand));
    return finish(std::move(node));
  }

  Parsed comparison() {
    CURUPIRA_TRY(TemplateExpression left, sum());
    while (true) {
      auto node = start(Kind::binary);
      bool negated = false;
      static constexpr std::array<std::string_view, 6> signs{"==", "!=", "<=", ">=", "<", ">"};
      const auto sign = std::ranges::find_if(signs, [this](auto text) { return tokens_.take_sign(text); });
      if (sign != signs.end()) {
        node.text = *sign;
      } else if (tokens_.take_word("in")) {
        node.text = "in";
      } else if (tokens_.take_word("not")) {
        if (!tokens_.take_word("in")) return tokens_.wrong("\"in\" after \"not\"");
        node.text = "in";
        negated = true;
      } else {
        return left;
      }
      CURUPIRA_TRY(TemplateExpression right, sum());
      CURUPIRA_TRY(left, pair(std::move(node), std::move(left), std::move(right)));
      if (negated) {
        auto outer = start(Kind::negation);
        outer.operands.push_back(std::move(left));
        CURUPIRA_TRY(left, finish(std::move(outer)));
      }
    }
  }

  template <std::size_t N>
  Parsed chain(const std::array<std::string_view, N>& signs, Tighter tighter) {
    CURUPIRA_TRY(TemplateExpression left, (this->*tighter)());
    while (true) {
      auto node = start(Kind::binary);
      const auto sign = std::ranges::find_if(signs, [this](auto text) { return tokens_.take_sign(text); });
      if (sign == signs.end()) return left;
      node.text = *sign;
      CURUPIRA_TRY(TemplateExpression right, (this->*tighter)());
      CURUPIRA_TRY(left, pair(std::move(node), std::move(left), std::move(right)));
    }
  }

  Parsed sum() { return chain(std::array<std::string_view, 2>{"+", "-"}, &ExpressionParser::joined); }
  Parsed joined() { return chain(std::array<std::string_view, 1>{"~"}, &ExpressionParser::product); }
  Parsed product() {
    return chain(std::array<std::string_view, 4>{"*", "//", "/", "%"}, &ExpressionParser::power);
  }
  Parsed power() { return chain(std::array<std::string_view, 1>{"**"}, &ExpressionParser::unary); }

  Parsed unary() {
    CURUPIRA_TRY(TemplateExpression value, signed_primary());
    return postfix(std::move(value));
  }

  Parsed signed_primary() {
    if (!tokens_.at_sign("-")) return primary();
    CURUPIRA_CHECK(enter());
    auto node = start(Kind::negative);
    tokens_.take();
    CURUPIRA_TRY(TemplateExpression operand, signed_primary());
    --open_;
    node.operands.push_back(std::move(operand));
    return finish(std::move(node));
  }

  Parsed postfix(TemplateExpression value) {
    while (true) {
      if (tokens_.at_sign(".")) {
        CURUPIRA_TRY(value, attribute(std::move(value)));
      } else if (tokens_.at_sign("[")) {
        CURUPIRA_TRY(value, subscript(std::move(value)));
      } else if (tokens_.at_sign("|")) {
        CURUPIRA_TRY(value, filter(std::move(value)));
      } else if (tokens_.at_word("is")) {
        CURUPIRA_TRY(value, test(std::move(value)));
      } else if (tokens_.at_sign("(")) {
        return template_failure(tokens_.peek().line,
                                "nothing can be called in a prompt; use a filter: {{ value | upper }}");
      } else {
        return value;
      }
    }
  }

  Parsed attribute(TemplateExpression value) {
    auto node = start(Kind::attribute);
    tokens_.take();
    if (tokens_.peek().kind == TemplateToken::Kind::integer) {
      node.kind = Kind::index;
      CURUPIRA_TRY(TemplateExpression number, primary());
      return pair(std::move(node), std::move(value), std::move(number));
    }
    if (tokens_.peek().kind != TemplateToken::Kind::name) return tokens_.wrong("a name after \".\"");
    node.text = tokens_.take().text;
    node.operands.push_back(std::move(value));
    return finish(std::move(node));
  }

  Parsed subscript(TemplateExpression value) {
    auto node = start(Kind::index);
    tokens_.take();
    std::array<TemplateExpression, 3> parts{};
    std::size_t part = 0;
    bool given = false;
    while (!tokens_.at_sign("]")) {
      if (tokens_.take_sign(":")) {
        node.kind = Kind::slice;
        if (++part == parts.size()) return tokens_.wrong("\"]\"");
        continue;
      }
      CURUPIRA_TRY(parts[part], conditional());
      given = true;
      if (!tokens_.at_sign(":") && !tokens_.at_sign("]")) return tokens_.wrong("\"]\"");
    }
    if (node.kind == Kind::index && !given) return tokens_.wrong("an index");
    tokens_.take();
    if (node.kind == Kind::index) return pair(std::move(node), std::move(value), std::move(parts[0]));
    node.operands.push_back(std::move(value));
    for (auto& one : parts)
      node.operands.push_back(std::move(one));
    return finish(std::move(node));
  }

  /// "(a, b, name=c)" where there is one.
  Result<> arguments(TemplateExpression& node) {
    if (!tokens_.take_sign("(")) return {};
    while (!tokens_.take_sign(")")) {
      CURUPIRA_TRY(TemplateExpression argument, conditional());
      if (argument.kind == Kind::name && tokens_.take_sign("=")) {
        std::string name = argument.text;
        CURUPIRA_TRY(argument, conditional());
        node.named.emplace_back(std::move(name), std::move(argument));
      } else {
        node.operands.push_back(std::move(argument));
      }
      if (!tokens_.at_sign(")")) CURUPIRA_CHECK(tokens_.expect_sign(","));
    }
    return {};
  }

  Parsed filter(TemplateExpression value) {
    auto node = start(Kind::filter);
    tokens_.take();
    if (tokens_.peek().kind != TemplateToken::Kind::name)
      return tokens_.wrong("the name of a filter after \"|\"");
    node.text = tokens_.take().text;
    if (!is_filter(node.text))
      return template_failure(node.line, unknown("filter", node.text, filter_names()));
    node.operands.push_back(std::move(value));
    CURUPIRA_CHECK(arguments(node));
    return finish(std::move(node));
  }

  Parsed test(TemplateExpression value) {
    auto node = start(Kind::test);
    tokens_.take();
    const bool negated = tokens_.take_word("not");
    if (tokens_.peek().kind != TemplateToken::Kind::name)
      return tokens_.wrong("the name of a test after \"is\"");
    node.text = tokens_.take().text;
    if (!is_test(node.text)) return template_failure(node.line, unknown("test", node.text, test_names()));
    node.operands.push_back(std::move(value));
    if (tokens_.at_sign("(")) {
      CURUPIRA_CHECK(arguments(node));
      if (!node.named.empty()) return template_failure(node.line, "tests take no named arguments");
    } else if (test_takes_argument(node.text)) {
      CURUPIRA_TRY(TemplateExpression argument, signed_primary());
      node.operands.push_back(std::move(argument));
    }
    const std::size_t expected = test_takes_argument(node.text) ? 2 : 1;
    if (node.operands.size() != expected) {
      return template_failure(
          node.line, "the test \"" + node.text + "\" takes " + (expected == 2 ? "one" : "no") + " argument");
    }
    CURUPIRA_TRY(TemplateExpression tested, finish(std::move(node)));
    if (!negated) return tested;
    auto outer = start(Kind::negation);
    outer.operands.push_back(std::move(tested));
    return finish(std::move(outer));
  }

  Parsed primary() {
    auto node = start(Kind::literal);
    const auto& token = tokens_.peek();
    switch (token.kind) {
      case TemplateToken::Kind::string: {
        std::string text = tokens_.take().text;
        while (tokens_.peek().kind == TemplateToken::Kind::string)
          text += tokens_.take().text;
        node.value = TemplateValue(std::move(text));
        return node;
      }
      case TemplateToken::Kind::integer:
      case TemplateToken::Kind::real:
        return number(std::move(node));
      case TemplateToken::Kind::name:
        return name_or_constant(std::move(node));
      case TemplateToken::Kind::sign:
        if (token.text == "(") return group();
        if (token.text == "[") return list();
        if (token.text == "{") return map();
        break;
      case TemplateToken::Kind::end:
        break;
    }
    return tokens_.wrong("a value");
  }

  Parsed number(TemplateExpression node) {
    CURUPIRA_TRY(node.value, number_literal(tokens_.take()));
    return node;
  }

  Parsed name_or_constant(TemplateExpression node) {
    if (is_keyword(tokens_.peek().text)) return tokens_.wrong("a value");
    const std::string& text = tokens_.take().text;
    if (auto constant = named_constant(text)) {
      node.value = *std::move(constant);
    } else {
      node.kind = Kind::name;
      node.text = text;
    }
    return node;
  }

  /// "(a)" is a; "(a, b)", "(a,)" and "()" are lists.
  Parsed group() {
    CURUPIRA_CHECK(enter());
    auto node = start(Kind::list);
    tokens_.take();
    bool is_list = tokens_.at_sign(")");
    while (!tokens_.take_sign(")")) {
      CURUPIRA_TRY(TemplateExpression item, conditional());
      node.operands.push_back(std::move(item));
      if (tokens_.at_sign(")")) continue;
      CURUPIRA_CHECK(tokens_.expect_sign(","));
      is_list = true;
    }
    --open_;
    if (!is_list) return std::move(node.operands.front());
    return finish(std::move(node));
  }

  Parsed list() {
    CURUPIRA_CHECK(enter());
    auto node = start(Kind::list);
    tokens_.take();
    while (!tokens_.take_sign("]")) {
      CURUPIRA_TRY(TemplateExpression item, conditional());
      node.operands.push_back(std::move(item));
      if (!tokens_.at_sign("]")) CURUPIRA_CHECK(tokens_.expect_sign(","));
    }
    --open_;
    return finish(std::move(node));
  }

  Parsed map() {
    CURUPIRA_CHECK(enter());
    auto node = start(Kind::map);
    tokens_.take();
    while (!tokens_.take_sign("}")) {
      CURUPIRA_TRY(TemplateExpression key, conditional());
      CURUPIRA_CHECK(tokens_.expect_sign(":"));
      CURUPIRA_TRY(TemplateExpression value, conditional());
      node.operands.push_back(std::move(key));
      node.operands.push_back(std::move(value));
      if (!tokens_.at_sign("}")) CURUPIRA_CHECK(tokens_.expect_sign(","));
    }
    --open_;
    return finish(std::move(node));
  }

  TokenCursor& tokens_;
  const TemplateLimits& limits_;
  int open_ = 0;
};

}  // namespace

Result<TemplateExpression> parse_expression(TokenCursor& tokens, const TemplateLimits& limits) {
  return ExpressionParser(tokens, limits).conditional();
}

Result<TemplateExpression> parse_unconditional_expression(TokenCursor& tokens, const TemplateLimits& limits) {
  return ExpressionParser(tokens, limits).disjunction();
}

}  // namespace curupira::templates
