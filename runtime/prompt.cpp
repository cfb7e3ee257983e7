#include "runtime/prompt.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "templates/template_parser.h"
#include "templates/template_renderer.h"

namespace curupira::runtime {
namespace {

constexpr std::string_view repository_name = "repository";
constexpr std::string_view automation_name = "automation";

std::string in_quotes(std::string_view name) {
  return "\"" + printable(name.substr(0, 200)) + "\"";
}

Error with_advice(Error error) {
  if (error.detail().find("has no value for this task") == std::string::npos) return error;
  return std::move(error).with_help(
      "{{ name | default(\"\") }} makes a field optional; braces that are text stand between {% raw %} and "
      "{% endraw %}");
}

}  // namespace

Prompt::Prompt(templates::TemplateStatement::Body body, const templates::TemplateLimits& limits)
    : body_(std::move(body)), names_(names_of(body_)), limits_(limits) {}

Result<Prompt> Prompt::parse(std::string_view text, const templates::TemplateLimits& limits) {
  CURUPIRA_TRY(auto body, parse_template(text, limits));
  return Prompt(std::move(body), limits);
}

Result<std::string> Prompt::render(const Item& item, std::string_view repository,
                                   std::string_view automation) const {
  std::map<std::string, std::string, std::less<>> fields;
  for (const auto& [key, value] : item)
    fields.emplace(key, value);
  fields.insert_or_assign(std::string(repository_name), std::string(repository));
  fields.insert_or_assign(std::string(automation_name), std::string(automation));
  auto text = templates::TemplateRenderer(fields, limits_).render(body_);
  if (!text) return fail(with_advice(std::move(text).error()));
  text->erase(text->find_last_not_of(" \t\r\n\v\f") + 1);
  return text;
}

std::vector<std::string> host_fields() {
  return {std::string(repository_name), std::string(automation_name)};
}

std::vector<Error> check_prompt_names(const Prompt& prompt, const std::vector<std::string>& declared,
                                      std::string_view automation, Diagnostics& diagnostics) {
  std::vector<Error> errors;
  if (declared.empty()) return errors;
  std::vector<std::string> known = declared;
  for (auto& name : host_fields())
    known.push_back(std::move(name));
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  std::string available;
  for (const auto& name : known)
    available += (available.empty() ? "" : ", ") + printable(name);
  const auto report = [&](const std::string& written, const std::string& name, int line) {
    const auto near = nearest_name(name, known);
    errors.push_back(Error(ErrorCode::prompt_template,
                           "the prompt of automation " + in_quotes(automation) + " uses the unknown field " +
                               written + " in line " + std::to_string(line) +
                               (near ? " (did you mean " + in_quotes(*near) + "?)" : ""))
                         .with_help("the trigger gives " + available));
  };
  for (const auto& [name, line] : prompt.names().variables) {
    const bool is_known = name == "_fields" || std::ranges::binary_search(known, name);
    if (!is_known) report(in_quotes(name), name, line);
  }
  for (const auto& [name, line] : prompt.names().placeholders) {
    if (std::ranges::binary_search(known, name)) continue;
    if (nearest_name(name, known)) {
      report("${" + printable(name) + "}", name, line);
    } else {
      diagnostics.warn("automation " + in_quotes(automation) + ": ${" + printable(name) +
                       "} in its prompt is no field of the trigger and stays as written; it gives " +
                       available);
    }
  }
  return errors;
}

}  // namespace curupira::runtime
