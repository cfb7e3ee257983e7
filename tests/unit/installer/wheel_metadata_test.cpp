#include "installer/wheel_metadata.h"

#include <gtest/gtest.h>

namespace curupira::installer {
namespace {

TEST(WheelNeeds, AreTheRequirementsOfTheHead) {
  const WheelNeeds needs = parse_wheel_needs(
      "Metadata-Version: 2.1\nName: x\nRequires-Python: >=3.9\nRequires-Dist: a>=1 ; extra == 'b'\n"
      "requires-dist: Dep_Two (==2)\nRequires-Dist: ???\n\nRequires-Dist: of-the-text\n");
  EXPECT_EQ(needs.python, ">=3.9");
  ASSERT_EQ(needs.packages.size(), 2U);
  EXPECT_EQ(needs.packages[0].marker, "extra == 'b'");
  EXPECT_EQ(needs.packages[1].name, "dep-two");
  EXPECT_EQ(needs.packages[1].specifiers, "==2");
}

TEST(WheelMetadata, IdentityIsInTheHeadOnly) {
  const auto identity =
      parse_wheel_identity("Metadata-Version: 2.1\r\nname: My.Pkg\r\nVersion:  1.0 \r\n\r\nName: x\n");
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->name, "My.Pkg");
  EXPECT_EQ(identity->version, "1.0");
  for (const char* text : {"", "Name: x\n", "\nName: x\nVersion: 1\n", "Name:\nVersion: 1\n"})
    EXPECT_FALSE(parse_wheel_identity(text)) << text;
}

TEST(WheelMetadata, FormatAndRoot) {
  EXPECT_TRUE(*parse_root_is_purelib("Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"));
  EXPECT_FALSE(*parse_root_is_purelib("Wheel-Version: 1.9\nRoot-Is-Purelib: False\n"));
  for (const char* text :
       {"", "Wheel-Version: 2.0\nRoot-Is-Purelib: true\n", "Wheel-Version: 10.0\nRoot-Is-Purelib: true\n",
        "Wheel-Version: 1.0\n", "Wheel-Version: 1.0\nRoot-Is-Purelib: maybe\n"}) {
    const auto root = parse_root_is_purelib(text);
    ASSERT_FALSE(root) << text;
    EXPECT_EQ(root.error().code(), ErrorCode::wheel_invalid);
  }
}

TEST(WheelRecord, ReadsWhatItWrites) {
  const Digest digest = digest_of(DigestAlgorithm::sha256, "x");
  std::string text;
  for (const char* path : {"a.py", "with, comma", "with \"quotes\"", "über/ñ.py"})
    text += record_line(path, digest, 1);
  const auto record =
      parse_wheel_record(text + record_line("x.dist-info/RECORD", std::nullopt, 0) + "folder/,,\n\n");
  ASSERT_TRUE(record) << record.error().summary();
  ASSERT_EQ(record->size(), 5U);
  EXPECT_EQ(record->at("with, comma"), digest);
  EXPECT_EQ(record->at("with \"quotes\""), digest);
  EXPECT_EQ(record->at("über/ñ.py"), digest);
  EXPECT_FALSE(record->at("x.dist-info/RECORD"));
}

TEST(WheelRecord, WhatCannotBeTrusted) {
  const auto code = [](const std::string& text) {
    const auto record = parse_wheel_record(text);
    return record ? ErrorCode::internal : record.error().code();
  };
  EXPECT_EQ(code("a.py,md5=AAAA,1\n"), ErrorCode::integrity_weak);
  EXPECT_EQ(code("a.py,sha1=AAAA,1\n"), ErrorCode::integrity_weak);
  for (const char* text :
       {"a.py\n", "a,b,c,d\n", "a.py,sha256=AAAA,1\n", "a.py,sha256=$$,1\n", "\"a.py,,\n", "\xff,,\n"})
    EXPECT_EQ(code(text), ErrorCode::wheel_invalid) << text;
  EXPECT_EQ(code(record_line("a", digest_of(DigestAlgorithm::sha256, "1"), 1) +
                 record_line("a", digest_of(DigestAlgorithm::sha256, "2"), 1)),
            ErrorCode::wheel_invalid);
}

TEST(ScriptEntries, OfTheirTwoSectionsOnly) {
  const auto scripts = parse_script_entries(
      "# x\n[gui_scripts]\nwindow = a:b\n\n[console_scripts]\r\n b = m.n:f.g [extra1, extra2]\r\na=m:g\n; c "
      "= d\n"
      "[other.group]\nz = nonsense here\n");
  ASSERT_TRUE(scripts) << scripts.error().summary();
  EXPECT_EQ(*scripts, (std::vector<ScriptEntry>{{"a", "m", "g"}, {"b", "m.n", "f.g"}, {"window", "a", "b"}}));
  EXPECT_TRUE(parse_script_entries("")->empty());
}

TEST(ScriptEntries, NoPathsAndNoCode) {
  for (const std::string line : {"../x = m:f", "a/b = m:f", ".hidden = m:f", "x = m", "x = m:", "x = :f",
                                 "x = m:f()", "x = m;import os:f", "x = m:f; import os", "x = 1m:f",
                                 "x = m..n:f", "x\x1b[1m = m:f", "x", " = m:f"}) {
    const auto scripts = parse_script_entries("[console_scripts]\n" + line + "\n");
    ASSERT_FALSE(scripts) << line;
    EXPECT_EQ(scripts.error().code(), ErrorCode::wheel_invalid);
  }
  EXPECT_FALSE(parse_script_entries("[console_scripts]\nx = m:f\nx = m:g\n"));
  EXPECT_TRUE(parse_script_entries("[console_scripts]\nx = m:f\nx = m:f\n"));
}

TEST(ScriptText, StartsThePython) {
  const std::string text = script_text({"x", "pkg.mod", "Class.run"}, "/home/u/.curupira/e/bin/python");
  EXPECT_TRUE(text.starts_with("#!/home/u/.curupira/e/bin/python -B\n")) << text;
  EXPECT_NE(text.find("from pkg.mod import Class\n"), std::string::npos);
  EXPECT_NE(text.find("sys.exit(Class.run())"), std::string::npos);
}

TEST(ScriptText, APathThatTheKernelDoesNotTake) {
  for (const std::string& python :
       {std::string("/with space/python"), "/" + std::string(200, 'x') + "/python"}) {
    const std::string head = script_head(python);
    EXPECT_TRUE(head.starts_with("#!/bin/sh\n")) << head;
    EXPECT_NE(head.find("'" + python + "'"), std::string::npos);
  }
}

}  // namespace
}  // namespace curupira::installer
