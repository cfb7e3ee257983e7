#include "cli/doctor_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace curupira::cli {
namespace {

using Level = Finding::Level;

const Findings some{
    {.area = "tools", .level = Level::ok, .subject = "node", .what = "20.1.0, /bin/node"},
    {.area = "tools",
     .level = Level::problem,
     .subject = "uv",
     .what = "not on PATH",
     .remedy = "install uv"},
    {.area = "network",
     .level = Level::warning,
     .subject = "https://registry.example.org/npm/",
     .what = "a\nb"},
    {.area = "network", .level = Level::note, .subject = "https://registry.example.org/npm/", .what = "c"},
};

std::string text_of(const Findings& findings) {
  std::istringstream in;
  std::ostringstream out, err;
  Terminal terminal(in, out, err);
  print_findings(terminal, findings);
  return out.str();
}

TEST(DoctorText, AreasAndColumns) {
  EXPECT_EQ(text_of(some),
            "tools\n"
            "  ok       node  20.1.0, /bin/node\n"
            "  problem  uv    not on PATH\n"
            "                 help: install uv\n"
            "\n"
            "network\n"
            "  warning  https://registry.example.org/npm/\n"
            "                 a\n"
            "                 b\n"
            "  note           c\n"
            "\n"
            "1 problem, 1 warning\n");
}

TEST(DoctorText, WithoutAProblem) {
  EXPECT_TRUE(text_of({some[0]}).ends_with("\nno problem\n"));
}

TEST(DoctorText, ControlCharactersAreShown) {
  const std::string text =
      text_of({{.area = "tools", .level = Level::ok, .subject = "a\x1b", .what = "b\x1b[2J"}});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(DoctorJson, EachFindingAndWhetherAllIsWell) {
  const auto document = findings_to_json(some);
  EXPECT_EQ(*document.find_string("schema"), "curupira.doctor.v1");
  EXPECT_EQ(*document.find("healthy")->as_bool(), false);
  const auto& list = *document.find("findings")->as_array();
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(*list[1].find_string("level"), "problem");
  EXPECT_EQ(*list[1].find_string("help"), "install uv");
  EXPECT_EQ(list[0].find("help"), nullptr);
}

}  // namespace
}  // namespace curupira::cli
