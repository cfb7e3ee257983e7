#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/manifest_text.h"

namespace curupira::manifest::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// One field of a valid manifest, made wrong.
struct BadField {
  const char* name;
  std::string ManifestText::*field;
  const char* text;
  ErrorCode code;
  const char* place;  ///< "line:column"
  const char* words;  ///< what the message has to say
};

void PrintTo(const BadField& bad, std::ostream* out) {
  *out << bad.name;
}

class BadManifest : public testing::TestWithParam<BadField> {};

TEST_P(BadManifest, is_refused_with_place_and_field) {
  ManifestText text;
  text.*GetParam().field = GetParam().text;
  const auto manifest = parse(text.text());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), GetParam().code);
  EXPECT_THAT(manifest.error().detail(), StartsWith(std::string(file_name) + ":" + GetParam().place + ": "));
  EXPECT_THAT(manifest.error().detail(), HasSubstr(GetParam().words));
}

constexpr auto field_error = ErrorCode::manifest_field;
constexpr auto syntax_error = ErrorCode::manifest_syntax;
using M = ManifestText;

const BadField missing[] = {
    {"manifest_version", &M::manifest_version, "", field_error, "1:1",
     "field \"manifest_version\": expected an integer, found nothing"},
    {"name", &M::name, "", field_error, "1:1", "field \"name\": expected a string, found nothing"},
    {"version", &M::version, "", field_error, "1:1", "field \"version\": expected a string, found nothing"},
    {"protocol_version", &M::protocol_version, "", field_error, "1:1",
     "field \"protocol_version\": expected an integer, found nothing"},
    {"runtime", &M::runtime, "", field_error, "1:1", "field \"runtime\": expected a string, found nothing"},
    {"kind", &M::kind, "", field_error, "1:1", "field \"kind\": expected a string, found nothing"},
    {"trigger_types", &M::trigger_types, "", field_error, "1:1",
     "field \"trigger_types\": expected at least one trigger name, found nothing"},
    {"launch", &M::launch, "", field_error, "1:1", "field \"launch\": expected a table, found nothing"},
    {"package_source", &M::rest, "[package]\nname = \"x\"\n", field_error, "11:1",
     "field \"package.source\": expected a string, found nothing"},
    {"package_name", &M::rest, "[package]\nsource = \"npm\"\n", field_error, "11:1",
     "field \"package.name\": expected a string, found nothing"},
    {"misspelt", &M::runtime, "run_time = \"node\"\n", field_error, "1:1",
     "found nothing; line 5 has \"run_time\""},
};
INSTANTIATE_TEST_SUITE_P(Missing, BadManifest, testing::ValuesIn(missing),
                         [](const auto& row) { return std::string(row.param.name); });

const BadField wrong_type[] = {
    {"manifest_version", &M::manifest_version, "manifest_version = \"1\"\n", field_error, "1:20",
     "expected an integer, found \"1\""},
    {"name", &M::name, "name = 1\n", field_error, "2:8", "field \"name\": expected a string, found 1"},
    {"version", &M::version, "version = 1.5\n", field_error, "3:11",
     "field \"version\": expected a string, found 1.5"},
    {"protocol_version", &M::protocol_version, "protocol_version = 2.0\n", field_error, "4:20",
     "expected an integer, found 2.0"},
    {"runtime", &M::runtime, "runtime = [\"node\"]\n", field_error, "5:11",
     "expected a string, found an array"},
    {"kind", &M::kind, "kind = true\n", field_error, "6:8", "expected a string, found true"},
    {"trigger_types", &M::trigger_types, "trigger_types = \"items\"\n", field_error, "7:17",
     "expected an array of strings, found \"items\""},
    {"trigger_type", &M::trigger_types, "trigger_types = [\"a\", 2]\n", field_error, "7:23",
     "field \"trigger_types[1]\": expected a string, found 2"},
    {"permissions", &M::rest, "[capabilities]\npermissions = \"x\"\n", field_error, "12:15",
     "field \"capabilities.permissions\": expected an array of strings, found \"x\""},
    {"agent_providers", &M::trigger_types, "trigger_types = [\"a\"]\nagent_providers = 1\n", field_error,
     "8:19", "field \"agent_providers\": expected an array of strings, found 1"},
    {"launch", &M::launch, "launch = \"npx\"\n", field_error, "8:10",
     "field \"launch\": expected a table, found \"npx\""},
    {"package", &M::launch, "package = 2024-01-02\n[launch]\ntype = \"npx\"\npackage = \"x\"\n", field_error,
     "8:11", "field \"package\": expected a table, found the date 2024-01-02"},
};
INSTANTIATE_TEST_SUITE_P(WrongType, BadManifest, testing::ValuesIn(wrong_type),
                         [](const auto& row) { return std::string(row.param.name); });

