#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "templates/template_limits.h"
#include "templates/template_operators.h"
#include "templates/template_syntax.h"

namespace curupira::templates {

/// Renders one template once. Values that are put in are never read as template again: the text is parsed
/// before it meets a value.
class TemplateRenderer {
 public:
  /// `fields` are the names that the template may use, each a text.
  TemplateRenderer(const std::map<std::string, std::string, std::less<>>& fields,
                   const TemplateLimits& limits);

  /// Error: prompt_template with the line.
  Result<std::string> render(const TemplateStatement::Body& body);

 private:
  using Scope = std::map<std::string, TemplateValue, std::less<>>;

  Result<> run(const TemplateStatement::Body& body, std::string& out);
  Result<> run(const TemplateStatement& statement, std::string& out);
  Result<> run_output(const TemplateStatement& statement, std::string& out);
  Result<> run_condition(const TemplateStatement& statement, std::string& out);
  Result<> run_loop(const TemplateStatement& statement, std::string& out);
  Result<> run_with(const TemplateStatement& statement, std::string& out);
  Result<TemplateValue::List> loop_items(const TemplateStatement& statement);
  Result<> bind(const std::vector<std::string>& names, TemplateValue value, int line);

  Result<TemplateValue> evaluate(const TemplateExpression& expression);
  Result<TemplateValue> evaluate_kind(const TemplateExpression& expression);
  Result<TemplateValue> evaluate_collection(const TemplateExpression& expression);
  Result<TemplateValue> evaluate_conditional(const TemplateExpression& expression);
  Result<TemplateValue> evaluate_call(const TemplateExpression& expression);
  Result<bool> evaluate_truth(const TemplateExpression& expression);
  TemplateValue look_up(const std::string& name) const;

  Result<> count_step(int line);
  Result<> check_size(const std::string& out, int line) const;

  const TemplateLimits& limits_;
  std::vector<Scope> scopes_;
  std::size_t steps_ = 0;
  int loops_ = 0;
};

}  // namespace curupira::templates
