#include "registry/release_age.h"

#include <algorithm>

#include "base/timestamp.h"
#include "registry/locked_release.h"
#include "registry/npm_source.h"
#include "registry/packument.h"
#include "registry/uv_lock_run.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

using test::sri;

ReleaseAge three_days() {
  return {.now = *parse_timestamp("2026-03-10T12:00:00Z"),
          .minimum = std::chrono::days(3),
          .rule = "settings.toml:5: minimum_release_age \"3d\""};
}

constexpr std::string_view times =
    R"({"created":"2026-01-01T00:00:00.000Z","1.0.0":"2026-01-01T00:00:00.000Z","1.1.0":"2026-03-07T12:00:00.000Z",
        "2.0.0":"2026-03-10T07:00:00.000Z","2.1.0-rc.1":"2026-03-01T00:00:00.000Z"})";

std::string packument_text(std::string_view time = times) {
  const auto version = [](const std::string& number) {
    return "\"" + number + R"(":{"dist":{"tarball":"https://npm.example.org/x/-/)" + number +
           R"(.tgz","integrity":")" + sri('A') + "\"}}";
  };
  return R"({"name":"x","dist-tags":{"latest":"2.0.0","old":"1.0.0"},"time":)" + std::string(time) +
         R"(,"versions":{)" + version("1.0.0") + "," + version("1.1.0") + "," + version("1.2.0") + "," +
         version("2.0.0") + "," + version("2.1.0-rc.1") + "}}";
}

std::string chosen(std::string_view wanted) {
  auto packument = Packument::parse(packument_text(), "x").value();
  packument.keep_old_enough(three_days());
  CollectedDiagnostics diagnostics;
  const auto release = packument.choose(wanted, diagnostics);
  return release ? release->version : error_name(release.error().code());
}

TEST(ReleaseAge, AVersionOfExactlyTheAgeIsOldEnough) {
  EXPECT_EQ(chosen("1.1.0"), "1.1.0");
  EXPECT_FALSE(three_days().admits("2026-03-07T12:00:01Z"));
}

TEST(ReleaseAge, ATagMeansTheNewestThatIsOldEnough) {
  EXPECT_EQ(chosen("latest"), "1.1.0");
  EXPECT_EQ(chosen("old"), "1.0.0");
}

TEST(ReleaseAge, ARangeTakesTheNewestThatIsOldEnough) {
  EXPECT_EQ(chosen(">=1"), "1.1.0");
}

TEST(ReleaseAge, AVersionOfWhichNobodySaysTheTimeIsNotChosen) {
  EXPECT_EQ(chosen("1.2.0"), "CUR-1304");
  EXPECT_FALSE(three_days().admits(std::nullopt));
  EXPECT_FALSE(three_days().admits("yesterday"));
}

TEST(LockedRelease, IsAsOldAsItsFirstFile) {
  const auto release = read_locked_release(
      "[[packages]]\nname = \"X.y\"\nversion = \"1.2\"\n"
      "sdist = { name = \"x.tar.gz\", upload-time = 2026-03-09T10:00:00Z }\n"
      "wheels = [{ name = \"x.whl\", upload-time = 2026-03-09T09:00:00Z }, { name = \"y.whl\" }]\n",
      "x-y");
  ASSERT_TRUE(release);
  EXPECT_EQ(release->version, "1.2");
  EXPECT_EQ(*parse_timestamp(*release->uploaded), *parse_timestamp("2026-03-09T09:00:00Z"));
  EXPECT_FALSE(read_locked_release("[[packages]]\nname = \"x\"\nversion = \"1\"\n", "x")->uploaded);
  EXPECT_FALSE(read_locked_release("packages = 3\n", "x"));
}

class ReleaseAgeOfSources : public test::RegistryTest {
 protected:
  ReleaseAgeOfSources() { folder.write("user/.npmrc", "registry=https://npm.example.org/\n"); }
  SourceTools tools_with_age() {
    SourceTools result = tools();
    result.release_age = three_days();
    return result;
  }
  Result<Resolution> resolve(std::string_view reference) {
    return NpmSource(tools_with_age()).resolve(parse_reference(reference).value(), platform(), diagnostics);
  }
  Result<UvLock> lock(const PipReference& package) {
    return run_uv_lock(tools_with_age(), environment, package, {.interpreter = "/opt/python/bin/python3"});
  }
};

TEST_F(ReleaseAgeOfSources, NpmIsAskedForTheTimes) {
  http.answer("https://npm.example.org/x", packument_text());
  const auto resolution = resolve("npm:x");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(resolution->version, "1.1.0");
  EXPECT_EQ(http.requests[0].accept, "application/json");
}

TEST_F(ReleaseAgeOfSources, NothingOldEnoughNamesTheNewestAndItsAge) {
  http.answer("https://npm.example.org/x", packument_text());
  const auto resolution = resolve("npm:x@^2");
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::policy_age);
  EXPECT_EQ(resolution.error().detail(),
            "settings.toml:5: minimum_release_age \"3d\": the newest that fits is npm:x@2.0.0, "
            "released 2026-03-10T07:00:00Z, 5 hours ago");
  EXPECT_NE(resolution.error().help().find("2026-03-13T07:00:00Z"), std::string::npos);
}

TEST_F(ReleaseAgeOfSources, ARegistryThatKeepsNoTimesIsNotBelieved) {
  http.answer("https://npm.example.org/x", packument_text("{}"));
  const auto resolution = resolve("npm:x");
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::policy_age);
  EXPECT_NE(resolution.error().detail().find("does not say when"), std::string::npos);
}

TEST_F(ReleaseAgeOfSources, AVersionThatDoesNotExistIsNotAQuestionOfAge) {
  http.answer("https://npm.example.org/x", packument_text());
  EXPECT_EQ(resolve("npm:x@9").error().code(), ErrorCode::version_not_found);
}

TEST_F(ReleaseAgeOfSources, UvGetsTheDate) {
  have_program("uv");
  processes.prints("compile", "lock-version = \"1.0\"\n");
  ASSERT_TRUE(lock({.name = "x", .specifiers = {}}));
  const auto& arguments = processes.requests.back().argv;
  const auto flag = std::ranges::find(arguments, "--exclude-newer");
  ASSERT_NE(flag, arguments.end());
  EXPECT_EQ(*(flag + 1), "2026-03-07T12:00:00Z");
}

TEST_F(ReleaseAgeOfSources, WhenUvFindsNothingOldEnoughItsChoiceOfAnyAgeIsNamed) {
  have_program("uv");
  processes.prints("compile",
                   "[[packages]]\nname = \"x\"\nversion = \"1.2\"\n"
                   "wheels = [{ name = \"x.whl\", upload-time = 2026-03-09T12:00:00Z }]\n");
  processes.fails("--exclude-newer", "error: No solution found\n");
  const auto locked = lock({.name = "x", .specifiers = {}});
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code(), ErrorCode::policy_age);
  EXPECT_NE(locked.error().detail().find("pip:x==1.2, released 2026-03-09T12:00:00Z, 24 hours ago"),
            std::string::npos)
      << locked.error().detail();
}

TEST_F(ReleaseAgeOfSources, WhenUvFindsNothingOfAnyAgeItsOwnWordsCount) {
  have_program("uv");
  processes.fails("compile", "error: No solution found\n");
  EXPECT_EQ(lock({.name = "x", .specifiers = {}}).error().code(), ErrorCode::version_not_found);
}

}  // namespace
}  // namespace curupira::registry
