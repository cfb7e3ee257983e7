#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/runtime/template_fixture.h"

// Expressions and filters of prompt templates. What is expected was compared with the existing host 0.4.0;
// where it has Python's way of Jinja, with Jinja 3.1 too.

namespace curupira::runtime {
namespace {

using testing::HasSubstr;

class TemplateExpressions : public testing::TestWithParam<RenderCase> {};

TEST_P(TemplateExpressions, Render) {
  EXPECT_EQ(rendered(GetParam().text), GetParam().expected);
}

const RenderCase operator_cases[] = {
    {"{{ none }} {{ None }} {{ true }} {{ True }} {{ false }} {{ 1 }} {{ 1.0 }} {{ 1e20 }} {{ 1.5e3 }}",
     "None None True True False 1 1.0 100000000000000000000.0 1500.0"},
    {"{{ 1_000 }} {{ 0x1f }} {{ 'a' \"b\" }} {{ 0.1 + 0.2 }} {{ 0.00001 }}",
     "1000 31 ab 0.30000000000000004 0.00001"},
    {"{{ 7 / 2 }} {{ 6 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ 7 % 3 }} {{ -7 % 3 }} {{ 7.5 // 2 }} {{ -7.5 % 2 "
     "}}",
     "3.5 3.0 3 -4 1 2 3.0 0.5"},
    {"{{ 10 - 2 - 3 }} {{ 2 ** 3 }} {{ -2 ** 2 }} {{ 2 * 3 + 1 }} {{ 1 + 2 * 3 }} {{ (1 + 2) * 3 }}",
     "5 8 4 7 7 9"},
    {"{{ 'a' ~ 1 ~ none }} {{ 'a' + 'b' }} {{ [1] + [2] }} {{ 'ab' * 2 }} {{ n * 2 }}",
     "a1None ab [1, 2] abab 77"},
    {"{{ 1 < 2 }} {{ 1 == 1.0 }} {{ 'a' < 'b' }} {{ 1 == '1' }} {{ 1 >= 1 }} {{ 1 != 1 }} {{ 2 <= 1 }}",
     "True True True False True False False"},
    {"{{ 1 < 'a' }} {{ n > 5 }} {{ none < 1 }} {{ [1,2] < [1,3] }}", "True True True True"},
    {"{{ not true }} {{ true and 5 }} {{ 0 or 'x' }} {{ false and 1 }} {{ not 1 == 2 }}",
     "False 5 x False True"},
    {"{{ 'a' in 'cat' }} {{ 1 in [1,2] }} {{ 'k' in {'k': 1} }} {{ 3 not in [1] }}", "True True True True"},
    {"{{ 1 if true else 2 }} {{ 1 if false else 2 }}", "1 2"},
    {"{{ (j|fromjson).k }} {{ (j|fromjson)['z'] }} {{ (j|fromjson).z.y }} {{ (j|fromjson).k[-1] }} {{ "
     "[[5]].0[0] }}",
     "[1, 2.5, None, True, 'é<b>'] {'y': 1} 1 é<b> 5"},
    {"{{ 'abc'[1] }} {{ 'aéc'[0:2] }} {{ 'abc'[::-1] }} {{ [1,2,3][1:] }} {{ [1,2,3][:-1] }} {{ "
     "[1,2,3][-9:9:2] }}",
     "b aé cba [2, 3] [1, 2] [1, 3]"},
    {"{{ {'b': 1, 'a': {'d': 1, 'c': 2}} }}", "{'a': {'c': 2, 'd': 1}, 'b': 1}"},
    {"{{ ['it\\'s', \"d\\\"q\", 'n\\nl', 'é', '\\x01'] }}", "[\"it's\", 'd\"q', 'n\\nl', 'é', '\\x01']"},
    {"{{ '\\x41\\u00e9\\t|\\\\' }}", "Aé\t|\\"},
    {"{{ a is defined }} {{ a is none }} {{ 3 is odd }} {{ a is string }} {{ [] is sequence }} {{ 1 is "
     "number }}",
     "True False True True True True"},
    {"{{ 3 is divisibleby(3) }} {{ 'ab' is startingwith('a') }} {{ a is not none and a }} {{ 1 is ne 2 }} {{ "
     "a is in(['x']) }}",
     "True True x True True"},
};

INSTANTIATE_TEST_SUITE_P(Operators, TemplateExpressions, testing::ValuesIn(operator_cases));

const RenderCase filter_cases[] = {
    {"{{ 'a'|default('d') }}{{ ''|default('d') }}{{ ''|default('d', true) }}{{ none|d('d') }}{{ ''|d('x', "
     "boolean=true) }}",
     "adNonex"},
    {"{{ j|fromjson }}", "{'k': [1, 2.5, None, True, 'é<b>'], 'z': {'y': 1}}"},
    {"{{ '18446744073709551615'|fromjson }} {{ '1.0'|fromjson }} {{ '1e2'|fromjson }} {{ 5|fromjson }}",
     "18446744073709551615 1.0 100.0 5"},
    {"{{ j|fromjson|tojson }}", "{\"k\": [1, 2.5, null, true, \"é\\u003cb\\u003e\"], \"z\": {\"y\": 1}}"},
    {"{{ {'a': [1], 'b': []}|tojson(2) }}", "{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}"},
    {"{{ \"<'&>\"|tojson }} {{ 1e20|tojson }} {{ 1.0|tojson }} {{ 100000.0|tojson }} {{ none|tojson }}",
     "\"\\u003c\\u0027\\u0026\\u003e\" 1e+20 1.0 100000.0 null"},
    {"{{ [1,2]|join }} {{ [1,2]|join(', ') }} {{ 'abc'|join('-') }} {{ ['a',none,true]|join(',') }}",
     "12 1, 2 a-b-c a,None,True"},
    {"{{ 'é日'|length }} {{ [1]|length }} {{ {'a':1}|length }} {{ 'x'|count }}", "2 1 1 1"},
    {"{{ 'éA'|upper }} {{ 'ÉA'|lower }} {{ 'hello world'|title }} {{ 'hELLO'|capitalize }} {{ 5|upper }}",
     "ÉA éa Hello World Hello 5"},
    {"[{{ '  x \n'|trim }}] {{ 'xxaxx'|trim('x') }}", "[x] a"},
    {"{{ 'aXbX'|replace('X','-') }} {{ 5|replace('5','6') }} {{ repository|replace('/','-') }}",
     "a-b- 6 acme-api"},
    {"{{ [1,2]|first }} {{ [1,2]|last }} {{ 'abc'|first }} {{ 'abc'|last }} {{ {'b':1,'a':2}|first }}",
     "1 2 a c a"},
    {"{{ n|int + 1 }} {{ '5.7'|int }} {{ '5.5'|float }} {{ 'x'|int(0) }} {{ 5|string ~ '' }} {{ ''|bool }}",
     "8 5 5.5 0 5 False"},
    {"{{ -5|abs }} {{ 2.6|round }} {{ 2.345|round(2) }} {{ [1,2]|sum }} {{ [2,1]|min }} {{ [1,2]|max }}",
     "5 3.0 2.35 3 1 2"},
    {"{{ [3,1,2]|sort }} {{ [1,2]|reverse }} {{ 'abc'|reverse }} {{ [1,1,2]|unique }} {{ 'ab'|list }}",
     "[1, 2, 3] [2, 1] cba [1, 2] ['a', 'b']"},
    {"{{ 'a b'|split }} {{ 'a,b'|split(',') }} {{ 'a\nb'|lines }}", "['a', 'b'] ['a', 'b'] ['a', 'b']"},
    {"{{ 'a\nb'|indent(2) }}", "a\n  b"},
    {"{{ '[{\"n\":\"x\"},{\"n\":\"y\"}]'|fromjson|map(attribute='n')|join(',') }} {{ ['a']|map('upper')|join "
     "}}",
     "x,y A"},
};

INSTANTIATE_TEST_SUITE_P(Filters, TemplateExpressions, testing::ValuesIn(filter_cases));

TEST(TemplateExpressionErrors, SayWhatDoesNotGoTogether) {
  EXPECT_THAT(rendered("{{ 1 / 0 }}"), HasSubstr("cannot calculate 1 / 0"));
  EXPECT_THAT(rendered("{{ 2 ** -1 }}"), HasSubstr("cannot calculate 2 ** -1"));
  EXPECT_THAT(rendered("{{ 9223372036854775807 ** 9 }}"), HasSubstr("cannot calculate"));
  EXPECT_THAT(rendered("{{ 'a' + 1 }}"), HasSubstr("\"+\" does not work on string and number"));
  EXPECT_THAT(rendered("{{ - a }}"), HasSubstr("\"-\" does not work on string"));
  EXPECT_THAT(rendered("{{ 1 in 5 }}"), HasSubstr("\"in\" needs a text, list or map"));
  EXPECT_THAT(rendered("{{ 'nope'|fromjson }}"), HasSubstr("fromjson:"));
  EXPECT_THAT(rendered("{{ 5|length }}"), HasSubstr("length: number has none"));
  EXPECT_THAT(rendered("{{ 5|join }}"), HasSubstr("join: number cannot be run through"));
  EXPECT_THAT(rendered("{{ 'x'|int }}"), HasSubstr("\"x\" is no whole number"));
  EXPECT_THAT(rendered("{{ {1: 2} }}"), HasSubstr("the keys of a map are texts"));
  EXPECT_THAT(rendered("{{ [1][::0] }}"), HasSubstr("the step of a slice is not 0"));
  EXPECT_THAT(rendered("{{ 99999999999999999999 }}"), HasSubstr("is too large"));
}

}  // namespace
}  // namespace curupira::runtime
