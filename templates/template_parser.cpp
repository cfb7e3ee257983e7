#include "templates/template_parser.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "templates/template_error.h"

namespace curupira::templates {
namespace {

using Kind = TemplateStatement::Kind;
using Body = TemplateStatement::Body;

class TemplateParser {
 public:
  TemplateParser(std::vector<TemplateSegment> segments, const TemplateLimits& limits)
      : segments_(std::move(segments)), limits_(limits) {}

  Result<Body> whole() {
    CURUPIRA_TRY(Body body, statements({}));
    return body;
  }

 private:
  /// The word that a block tag begins with; empty for other segments.
  std::string_view word_at(std::size_t at) const {
    const auto& segment = segments_[at];
    if (segment.kind != TemplateSegment::Kind::block) return {};
    const auto& first = segment.tokens.front();
    return first.kind == TemplateToken::Kind::name ? std::string_view(first.text) : std::string_view{};
  }

  bool at_word(std::initializer_list<std::string_view> words) const {
    return at_ < segments_.size() && std::ranges::find(words, word_at(at_)) != words.end() &&
           !word_at(at_).empty();
  }

  /// Statements up to one of the tags `until`, which is not taken.
  Result<Body> statements(std::initializer_list<std::string_view> until) {
    if (++open_ > limits_.max_nesting) {
      return template_failure(segments_[at_ < segments_.size() ? at_ : at_ - 1].line,
                              "blocks are nested deeper than " + std::to_string(limits_.max_nesting));
    }
    Body body;
    while (at_ < segments_.size() && !at_word(until)) {
      CURUPIRA_TRY(TemplateStatement statement, one());
      body.push_back(std::move(statement));
    }
    --open_;
    return body;
  }

  /// The closing tag of the block that began at `line`.
  Result<> close(std::string_view word, std::string_view opening, int line) {
    if (at_ == segments_.size()) {
      return template_failure(line,
                              "{% " + std::string(opening) + " %} has no {% " + std::string(word) + " %}");
    }
    TokenCursor tokens(segments_[at_++].tokens);
    tokens.take();
    return tokens.expect_end();
  }

  Result<TemplateStatement> one() {
    auto& segment = segments_[at_];
    TemplateStatement statement{.line = segment.line};
    if (segment.kind == TemplateSegment::Kind::text || segment.kind == TemplateSegment::Kind::placeholder) {
      const bool text = segment.kind == TemplateSegment::Kind::text;
      statement.kind = text ? Kind::text : Kind::placeholder;
      statement.text = std::move(segment.text);
      ++at_;
      return statement;
    }
    if (segment.kind == TemplateSegment::Kind::output) {
      statement.kind = Kind::output;
      TokenCursor tokens(segment.tokens);
      CURUPIRA_TRY(statement.expression, parse_expression(tokens, limits_));
      CURUPIRA_CHECK(tokens.expect_end());
      ++at_;
      return statement;
    }
    const auto word = word_at(at_);
    if (word == "if") return condition(std::move(statement));
    if (word == "for") return loop(std::move(statement));
    if (word == "set") return assignment(std::move(statement));
    if (word == "with") return with(std::move(statement));
    return unknown_block(segment, word);
  }

  static tl::unexpected<Error> unknown_block(const TemplateSegment& segment, std::string_view word) {
    static constexpr std::array<std::string_view, 7> closing{"endif",  "else",    "elif",  "endfor",
                                                             "endset", "endwith", "endraw"};
    if (std::ranges::find(closing, word) != closing.end()) {
      return template_failure(segment.line, "{% " + std::string(word) + " %} closes nothing");
    }
    const auto& first = segment.tokens.front();
    return template_failure(segment.line, "there is no block \"" + printable(first.text) +
                                              "\" in prompts; there are if, for, set, with and raw");
  }

  Result<TemplateStatement> condition(TemplateStatement statement) {
    statement.kind = Kind::condition;
    while (true) {
      TokenCursor tokens(segments_[at_++].tokens);
      tokens.take();
      TemplateStatement::Branch branch;
      CURUPIRA_TRY(branch.condition, parse_expression(tokens, limits_));
      CURUPIRA_CHECK(tokens.expect_end());
      CURUPIRA_TRY(branch.body, statements({"elif", "else", "endif"}));
      statement.branches.push_back(std::move(branch));
      if (!at_word({"elif"})) break;
    }
    if (at_word({"else"})) {
      CURUPIRA_CHECK(close("else", "if", statement.line));
      CURUPIRA_TRY(statement.other, statements({"endif"}));
    }
    CURUPIRA_CHECK(close("endif", "if", statement.line));
    return statement;
  }

