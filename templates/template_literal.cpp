#include "templates/template_literal.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "templates/template_error.h"

namespace curupira::templates {

Result<TemplateValue> number_literal(const TemplateToken& token) {
  const char* const end = token.text.data() + token.text.size();
  const auto too_large = [&] {
    return template_failure(token.line, "the number " + token.text.substr(0, 40) + " is too large");
  };
  if (token.kind == TemplateToken::Kind::real) {
    double value = 0;
    if (std::from_chars(token.text.data(), end, value).ec != std::errc{}) return too_large();
    return TemplateValue(value);
  }
  const bool hex = token.text.starts_with("0x");
  std::int64_t value = 0;
  const auto parsed = std::from_chars(token.text.data() + (hex ? 2 : 0), end, value, hex ? 16 : 10);
  if (parsed.ec != std::errc{}) return too_large();
  return TemplateValue(static_cast<WideInt>(value));
}

std::optional<TemplateValue> named_constant(std::string_view name) {
  if (name == "true" || name == "True") return TemplateValue(true);
  if (name == "false" || name == "False") return TemplateValue(false);
  if (name == "none" || name == "None") return TemplateValue();
  return std::nullopt;
}

bool is_keyword(std::string_view name) {
  static constexpr std::array<std::string_view, 9> keywords{"if", "else", "and", "or",  "not",
                                                            "in", "is",   "for", "elif"};
  return std::ranges::find(keywords, name) != keywords.end();
}

}  // namespace curupira::templates
