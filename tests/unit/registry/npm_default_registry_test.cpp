#include "registry/npm_default_registry.h"

#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class NpmDefaultRegistryTest : public test::RegistryTest {};

TEST_F(NpmDefaultRegistryTest, IsAskedOfNpmOnce) {
  have_program("npm");
  processes.prints("registry", "https://npm.example.org/\n");
  EXPECT_EQ(npm_default_registry(tools())->to_string(), "https://npm.example.org/");
  EXPECT_EQ(npm_default_registry(tools())->to_string(), "https://npm.example.org/");
  EXPECT_EQ(processes.requests.size(), 1u);
}

TEST_F(NpmDefaultRegistryTest, IsAskedAgainWhenNpmChanged) {
  have_program("npm");
  processes.prints("registry", "https://one.example.org/\n");
  EXPECT_TRUE(npm_default_registry(tools()));
  processes.prints("registry", "https://two.example.org/\n");
  const auto npm = folder / "bin/npm";
  std::filesystem::last_write_time(npm, std::filesystem::last_write_time(npm) + std::chrono::seconds(1));
  EXPECT_EQ(npm_default_registry(tools())->to_string(), "https://two.example.org/");
}

TEST_F(NpmDefaultRegistryTest, ADamagedCacheIsIgnored) {
  have_program("npm");
  folder.write("home/cache/npm-registry.json", "{\"npm\":1");
  processes.prints("registry", "https://npm.example.org/\n");
  EXPECT_EQ(npm_default_registry(tools())->to_string(), "https://npm.example.org/");
}

TEST_F(NpmDefaultRegistryTest, WithoutNpmTheErrorSaysWhatToConfigure) {
  const auto url = npm_default_registry(tools());
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().code(), ErrorCode::tool_missing);
  EXPECT_NE(url.error().help().find(".npmrc"), std::string::npos);
}

TEST_F(NpmDefaultRegistryTest, AnAnswerThatIsNoAddress) {
  have_program("npm");
  processes.prints("registry", "undefined\n");
  EXPECT_EQ(npm_default_registry(tools()).error().code(), ErrorCode::url_invalid);
}

TEST_F(NpmDefaultRegistryTest, NpmsFailureShowsItsWords) {
  have_program("npm");
  processes.fails("registry", "npm error something broke\n");
  const auto url = npm_default_registry(tools());
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().code(), ErrorCode::tool_failed);
  EXPECT_NE(url.error().detail().find("something broke"), std::string::npos);
}

}  // namespace
}  // namespace curupira::registry
