#include "manifest/registry_section.h"

#include <gtest/gtest.h>

namespace curupira::manifest::test {
namespace {

const RegistrySection acme{.name = "acme", .url = "https://example.org/", .root_fingerprint = "sha256:55"};

TEST(RegistrySection, WhatWasAddedGoesWithoutATrace) {
  for (const char* const settings : {"", "a = 1\n", "[a]\nb = 1\n\n", "[registries.other]\nurl = \"x\"\n",
                                     "# a comment\n", "\n", "a = \"\"\"\n[registries.acme]\n\"\"\"\n"}) {
    const auto with = with_registry(settings, acme);
    ASSERT_TRUE(with) << settings << with.error().summary();
    EXPECT_EQ(with->substr(0, std::string_view(settings).size()), settings);
    EXPECT_EQ(without_registry(*with, "acme").value(), settings);
  }
}

TEST(RegistrySection, ALineEndComesBeforeIt) {
  EXPECT_EQ(with_registry("a = 1", acme).value(), "a = 1\n\n" + write_registry_section(acme));
}

TEST(RegistrySection, AnAddressIsQuoted) {
  RegistrySection section = acme;
  section.url = "/srv/\"x\"\\y";
  section.mirrors = {"a\nb", "c"};
  EXPECT_EQ(write_registry_section(section),
            "[registries.acme]\nurl = \"/srv/\\\"x\\\"\\\\y\"\nmirrors = [\"a\\nb\", \"c\"]\n"
            "root_fingerprint = \"sha256:55\"\n");
}

TEST(RegistrySection, IsNotWrittenWhereItWouldMeanSomethingElse) {
  for (const char* const settings : {"registries = 5\n", "registries = {}\n", "registries.acme.url = \"x\"\n",
                                     "[registries.acme]\nurl = \"x\"\n", "[[registries]]\n", "a = \"open\n"})
    EXPECT_FALSE(with_registry(settings, acme)) << settings;
}

TEST(RegistrySection, IsTakenOutOfTheMiddle) {
  EXPECT_EQ(
      without_registry("# a\n[registries.a]\nurl = \"a\"\n\n[registries.acme]\n# its\nurl = [\n\"[x]\"\n]\n"
                       "\n# b\n[registries.b]\nurl = \"b\"\n",
                       "acme")
          .value(),
      "# a\n[registries.a]\nurl = \"a\"\n\n# b\n[registries.b]\nurl = \"b\"\n");
}

TEST(RegistrySection, WithItsSubtables) {
  EXPECT_EQ(without_registry("[registries.acme]\nurl = \"x\"\n[registries.acme.more]\na = 1\n[b]\n", "acme")
                .value(),
            "[b]\n");
}

TEST(RegistrySection, WrittenInAnotherWayItStays) {
  for (const char* const settings : {"registries.acme.url = \"x\"\n", "[registries]\nacme = {url = \"x\"}\n",
                                     "[registries]\nacme.url = \"x\"\n", "[registries.other]\n", "", "["})
    EXPECT_FALSE(without_registry(settings, "acme")) << settings;
}

}  // namespace
}  // namespace curupira::manifest::test
