#include "registry/npm_source.h"

#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

using test::sri;

class NpmSourceTest : public test::RegistryTest {
 protected:
  NpmSourceTest() { folder.write("user/.npmrc", "registry=https://npm.example.org/\n"); }

  Result<Resolution> resolve(std::string_view reference, std::string_view machine = "linux-x86_64") {
    return NpmSource(tools()).resolve(parse_reference(reference).value(), platform(machine), diagnostics);
  }
  /// One version of a package; `members` are more members of it, with a comma before.
  void publish(const std::string& name, const std::string& version, const std::string& members = {},
               const std::string& host = "npm.example.org") {
    const std::size_t slash = name.find('/');
    const std::string escaped =
        slash == std::string::npos ? name : name.substr(0, slash) + "%2F" + name.substr(slash + 1);
    http.answer("https://" + host + "/" + escaped,
                R"({"name":")" + name + R"(","dist-tags":{"latest":")" + version + R"("},"versions":{")" +
                    version + R"(":{"dist":{"tarball":"https://)" + host + "/" + name + "/-/" + version +
                    R"(.tgz","integrity":")" + sri('A') + "\"}" + members + "}}}");
  }
  /// npm writes this lock file.
  void npm_locks(const std::string& packages) {
    have_program("npm");
    processes.when("--package-lock-only", [packages](const ProcessRequest& request) -> Result<ProcessOutput> {
      std::ofstream(*request.cwd / "package-lock.json")
          << R"({"lockfileVersion":3,"packages":{"":{},)" << packages << "}}";
      return test::FakeProcessRunner::exited(0, {}, {});
    });
  }
  static std::string entry(const std::string& place, const std::string& version, const std::string& resolved,
                           char letter = 'A') {
    return "\"" + place + R"(":{"version":")" + version + R"(","integrity":")" + sri(letter) + "\"" +
           (resolved.empty() ? "" : R"(,"resolved":")" + resolved + "\"") + "}";
  }
  const std::string with_dependencies = R"(,"dependencies":{"a":"1"})";
  const std::string root = entry("node_modules/x", "1.0.0", "https://npm.example.org/x/-/1.0.0.tgz");
};

TEST_F(NpmSourceTest, APackageWithoutDependenciesNeedsNoNpm) {
  publish("@acme/x", "1.2.3");
  const auto resolution = resolve("npm:@acme/x@^1.2");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(resolution->package, "@acme/x");
  EXPECT_EQ(resolution->version, "1.2.3");
  ASSERT_EQ(resolution->artifacts.size(), 1u);
  const Artifact& artifact = resolution->artifacts[0];
  EXPECT_EQ(artifact.file_name, "x-1.2.3.tgz");
  EXPECT_EQ(std::get<Url>(artifact.location).to_string(), "https://npm.example.org/@acme/x/-/1.2.3.tgz");
  EXPECT_EQ(artifact.proof.any_of.front().sri(), sri('A'));
  const auto& closure = std::get<NodeClosure>(resolution->content);
  EXPECT_EQ(closure.root, "@acme/x");
  ASSERT_EQ(closure.packages.size(), 1u);
  EXPECT_EQ(closure.packages[0].location.text(), "node_modules/@acme/x");
  EXPECT_TRUE(processes.requests.empty());
}

TEST_F(NpmSourceTest, AsksForTheAbbreviatedForm) {
  publish("x", "1.0.0");
  EXPECT_TRUE(resolve("npm:x"));
  ASSERT_EQ(http.requests.size(), 2u);
  EXPECT_EQ(http.requests[1].url, "https://npm.example.org/-/npm/v1/keys");
  EXPECT_EQ(http.requests[0].accept, "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8");
}

TEST_F(NpmSourceTest, TheScopesTokenIsSentAndGoesWithTheArtifact) {
  folder.write("user/.npmrc", "@acme:registry=https://acme.example.org/\n//acme.example.org/:_authToken=t\n");
  publish("@acme/x", "1.0.0", {}, "acme.example.org");
  const auto resolution = resolve("npm:@acme/x");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(http.requests[0].authorization, "Bearer t");
  const Artifact& artifact = resolution->artifacts[0];
  EXPECT_EQ(artifact.credentials->authorization_for(std::get<Url>(artifact.location))->reveal(), "Bearer t");
  EXPECT_FALSE(artifact.credentials->authorization_for(Url::parse("https://cdn.example.org/x.tgz").value()));
}

TEST_F(NpmSourceTest, APrivateScopeNeverFallsThrough) {
  folder.write("user/.npmrc",
               "registry=https://npm.example.org/\n@acme:registry=https://acme.example.org/\n");
  publish("@acme/x", "1.0.0");  // somebody else's, in the general registry
  for (const auto& [status, code] : {std::pair(401, ErrorCode::credentials_refused),
                                     {403, ErrorCode::credentials_refused},
                                     {404, ErrorCode::package_not_found},
                                     {503, ErrorCode::http_status}}) {
    http.requests.clear();
    http.refuse("https://acme.example.org/@acme%2Fx", status);
    const auto resolution = resolve("npm:@acme/x");
    ASSERT_FALSE(resolution) << status;
    EXPECT_EQ(resolution.error().code(), code);
    EXPECT_EQ(http.requests.size(), 1u) << "nobody else was asked";
  }
}

TEST_F(NpmSourceTest, ARefusalSaysWhetherATokenWasSent) {
  http.refuse("https://npm.example.org/x", 401);
  auto resolution = resolve("npm:x");
  EXPECT_NE(resolution.error().help().find("//npm.example.org/:_authToken"), std::string::npos);
  folder.write("user/.npmrc", "registry=https://npm.example.org/\n//npm.example.org/:_authToken=hunter2\n");
  resolution = resolve("npm:x");
  EXPECT_NE(resolution.error().detail().find("with the credentials of .npmrc"), std::string::npos);
  EXPECT_EQ(resolution.error().summary().find("hunter2"), std::string::npos);
}

TEST_F(NpmSourceTest, AVersionThatDoesNotExist) {
  publish("x", "1.0.0");
  EXPECT_EQ(resolve("npm:x@2").error().code(), ErrorCode::version_not_found);
}

TEST_F(NpmSourceTest, APackageForAnotherPlatform) {
  publish("x", "1.0.0", R"(,"os":["darwin"])");
  EXPECT_EQ(resolve("npm:x").error().code(), ErrorCode::platform_missing);
  EXPECT_TRUE(resolve("npm:x", "darwin-arm64"));
}

TEST_F(NpmSourceTest, TheDefaultRegistryIsAskedOfNpm) {
  folder.write("user/.npmrc", "");
  have_program("npm");
  processes.prints("registry", "https://npm.example.org/\n");
  publish("x", "1.0.0");
  EXPECT_TRUE(resolve("npm:x"));
}

TEST_F(NpmSourceTest, NpmResolvesDependencies) {
  publish("x", "1.0.0", with_dependencies);
  npm_locks(root + "," + entry("node_modules/a", "1.0.0", "https://npm.example.org/a/-/a.tgz", 'B') + "," +
            entry("node_modules/b", "2.0.0", "https://npm.example.org/b/-/b.tgz", 'C') + "," +
            entry("node_modules/b/node_modules/a", "1.0.0", "https://npm.example.org/a/-/a.tgz", 'B'));
  const auto resolution = resolve("npm:x");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(resolution->artifacts.size(), 3u) << "a@1.0.0 stands in two places and is fetched once";
  const auto& packages = std::get<NodeClosure>(resolution->content).packages;
  ASSERT_EQ(packages.size(), 4u);
  EXPECT_EQ(packages[0].location.text(), "node_modules/a");
  EXPECT_EQ(packages[2].location.text(), "node_modules/b/node_modules/a");
  EXPECT_EQ(packages[0].artifact, packages[2].artifact);
  EXPECT_EQ(http.requests.size(), 2u) << "the package and the registry's keys; the lock file says the rest";
  EXPECT_TRUE(staging_is_empty());
}

TEST_F(NpmSourceTest, NpmOnlyResolves) {
  publish("x", "1.0.0", with_dependencies);
  std::string package_json;
  have_program("npm");
  processes.when("--package-lock-only", [&](const ProcessRequest& request) -> Result<ProcessOutput> {
    package_json = curupira::test::text_of(*request.cwd / "package.json");
    return fail(ErrorCode::process_timeout, "npm");
  });
  EXPECT_EQ(resolve("npm:x@^1").error().code(), ErrorCode::process_timeout);
  ASSERT_EQ(processes.requests.size(), 1u);
  const auto& argv = processes.requests[0].argv;
  for (const char* flag :
       {"--ignore-scripts", "--no-audit", "--omit=dev", "--omit-lockfile-registry-resolved=false"}) {
    EXPECT_NE(std::ranges::find(argv, flag), argv.end()) << flag;
  }
  EXPECT_EQ(package_json, "{\n  \"private\": true,\n  \"dependencies\": {\n    \"x\": \"1.0.0\"\n  }\n}\n")
      << "the exact version";
  EXPECT_TRUE(staging_is_empty());
}

TEST_F(NpmSourceTest, TheProjectsRegistriesReachNpmInAPrivateFile) {
  folder.write("work/.npmrc", "registry=https://npm.example.org/\n//npm.example.org/:_authToken=hunter2\n");
  publish("x", "1.0.0", with_dependencies);
  have_program("npm");
  std::string npmrc;
  auto mode = std::filesystem::perms::all;
  processes.when("--package-lock-only", [&](const ProcessRequest& request) -> Result<ProcessOutput> {
    npmrc = curupira::test::text_of(*request.cwd / ".npmrc");
    mode = std::filesystem::status(*request.cwd / ".npmrc").permissions();
    return test::FakeProcessRunner::exited(1, {}, "npm error code E401\n");
  });
  EXPECT_EQ(resolve("npm:x").error().code(), ErrorCode::credentials_refused);
  EXPECT_NE(npmrc.find("hunter2"), std::string::npos);
  EXPECT_EQ(mode, std::filesystem::perms(0600));
  for (const std::string& argument : processes.requests[0].argv)
    EXPECT_EQ(argument.find("hunter2"), std::string::npos);
  EXPECT_TRUE(staging_is_empty());
}

TEST_F(NpmSourceTest, WithoutNpmTheErrorNamesThePackage) {
  publish("x", "1.0.0", with_dependencies);
  const auto resolution = resolve("npm:x");
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::tool_missing);
  EXPECT_NE(resolution.error().detail().find("npm:x@1.0.0 depends on other packages"), std::string::npos);
}