  /// "a", "a, b" or "(a, b)".
  static Result<std::vector<std::string>> targets(TokenCursor& tokens) {
    std::vector<std::string> names;
    const bool group = tokens.take_sign("(");
    do {
      if (tokens.peek().kind != TemplateToken::Kind::name || tokens.at_word("in"))
        return tokens.wrong("a name");
      names.push_back(tokens.take().text);
    } while (tokens.take_sign(","));
    if (group) CURUPIRA_CHECK(tokens.expect_sign(")"));
    return names;
  }

  Result<TemplateStatement> loop(TemplateStatement statement) {
    statement.kind = Kind::loop;
    {
      TokenCursor tokens(segments_[at_++].tokens);
      tokens.take();
      CURUPIRA_TRY(statement.names, targets(tokens));
      if (!tokens.take_word("in")) return tokens.wrong("\"in\"");
      CURUPIRA_TRY(statement.expression, parse_unconditional_expression(tokens, limits_));
      if (tokens.take_word("if")) {
        statement.branches.emplace_back();
        CURUPIRA_TRY(statement.branches.front().condition, parse_expression(tokens, limits_));
      }
      CURUPIRA_CHECK(tokens.expect_end());
    }
    CURUPIRA_TRY(statement.body, statements({"else", "endfor"}));
    if (at_word({"else"})) {
      CURUPIRA_CHECK(close("else", "for", statement.line));
      CURUPIRA_TRY(statement.other, statements({"endfor"}));
    }
    CURUPIRA_CHECK(close("endfor", "for", statement.line));
    return statement;
  }

  Result<TemplateStatement> assignment(TemplateStatement statement) {
    TokenCursor tokens(segments_[at_++].tokens);
    tokens.take();
    CURUPIRA_TRY(statement.names, targets(tokens));
    if (tokens.take_sign("=")) {
      statement.kind = Kind::assignment;
      CURUPIRA_TRY(statement.expression, parse_expression(tokens, limits_));
      CURUPIRA_CHECK(tokens.expect_end());
      return statement;
    }
    statement.kind = Kind::capture;
    if (statement.names.size() != 1) return tokens.wrong("\"=\"");
    CURUPIRA_CHECK(tokens.expect_end());
    CURUPIRA_TRY(statement.body, statements({"endset"}));
    CURUPIRA_CHECK(close("endset", "set", statement.line));
    return statement;
  }

  Result<TemplateStatement> with(TemplateStatement statement) {
    statement.kind = Kind::with;
    TokenCursor tokens(segments_[at_++].tokens);
    tokens.take();
    while (!tokens.at_end()) {
      if (tokens.peek().kind != TemplateToken::Kind::name) return tokens.wrong("a name");
      statement.names.push_back(tokens.take().text);
      CURUPIRA_CHECK(tokens.expect_sign("="));
      statement.branches.emplace_back();
      CURUPIRA_TRY(statement.branches.back().condition, parse_expression(tokens, limits_));
      if (!tokens.at_end()) CURUPIRA_CHECK(tokens.expect_sign(","));
    }
    CURUPIRA_TRY(statement.body, statements({"endwith"}));
    CURUPIRA_CHECK(close("endwith", "with", statement.line));
    return statement;
  }

  std::vector<TemplateSegment> segments_;
  const TemplateLimits& limits_;
  std::size_t at_ = 0;
  int open_ = 0;
};

}  // namespace

Result<> TokenCursor::expect_sign(std::string_view sign) {
  if (take_sign(sign)) return {};
  return wrong("\"" + std::string(sign) + "\"");
}

Result<> TokenCursor::expect_end() {
  if (at_end()) return {};
  return wrong("\"" + tokens_.back().text + "\"");
}

tl::unexpected<Error> TokenCursor::wrong(std::string_view expected) const {
  return template_failure(peek().line,
                          "expected " + std::string(expected) + ", found \"" + printable(peek().text) + "\"");
}

Result<Body> parse_template(std::string_view text, const TemplateLimits& limits) {
  CURUPIRA_TRY(auto segments, split_template(text, limits));
  return TemplateParser(std::move(segments), limits).whole();
}

}  // namespace curupira::templates
