#include "registry/python_marker.h"

#include <gtest/gtest.h>

#include "registry/python_version.h"

namespace curupira::registry {
namespace {

const std::map<std::string, std::string, std::less<>> linux_311 = {{"sys_platform", "linux"},
                                                                   {"platform_machine", "x86_64"},
                                                                   {"python_version", "3.11"},
                                                                   {"python_full_version", "3.11.7"},
                                                                   {"implementation_name", "cpython"}};

TEST(PythonMarker, Holds) {
  for (const char* marker :
       {"", "sys_platform == 'linux'", "'linux' == sys_platform", "sys_platform == \"linux\"",
        "sys_platform != 'win32' and python_version >= '3.9'", "python_full_version >= '3.11'",
        "python_full_version == '3.11.*'", "python_full_version != '3.1.*'", "python_version < '3.12'",
        "python_version >= '3.10'", "python_version ~= '3.8'", "python_full_version ~= '3.11.2'",
        "'86' in platform_machine", "platform_machine not in 'arm64 aarch64'",
        "sys_platform == 'win32' or (python_version > '3.2' and implementation_name == 'cpython')",
        "sys_platform=='linux'and(python_version>='3')", "extra == ''"})
    EXPECT_TRUE(marker_holds(marker, linux_311).value_or(false)) << marker;
}

TEST(PythonMarker, DoesNotHold) {
  for (const char* marker :
       {"sys_platform == 'win32'", "python_version < '3.9'", "python_full_version == '3.1.*'",
        "python_full_version < '3.11.7'", "python_version ~= '4.0'", "extra == 'test'",
        "sys_platform == 'linux' and sys_platform == 'win32' or python_version == '2.7'"})
    EXPECT_FALSE(marker_holds(marker, linux_311).value_or(true)) << marker;
}

TEST(PythonMarker, WhatIsNoMarkerIsRefused) {
  for (const std::string& marker :
       {std::string("sys_platform"), std::string("sys_platform =="), std::string("== 'x'"),
        std::string("sys_platform = 'x'"), std::string("sys_platform == 'x"),
        std::string("(sys_platform == 'x'"), std::string("sys_platform == 'x' and"),
        std::string("sys_platform == 'x' 'y'"), std::string(5000, '('),
        std::string(100, '(') + "extra == ''" + std::string(100, ')')}) {
    const auto holds = marker_holds(marker, linux_311);
    ASSERT_FALSE(holds) << marker;
    EXPECT_EQ(holds.error().code(), ErrorCode::resolution_unreadable);
  }
}

TEST(PythonVersion, ByItsNumbers) {
  EXPECT_LT(compare_python_versions("3.9", "3.10"), 0);
  EXPECT_EQ(compare_python_versions("3.10", "3.10.0"), 0);
  EXPECT_GT(compare_python_versions("3.11.7", "3.11"), 0);
  EXPECT_LT(compare_python_versions("3.13.0rc1", "3.13"), 0);
}

TEST(PythonVersion, Spellings) {
  EXPECT_TRUE(same_python_version("1.0", "1.0.0"));
  EXPECT_TRUE(same_python_version("1.0.Post1", "1.0-post1"));
  EXPECT_FALSE(same_python_version("1.0", "1.0.1"));
  EXPECT_FALSE(same_python_version("10", "1"));
  EXPECT_FALSE(same_python_version("1.0rc1", "1.0"));
}

}  // namespace
}  // namespace curupira::registry
