#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/manifest_text.h"

namespace curupira::manifest::test {
namespace {

Manifest acme(Launch launch) {
  return Manifest{.name = "acme",
                  .version = "1.2.3-rc.1+b",
                  .runtime = Runtime::node,
                  .trigger_types = {"items", "quo\"te"},
                  .launch = std::move(launch),
                  .package = PackageRef{.source = "npm", .name = "@acme/ext", .version = "1.2.3"},
                  .permissions = {"network"}};
}

Digest some_digest() {
  return digest_of(DigestAlgorithm::sha256, "some");
}

/// Written again, the text is the same: nothing was lost or changed.
void expect_round_trip(const Manifest& manifest) {
  const std::string text = write_manifest(manifest);
  CollectedDiagnostics diagnostics;
  const auto again = parse(text, diagnostics);
  ASSERT_TRUE(again) << again.error().detail() << "\n" << text;
  EXPECT_TRUE(diagnostics.all.empty());
  EXPECT_EQ(write_manifest(*again), text);
}

// The shape that the existing host reads and prints.
TEST(ManifestWriter, writes_what_the_existing_host_reads) {
  Manifest manifest = acme(NpxLaunch{.package = "@acme/ext", .version = "1.2.3", .args = {"--stdio"}});
  EXPECT_EQ(write_manifest(manifest),
            "manifest_version = 1\n"
            "name = \"acme\"\n"
            "version = \"1.2.3-rc.1+b\"\n"
            "protocol_version = 2\n"
            "runtime = \"node\"\n"
            "kind = \"trigger\"\n"
            "trigger_types = [\"items\", \"quo\\\"te\"]\n"
            "\n[launch]\n"
            "type = \"npx\"\n"
            "package = \"@acme/ext\"\n"
            "version = \"1.2.3\"\n"
            "args = [\"--stdio\"]\n"
            "\n[package]\n"
            "source = \"npm\"\n"
            "name = \"@acme/ext\"\n"
            "version = \"1.2.3\"\n"
            "\n[capabilities]\n"
            "permissions = [\"network\"]\n");
}

TEST(ManifestWriter, npx_round_trip) {
  expect_round_trip(
      acme(NpxLaunch{.package = "@acme/ext", .version = "^1", .bin = "ext", .args = {"a b", "é\t\"\\"}}));
}

TEST(ManifestWriter, uvx_round_trip) {
  expect_round_trip(acme(UvxLaunch{.package = "acme", .executable = "acme-ext", .args = {"-x"}}));
}

TEST(ManifestWriter, executable_round_trip) {
  Manifest manifest = acme(ExecutableLaunch{.program = "/opt/a b/ext", .args = {""}});
  manifest.package.reset();
  manifest.permissions.clear();
  expect_round_trip(manifest);
}

TEST(ManifestWriter, binary_round_trip) {
  expect_round_trip(
      acme(BinaryLaunch{.platforms = {{*Platform::parse("linux-x86_64"),
                                       {.location = "bin/ext", .sha256 = some_digest(), .size = 5}}},
                        .args = {"-x"}}));
}

TEST(ManifestWriter, archive_round_trip) {
  expect_round_trip(acme(ArchiveLaunch{.platforms = {{*Platform::parse("linux-x86_64-musl"),
                                                      {.location = "https://example.org/x.zip",
                                                       .sha256 = some_digest(),
                                                       .strip_components = 2,
                                                       .program = *RelativePath::parse("bin/ext")}}}}));
}

TEST(Launch, names_its_type_and_arguments) {
  EXPECT_EQ(launch_type(NpxLaunch{}), "npx");
  EXPECT_EQ(launch_type(UvxLaunch{}), "uvx");
  EXPECT_EQ(launch_type(ExecutableLaunch{}), "executable");
  EXPECT_EQ(launch_type(BinaryLaunch{}), "binary");
  EXPECT_EQ(launch_type(ArchiveLaunch{}), "archive");
  EXPECT_THAT(launch_args(UvxLaunch{.package = {}, .executable = {}, .args = {"a"}}),
              testing::ElementsAre("a"));
}

TEST(Platform, has_os_architecture_and_c_library) {
  const auto platform = Platform::parse("linux-aarch64-musl");
  ASSERT_TRUE(platform);
  EXPECT_EQ(platform->os(), "linux");
  EXPECT_EQ(platform->arch(), "aarch64");
  EXPECT_TRUE(platform->musl());
  EXPECT_FALSE(Platform::parse("linux-aarch64")->musl());
}

TEST(Platform, this_machine_is_one_that_can_be_written) {
  const Platform current = Platform::current();
  EXPECT_EQ(Platform::parse(current.text()), current);
}

TEST(Platform, refuses_what_is_none) {
  for (const char* text :
       {"", "linux", "-x", "linux-", "linux--x", "Linux-x86_64", "linux-x86 64", "linux-x/y"}) {
    EXPECT_FALSE(Platform::parse(text)) << text;
  }
}

}  // namespace
}  // namespace curupira::manifest::test
