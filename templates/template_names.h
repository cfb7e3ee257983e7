#pragma once

#include <map>
#include <set>
#include <string>

#include "templates/template_syntax.h"

namespace curupira::templates {

/// What a template asks its surroundings for, each with the line of its first use.
struct TemplateNames {
  std::map<std::string, int> placeholders = {};  ///< x of `${x}`
  std::map<std::string, int> variables = {};     ///< names that no set, for or with of the template binds
};

TemplateNames names_of(const TemplateStatement::Body& body);

}  // namespace curupira::templates
