#include "registry/python_specifiers.h"

#include <gtest/gtest.h>

#include "registry/python_requirement.h"

namespace curupira::registry {
namespace {

TEST(PythonSpecifiers, WhatFits) {
  for (const auto& [version, specifiers] :
       std::vector<std::pair<const char*, const char*>>{{"1.2", ""},
                                                        {"1.2", ">=1,<2"},
                                                        {"1.2.0", "==1.2"},
                                                        {"1.2+cu118", "==1.2"},
                                                        {"1.2+a.1", "==1.2+A-1"},
                                                        {"1.2.7", "==1.2.*"},
                                                        {"1.3", "!=1.2.*"},
                                                        {"1.4.5", "~=1.4"},
                                                        {"1.4.5", "~=1.4.2"},
                                                        {"2.0rc1", ">=1.0"},
                                                        {"2.0rc1", "<2.0rc2"},
                                                        {"1.0.post1", ">1.0.post0"},
                                                        {"1.0-1", ">=1.0.post1"},
                                                        {"1!0.1", ">5"},
                                                        {"v1.0", "===v1.0"},
                                                        {"2024.8.30", ">=2017.4.17 , "}})
    EXPECT_EQ(fits_python_specifiers(version, specifiers), true) << version << ' ' << specifiers;
}

TEST(PythonSpecifiers, WhatDoesNotFit) {
  for (const auto& [version, specifiers] :
       std::vector<std::pair<const char*, const char*>>{{"2.0", ">=1,<2"},
                                                        {"2.0rc1", "<2"},
                                                        {"1.0.post1", ">1.0"},
                                                        {"1.0+local", ">1.0"},
                                                        {"1.2", "==1.2+x"},
                                                        {"1.5", "~=1.4.2"},
                                                        {"2.0", "~=1.4"},
                                                        {"1.20", "==1.2.*"},
                                                        {"1!1.0", "==1.0"},
                                                        {"1.0", "===1.0.0"}})
    EXPECT_EQ(fits_python_specifiers(version, specifiers), false) << version << ' ' << specifiers;
}

TEST(PythonSpecifiers, TheOrderIsThatOfPep440) {
  const std::vector<std::string> ordered{"1.0.dev1", "1.0a1.dev2", "1.0a1",     "1.0a2.post1.dev1", "1.0b1",
                                         "1.0rc1",   "1.0",        "1.0.post1", "1.1.dev1",         "1.1"};
  for (std::size_t i = 0; i + 1 < ordered.size(); ++i) {
    EXPECT_EQ(fits_python_specifiers(ordered[i], "<=" + ordered[i + 1]), true) << ordered[i];
    EXPECT_EQ(fits_python_specifiers(ordered[i + 1], "<=" + ordered[i]), false) << ordered[i];
  }
}

TEST(PythonSpecifiers, WhatCannotBeReadIsNoAnswer) {
  for (const char* specifiers : {"1.0", "=>1", ">=", ">=2.6.*", "~=1", ">=1,,<2", "==x", "@ https://x"})
    EXPECT_EQ(fits_python_specifiers("1.0", specifiers), std::nullopt) << specifiers;
  for (const char* version : {"", "x", "1.0x", "1..0", "1.0+", "1.0 2"})
    EXPECT_EQ(fits_python_specifiers(version, ">=1"), std::nullopt) << version;
}

TEST(PythonRequirement, HasNameExtrasSpecifiersAndMarker) {
  const auto read = parse_python_requirement("My_Lib[a, b-c] (>=1,<2) ; sys_platform == 'linux'");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "my-lib");
  EXPECT_EQ(read->extras, (std::vector<std::string>{"a", "b-c"}));
  EXPECT_EQ(read->specifiers, ">=1,<2");
  EXPECT_EQ(read->marker, "sys_platform == 'linux'");
}

TEST(PythonRequirement, OfAnAddressOnlyTheNameCounts) {
  const auto read = parse_python_requirement("x @ https://example.org/x.whl;a ; python_version < '3'");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "x");
  EXPECT_EQ(read->specifiers, "");
  EXPECT_EQ(read->marker, "python_version < '3'");
}

TEST(PythonRequirement, ShortForms) {
  EXPECT_EQ(parse_python_requirement("x>=1;extra=='y'")->specifiers, ">=1");
  EXPECT_EQ(parse_python_requirement("x>=1;extra=='y'")->marker, "extra=='y'");
  EXPECT_EQ(parse_python_requirement("x")->specifiers, "");
}

TEST(PythonRequirement, WhatIsNone) {
  for (const char* text : {"", " ", "[x]", "x[y", "-r file", "../x"})
    EXPECT_FALSE(parse_python_requirement(text)) << text;
}

}  // namespace
}  // namespace curupira::registry