TEST_F(NpmSourceTest, NpmsFailuresKeepTheirMeaning) {
  publish("x", "1.0.0", with_dependencies);
  have_program("npm");
  for (const auto& [word, code] : {std::pair("E404", ErrorCode::package_not_found),
                                   {"E403", ErrorCode::credentials_refused},
                                   {"ETARGET", ErrorCode::version_not_found},
                                   {"ECONNREFUSED", ErrorCode::network_unreachable},
                                   {"ERESOLVE", ErrorCode::tool_failed}}) {
    processes.fails("--package-lock-only",
                    "npm error code " + std::string(word) + "\nnpm error \x1b[31mits words\n");
    const auto resolution = resolve("npm:x");
    ASSERT_FALSE(resolution);
    EXPECT_EQ(resolution.error().code(), code) << word;
    EXPECT_NE(resolution.error().detail().find("its words"), std::string::npos);
    EXPECT_EQ(resolution.error().detail().find('\x1b'), std::string::npos);
  }
}

TEST_F(NpmSourceTest, AddressesThatTheLockLeavesOutComeFromTheRegistry) {
  publish("x", "1.0.0", with_dependencies);
  publish("a", "1.0.0");
  publish("b", "2.0.0");
  npm_locks(root + "," + entry("node_modules/a", "1.0.0", "") + "," + entry("node_modules/b", "2.0.0", ""));
  const auto resolution = resolve("npm:x");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(std::get<Url>(resolution->artifacts[0].location).to_string(),
            "https://npm.example.org/a/-/1.0.0.tgz");
  EXPECT_EQ(http.batches, (std::vector<std::size_t>{1, 2, 1}))
      << "all that is missing at once; then the keys";
}

