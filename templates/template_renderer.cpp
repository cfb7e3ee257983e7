#include "templates/template_renderer.h"

#include "base/nearest_name.h"
#include "base/printable.h"
#include "templates/template_error.h"

namespace curupira::templates {
namespace {

using Kind = TemplateStatement::Kind;

/// All fields as one map, for names that cannot be written otherwise: `{{ _fields["issue-number"] }}`, as in
/// the peer.
constexpr std::string_view all_fields = "_fields";

TemplateValue loop_value(const TemplateValue::List& items, std::size_t at, int depth) {
  const std::size_t size = items.size();
  TemplateValue::Map loop;
  loop.emplace("index", TemplateValue::of_size(at + 1));
  loop.emplace("index0", TemplateValue::of_size(at));
  loop.emplace("revindex", TemplateValue::of_size(size - at));
  loop.emplace("revindex0", TemplateValue::of_size(size - at - 1));
  loop.emplace("first", TemplateValue(at == 0));
  loop.emplace("last", TemplateValue(at + 1 == size));
  loop.emplace("length", TemplateValue::of_size(size));
  loop.emplace("depth", TemplateValue(static_cast<WideInt>(depth)));
  loop.emplace("depth0", TemplateValue(static_cast<WideInt>(depth - 1)));
  if (at > 0) loop.emplace("previtem", items[at - 1]);
  if (at + 1 < size) loop.emplace("nextitem", items[at + 1]);
  return TemplateValue(std::move(loop));
}

}  // namespace

TemplateRenderer::TemplateRenderer(const std::map<std::string, std::string, std::less<>>& fields,
                                   const TemplateLimits& limits)
    : limits_(limits) {
  // The outermost scope is what `${…}` reads; the one above it is the template's own.
  Scope outermost;
  TemplateValue::Map all;
  for (const auto& [name, value] : fields) {
    outermost.emplace(name, TemplateValue(value));
    all.emplace(name, TemplateValue(value));
  }
  outermost.emplace(all_fields, TemplateValue(std::move(all)));
  scopes_.push_back(std::move(outermost));
  scopes_.emplace_back();
}

Result<std::string> TemplateRenderer::render(const TemplateStatement::Body& body) {
  std::string out;
  CURUPIRA_CHECK(run(body, out));
  return out;
}

Result<> TemplateRenderer::count_step(int line) {
  if (++steps_ <= limits_.max_steps) return {};
  return template_failure(line, "rendering takes more than " + std::to_string(limits_.max_steps) + " steps");
}

Result<> TemplateRenderer::check_size(const std::string& out, int line) const {
  if (out.size() <= limits_.max_output_bytes) return {};
  return template_failure(
      line, "the text becomes longer than the limit of " + format_bytes(limits_.max_output_bytes));
}

Result<> TemplateRenderer::run(const TemplateStatement::Body& body, std::string& out) {
  for (const auto& statement : body)
    CURUPIRA_CHECK(run(statement, out));
  return {};
}

Result<> TemplateRenderer::run(const TemplateStatement& statement, std::string& out) {
  CURUPIRA_CHECK(count_step(statement.line));
  switch (statement.kind) {
    case Kind::text:
      out += statement.text;
      return check_size(out, statement.line);
    case Kind::placeholder: {
      const auto found = statement.text == all_fields ? scopes_[0].end() : scopes_[0].find(statement.text);
      out += found == scopes_[0].end() ? "${" + statement.text + "}" : *found->second.as_string();
      return check_size(out, statement.line);
    }
    case Kind::output:
      return run_output(statement, out);
    case Kind::condition:
      return run_condition(statement, out);
    case Kind::loop:
      return run_loop(statement, out);
    case Kind::assignment: {
      CURUPIRA_TRY(TemplateValue value, evaluate(statement.expression));
      return bind(statement.names, std::move(value), statement.line);
    }
    case Kind::capture: {
      std::string text;
      CURUPIRA_CHECK(run(statement.body, text));
      return bind(statement.names, TemplateValue(std::move(text)), statement.line);
    }
    case Kind::with:
      return run_with(statement, out);
  }
  return {};
}

Result<> TemplateRenderer::run_output(const TemplateStatement& statement, std::string& out) {
  CURUPIRA_TRY(const TemplateValue value, evaluate(statement.expression));
  if (const auto* undefined = value.as_undefined(); undefined != nullptr && !undefined->silent) {
    return template_failure(statement.line, undefined_text(*undefined));
  }
  append_printed(out, value, limits_.max_output_bytes);
  return check_size(out, statement.line);
}

Result<> TemplateRenderer::run_condition(const TemplateStatement& statement, std::string& out) {
  for (const auto& branch : statement.branches) {
    CURUPIRA_TRY(const bool holds, evaluate_truth(branch.condition));
    if (holds) return run(branch.body, out);
  }
  return run(statement.other, out);
}

Result<> TemplateRenderer::bind(const std::vector<std::string>& names, TemplateValue value, int line) {
  auto& scope = scopes_.back();
  if (names.size() == 1) {
    scope.insert_or_assign(names.front(), std::move(value));
    return {};
  }
  const auto* list = value.as_list();
  if (list == nullptr || list->size() != names.size()) {
    return template_failure(line, std::to_string(names.size()) + " names stand for " +
                                      (list == nullptr ? "one " + std::string(value.type_name())
                                                       : std::to_string(list->size()) + " items"));
  }
  for (std::size_t n = 0; n < names.size(); ++n)
    scope.insert_or_assign(names[n], (*list)[n]);
  return {};
}

/// The items that pass the loop's `if`.
Result<TemplateValue::List> TemplateRenderer::loop_items(const TemplateStatement& statement) {
  CURUPIRA_TRY(const TemplateValue value, evaluate(statement.expression));
  auto items = items_of(value);
  if (!items) return template_failure(statement.line, items.error());
  if (statement.branches.empty()) return *std::move(items);
  TemplateValue::List chosen;
  scopes_.emplace_back();
  for (auto& item : *items) {
    CURUPIRA_CHECK(bind(statement.names, item, statement.line));
    CURUPIRA_TRY(const bool holds, evaluate_truth(statement.branches.front().condition));
    if (holds) chosen.push_back(std::move(item));
  }
  scopes_.pop_back();
  return chosen;
}

Result<> TemplateRenderer::run_loop(const TemplateStatement& statement, std::string& out) {
  CURUPIRA_TRY(const TemplateValue::List items, loop_items(statement));
  if (items.empty()) return run(statement.other, out);
  ++loops_;
  for (std::size_t at = 0; at < items.size(); ++at) {
    CURUPIRA_CHECK(count_step(statement.line));
    scopes_.emplace_back();
    scopes_.back().emplace("loop", loop_value(items, at, loops_));
    CURUPIRA_CHECK(bind(statement.names, items[at], statement.line));
    CURUPIRA_CHECK(run(statement.body, out));
    scopes_.pop_back();
  }
  --loops_;
  return {};
}

Result<> TemplateRenderer::run_with(const TemplateStatement& statement, std::string& out) {
  Scope scope;
  for (std::size_t n = 0; n < statement.names.size(); ++n) {
    CURUPIRA_TRY(TemplateValue value, evaluate(statement.branches[n].condition));
    scope.insert_or_assign(statement.names[n], std::move(value));
  }
  scopes_.push_back(std::move(scope));
  CURUPIRA_CHECK(run(statement.body, out));
  scopes_.pop_back();
  return {};
}

TemplateValue TemplateRenderer::look_up(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return found->second;
  }
  std::vector<std::string> known;
  for (const auto& member : scopes_[0]) {
    if (member.first != all_fields) known.push_back(member.first);
  }
  const auto near = nearest_name(name, known);
  return TemplateValue(Undefined{
      "\"" + printable(name) + "\"" + (near ? " (did you mean \"" + printable(*near) + "\"?)" : ""), false});
}

}  // namespace curupira::templates
