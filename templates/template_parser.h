#pragma once

#include <string_view>

#include "base/result.h"
#include "templates/template_lexer.h"
#include "templates/template_limits.h"
#include "templates/template_syntax.h"

namespace curupira::templates {

/// The words of one tag, taken from the left.
class TokenCursor {
 public:
  explicit TokenCursor(const std::vector<TemplateToken>& tokens) : tokens_(tokens) {}

  const TemplateToken& peek() const { return tokens_[at_]; }
  bool at_end() const { return peek().kind == TemplateToken::Kind::end; }
  bool at_sign(std::string_view sign) const { return is(TemplateToken::Kind::sign, sign); }
  bool at_word(std::string_view word) const { return is(TemplateToken::Kind::name, word); }
  /// The next word; the end is never passed.
  const TemplateToken& take() { return at_end() ? tokens_[at_] : tokens_[at_++]; }
  bool take_sign(std::string_view sign) { return at_sign(sign) && (++at_, true); }
  bool take_word(std::string_view word) { return at_word(word) && (++at_, true); }
  Result<> expect_sign(std::string_view sign);
  Result<> expect_end();
  /// Error prompt_template: "line 3: expected …, found …".
  tl::unexpected<Error> wrong(std::string_view expected) const;

 private:
  bool is(TemplateToken::Kind kind, std::string_view text) const {
    return peek().kind == kind && peek().text == text;
  }
  const std::vector<TemplateToken>& tokens_;
  std::size_t at_ = 0;
};

/// One expression. Error: prompt_template, also for filters and tests that do not exist, and beyond the
/// nesting limit.
Result<TemplateExpression> parse_expression(TokenCursor& tokens, const TemplateLimits& limits);
/// An expression without `… if … else …` around it: what a loop runs over.
Result<TemplateExpression> parse_unconditional_expression(TokenCursor& tokens, const TemplateLimits& limits);

/// The statements of a template.
Result<TemplateStatement::Body> parse_template(std::string_view text, const TemplateLimits& limits = {});

}  // namespace curupira::templates
