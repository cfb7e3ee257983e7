#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "runtime/extension_session.h"
#include "templates/template_limits.h"
#include "templates/template_names.h"
#include "templates/template_syntax.h"

namespace curupira::runtime {

/// The prompt of an automation: text with `${key}` and Jinja, both replaced in one pass, so that what an item
/// brings is never read as template (spec/protocol.md §3.4).
class Prompt {
 public:
  /// Error: prompt_template with line and reason.
  static Result<Prompt> parse(std::string_view text, const templates::TemplateLimits& limits = {});

  const templates::TemplateNames& names() const { return names_; }
  /// An unknown `${key}` stays as written; an unknown name in Jinja is an error (prompt_template). White
  /// space at the end is cut off.
  Result<std::string> render(const Item& item, std::string_view repository,
                             std::string_view automation) const;

 private:
  Prompt(templates::TemplateStatement::Body body, const templates::TemplateLimits& limits);
  templates::TemplateStatement::Body body_;
  templates::TemplateNames names_;
  templates::TemplateLimits limits_;
};

/// What the host itself gives to every prompt: "repository" and "automation".
std::vector<std::string> host_fields();

/// Holds the names of a prompt against the fields that the trigger's schema declares, `repository` and
/// `automation`. Errors (prompt_template): an unknown name in Jinja; an unknown `${key}` that is nearly a
/// known one. Other unknown placeholders stay as they are: a warning. Nothing is said when no field is
/// declared: then any may come.
std::vector<Error> check_prompt_names(const Prompt& prompt, const std::vector<std::string>& declared,
                                      std::string_view automation, Diagnostics& diagnostics);

}  // namespace curupira::runtime
