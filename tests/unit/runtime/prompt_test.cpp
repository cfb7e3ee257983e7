#include "runtime/prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/runtime/template_fixture.h"

namespace curupira::runtime {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Prompt, ReplacesKeysOfAnyKind) {
  const Item item{{"issue-number", "1"}, {"foo.bar", "2"}, {"123", "3"},
                  {"a b", "4"},          {"é", "5"},       {"$x", "6"}};
  EXPECT_EQ(rendered("${issue-number} ${foo.bar} ${123} ${a b} ${é} ${$x}", item), "1 2 3 4 5 6");
}

TEST(Prompt, AddsRepositoryAndAutomation) {
  EXPECT_EQ(rendered("${repository} ${automation} {{ repository }} {{ automation }}"),
            "acme/api one acme/api one");
}

TEST(Prompt, LeavesUnknownPlaceholdersAsWritten) {
  EXPECT_EQ(rendered("${nope} ${} ${ ${a} ${a ${n} $${n} $ { ${a"), "${nope} ${} ${ x ${a 7 $7 $ { ${a");
}

TEST(Prompt, NeverReadsInsertedTextAgain) {
  const Item item{{"a", "${b} {{ b }} {% if b %}"}, {"b", "secret"}};
  EXPECT_EQ(rendered("${a}|{{ a }}", item), "${b} {{ b }} {% if b %}|${b} {{ b }} {% if b %}");
}

TEST(Prompt, DoesNotPutPlaceholdersTogetherFromParts) {
  EXPECT_EQ(rendered("{{ '$' }}{a} {{ '${a}' }} ${{{ 'a' }}}", {{"a", "x"}}), "${a} ${a} ${a}");
}

TEST(Prompt, EscapesNothing) {
  EXPECT_EQ(rendered("{{ h }}${h}", {{"h", "<b>&\"'"}}), "<b>&\"'<b>&\"'");
}

TEST(Prompt, LosesWhiteSpaceAtItsEndOnly) {
  EXPECT_EQ(rendered("\n\n x\r\ny \t\r\n\n"), "\n\n x\r\ny");
  EXPECT_EQ(rendered("x ${v}", {{"v", " z \n"}}), "x  z");
}

TEST(Prompt, KeepsRawBlocksButForPlaceholders) {
  EXPECT_EQ(rendered("{% raw %}{{ x }} {% if %} ${a}{% endraw %}"), "{{ x }} {% if %} x");
  EXPECT_EQ(rendered("a {%- raw -%} {{ x }} {%- endraw -%} b"), "a{{ x }}b");
}

TEST(Prompt, GivesFieldsWithOddNamesByIndex) {
  EXPECT_EQ(rendered("{{ _fields['issue-number'] }} {{ _fields.opt | default('-') }}"), "12 -");
}

TEST(Prompt, WithoutAValueForANameSaysHowToGoOn) {
  const auto prompt = Prompt::parse("line\n{{ tilte }}");
  ASSERT_TRUE(prompt);
  const auto text = prompt->render({{"title", "x"}}, "r", "a");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::prompt_template);
  EXPECT_THAT(text.error().detail(),
              AllOf(HasSubstr("line 2"), HasSubstr("\"tilte\" (did you mean \"title\"?) has no value")));
  EXPECT_THAT(text.error().help(), HasSubstr("default(\"\")"));
}

TEST(Prompt, KnowsTheNamesThatItUses) {
  const auto prompt = Prompt::parse(
      "${a} {{ b.c | default(d) }} {% for x, y in e if x %}{{ x }}{{ loop.index }}{{ f }}{% endfor %}{{ x }}"
      "{% set g = h %}{{ g }}{% if i %}{% set k = 1 %}{{ k }}{% endif %}{{ k }}{% raw %}{{ raw }}{% endraw "
      "%}{# {{ no }} #}");
  ASSERT_TRUE(prompt) << prompt.error().summary();
  std::vector<std::string> variables;
  for (const auto& name : prompt->names().variables)
    variables.push_back(name.first);
  EXPECT_THAT(variables, ElementsAre("b", "d", "e", "f", "h", "i", "k", "x"));
  EXPECT_THAT(prompt->names().placeholders, ElementsAre(testing::Pair("a", 1)));
}

std::vector<Error> findings(std::string_view text, const std::vector<std::string>& declared,
                            Diagnostics& diagnostics) {
  return check_prompt_names(Prompt::parse(text).value(), declared, "one", diagnostics);
}

TEST(PromptCheck, AcceptsDeclaredFieldsAndTheHostsOwn) {
  CollectedDiagnostics diagnostics;
  EXPECT_THAT(findings("${title} {{ number }} {{ repository }} ${automation} {{ _fields['x'] }}",
                       {"title", "number"}, diagnostics),
              IsEmpty());
  EXPECT_THAT(diagnostics.all, IsEmpty());
}

TEST(PromptCheck, RefusesAnUnknownNameInJinjaWithTheNearest) {
  CollectedDiagnostics diagnostics;
  const auto errors = findings("a\n{{ titel }}", {"title", "number"}, diagnostics);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code(), ErrorCode::prompt_template);
  EXPECT_THAT(errors[0].detail(),
              HasSubstr("automation \"one\" uses the unknown field \"titel\" in line 2 (did you "
                        "mean \"title\"?)"));
  EXPECT_THAT(errors[0].help(), HasSubstr("automation, number, repository, title"));
}

TEST(PromptCheck, RefusesAPlaceholderThatIsNearlyAField) {
  CollectedDiagnostics diagnostics;
  const auto errors = findings("${titel}", {"title"}, diagnostics);
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_THAT(errors[0].detail(), HasSubstr("${titel}"));
}

TEST(PromptCheck, WarnsOfOtherPlaceholdersThatStay) {
  CollectedDiagnostics diagnostics;
  EXPECT_THAT(findings("${HOME_FOLDER}", {"title"}, diagnostics), IsEmpty());
  ASSERT_THAT(diagnostics.all, SizeIs(1));
  EXPECT_THAT(diagnostics.all[0].text, HasSubstr("${HOME_FOLDER}"));
}

TEST(PromptCheck, SaysNothingWhenNoFieldIsDeclared) {
  CollectedDiagnostics diagnostics;
  EXPECT_THAT(findings("{{ anything }} ${titel}", {}, diagnostics), IsEmpty());
}

}  // namespace
}  // namespace curupira::runtime
