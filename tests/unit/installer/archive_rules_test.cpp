#include "installer/archive_rules.h"

#include <gtest/gtest.h>

namespace curupira::installer {
namespace {

using Type = ArchiveEntry::Type;

ArchiveEntry file(std::string path, unsigned mode = 0644) {
  return {.type = Type::file, .path = std::move(path), .mode = mode};
}
ArchiveEntry link(std::string path, std::string target, Type type = Type::symbolic_link) {
  return {.type = type, .path = std::move(path), .link_target = std::move(target)};
}
ArchiveEntry folder(std::string path) {
  return {.type = Type::folder, .path = std::move(path), .mode = 0755};
}

/// The code with which the last of the entries is refused; `internal` when none is.
ErrorCode refusal(const std::vector<ArchiveEntry>& entries, const ArchiveLimits& limits = {}, int strip = 0) {
  ArchiveRules rules(limits, 1000, strip);
  for (const auto& entry : entries) {
    const auto accepted = rules.check(entry);
    if (!accepted) {
      EXPECT_EQ(entry.path, entries.back().path) << "refused too early: " << accepted.error().detail();
      return accepted.error().code();
    }
  }
  return ErrorCode::internal;
}

TEST(ArchiveRules, PathsThatLeaveOrCannotBeUsed) {
  for (const std::string path :
       {"/etc/passwd", "../x", "a/../../x", "a/..", "a//b", "a\\b", "a\x1b[2J", "a\nb", "", "a\xff", "a/./b"})
    EXPECT_EQ(refusal({file(path)}), ErrorCode::archive_path) << path;
  EXPECT_EQ(refusal({file(std::string("a\0b", 3))}), ErrorCode::archive_path);
  EXPECT_EQ(refusal({file(std::string(300, 'n'))}), ErrorCode::archive_path);
  EXPECT_EQ(refusal({file("a/" + std::string(5000, 'n'))}), ErrorCode::archive_path);
}

TEST(ArchiveRules, PathsWithALeadingDotAreFine) {
  ArchiveRules rules({}, 1000, 0);
  const auto accepted = rules.check(file("./a/b"));
  ASSERT_TRUE(accepted && *accepted);
  EXPECT_EQ((*accepted)->path.text(), "a/b");
  const auto root = rules.check(folder("./"));
  ASSERT_TRUE(root);
  EXPECT_FALSE(*root);
}

// ag2ai/ag2#2361: a link is judged from the place where it will stand.
TEST(ArchiveRules, LinksThatLeave) {
  EXPECT_EQ(refusal({link("s", "/etc/passwd")}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({link("s", "../x")}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({file("x"), link("a/s", "../../x")}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({link("h", "/etc/passwd", Type::hard_link)}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({link("h", "../x", Type::hard_link)}), ErrorCode::archive_link);
}

TEST(ArchiveRules, LinksToLaterMissingFoldersOrLinks) {
  EXPECT_EQ(refusal({link("s", "later")}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({folder("d"), link("s", "d")}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({file("f"), link("s", "f"), link("t", "s")}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({file("f"), link("s", "")}), ErrorCode::archive_link);
  EXPECT_EQ(refusal({link("h", "later", Type::hard_link)}), ErrorCode::archive_link);
}

TEST(ArchiveRules, EntriesBehindALink) {
  EXPECT_EQ(refusal({file("f"), link("s", "f"), file("s/x")}), ErrorCode::archive_link);
}

TEST(ArchiveRules, LinksToEarlierFilesAreFine) {
  ArchiveRules rules({}, 1000, 0);
  ASSERT_TRUE(rules.check(file("lib/a.so.1")));
  const auto symbolic = rules.check(link("lib/a.so", "a.so.1"));
  ASSERT_TRUE(symbolic && *symbolic);
  EXPECT_EQ((*symbolic)->target->text(), "lib/a.so.1");
  const auto hard = rules.check(link("copy", "lib/a.so.1", Type::hard_link));
  ASSERT_TRUE(hard && *hard);
  EXPECT_EQ((*hard)->target->text(), "lib/a.so.1");
}

TEST(ArchiveRules, WhatIsNeitherFileFolderNorLink) {
  EXPECT_EQ(refusal({{.type = Type::other, .path = "null", .kind = "a character device"}}),
            ErrorCode::archive_entry_type);
}

TEST(ArchiveRules, SetIdAndStickyBitsOfFiles) {
  for (const unsigned mode : {04755U, 02755U, 01644U})
    EXPECT_EQ(refusal({file("su", mode)}), ErrorCode::archive_mode);
  EXPECT_EQ(refusal({{.type = Type::folder, .path = "d", .mode = 02755}}), ErrorCode::internal)
      << "folders get a mode of ours";
}

TEST(ArchiveRules, TwoEntriesOfOneName) {
  EXPECT_EQ(refusal({file("a"), file("a")}), ErrorCode::archive_duplicate);
  EXPECT_EQ(refusal({file("a/b"), file("./a/b")}), ErrorCode::archive_duplicate);
  EXPECT_EQ(refusal({file("a"), link("b", "a"), file("b")}), ErrorCode::archive_duplicate);
}

TEST(ArchiveRules, NamesThatDifferOnlyInCase) {
  EXPECT_EQ(refusal({file("README"), file("readme")}), ErrorCode::archive_duplicate);
  EXPECT_EQ(refusal({file("lib/a"), file("LIB/b")}), ErrorCode::archive_duplicate);
  EXPECT_EQ(refusal({file("\xc3\x84rger"), file("\xc3\xa4rger")}), ErrorCode::archive_duplicate);
  EXPECT_EQ(refusal({file("\xd0\x9f"), file("\xd0\xbf")}), ErrorCode::archive_duplicate);
}

TEST(ArchiveRules, AFileThatIsAFolderToo) {
  EXPECT_EQ(refusal({file("a"), file("a/b")}), ErrorCode::archive_duplicate);
  EXPECT_EQ(refusal({file("a/b"), file("a")}), ErrorCode::archive_duplicate);
  EXPECT_EQ(refusal({folder("a"), file("a")}), ErrorCode::archive_duplicate);
}

TEST(ArchiveRules, AFolderMayBeNamedAgainAndMayBeMissing) {
  EXPECT_EQ(refusal({file("a/b"), folder("a"), folder("a/"), file("a/c")}), ErrorCode::internal);
}

TEST(ArchiveRules, BombsByCountDepthAndSize) {
  ArchiveLimits limits;
  limits.max_entries = 2;
  EXPECT_EQ(refusal({file("a"), file("b"), file("c")}, limits), ErrorCode::archive_bomb);
  limits = {};
  limits.max_depth = 3;
  EXPECT_EQ(refusal({file("a/b/c/d")}, limits), ErrorCode::archive_bomb);
  limits = {};
  limits.max_file = 10;
  EXPECT_EQ(refusal({{.type = Type::file, .path = "a", .size = 11}}, limits), ErrorCode::archive_bomb);
}

TEST(ArchiveRules, BombsByUnpackedBytesAndRatio) {
  ArchiveLimits limits;
  limits.max_unpacked = 100;
  ArchiveRules size(limits, 1000, 0);
  EXPECT_TRUE(size.count(100, "a"));
  const auto too_large = size.count(1, "a");
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().code(), ErrorCode::archive_bomb);
  EXPECT_NE(too_large.error().detail().find("100 bytes"), std::string::npos)
      << "the limit stands in the message";

  limits = {};
  limits.ratio_floor = 500;
  limits.max_ratio = 10;
  ArchiveRules ratio(limits, 100, 0);
  EXPECT_TRUE(ratio.count(500, "a"));
  EXPECT_TRUE(ratio.count(499, "a"));
  EXPECT_FALSE(ratio.count(1, "a"));
}

TEST(ArchiveRules, StripTakesLeadingFolders) {
  ArchiveRules rules({}, 1000, 1);
  const auto top = rules.check(folder("pkg/"));
  ASSERT_TRUE(top);
  EXPECT_FALSE(*top);
  const auto inside = rules.check(file("pkg/bin/x"));
  ASSERT_TRUE(inside && *inside);
  EXPECT_EQ((*inside)->path.text(), "bin/x");
  const auto linked = rules.check(link("pkg/y", "bin/x"));
  ASSERT_TRUE(linked && *linked);
  EXPECT_EQ((*linked)->target->text(), "bin/x");
}

TEST(ArchiveRules, StripCannotMakeTwoEntriesOne) {
  EXPECT_EQ(refusal({file("a/x"), file("b/x")}, {}, 1), ErrorCode::archive_duplicate);
}

TEST(ArchiveRules, ALinkToWhatIsStrippedAway) {
  EXPECT_EQ(refusal({file("top"), link("a/s", "../top")}, {}, 1), ErrorCode::archive_link);
}

TEST(RelativeTarget, LeadsFromTheLinksFolder) {
  const auto path = [](const char* text) { return *RelativePath::parse(text); };
  EXPECT_EQ(relative_target(path("a"), path("b")), "b");
  EXPECT_EQ(relative_target(path("a/s"), path("a/f")), "f");
  EXPECT_EQ(relative_target(path("a/b/s"), path("c/f")), "../../c/f");
  EXPECT_EQ(relative_target(path("s"), path("c/d/f")), "c/d/f");
}

}  // namespace
}  // namespace curupira::installer
