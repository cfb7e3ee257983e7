#include "registry/python_interpreter.h"

#include "tests/unit/registry/python_facts.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class FindPython : public test::RegistryTest {
 protected:
  /// A program that says it is the interpreter `executable`, which is there.
  std::string interpreter(const std::string& version = "3.11.7") {
    const auto file = folder.write("bin/real-python", "x");
    processes.prints("-c", test::interpreter_answer(file.string(), version));
    return file.string();
  }
  ErrorCode refusal() {
    const auto python = find_python(tools());
    return python ? ErrorCode::internal : python.error().code();
  }
};

TEST_F(FindPython, IsAskedOnceAndNamesItsBase) {
  have_program("python3");
  const std::string base = interpreter();
  for (int i = 0; i < 2; ++i) {
    const auto python = find_python(tools());
    ASSERT_TRUE(python) << python.error().summary();
    EXPECT_EQ(python->executable, base);
    EXPECT_EQ(python->minor, "3.11");
    EXPECT_EQ(python->tags[1], "cp311-cp311-manylinux_2_36_x86_64");
    EXPECT_EQ(python->markers.at("sys_platform"), "linux");
  }
  ASSERT_EQ(processes.requests.size(), 1U);
  EXPECT_EQ(processes.requests[0].argv[0], (folder / "bin/python3").string());
}

TEST_F(FindPython, AnotherProgramIsAskedAnew) {
  have_program("python3");
  interpreter();
  ASSERT_TRUE(find_python(tools()));
  std::filesystem::last_write_time(folder / "bin/python3",
                                   std::filesystem::file_time_type() + std::chrono::hours(1));
  ASSERT_TRUE(find_python(tools()));
  EXPECT_EQ(processes.requests.size(), 2U);
}

TEST_F(FindPython, TheUsersChoice) {
  have_program("python3");
  have_program("python3.12");
  interpreter("3.12.1");
  environment.set("UV_PYTHON", "3.12");
  ASSERT_TRUE(find_python(tools()));
  EXPECT_EQ(processes.requests[0].argv[0], (folder / "bin/python3.12").string());
  environment.set("UV_PYTHON", "3.12.4");
  EXPECT_EQ(refusal(), ErrorCode::tool_missing) << "it is 3.12.1";
  environment.set("UV_PYTHON", (folder / "bin/python3").string());
  EXPECT_TRUE(find_python(tools()));
}

TEST_F(FindPython, OneThatUvManages) {
  EXPECT_EQ(refusal(), ErrorCode::tool_missing);
  have_program("uv");
  have_program("managed-python");
  interpreter();
  processes.prints("find", (folder / "bin/managed-python").string() + "\n");
  EXPECT_TRUE(find_python(tools()));
}

TEST_F(FindPython, NonsenseIsRefused) {
  have_program("python3");
  for (const std::string& answer :
       {std::string("no json"), std::string("{}"), test::interpreter_answer("python3"),
        test::interpreter_answer("/bin/py\\nhome = /x"),
        test::interpreter_answer("/bin/py", "3.11/../x.7")}) {
    processes.prints("-c", answer);
    EXPECT_EQ(refusal(), ErrorCode::resolution_unreadable) << answer;
  }
  processes.fails("-c", "no module named json");
  EXPECT_EQ(refusal(), ErrorCode::tool_failed);
}

}  // namespace
}  // namespace curupira::registry
