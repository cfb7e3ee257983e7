#include "templates/template_names.h"

namespace curupira::templates {
namespace {

using Kind = TemplateStatement::Kind;

/// Walks a template with the names that are bound at each place. A body of `if` is a scope here: what only
/// one branch binds is unknown after it.
class NameCollector {
 public:
  void body(const TemplateStatement::Body& statements) {
    const auto before = bound_;
    for (const auto& one : statements)
      statement(one);
    bound_ = before;
  }

  /// The outermost body, whose names need no end.
  void whole(const TemplateStatement::Body& statements) {
    for (const auto& one : statements)
      statement(one);
  }

  TemplateNames names;

 private:
  void statement(const TemplateStatement& one) {
    switch (one.kind) {
      case Kind::text:
        return;
      case Kind::placeholder:
        names.placeholders.emplace(one.text, one.line);
        return;
      case Kind::output:
        return expression(one.expression);
      case Kind::condition:
        for (const auto& branch : one.branches) {
          expression(branch.condition);
          body(branch.body);
        }
        return body(one.other);
      case Kind::loop:
        return loop(one);
      case Kind::assignment:
        expression(one.expression);
        return bind(one);
      case Kind::capture:
        body(one.body);
        return bind(one);
      case Kind::with:
        return with(one);
    }
  }

  void bind(const TemplateStatement& one) { bound_.insert(one.names.begin(), one.names.end()); }

  void loop(const TemplateStatement& one) {
    expression(one.expression);
    const auto before = bound_;
    bind(one);
    for (const auto& branch : one.branches)
      expression(branch.condition);
    bound_.insert("loop");
    body(one.body);
    bound_ = before;
    body(one.other);
  }

  void with(const TemplateStatement& one) {
    for (const auto& branch : one.branches)
      expression(branch.condition);
    const auto before = bound_;
    bind(one);
    body(one.body);
    bound_ = before;
  }

  void expression(const TemplateExpression& one) {
    if (one.kind == TemplateExpression::Kind::name && !bound_.contains(one.text)) {
      names.variables.emplace(one.text, one.line);
    }
    for (const auto& operand : one.operands)
      expression(operand);
    for (const auto& argument : one.named)
      expression(argument.second);
  }

  std::set<std::string> bound_;
};

}  // namespace

TemplateNames names_of(const TemplateStatement::Body& body) {
  NameCollector collector;
  collector.whole(body);
  return std::move(collector.names);
}

}  // namespace curupira::templates
