#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/manifest_text.h"

namespace curupira::manifest::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ManifestParser, reads_all_fields) {
  ManifestText text;
  text.launch =
      "[launch]\ntype = \"npx\"\npackage = \"@acme/ext\"\nversion = \"1.2.3\"\nbin = \"ext\"\nargs = "
      "[\"--stdio\"]\n";
  text.rest =
      "[package]\nsource = \"npm\"\nname = \"@acme/ext\"\nversion = \"1.2.3\"\n[capabilities]\npermissions = "
      "[\"network\"]\n";
  CollectedDiagnostics diagnostics;
  const auto manifest = parse(text.text(), diagnostics);
  ASSERT_TRUE(manifest) << manifest.error().detail();
  EXPECT_EQ(manifest->name, "acme");
  EXPECT_EQ(manifest->version, "1.2.3");
  EXPECT_EQ(manifest->runtime, Runtime::node);
  EXPECT_THAT(manifest->trigger_types, ElementsAre("items"));
  const auto& launch = std::get<NpxLaunch>(manifest->launch);
  EXPECT_EQ(launch.package, "@acme/ext");
  EXPECT_EQ(launch.version, "1.2.3");
  EXPECT_EQ(launch.bin, "ext");
  EXPECT_THAT(launch.args, ElementsAre("--stdio"));
  ASSERT_TRUE(manifest->package);
  EXPECT_EQ(manifest->package->source, "npm");
  EXPECT_EQ(manifest->package->name, "@acme/ext");
  EXPECT_EQ(manifest->package->version, "1.2.3");
  EXPECT_THAT(manifest->permissions, ElementsAre("network"));
  EXPECT_TRUE(diagnostics.all.empty());
}

// What `curupira-plugins --curupira-print-manifest` (0.1.0) prints.
TEST(ManifestParser, reads_the_print_out_of_the_official_extension) {
  const auto manifest = parse(R"(manifest_version = 1
name = "curupira-plugins"
version = "0.1.0"
protocol_version = 2
runtime = "python"
kind = "trigger"
trigger_types = [
  "github-issues",
  "github-pull-requests",
  "github-project-items",
]

[launch]
type = "uvx"
package = "curupira-plugins"
executable = "curupira-plugins"

[package]
source = "pip"
name = "curupira-plugins"
version = "0.1.0"
)");
  ASSERT_TRUE(manifest) << manifest.error().detail();
  const auto& launch = std::get<UvxLaunch>(manifest->launch);
  EXPECT_EQ(launch.executable, "curupira-plugins");
  EXPECT_EQ(manifest->trigger_types.size(), 3u);
}

// What `curupira plugins info` of the existing host prints: deprecated and empty fields included.
TEST(ManifestParser, reads_what_the_existing_host_writes) {
  ManifestText text;
  text.trigger_types = "trigger_types = [\n    \"items\",\n    \"alpha\",\n]\nagent_providers = []\n\n";
  text.launch =
      "[launch]\ntype = \"executable\"\nprogram = \"python3\"\nargs = [\n    \"-m\",\n    \"acme\",\n]\n\n";
  text.rest = "[capabilities]\npermissions = []\n\n";
  CollectedDiagnostics diagnostics;
  const auto manifest = parse(text.text(), diagnostics);
  ASSERT_TRUE(manifest) << manifest.error().detail();
  EXPECT_EQ(std::get<ExecutableLaunch>(manifest->launch).program, "python3");
  EXPECT_TRUE(diagnostics.all.empty());
}

TEST(ManifestParser, takes_kind_both_for_trigger_and_notes_it) {
  ManifestText text;
  text.kind = "kind = \"both\"\n";
  CollectedDiagnostics diagnostics;
  ASSERT_TRUE(parse(text.text(), diagnostics));
  ASSERT_EQ(diagnostics.all.size(), 1u);
  EXPECT_EQ(diagnostics.all[0].kind, Diagnostic::Kind::note);
  EXPECT_EQ(diagnostics.all[0].position, (TextPosition{6, 8}));
}

TEST(ManifestParser, reads_upper_case_names_of_others) {
  ManifestText text;
  text.name = "name = \"Acme_Ext\"\n";
  ASSERT_TRUE(parse(text.text()));
}

TEST(ManifestParser, warns_about_an_unknown_field_with_its_place_and_the_nearest_known_one) {
  ManifestText text;
  text.trigger_types += "permisions = 1\nrun_time = \"x\"\n";
  CollectedDiagnostics diagnostics;
  ASSERT_TRUE(parse(text.text(), diagnostics));
  ASSERT_EQ(diagnostics.all.size(), 2u);
  EXPECT_EQ(diagnostics.all[0].kind, Diagnostic::Kind::warning);
  EXPECT_EQ(diagnostics.all[0].text, "unknown field \"permisions\" is ignored");
  EXPECT_EQ(diagnostics.all[0].position, (TextPosition{8, 1}));
  EXPECT_EQ(diagnostics.all[1].text, "unknown field \"run_time\" is ignored (did you mean \"runtime\"?)");
}

TEST(ManifestParser, warns_about_unknown_fields_in_the_tables) {
  ManifestText text;
  text.launch += "pakage = 1\n";
  text.rest =
      "[package]\nsource = \"npm\"\nname = \"x\"\nauthor = 1\n[capabilities]\nzork = 1\n[later]\nx = 1\n";
  CollectedDiagnostics diagnostics;
  ASSERT_TRUE(parse(text.text(), diagnostics));
  std::vector<std::string> texts;
  for (const auto& diagnostic : diagnostics.all)
    texts.push_back(diagnostic.text);
  EXPECT_THAT(texts, ElementsAre("unknown field \"launch.pakage\" is ignored (did you mean \"package\"?)",
                                 "unknown field \"package.author\" is ignored",
                                 "unknown field \"capabilities.zork\" is ignored",
                                 "unknown table \"later\" is ignored"));
}

TEST(ManifestParser, warns_a_bounded_number_of_times) {
  ManifestText text;
  for (int i = 0; i < 5000; ++i)
    text.trigger_types += "zork" + std::to_string(i) + " = 1\n";
  CollectedDiagnostics diagnostics;
  ASSERT_TRUE(parse(text.text(), diagnostics));
  EXPECT_EQ(diagnostics.all.size(), 11u);
  EXPECT_THAT(diagnostics.all.back().text, HasSubstr("4990 more unknown fields"));
}

TEST(ExtensionName, new_names_are_lower_case) {
  EXPECT_TRUE(is_new_extension_name("acme-ext_2"));
  EXPECT_TRUE(is_new_extension_name("2acme"));
  EXPECT_FALSE(is_new_extension_name("Acme"));
  EXPECT_FALSE(is_new_extension_name("-acme"));
  EXPECT_FALSE(is_new_extension_name(""));
  EXPECT_FALSE(is_new_extension_name(std::string(65, 'a')));
}

TEST(ExtensionName, read_names_may_not_be_paths) {
  EXPECT_TRUE(is_readable_extension_name("Acme_Ext-2"));
  EXPECT_FALSE(is_readable_extension_name(".."));
  EXPECT_FALSE(is_readable_extension_name("a/b"));
  EXPECT_FALSE(is_readable_extension_name("a b"));
  EXPECT_FALSE(is_readable_extension_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace curupira::manifest::test
