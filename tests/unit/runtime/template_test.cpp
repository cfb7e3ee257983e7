#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/runtime/template_fixture.h"

// Statements, white space and errors of prompt templates. What is expected was compared with the existing
// host 0.4.0.

namespace curupira::runtime {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TemplateStatements : public testing::TestWithParam<RenderCase> {};

TEST_P(TemplateStatements, Render) {
  EXPECT_EQ(rendered(GetParam().text), GetParam().expected);
}

const RenderCase statement_cases[] = {
    {"{% if a %}Y{% else %}N{% endif %}", "Y"},
    {"{% if a == 'y' %}1{% elif n == '7' %}2{% else %}3{% endif %}", "2"},
    {"{% if '' %}1{% endif %}2", "2"},
    {"{% for x in [1,2,3] %}{{ loop.index }}/{{ loop.length }}{{ x }}{% if not loop.last %},{% endif %}{% "
     "endfor %}",
     "1/31,2/32,3/33"},
    {"{% for x in [1,2] %}{{ loop.index0 }}{{ loop.revindex }}{{ loop.first }}{{ loop.depth }};{% endfor %}",
     "02True1;11False1;"},
    {"{% for x in [1,2] %}{{ loop.previtem | default('-') }}{{ loop.nextitem | default('-') }};{% endfor %}",
     "-2;1-;"},
    {"{% for x in [] %}x{% else %}none{% endfor %}", "none"},
    {"{% for x in none %}x{% endfor %}|", "|"},
    {"{% for x in [1,2,3] if x != 2 %}{{ x }}{{ loop.index }}{% endfor %}", "1132"},
    {"{% for k, v in (j | fromjson).z | items %}{{ k }}={{ v }}{% endfor %}", "y=1"},
    {"{% for (k, v) in [[1, 2]] %}{{ k }}{{ v }}{% endfor %}", "12"},
    {"{% for k in j | fromjson %}{{ k }};{% endfor %}", "k;z;"},
    {"{% for c in 'aé' %}{{ c }}.{% endfor %}", "a.é."},
    {"{% for x in [1] %}{% for y in [2] %}{{ loop.depth }}{{ x }}{{ y }}{% endfor %}{% endfor %}", "212"},
    {"{% set y = 5 %}{{ y }}", "5"},
    {"{% set y, z = [1, 2] %}{{ z }}{{ y }}", "21"},
    {"{% set y %}b{{ a }}{% endset %}{{ y | upper }}", "BX"},
    {"{% set a = 1 %}{{ a }}${a}", "1x"},
    {"{% if a %}{% set n = 1 %}{% endif %}{{ n }}", "1"},
    {"{% for x in [1, 2] %}{% set n = x %}{% endfor %}{{ n }}", "7"},
    {"{% with q = 1, r = a %}{{ q }}{{ r }}{% endwith %}", "1x"},
    {"a{# {{ nope }} #}b", "ab"},
    {"a {#- c -#} b", "ab"},
    {"a {{- 1 -}} b", "a1b"},
    {"a {{ 1 }} b", "a 1 b"},
    {"a\n{%- if true %}\n b\n{%- endif %}\nc", "a\n b\nc"},
    {"{% if true -%}\n  x\n{%- endif %}", "x"},
    {"a{%+ if true +%} b{% endif %}", "a b"},
    {"{{ a -}} {%- if a -%} b {%- endif -%} {{- n }}", "xb7"},
    {"${a} {{- n }}", "x7"},
    {"{{ '}}' }}{{ '%}' }}", "}}%}"},
    {"{{ {'q': {'r': 1}} }}", "{'q': {'r': 1}}"},
    {"%} }} #} { { a } } {", "%} }} #} { { a } } {"},
    {"{${a}}", "{x}"},
};

INSTANTIATE_TEST_SUITE_P(Template, TemplateStatements, testing::ValuesIn(statement_cases));

TEST(TemplateErrors, GiveLineAndReason) {
  EXPECT_THAT(rendered("a\nb {{ nope"),
              StartsWith("error: line 2: the tag that begins with {{ has no end }}"));
  EXPECT_THAT(rendered("\n{% if a %}x"), StartsWith("error: line 2: {% if %} has no {% endif %}"));
  EXPECT_THAT(rendered("{% for x in a %}"), HasSubstr("{% for %} has no {% endfor %}"));
  EXPECT_THAT(rendered("{% endif %}"), HasSubstr("{% endif %} closes nothing"));
  EXPECT_THAT(rendered("{% if a %}{% endfor %}{% endif %}"), HasSubstr("{% endfor %} closes nothing"));
  EXPECT_THAT(rendered("{% include 'x' %}"), HasSubstr("no block \"include\""));
  EXPECT_THAT(rendered("{# open"), HasSubstr("has no end #}"));
  EXPECT_THAT(rendered("{% raw %}x"), HasSubstr("{% raw %} has no {% endraw %}"));
  EXPECT_THAT(rendered("{{ }}"), HasSubstr("expected a value, found \"}}\""));
  EXPECT_THAT(rendered("{{ a b }}"), HasSubstr("expected \"}}\", found \"b\""));
  EXPECT_THAT(rendered("{{ a | }}"), HasSubstr("the name of a filter"));
  EXPECT_THAT(rendered("{{ 'x }}"), HasSubstr("no closing quote"));
  EXPECT_THAT(rendered("{{ é }}"), HasSubstr("unexpected character \"é\""));
  EXPECT_THAT(rendered("{{ '\\q' }}"), HasSubstr("an escape that is not known"));
  EXPECT_THAT(rendered("{{ a | uper }}"), HasSubstr("no filter \"uper\" (did you mean \"upper\"?)"));
  EXPECT_THAT(rendered("{{ a is strng }}"), HasSubstr("no test \"strng\" (did you mean \"string\"?)"));
  EXPECT_THAT(rendered("{{ a.upper() }}"), HasSubstr("nothing can be called"));
  EXPECT_THAT(rendered("{% for a, b in [[1, 2, 3]] %}{% endfor %}"), HasSubstr("2 names stand for 3 items"));
  EXPECT_THAT(rendered("{% for x in 5 %}{% endfor %}"), HasSubstr("number cannot be run through"));
}

class UndefinedValues : public testing::TestWithParam<const char*> {};

TEST_P(UndefinedValues, AreErrorsWhereTheyAreUsed) {
  EXPECT_THAT(rendered(GetParam()), HasSubstr("has no value for this task"));
}

INSTANTIATE_TEST_SUITE_P(Template, UndefinedValues,
                         testing::Values("{{ opt }}", "{% if opt %}{% endif %}", "{{ opt.x }}",
                                         "{{ opt | upper }}", "{{ opt == 'x' }}", "{{ opt and 1 }}",
                                         "{{ not opt }}", "{{ opt ~ 'x' }}", "{{ 'a' in opt }}",
                                         "{% for x in opt %}{% endfor %}", "{{ [opt] }}",
                                         "{{ opt | upper | default('x') }}", "{{ (j | fromjson).nope }}",
                                         "{{ (j | fromjson).nope.more | default('x') }}",
                                         "{{ (j | fromjson).k[9] }}", "{{ a | replace('x', opt) }}",
                                         "{{ [] | first }}", "{{ a.b }}"));

TEST(UndefinedValues, MayBeAskedForAndReplaced) {
  EXPECT_EQ(rendered("{{ opt is defined }}{{ opt | default('d') }}{{ opt | d }}{{ opt is undefined }}"),
            "FalsedTrue");
  EXPECT_EQ(rendered("{{ (j | fromjson).nope | default('d') }} {{ [] | first | default('e') }}"), "d e");
  EXPECT_EQ(rendered("{{ opt if opt is defined else 'n' }} {{ 'a' if false }}| {{ a or opt }}"), "n | x");
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int n = 0; n < times; ++n)
    result += text;
  return result;
}

