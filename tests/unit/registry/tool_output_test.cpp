#include "registry/tool_output.h"

#include <gtest/gtest.h>

#include "registry/limits.h"

namespace curupira::registry {
namespace {

TEST(ToolOutput, TheLastLinesWithoutEmptyOnes) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "line " + std::to_string(i) + "\r\n\n";
  const std::string shown = last_lines(text);
  EXPECT_TRUE(shown.starts_with("line " + std::to_string(100 - Limits::shown_tool_lines) + "\n")) << shown;
  EXPECT_TRUE(shown.ends_with("\nline 99"));
}

TEST(ToolOutput, ControlCharactersAndPasswordsAreNotShown) {
  EXPECT_EQ(last_lines("\x1b[31mred").find('\x1b'), std::string::npos);
  EXPECT_EQ(last_lines("GET https://user:p@ss@npm.example.org/x and http://a@b/c"),
            "GET https://npm.example.org/x and http://b/c");
  EXPECT_EQ(last_lines("see https://npm.example.org/@acme/x"), "see https://npm.example.org/@acme/x");
}

TEST(ToolOutput, ALongLineIsCut) {
  EXPECT_EQ(last_lines(std::string(10'000, 'x')).size(), Limits::max_warning_bytes);
}

}  // namespace
}  // namespace curupira::registry
