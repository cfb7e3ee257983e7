#include "installer/python_environment.h"

#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;

/// pip:acme-ext with one wheel; uv is played by a function that makes the folders it would make.
class PythonEnvironment : public HomeFixture {
 protected:
  registry::Reference pip_package(const std::string& wheel_name = "acme_ext-1.0.0-py3-none-any.whl") {
    const std::string url = "https://index.example.org/" + wheel_name;
    http_.bodies[url] = "a wheel";
    const registry::PipReference reference{.name = "acme-ext", .specifiers = "==1.0.0"};
    registry::Resolution resolution{
        .reference = reference,
        .package = "acme-ext",
        .version = "1.0.0",
        .artifacts = {},
        .content = registry::PythonClosure{
            .root = "acme-ext", .interpreter = "/usr/bin/python3", .requirements = "acme-ext==1.0.0"}};
    resolution.artifacts.push_back({.package = "acme-ext",
                                    .version = "1.0.0",
                                    .file_name = wheel_name,
                                    .location = *Url::parse(url),
                                    .proof = {.any_of = {digest_of(DigestAlgorithm::sha256, "a wheel")}}});
    source_->resolutions.insert_or_assign(registry::to_string(registry::Reference(reference)), resolution);
    return reference;
  }
  static std::string uvx(const std::string& executable = "acme-ext") {
    return "type = \"uvx\"\npackage = \"acme-ext\"\nexecutable = \"" + executable + "\"\n";
  }
  void SetUp() override {
    processes_.answer = [this](const ProcessRequest& request) -> Result<ProcessOutput> {
      if (request.argv[0] != "uv") return fail(ErrorCode::tool_missing, request.argv[0]);
      const auto venv = *request.cwd / "venv";
      const auto site = venv / "lib/python3.11/site-packages";
      fs::create_directories(venv / "bin");
      fs::create_directories(site / "acme_ext-1.0.0.dist-info");
      fs::create_directories(site / "acme_ext");
      std::ofstream(venv / "bin/acme-ext") << "#!/bin/sh\n";
      std::ofstream(site / "acme_ext-1.0.0.dist-info/entry_points.txt") << entry_points_;
      if (!manifest_.empty()) std::ofstream(site / "acme_ext/curupira-extension.toml") << manifest_;
      return ProcessOutput{
          .status = {.code = uv_exit_, .signal = {}}, .standard_output = {}, .standard_error = "no\n"};
    };
  }
  int uv_exit_ = 0;
  std::string entry_points_ = "[console_scripts]\nacme-ext = acme_ext:main\n";
  std::string manifest_ = manifest_text("acme-ext", "1.0.0", uvx());
};

TEST_F(PythonEnvironment, IsFilledByUvFromVerifiedWheelsOnly) {
  environment_.set("UV_INDEX_URL", "https://elsewhere.example.org");
  ASSERT_TRUE(install({pip_package()})) << detail_;
  ASSERT_EQ(processes_.requests.size(), 2U);
  const auto& argv = processes_.requests[1].argv;
  for (const std::string flag : {"--offline", "--no-index", "--require-hashes", "--no-config"})
    EXPECT_NE(std::find(argv.begin(), argv.end(), flag), argv.end()) << flag;
  EXPECT_FALSE(processes_.requests[1].environment.get("UV_INDEX_URL"));
  EXPECT_EQ(receipt("acme-ext").content.kind, manifest::ReceiptContent::Kind::venv);
  EXPECT_EQ(receipt("acme-ext").command.entry->text(), "bin/acme-ext");
  EXPECT_EQ(receipt("acme-ext").command.interpreter, manifest::ReceiptCommand::Interpreter::venv_python);
  EXPECT_TRUE(fs::exists(home_.environments() / receipt("acme-ext").content.digest / "bin/acme-ext"));
}

TEST_F(PythonEnvironment, IsMadeOnce) {
  ASSERT_TRUE(install({pip_package()}));
  const auto plan = install({pip_package()});
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->changes_something());
  EXPECT_EQ(processes_.requests.size(), 2U);
}

TEST_F(PythonEnvironment, UvsOwnWordsAreShown) {
  uv_exit_ = 2;
  EXPECT_EQ(refusal({pip_package()}), ErrorCode::tool_failed);
  EXPECT_NE(detail_.find("no\n"), std::string::npos);
  EXPECT_TRUE(state().empty());
}

TEST_F(PythonEnvironment, WithoutUv) {
  processes_.answer = nullptr;
  EXPECT_EQ(refusal({pip_package()}), ErrorCode::tool_missing);
  EXPECT_TRUE(state().empty());
}

TEST_F(PythonEnvironment, AWheelNameThatIsAPath) {
  EXPECT_EQ(refusal({pip_package("sub/x.whl")}), ErrorCode::resolution_unsafe);
}

TEST_F(PythonEnvironment, AnExecutableThatIsNoConsoleScript) {
  manifest_ = manifest_text("acme-ext", "1.0.0", uvx("other"));
  EXPECT_EQ(refusal({pip_package()}), ErrorCode::bin_not_found);
  EXPECT_NE(detail_.find("acme-ext"), std::string::npos) << "lists what there is";
}

TEST_F(PythonEnvironment, SeveralConsoleScriptsAndNoManifest) {
  manifest_.clear();
  entry_points_ = "[console_scripts]\na = x:a\nb = x:b\n";
  EXPECT_EQ(refusal({pip_package()}), ErrorCode::bin_ambiguous);
  entry_points_ = "";
  EXPECT_EQ(refusal({pip_package()}), ErrorCode::bin_not_found);
}

TEST(ConsoleScripts, AreReadFromTheirSectionOnly) {
  EXPECT_EQ(parse_console_scripts(
                "# x\n[gui_scripts]\nwindow = a:b\n\n[console_scripts]\r\n b = m:f [extra]\r\na=m:g\n"
                "; c = d\n[other]\nz = z\n"),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(parse_console_scripts("").empty());
}

}  // namespace
}  // namespace curupira::installer::test