TEST(TemplateLimitsTest, BoundNesting) {
  EXPECT_THAT(rendered("{{ " + repeated("(", 5000) + "1" + repeated(")", 5000) + " }}"),
              HasSubstr("nested deeper"));
  EXPECT_THAT(rendered("{{ 1" + repeated(" + 1", 5000) + " }}"), HasSubstr("nested deeper"));
  EXPECT_THAT(rendered("{{ a" + repeated(" | trim", 5000) + " }}"), HasSubstr("nested deeper"));
  EXPECT_THAT(rendered("{{ " + repeated("not ", 5000) + "a }}"), HasSubstr("nested deeper"));
  EXPECT_THAT(rendered(repeated("{% if a %}", 5000)), HasSubstr("nested deeper"));
  EXPECT_THAT(rendered("{% set x = [] %}" + repeated("{% set x = [x] %}", 5000) + "{{ x }}"),
              HasSubstr("nested deeper"));
}

TEST(TemplateLimitsTest, BoundOutputAndTime) {
  const templates::TemplateLimits limits{.max_output_bytes = 1000, .max_steps = 10'000};
  EXPECT_THAT(rendered("{{ 'x' * 1001 }}", sample_item, limits), HasSubstr("longer than the limit"));
  EXPECT_THAT(rendered("{{ [1] * 10001 }}", sample_item, limits), HasSubstr("longer than the limit"));
  EXPECT_THAT(rendered("{% for x in [1] * 999 %}{{ a }}{{ a }}{% endfor %}", sample_item, limits),
              HasSubstr("longer than the limit"));
  EXPECT_THAT(rendered("{% set x = [1] * 999 %}{% for y in x %}{% for z in x %}{% endfor %}{% endfor %}",
                       sample_item, limits),
              HasSubstr("more than 10000 steps"));
}

TEST(TemplateLimitsTest, BoundTheTemplateItself) {
  EXPECT_THAT(rendered(std::string((1u << 20) + 1, 'x')), HasSubstr("the limit is"));
}

}  // namespace
}  // namespace curupira::runtime
