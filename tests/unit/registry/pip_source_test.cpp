#include "registry/pip_source.h"

#include "tests/unit/registry/python_facts.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

const std::string hex_a(64, 'a'), hex_b(64, 'b');

std::string pylock_of(const std::string& host) {
  const auto package = [&](const std::string& name, const std::string& hex) {
    return "[[packages]]\nname = \"" + name + "\"\nversion = \"1.0\"\nwheels = [{ url = \"https://" + host +
           "/" + name + "-1.0-py3-none-any.whl\", size = 9, hashes = { sha256 = \"" + hex + "\" } }]\n";
  };
  return "lock-version = \"1.0\"\n" + package("dep", hex_b) + package("x", hex_a);
}

class PipSourceTest : public test::RegistryTest {
 protected:
  PipSourceTest() {
    have_program("uv");
    have_program("python3");
    processes.prints("-c", test::interpreter_answer());
  }
  Result<Resolution> resolve(std::string_view reference) {
    return PipSource(tools()).resolve(parse_reference(reference).value(), platform(), diagnostics);
  }
  const std::vector<std::string>& compile_arguments() const { return processes.requests.at(1).argv; }
};

TEST_F(PipSourceTest, TheClosureIsTheWheels) {
  std::string requirement;
  processes.when("compile", [&](const ProcessRequest& request) -> Result<ProcessOutput> {
    requirement = curupira::test::text_of(*request.cwd / "requirements.in");
    return test::FakeProcessRunner::exited(0, pylock_of("files.example.org"), {});
  });
  const auto resolution = resolve("pip:X>=1,<2");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(requirement, "x>=1,<2\n");
  EXPECT_EQ(resolution->package, "x");
  EXPECT_EQ(resolution->version, "1.0");
  ASSERT_EQ(resolution->artifacts.size(), 2u);
  EXPECT_EQ(resolution->artifacts[1].file_name, "x-1.0-py3-none-any.whl");
  EXPECT_EQ(resolution->artifacts[1].proof.size, 9u);
  const auto& closure = std::get<PythonClosure>(resolution->content);
  EXPECT_EQ(closure.root, "x");
  EXPECT_EQ(closure.python.executable, "/opt/python/bin/python3.11");
  EXPECT_TRUE(staging_is_empty());
}

TEST_F(PipSourceTest, UvBuildsNothingAndLoadsNoPython) {
  processes.prints("compile", pylock_of("files.example.org"));
  EXPECT_TRUE(resolve("pip:x"));
  for (const char* flag : {"--only-binary", ":all:", "--no-python-downloads", "/opt/python/bin/python3.11"}) {
    EXPECT_NE(std::ranges::find(compile_arguments(), flag), compile_arguments().end()) << flag;
  }
}

TEST_F(PipSourceTest, WithoutUvTheErrorNamesTheExtension) {
  std::filesystem::remove(folder / "bin/uv");
  const auto resolution = resolve("pip:x");
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::tool_missing);
  EXPECT_NE(resolution.error().detail().find("pip:x"), std::string::npos);
  EXPECT_NE(resolution.error().detail().find("uv"), std::string::npos);
}

TEST_F(PipSourceTest, WithoutAPython) {
  std::filesystem::remove(folder / "bin/python3");
  processes.fails("find", "error: No interpreter found\n");
  EXPECT_EQ(resolve("pip:x").error().code(), ErrorCode::tool_missing);
}

TEST_F(PipSourceTest, OfSeveralWheelsTheInterpretersOwnTagsChoose) {
  std::string wheels;
  for (const char* tags :
       {"py3-none-any", "cp311-cp311-manylinux_2_17_x86_64", "cp311-cp311-manylinux_2_39_x86_64"})
    wheels += std::string("{ url = \"https://files.example.org/x-1.0-") + tags +
              ".whl\", hashes = { sha256 = \"" + hex_a + "\" } },";
  processes.prints(
      "compile",
      "lock-version = \"1.0\"\n[[packages]]\nname = \"x\"\nversion = \"1.0\"\nwheels = [" + wheels + "]\n");
  const auto resolution = resolve("pip:x");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(resolution->artifacts[0].file_name, "x-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
}

TEST_F(PipSourceTest, UvsFailuresKeepTheirMeaning) {
  using enum ErrorCode;
  const std::pair<const char*, ErrorCode> failures[] = {
      {"cause: Because x was not found in the\n package registry and you require x", package_not_found},
      {"error: No solution found\n cause: Because there is no version of x==99.9", version_not_found},
      {"Because x was not found in the package registry\nhint: An index could not be queried (401 "
       "Unauthorized)",
       credentials_refused},
      {"hint: An index URL returned a 403 Forbidden error.", credentials_refused},
      {"error: Failed to fetch: https://index.example.org/simple/x/\n cause: error sending request",
       network_unreachable},
      {"error: something else", tool_failed}};
  for (const auto& [words, code] : failures) {
    processes.fails("compile", words);
    const auto resolution = resolve("pip:x");
    ASSERT_FALSE(resolution);
    EXPECT_EQ(resolution.error().code(), code) << words;
    EXPECT_TRUE(staging_is_empty());
  }
}

TEST_F(PipSourceTest, APackageWithoutWheelIsNamed) {
  processes.fails("compile",
                  "error: No solution found\n  cause: Because dep==0.6 has no usable wheels\nhint: Wheels "
                  "are required for `dep`");
  const auto resolution = resolve("pip:x");
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::resolution_unsafe);
  EXPECT_NE(resolution.error().detail().find("dep has no wheel for this machine"), std::string::npos);
  EXPECT_NE(resolution.error().help().find("runs foreign code"), std::string::npos);
}

TEST_F(PipSourceTest, PasswordsInUvsWordsAreNotShown) {
  processes.fails("compile", "error: Failed to fetch: https://user:hunter2@index.example.org/simple/x/\n");
  EXPECT_EQ(resolve("pip:x").error().detail().find("hunter2"), std::string::npos);
}

TEST_F(PipSourceTest, AnAnswerWithoutThePackage) {
  processes.prints("compile", "lock-version = \"1.0\"\npackages = []\n");
  EXPECT_EQ(resolve("pip:x").error().code(), ErrorCode::resolution_unreadable);
}

TEST_F(PipSourceTest, ThePasswordOfTheIndexOpensItsWheelsOnly) {
  environment.set("UV_DEFAULT_INDEX", "https://user:pass@index.example.org/simple");
  processes.prints("compile", pylock_of("index.example.org"));
  const auto resolution = resolve("pip:x");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  const Artifact& artifact = resolution->artifacts[0];
  EXPECT_EQ(artifact.credentials->authorization_for(std::get<Url>(artifact.location))->reveal(),
            "Basic dXNlcjpwYXNz");
  EXPECT_FALSE(
      artifact.credentials->authorization_for(Url::parse("https://files.example.org/x.whl").value()));
}

}  // namespace
}  // namespace curupira::registry
