#pragma once

#include <string>
#include <utility>
#include <vector>

#include "templates/template_value.h"

namespace curupira::templates {

/// A node of an expression. `depth` is that of the tree below, so that walking it has a bound.
struct TemplateExpression {
  enum class Kind {
    literal,      ///< value
    name,         ///< text
    list,         ///< operands
    map,          ///< operands: key, value, key, value, …
    attribute,    ///< operands[0] . text
    index,        ///< operands[0] [ operands[1] ]
    slice,        ///< operands[0] [ from : to : step ], absent parts are literal none
    negative,     ///< - operands[0]
    negation,     ///< not operands[0]
    binary,       ///< operands[0] text operands[1]: + - * / // % ** ~ == != < <= > >= in
    conjunction,  ///< operands[0] and operands[1]
    disjunction,  ///< operands[0] or operands[1]
    conditional,  ///< operands[0] if operands[1] else operands[2] (which may be missing)
    filter,       ///< operands[0] | text(operands[1]…, named…)
    test,         ///< operands[0] is text(operands[1]…)
  };
  Kind kind = Kind::literal;
  int line = 1;
  int depth = 1;
  std::string text = {};
  TemplateValue value = {};
  std::vector<TemplateExpression> operands = {};
  std::vector<std::pair<std::string, TemplateExpression>> named = {};
};

/// A statement of a template.
struct TemplateStatement {
  using Body = std::vector<TemplateStatement>;
  struct Branch {
    TemplateExpression condition;
    Body body;
  };

  enum class Kind {
    text,         ///< text
    placeholder,  ///< ${text}
    output,       ///< {{ expression }}
    condition,    ///< {% if %}: branches, other
    loop,         ///< {% for names in expression if branches[0].condition %} body {% else %} other
    assignment,   ///< {% set names = expression %}
    capture,      ///< {% set names[0] %} body {% endset %}
    with,         ///< {% with %}: branches[i].condition is the value of names[i]; body
  };
  Kind kind = Kind::text;
  int line = 1;
  std::string text = {};
  std::vector<std::string> names = {};
  TemplateExpression expression = {};
  std::vector<Branch> branches = {};
  Body body = {};
  Body other = {};
};

}  // namespace curupira::templates
