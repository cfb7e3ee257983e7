#include "cli/doctor_tools.h"

#include <gtest/gtest.h>

#include "manifest/receipt.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/cli/doctor_fixture.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using test::about;
using test::says;

manifest::Discovered with_node_extension() {
  manifest::Manifest manifest{};
  manifest.name = "acme";
  manifest::Receipt receipt{};
  receipt.command.interpreter = manifest::ReceiptCommand::Interpreter::node;
  manifest::Discovered installed;
  installed.extensions.push_back({.manifest = manifest, .folder = "/x", .receipt = receipt});
  return installed;
}

const Tool& named(const std::vector<Tool>& tools, std::string_view name) {
  return *std::ranges::find(tools, name, &Tool::name);
}

TEST(DoctorTools, TheReceiptSaysWhoNeedsNode) {
  const auto tools = known_tools(with_node_extension(), nullptr);
  EXPECT_EQ(named(tools, "node").needed, std::vector<std::string>{"acme"});
  EXPECT_TRUE(named(tools, "uv").needed.empty());
}

TEST(DoctorTools, RepositoriesNeedGitAndProfilesTheirAgent) {
  manifest::Settings settings;
  settings.repositories.push_back({.alias = "api", .remote = "https://git.example.org/a/b.git"});
  settings.profiles.push_back({.name = "main", .provider = "claude", .options = {}, .position = {}});
  const auto tools = known_tools({}, &settings);
  EXPECT_EQ(named(tools, "git").needed, std::vector<std::string>{"the settings"});
  EXPECT_EQ(named(tools, "claude").needed, std::vector<std::string>{"profile main"});
}

TEST(DoctorTools, MissingIsAProblemOnlyWhereItIsNeeded) {
  const std::vector<Tool> tools{{.name = "node", .purpose = "starts extensions", .needed = {"acme"}},
                                {.name = "uv", .purpose = "resolves", .needed = {}}};
  const auto findings = judge_tools(tools, {FoundTool{}, FoundTool{}});
  EXPECT_EQ(about(findings, "node").level, Level::problem);
  EXPECT_TRUE(says(about(findings, "node"), "needed by acme"));
  EXPECT_TRUE(says(about(findings, "node"), "install node"));
  EXPECT_EQ(about(findings, "uv").level, Level::note);
}

TEST(DoctorTools, TooOldSaysWhichVersionIsNeeded) {
  const std::vector<Tool> tools{{.name = "node", .purpose = "starts", .least = "18", .needed = {"acme"}}};
  const auto old = judge_tools(tools, {FoundTool{.path = "/bin/node", .version = "16.20.1"}});
  EXPECT_EQ(about(old, "node").level, Level::problem);
  EXPECT_TRUE(says(about(old, "node"), "18 or later"));
  const auto good = judge_tools(tools, {FoundTool{.path = "/bin/node", .version = "18.0.0"}});
  EXPECT_EQ(about(good, "node").level, Level::ok);
}

TEST(DoctorTools, AShimOfAVersionManagerDoesNotStartInTheSandbox) {
  const std::vector<Tool> tools{{.name = "node", .purpose = "starts", .needed = {}, .interpreter = true}};
  const FoundTool shim{.path = "/home/me/.asdf/shims/node", .version = "20.1.0"};
  const FoundTool real{.path = "/usr/bin/node", .version = "20.1.0"};
  EXPECT_TRUE(says(about(judge_tools(tools, {shim}), "node"), "before the shims"));
  EXPECT_EQ(about(judge_tools(tools, {real}), "node").level, Level::ok);
}

TEST(DoctorTools, AgentsThatAreNotThereAreOneNote) {
  const auto tools = known_tools({}, nullptr);
  const auto findings = judge_tools(tools, std::vector<FoundTool>(tools.size()));
  EXPECT_EQ(about(findings, "agents").level, Level::note);
  EXPECT_TRUE(says(about(findings, "agents"), "claude"));
}

TEST(DoctorTools, VersionsInWhatProgramsSay) {
  EXPECT_EQ(version_in("v20.20.2\n"), "20.20.2");
  EXPECT_EQ(version_in("uv 0.9.1 (2025-10-09)"), "0.9.1");
  EXPECT_EQ(version_in("git version 2.39.5."), "2.39.5");
  EXPECT_EQ(version_in("codex-cli2 0.30"), "0.30");
  EXPECT_EQ(version_in("no number 7 with a dot"), "");
}

TEST(DoctorTools, VersionsAreComparedByNumber) {
  EXPECT_TRUE(is_older("9.9", "10"));
  EXPECT_TRUE(is_older("0.4.30", "0.5"));
  EXPECT_FALSE(is_older("0.5", "0.5.0"));
  EXPECT_FALSE(is_older("18.0.1", "18"));
}

/// Answers at once for every program; it may be asked by several threads.
class OneAnswer final : public ProcessRunner {
 public:
  explicit OneAnswer(Result<ProcessOutput> answer) : answer_(std::move(answer)) {}
  Result<ProcessOutput> run(const ProcessRequest&) override { return answer_; }

 private:
  const Result<ProcessOutput> answer_;
};

class FindTools : public testing::Test {
 protected:
  std::vector<FoundTool> find(Result<ProcessOutput> answer) {
    for (const char* name : {"node", "npm"})
      std::filesystem::permissions(folder.write(name, "#!/bin/false\n"), std::filesystem::perms(0755));
    OneAnswer processes(std::move(answer));
    const std::vector<Tool> tools{{.name = "node", .purpose = {}, .needed = {}},
                                  {.name = "npm", .purpose = {}, .needed = {}},
                                  {.name = "uv", .purpose = {}, .needed = {}}};
    return find_tools(tools, processes, Environment{{"PATH", folder.path().string()}});
  }
  curupira::test::TemporaryFolder folder;
};

TEST_F(FindTools, OnPathWithTheirVersions) {
  const auto found = find(ProcessOutput{
      .status = {.code = 0, .signal = {}}, .standard_output = "v1.2.3\n", .standard_error = {}});
  EXPECT_EQ(found[0].path, folder / "node");
  EXPECT_EQ(found[1].version, "1.2.3");
  EXPECT_FALSE(found[2].path);
}

TEST_F(FindTools, OneThatFailsSaysHow) {
  const auto found = find(ProcessOutput{
      .status = {.code = 3, .signal = {}}, .standard_output = "v1.2.3\n", .standard_error = {}});
  EXPECT_EQ(found[0].version, "");
  EXPECT_EQ(found[0].failure, "`node --version` ended with exit code 3");
}

TEST_F(FindTools, OneThatDoesNotEndSaysSo) {
  const auto found = find(fail(ErrorCode::process_timeout, "it did not end within 10 s"));
  EXPECT_NE(found[0].failure.find("within 10 s"), std::string::npos);
}

}  // namespace
}  // namespace curupira::cli
