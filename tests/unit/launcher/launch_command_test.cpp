#include "launcher/launch_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace curupira::launcher {
namespace {

namespace fs = std::filesystem;
using manifest::ReceiptCommand;
using testing::ElementsAre;
using testing::HasSubstr;

RelativePath relative(std::string_view text) {
  return *RelativePath::parse(text);
}

class LaunchCommandTest : public testing::Test {
 protected:
  Environment with_path(const fs::path& folder) { return Environment({{"PATH", folder.string()}}); }

  Result<LaunchCommand> make(const ReceiptCommand& command) {
    return make_command(command, "acme", content, with_path(tools));
  }

  manifest::InstalledExtension foreign(manifest::Launch launch) {
    manifest::InstalledExtension extension;
    extension.manifest.name = "acme";
    extension.manifest.launch = std::move(launch);
    extension.folder = content;
    return extension;
  }

  TemporaryFolder temporary;
  fs::path content = temporary.folder("content");
  fs::path tools = temporary.folder("tools");
  HomeLayout home{temporary.path() / "home"};
};

// benborla/mcp-server-mysql#108: no wrapper stands between us and the interpreter.
TEST_F(LaunchCommandTest, NodeIsTheOnlyProgramBeforeTheScript) {
  const auto node = temporary.write("tools/node", "", 0755);
  const auto script = temporary.write("content/bin/main.js", "");
  const auto command = make({.interpreter = ReceiptCommand::Interpreter::node,
                             .entry = relative("bin/main.js"),
                             .args = {"--stdio"}});
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(node.string(), script.string(), "--stdio"));
  EXPECT_FALSE(command->cwd);
}

TEST_F(LaunchCommandTest, MissingNodeNamesExtensionAndProgram) {
  temporary.write("content/main.js", "");
  const auto command = make({.interpreter = ReceiptCommand::Interpreter::node, .entry = relative("main.js")});
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::tool_missing);
  EXPECT_THAT(command.error().detail(), HasSubstr("\"acme\" is started by \"node\""));
}

TEST_F(LaunchCommandTest, MissingScriptIsNamed) {
  temporary.write("tools/node", "", 0755);
  const auto command = make({.interpreter = ReceiptCommand::Interpreter::node, .entry = relative("gone.js")});
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::launch_program_missing);
  EXPECT_THAT(command.error().detail(), HasSubstr("content/gone.js does not exist"));
}

TEST_F(LaunchCommandTest, PythonIsTheOneOfTheEnvironment) {
  const auto python = temporary.write("content/bin/python", "", 0755);
  const auto script = temporary.write("content/bin/acme", "");
  const auto command =
      make({.interpreter = ReceiptCommand::Interpreter::venv_python, .entry = relative("bin/acme")});
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(python.string(), "-B", script.string()));
}

TEST_F(LaunchCommandTest, PythonWhoseBaseWasRemovedIsSaid) {
  temporary.write("content/bin/acme", "");
  fs::create_symlink("/nowhere/python3", content / "bin" / "python");
  const auto command =
      make({.interpreter = ReceiptCommand::Interpreter::venv_python, .entry = relative("bin/acme")});
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::launch_program_missing);
  EXPECT_THAT(command.error().detail(), HasSubstr("is a link to a file that does not exist"));
}

TEST_F(LaunchCommandTest, ProgramOfTheContentRunsInItsFolder) {
  const auto program = temporary.write("content/bin/acme", "", 0755);
  const auto command = make({.entry = relative("bin/acme"), .args = {"-x"}, .in_content_folder = true});
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(program.string(), "-x"));
  EXPECT_EQ(command->cwd, content);
}

TEST_F(LaunchCommandTest, ProgramThatIsNotExecutableIsSaid) {
  temporary.write("content/acme", "", 0644);
  const auto command = make({.entry = relative("acme")});
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::launch_program_missing);
  EXPECT_THAT(command.error().detail(), HasSubstr("is not executable"));
}

