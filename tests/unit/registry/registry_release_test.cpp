#include "registry/registry_release.h"

#include <gmock/gmock.h>

#include "base/timestamp.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* long_ago = "2020-01-01T00:00:00Z";
constexpr const char* today = "2030-01-01T00:00:00Z";

class RegistryRelease : public RegistryTest {
 protected:
  void add(const std::string& version, const char* published = long_ago,
           std::optional<std::string> yanked = {}) {
    const Digest digest = digest_of(DigestAlgorithm::sha256, version);
    index.versions.emplace(version,
                           PackageVersion{.manifest = "",
                                          .published = parse_timestamp(published).value(),
                                          .yanked = std::move(yanked),
                                          .artifacts = {{.file = "x.tar.gz", .sha256 = digest, .size = 1}}});
  }
  Result<std::string> choose(const std::string& range) {
    return choose_release(index, {.registry = "corp", .package = index.name, .range = range}, source_tools,
                          diagnostics);
  }
  std::string chosen(const std::string& range) {
    auto version = choose(range);
    return version ? *version : version.error().summary();
  }
  ErrorCode refused(const std::string& range) {
    const auto version = choose(range);
    return version ? ErrorCode::internal : version.error().code();
  }

  PackageIndex index{.name = PackageName::parse("x").value()};
  SourceTools source_tools = tools();
};

TEST_F(RegistryRelease, TheHighestThatFits) {
  for (const char* version : {"1.2.0", "1.10.0", "2.0.0-rc.1", "0.9.0"})
    add(version);
  EXPECT_EQ(chosen(""), "1.10.0");
  EXPECT_EQ(chosen("^1.2"), "1.10.0");
  EXPECT_EQ(chosen("<1"), "0.9.0");
  EXPECT_EQ(chosen("2.0.0-rc.1"), "2.0.0-rc.1");
  EXPECT_EQ(refused("^3"), ErrorCode::package_unlisted);
}

TEST_F(RegistryRelease, APreReleaseWhereThereIsNothingElse) {
  add("1.0.0-alpha");
  add("1.0.0-beta");
  EXPECT_EQ(chosen(""), "1.0.0-beta");
}

TEST_F(RegistryRelease, WhatWasTakenBackIsPassedOverAndSaid) {
  add("1.0.0");
  add("1.1.0", long_ago, "loses tickets");
  EXPECT_EQ(chosen(""), "1.0.0");
  ASSERT_THAT(diagnostics.all, SizeIs(1));
  EXPECT_THAT(diagnostics.all.front().text, HasSubstr("corp:x@1.1.0 was taken back by its publisher: loses"));
  EXPECT_EQ(refused("1.1.0"), ErrorCode::release_yanked);
}

TEST_F(RegistryRelease, WhatIsLockedStaysWithAWarning) {
  add("1.1.0", long_ago, "loses tickets");
  source_tools.is_locked = true;
  EXPECT_EQ(chosen("1.1.0"), "1.1.0");
  EXPECT_THAT(diagnostics.all, SizeIs(1));
  source_tools.refuse_yanked = "settings.toml:2: allow_yanked = false";
  EXPECT_EQ(refused("1.1.0"), ErrorCode::policy_yanked);
}

TEST_F(RegistryRelease, TheReleaseAgeOfThePolicy) {
  add("1.0.0");
  add("1.1.0", today);
  source_tools.release_age =
      ReleaseAge{.now = parse_timestamp(today).value(), .minimum = std::chrono::hours(72), .rule = "rule"};
  EXPECT_EQ(chosen(""), "1.0.0");
  EXPECT_THAT(diagnostics.all, IsEmpty());
  EXPECT_EQ(refused("1.1.0"), ErrorCode::policy_age);
}

}  // namespace
}  // namespace curupira::registry::test