TEST_F(NpmSourceTest, AnAddressThatTheRegistryDoesNotNameIsUnsafe) {
  publish("x", "1.0.0", with_dependencies);
  publish("a", "1.0.0");
  npm_locks(root + "," + entry("node_modules/a", "1.0.0", "https://evil.example.com/a.tgz"));
  const auto resolution = resolve("npm:x");
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::resolution_unsafe);
  EXPECT_NE(resolution.error().detail().find("evil.example.com"), std::string::npos);
}

TEST_F(NpmSourceTest, TarballsMayStandOnAnotherHostThatTheRegistryNames) {
  publish("x", "1.0.0", with_dependencies);
  http.answer("https://npm.example.org/a",
              R"({"name":"a","versions":{"1.0.0":{"dist":{"tarball":"https://cdn.example.org/a.tgz"}}}})");
  npm_locks(root + "," + entry("node_modules/a", "1.0.0", "https://cdn.example.org/a.tgz"));
  const auto resolution = resolve("npm:x");
  ASSERT_TRUE(resolution) << resolution.error().summary();
  EXPECT_EQ(std::get<Url>(resolution->artifacts[0].location).host(), "cdn.example.org");
}

TEST_F(NpmSourceTest, ADependencyWithoutDigest) {
  publish("x", "1.0.0", with_dependencies);
  npm_locks(root + R"(,"node_modules/a":{"version":"1.0.0","resolved":"https://npm.example.org/a.tgz"})");
  EXPECT_EQ(resolve("npm:x").error().code(), ErrorCode::integrity_missing);
}

TEST_F(NpmSourceTest, NpmHasToMeanTheSamePackage) {
  publish("x", "1.0.0", with_dependencies);
  npm_locks(entry("node_modules/x", "1.0.0", "https://npm.example.org/x/-/1.0.0.tgz", 'B'));
  EXPECT_EQ(resolve("npm:x").error().code(), ErrorCode::resolution_unsafe);
  npm_locks(entry("node_modules/y", "1.0.0", "https://npm.example.org/y.tgz"));
  EXPECT_EQ(resolve("npm:x").error().code(), ErrorCode::resolution_unreadable);
}

TEST_F(NpmSourceTest, CyclesAreLegal) {
  publish("x", "1.0.0", with_dependencies);
  npm_locks(
      root +
      R"(,"node_modules/a":{"version":"1.0.0","resolved":"https://npm.example.org/a.tgz","integrity":")" +
      sri('B') + R"(","dependencies":{"x":"1"}})");
  EXPECT_TRUE(resolve("npm:x"));
}

}  // namespace
}  // namespace curupira::registry
