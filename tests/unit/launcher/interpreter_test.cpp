#include "launcher/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "launcher/visible_paths.h"
#include "temporary_folder.h"

namespace curupira::launcher {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class InterpreterTest : public testing::Test {
 protected:
  std::vector<fs::path> of(const fs::path& program) {
    return interpreter_folders(program, Environment({{"PATH", (temporary.path() / "node/bin").string()}}));
  }
  fs::path at(const char* name) { return temporary.path() / name; }
  void add_python() {
    temporary.write("py-3.11.7/bin/python3.11", "", 0755);
    temporary.write("py-3.11.7/lib/python3.11/os.py", "");
    fs::create_symlink("python3.11", at("py-3.11.7/bin/python3"));
  }

  TemporaryFolder temporary;
};

TEST_F(InterpreterTest, PythonNeedsTheLibraryOfItsPrefix) {
  add_python();
  EXPECT_THAT(of(at("py-3.11.7/bin/python3")),
              testing::UnorderedElementsAre(at("py-3.11.7/bin/python3"), at("py-3.11.7/bin/python3.11"),
                                            at("py-3.11.7/lib")));
}

TEST_F(InterpreterTest, VirtualEnvironmentLeadsToItsBase) {
  add_python();
  temporary.write("venv/pyvenv.cfg", "home = " + at("py-3.11.7/bin").string() + "\nversion = 3.11.7\n");
  temporary.folder("venv/bin");
  fs::create_symlink(at("py-3.11.7/bin/python3"), at("venv/bin/python"));
  EXPECT_THAT(of(at("venv/bin/python")), Contains(at("py-3.11.7/lib")));
}

TEST_F(InterpreterTest, FolderLinkOnTheWayIsVisibleByBothNames) {
  add_python();
  fs::create_symlink("py-3.11.7", at("py-3.11"));
  const auto found = of(at("py-3.11/bin/python3.11"));
  EXPECT_THAT(found, Contains(at("py-3.11/lib")));
  EXPECT_THAT(found, Contains(at("py-3.11.7/lib")));
}

TEST_F(InterpreterTest, ProgramInHomeDoesNotOpenTheHome) {
  temporary.write("home/bin/node", "", 0755);
  temporary.write("home/lib/notes.txt", "");
  EXPECT_THAT(of(at("home/bin/node")), ElementsAre(at("home/bin/node")));
}

TEST_F(InterpreterTest, ScriptLeadsToItsInterpreterThroughEnv) {
  temporary.write("node/bin/node", "", 0755);
  const auto script = temporary.write("main.js", "#!/usr/bin/env -S node --no-warnings\n", 0755);
  EXPECT_THAT(of(script), Contains(at("node/bin/node")));
}

TEST_F(InterpreterTest, ScriptLeadsToItsInterpreterByPath) {
  const auto program = temporary.write("node/bin/node", "", 0755);
  const auto script = temporary.write("main.js", "#!" + program.string() + "\n", 0755);
  EXPECT_THAT(of(script), Contains(program));
}

TEST_F(InterpreterTest, ScriptOpensNoFileThatIsNoProgram) {
  const auto key = temporary.write(".ssh/id_ed25519", "s3cret", 0600);
  const auto script = temporary.write("main.js", "#!" + key.string() + "\n", 0755);
  EXPECT_THAT(of(script), ElementsAre(script));
}

TEST_F(InterpreterTest, ScriptThatNamesItselfEnds) {
  const auto script = at("loop");
  temporary.write("loop", "#!" + script.string() + "\n", 0755);
  EXPECT_THAT(of(script), ElementsAre(script));
}

TEST_F(InterpreterTest, LinksInACircleEnd) {
  fs::create_symlink(at("b"), at("a"));
  fs::create_symlink(at("a"), at("b"));
  EXPECT_THAT(of(at("a")), IsEmpty());
}

TEST_F(InterpreterTest, MissingProgramNeedsNothing) {
  EXPECT_THAT(of("/nowhere/python"), IsEmpty());
}

TEST(VisiblePaths, ContainedPathsAreLeftOut) {
  TemporaryFolder temporary;
  const auto a = temporary.folder("a");
  const auto inner = temporary.folder("a/inner");
  const auto other = temporary.folder("a-other");
  EXPECT_THAT(distinct_paths({inner, other, a, a / "gone"}, {"/usr"}), ElementsAre(a, other));
}

TEST(VisiblePaths, LinkIsVisibleByBothNames) {
  TemporaryFolder temporary;
  const auto real = temporary.folder("real");
  fs::create_symlink(real, temporary.path() / "link");
  EXPECT_THAT(distinct_paths({temporary.path() / "link"}, {}), ElementsAre(temporary.path() / "link", real));
}

TEST(VisiblePaths, CoveredPathsAreLeftOut) {
  EXPECT_THAT(distinct_paths({"/usr/bin"}, {"/usr"}), IsEmpty());
}

TEST(VisiblePaths, SystemHoldsNoSecretsAndNoHomes) {
  const auto system = system_paths();
  for (const char* path : {"/", "/etc", "/etc/shadow", "/home", "/root", "/proc", "/run", "/var", "/tmp"})
    EXPECT_THAT(system, Not(Contains(fs::path(path)))) << path;
}

}  // namespace
}  // namespace curupira::launcher