const BadField duplicate[] = {
    {"manifest_version", &M::name, "manifest_version = 1\n", syntax_error, "2:1", "manifest_version"},
    {"name", &M::version, "name = \"b\"\n", syntax_error, "3:1", "name"},
    {"version", &M::protocol_version, "version = \"1.2.3\"\n", syntax_error, "4:1", "version"},
    {"protocol_version", &M::runtime, "protocol_version = 2\n", syntax_error, "5:1", "protocol_version"},
    {"runtime", &M::kind, "runtime = \"node\"\n", syntax_error, "6:1", "runtime"},
    {"kind", &M::trigger_types, "kind = \"trigger\"\n", syntax_error, "7:1", "kind"},
    {"trigger_types", &M::launch, "trigger_types = []\n", syntax_error, "8:1", "trigger_types"},
    {"launch", &M::rest, "[launch]\n", syntax_error, "11:", "launch"},
};
/// The column of a duplicate is the parser's choice; the line is what helps.
class DuplicateField : public BadManifest {};
TEST_P(DuplicateField, is_refused_with_its_line) {
  ManifestText text;
  text.*GetParam().field = GetParam().text;
  const auto manifest = parse(text.text());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), GetParam().code);
  const std::string place = GetParam().place;
  EXPECT_THAT(manifest.error().detail(),
              StartsWith(std::string(file_name) + ":" + place.substr(0, place.find(':') + 1)));
  EXPECT_THAT(manifest.error().detail(), HasSubstr(GetParam().words));
}
INSTANTIATE_TEST_SUITE_P(Each, DuplicateField, testing::ValuesIn(duplicate),
                         [](const auto& row) { return std::string(row.param.name); });

