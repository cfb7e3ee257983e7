#include "runtime/clean_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira::runtime {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// VeriTeknik/pluggedin-app#209: an extension gets all 22 secrets of the host.
TEST(CleanEnvironment, PassesOrdinaryNamesAndWithholdsTheRest) {
  const Environment host({{"PATH", "/bin"}, {"LC_ALL", "C"}, {"GITHUB_TOKEN", "s"}, {"AWS_SECRET", "t"}});
  const auto environment = extension_environment(host, {}, {});
  EXPECT_THAT(environment.variables.variables(), ElementsAre(Pair("LC_ALL", "C"), Pair("PATH", "/bin")));
  EXPECT_THAT(environment.withheld, ElementsAre("AWS_SECRET", "GITHUB_TOKEN"));
}

// astral-sh/uv#1474: the company's authority and proxy work in every phase.
TEST(CleanEnvironment, PassesTheWayToTheNetwork) {
  for (const auto* name : {"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "no_proxy", "SSL_CERT_FILE",
                           "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}) {
    EXPECT_TRUE(is_ordinary_variable(name)) << name;
  }
}

TEST(CleanEnvironment, LaysTheSettingsVariablesOver) {
  manifest::Settings settings;
  settings.environment_vars = {{"PATH", "/opt"}, {"MODE", "a $HOME"}};
  const auto environment = extension_environment(Environment({{"PATH", "/bin"}}), settings, {});
  EXPECT_THAT(environment.variables.variables(), ElementsAre(Pair("MODE", "a $HOME"), Pair("PATH", "/opt")));
}

TEST(CleanEnvironment, HandsOnWhatThePluginNames) {
  manifest::Settings settings;
  settings.environment_vars = {{"TOKEN", "literal"}};
  manifest::Plugin plugin;
  plugin.env = {"TOKEN", "NOT_SET"};
  const auto environment =
      extension_environment(Environment({{"TOKEN", "s"}, {"OTHER", "t"}}), settings, plugin);
  EXPECT_THAT(environment.variables.variables(), ElementsAre(Pair("TOKEN", "s")));
  EXPECT_THAT(environment.withheld, ElementsAre("OTHER"));
}

TEST(CleanEnvironment, IsWholeWhereTheSettingsSayInherit) {
  manifest::Settings settings;
  settings.extensions.inherit_environment = true;
  settings.environment_vars = {{"A", "b"}};
  const auto environment = extension_environment(Environment({{"TOKEN", "s"}, {"A", "a"}}), settings, {});
  EXPECT_THAT(environment.variables.variables(), ElementsAre(Pair("A", "b"), Pair("TOKEN", "s")));
  EXPECT_THAT(environment.withheld, IsEmpty());
}

}  // namespace
}  // namespace curupira::runtime