TEST_F(LaunchCommandTest, FolderIsNoProgram) {
  temporary.folder("content/acme");
  const auto command = make({.entry = relative("acme")});
  ASSERT_FALSE(command);
  EXPECT_THAT(command.error().detail(), HasSubstr("is not a file"));
}

TEST_F(LaunchCommandTest, ReceiptWithoutAnythingToStartIsSaid) {
  const auto command = make({});
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::launch_program_missing);
}

TEST_F(LaunchCommandTest, BareNameIsLookedUpOnPath) {
  const auto program = temporary.write("tools/acme-serve", "", 0755);
  const auto command = make({.path_program = "acme-serve"});
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(program.string()));
}

TEST_F(LaunchCommandTest, NameOnPathIsNotAPath) {
  const auto command = make({.path_program = "../acme-serve"});
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::launch_program_missing);
}

TEST_F(LaunchCommandTest, ReceiptLeadsIntoTheStore) {
  const manifest::ReceiptContent tree{manifest::ReceiptContent::Kind::tree, "aa11"};
  const manifest::ReceiptContent venv{manifest::ReceiptContent::Kind::venv, "bb22"};
  EXPECT_EQ(content_folder(home, tree), home.trees() / "aa11");
  EXPECT_EQ(content_folder(home, venv), home.environments() / "bb22");
}

TEST_F(LaunchCommandTest, InstalledExtensionStartsFromItsReceipt) {
  const auto program = temporary.write("home/store/v1/trees/aa11/acme", "", 0755);
  auto extension = foreign(manifest::NpxLaunch{.package = "acme"});
  extension.receipt.emplace();
  extension.receipt->content = {manifest::ReceiptContent::Kind::tree, "aa11"};
  extension.receipt->command.entry = relative("acme");
  const auto command = make_command(extension, home, with_path(tools));
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(program.string()));
}

TEST_F(LaunchCommandTest, ForeignProgramIsRelativeToItsManifest) {
  const auto program = temporary.write("content/bin/acme", "", 0755);
  const auto command =
      make_command(foreign(manifest::ExecutableLaunch{"./bin/acme", {"serve"}}), home, with_path(tools));
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(program.string(), "serve"));
  EXPECT_EQ(command->cwd, content);
}

TEST_F(LaunchCommandTest, ForeignAbsoluteProgramStaysAsItIs) {
  const auto program = temporary.write("elsewhere/acme", "", 0755);
  const auto command =
      make_command(foreign(manifest::ExecutableLaunch{program.string(), {}}), home, with_path(tools));
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(program.string()));
}

TEST_F(LaunchCommandTest, ForeignBareNameIsLookedUpOnPath) {
  const auto program = temporary.write("tools/acme", "", 0755);
  temporary.write("content/acme", "", 0755);
  const auto command = make_command(foreign(manifest::ExecutableLaunch{"acme", {}}), home, with_path(tools));
  ASSERT_TRUE(command) << command.error().summary();
  EXPECT_THAT(command->argv, ElementsAre(program.string()));
}

TEST_F(LaunchCommandTest, ForeignNpxHasNoVerifiedCopy) {
  const auto command = make_command(foreign(manifest::NpxLaunch{.package = "@acme/x", .version = "1.2.3"}),
                                    home, with_path(tools));
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::not_managed);
  EXPECT_THAT(command.error().help(), HasSubstr("npm:@acme/x@1.2.3"));
}

TEST_F(LaunchCommandTest, ForeignUvxHasNoVerifiedCopy) {
  const auto command =
      make_command(foreign(manifest::UvxLaunch{.package = "acme", .version = "2.0", .executable = "acme"}),
                   home, with_path(tools));
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::not_managed);
  EXPECT_THAT(command.error().help(), HasSubstr("pip:acme==2.0"));
}

}  // namespace
}  // namespace curupira::launcher