const BadField bad_value[] = {
    {"manifest_version_2", &M::manifest_version, "manifest_version = 2\n", ErrorCode::manifest_version,
     "1:20", "expected 1, found 2"},
    {"protocol_version_3", &M::protocol_version, "protocol_version = 3\n", ErrorCode::manifest_protocol,
     "4:20", "expected 2, found 3"},
    {"protocol_version_1", &M::protocol_version, "protocol_version = 1\n", ErrorCode::manifest_protocol,
     "4:20", "expected 2, found 1"},
    {"name_with_slash", &M::name, "name = \"acme/ext\"\n", field_error, "2:8",
     "expected letters, digits, '-' and '_', at most 64, found \"acme/ext\""},
    {"name_of_parent", &M::name, "name = \"..\"\n", field_error, "2:8", "found \"..\""},
    {"name_empty", &M::name, "name = \"\"\n", field_error, "2:8", "found \"\""},
    {"name_with_nul", &M::name, "name = \"a\\u0000b\"\n", field_error, "2:8", "a string without NUL"},
    {"name_that_drives_the_terminal", &M::name, "name = \"a\\u001b[2Jb\"\n", field_error, "2:8",
     "\"a\\x1b[2Jb\""},
    {"version_not_semantic", &M::version, "version = \"1.2\"\n", field_error, "3:11",
     "expected a semantic version like \"1.2.3\", found \"1.2\""},
    {"version_with_v", &M::version, "version = \"v1.2.3\"\n", field_error, "3:11", "found \"v1.2.3\""},
    {"runtime_unknown", &M::runtime, "runtime = \"nodes\"\n", field_error, "5:11",
     "expected \"python\", \"node\" or \"executable\" (did you mean \"node\"?), found \"nodes\""},
    {"kind_agent", &M::kind, "kind = \"agent\"\n", ErrorCode::manifest_kind, "6:8",
     "expected \"trigger\", found \"agent\""},
    {"kind_unknown", &M::kind, "kind = \"zork\"\n", field_error, "6:8",
     "expected \"trigger\", found \"zork\""},
    {"agent_providers", &M::trigger_types, "agent_providers = [\"zork\"]\ntrigger_types = [\"a\"]\n",
     ErrorCode::manifest_kind, "7:19", "field \"agent_providers\": expected none, found \"zork\""},
    {"trigger_types_empty", &M::trigger_types, "trigger_types = []\n", field_error, "7:17",
     "expected at least one trigger name, found an empty array"},
    {"trigger_twice", &M::trigger_types, "trigger_types = [\"a\", \"b\", \"a\"]\n", field_error, "7:28",
     "field \"trigger_types[2]\": expected each name once, found \"a\""},
    {"trigger_with_slash", &M::trigger_types, "trigger_types = [\"acme/items\"]\n", field_error, "7:18",
     "expected a local trigger name without '/'"},
    {"trigger_empty", &M::trigger_types, "trigger_types = [\"\"]\n", field_error, "7:18",
     "a local trigger name"},
    {"trigger_with_tab", &M::trigger_types, "trigger_types = [\"a\\tb\"]\n", field_error, "7:18",
     "control characters"},
};
INSTANTIATE_TEST_SUITE_P(Value, BadManifest, testing::ValuesIn(bad_value),
                         [](const auto& row) { return std::string(row.param.name); });
TEST(BadManifestText, a_line_that_is_not_toml_is_a_syntax_error) {
  ManifestText text;
  text.runtime = "runtime node\n";
  const auto manifest = parse(text.text());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), ErrorCode::manifest_syntax);
  EXPECT_THAT(manifest.error().detail(), StartsWith(std::string(file_name) + ":5:"));
}

TEST(BadManifestText, nul_is_a_syntax_error) {
  std::string text = ManifestText().text();
  text[3] = '\0';
  const auto manifest = parse(text);
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), ErrorCode::manifest_syntax);
  EXPECT_THAT(manifest.error().detail(), StartsWith(std::string(file_name) + ":1:4: "));
}

TEST(BadManifestText, invalid_utf8_is_a_syntax_error) {
  ManifestText text;
  text.name = "name = \"a\xff\"\n";
  const auto manifest = parse(text.text());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), ErrorCode::manifest_syntax);
  EXPECT_THAT(manifest.error().detail(), StartsWith(std::string(file_name) + ":2:"));
}

TEST(BadManifestText, ten_megabytes_are_too_large) {
  ManifestText text;
  text.rest = "# " + std::string(10u << 20, 'x') + "\n";
  const auto manifest = parse(text.text());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), ErrorCode::manifest_too_large);
}

TEST(BadManifestText, ten_thousand_nested_arrays_are_too_deep) {
  ManifestText text;
  text.trigger_types += "deep = " + std::string(10'000, '[') + std::string(10'000, ']') + "\n";
  const auto manifest = parse(text.text());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), ErrorCode::manifest_too_large);
  EXPECT_THAT(manifest.error().detail(), StartsWith(std::string(file_name) + ":8:"));
}

TEST(BadManifestText, ten_thousand_nested_tables_are_too_deep) {
  ManifestText text;
  std::string key = "a";
  for (int i = 0; i < 10'000; ++i)
    key += ".a";
  text.trigger_types += key + " = 1\n";
  const auto manifest = parse(text.text());
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), ErrorCode::manifest_too_large);
}

TEST(BadManifestText, nothing_is_missing_its_first_field) {
  const auto manifest = parse("");
  ASSERT_FALSE(manifest);
  EXPECT_THAT(manifest.error().detail(),
              StartsWith(std::string(file_name) + ":1:1: field \"manifest_version\""));
}

}  // namespace
}  // namespace curupira::manifest::test
