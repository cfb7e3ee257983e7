#include "installer/lock_file.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/unit/installer/lock_text.h"

namespace curupira::installer::test {
namespace {

struct Change {
  std::string from, to;
};

std::string changed(const Change& change) {
  std::string text = lock_text();
  const auto place = text.find(change.from);
  EXPECT_NE(place, std::string::npos) << change.from;
  return text.replace(place, change.from.size(), change.to);
}

Error refusal(const std::string& text) {
  const auto lock = parse_lock(text, "curupira.lock");
  return lock ? Error(ErrorCode::internal, "it was read") : lock.error();
}

TEST(LockFile, WhatWasWrittenIsWrittenAgainByteForByte) {
  const auto lock = parse_lock(lock_text(), "curupira.lock");
  ASSERT_TRUE(lock) << lock.error().detail();
  EXPECT_EQ(write_lock(*lock), lock_text());
}

TEST(LockFile, IsRead) {
  const auto lock = parse_lock(lock_text(), "curupira.lock");
  ASSERT_TRUE(lock) << lock.error().detail();
  ASSERT_EQ(lock->extensions.size(), 2u);
  const auto& acme = lock->extensions[0];
  EXPECT_EQ(acme.reference, "npm:@acme/ext@^1.2");
  EXPECT_EQ(acme.permissions, (std::vector<std::string>{"network", "say \"hi\""}));
  ASSERT_EQ(acme.artifacts.size(), 2u);
  EXPECT_EQ(acme.artifacts[1].locations.size(), 2u);
  EXPECT_TRUE(acme.artifacts[1].is_for(*manifest::Platform::parse("linux-x86_64")));
  EXPECT_FALSE(acme.artifacts[1].is_for(*manifest::Platform::parse("darwin-arm64")));
  EXPECT_TRUE(acme.artifacts[0].is_for(*manifest::Platform::parse("darwin-arm64")));
}

TEST(LockFile, ACommandThatConcernsOneExtensionLeavesTheOtherLinesAlone) {
  auto lock = parse_lock(lock_text(), "curupira.lock");
  ASSERT_TRUE(lock);
  LockedExtension folder = *lock->find("folder");
  EXPECT_TRUE(lock->remove("folder"));
  const std::string without = write_lock(*lock);
  EXPECT_TRUE(lock_text().starts_with(without));
  lock->put(folder);
  EXPECT_EQ(write_lock(*lock), lock_text());
}

TEST(LockFile, EntriesStandInOrderWhoeverAddsThem) {
  auto lock = parse_lock(lock_text(), "curupira.lock");
  ASSERT_TRUE(lock);
  LockFile other{.comment = lock->comment, .platforms = lock->platforms, .extensions = {}};
  other.put(*lock->find("folder"));
  other.put(*lock->find("acme"));
  EXPECT_EQ(write_lock(other), lock_text());
}

TEST(LockFile, AMergeConflictIsNamedWithItsLine) {
  const auto error = refusal(changed({"name = \"folder\"", "<<<<<<< HEAD\nname = \"folder\""}));
  EXPECT_EQ(error.code(), ErrorCode::lock_conflict);
  EXPECT_NE(error.detail().find("curupira.lock:39"), std::string::npos) << error.detail();
}

TEST(LockFile, ANewerFormatIsRefused) {
  EXPECT_EQ(refusal(changed({"lock_version = 1", "lock_version = 2"})).code(), ErrorCode::lock_version);
}

TEST(LockFile, TextThatIsNoTomlIsRefused) {
  EXPECT_EQ(refusal("lock_version = ").code(), ErrorCode::lock_syntax);
}

TEST(LockFile, ArtifactsThatAllPlatformsNeedNameNone) {
  const auto lock = parse_lock(lock_text(), "curupira.lock");
  ASSERT_TRUE(lock);
  const LockedArtifact artifact = lock->extensions[0].artifacts[1];
  LockedArtifact mac = artifact;
  mac.platforms = {*manifest::Platform::parse("darwin-arm64")};
  std::vector<LockedArtifact> artifacts{mac, artifact};
  normalize(artifacts, lock->platforms);
  ASSERT_EQ(artifacts.size(), 1u);
  EXPECT_TRUE(artifacts[0].platforms.empty());
}

class WrongField : public ::testing::TestWithParam<Change> {};

TEST_P(WrongField, IsNamedWithItsPlace) {
  const auto error = refusal(changed(GetParam()));
  EXPECT_EQ(error.code(), ErrorCode::lock_field) << error.detail();
  EXPECT_TRUE(error.detail().starts_with("curupira.lock:")) << error.detail();
}

INSTANTIATE_TEST_SUITE_P(
    Lock, WrongField,
    ::testing::Values(
        Change{"lock_version = 1", "lock_version = 0"}, Change{"lock_version = 1\n", ""},
        Change{"\"darwin-arm64\", \"linux-x86_64\"", "\"linux-x86_64\", \"darwin-arm64\""},
        Change{"\"darwin-arm64\", \"linux-x86_64\"", "\"linux-quantum\""},
        Change{"name = \"acme\"", "name = \"../acme\""}, Change{"name = \"folder\"", "name = \"acme\""},
        Change{"reference = \"npm:@acme/ext@^1.2\"", "reference = \"npm:@acme/other@^1.2\""},
        Change{"reference = \"path:../folder\"", "reference = \"path:/home/me/folder\""},
        Change{"source = \"npm:@acme\"", "source = \"npm:@other\""},
        Change{"source = \"path\"", "source = \"pip\""}, Change{"launch = \"npx\"", "launch = \"zork\""},
        Change{"level = \"digest\"", "level = \"registry-signed\""},
        Change{"level = \"digest\"", "level = \"zork\""},
        Change{"manifest = \"sha256-", "manifest = \"sha1-"}, Change{"size = 123", "size = -1"},
        Change{"digest = \"sha512-", "digest = \"sha256-"}, Change{"tree = \"aaaa", "tree = \"AAAA"},
        Change{"node_modules/@acme/ext", "../@acme/ext"},
        Change{"platforms = [\"linux-x86_64\"]", "platforms = [\"linux-aarch64\"]"},
        Change{"size = 5", "sizes = 5"}, Change{"permissions = []", "permission = []"}));

// Fields that contradict each other, or belong to another kind of extension.
INSTANTIATE_TEST_SUITE_P(
    Contradictions, WrongField,
    ::testing::Values(
        Change{"launch = \"npx\"", "launch = \"uvx\""}, Change{"launch = \"npx\"", "launch = \"executable\""},
        Change{"launch = \"npx\"\n", "launch = \"npx\"\npython = \"3.11\"\n"},
        Change{"launch = \"npx\"\n", "launch = \"npx\"\ntree = \"" + std::string(64, 'a') + "\"\n"},
        Change{"version = \"1.2.7\"\nfile", "version = \"1.2.6\"\nfile"},
        Change{"file = \"ext-1.2.7.tgz\"", "file = \"ext-1.2.8.tgz\""},
        Change{"package = \"native\"", "package = \"narrative\""},
        Change{"level = \"registry-signed\"\n", "level = \"registry-signed\"\nmarker = \"x\"\n"}));

TEST(LockFile, APythonEntryHasItsPythonAndFilesOfItsPackages) {
  const std::string text = curupira::test::text_of(std::filesystem::path(CURUPIRA_SOURCE_FOLDER) /
                                                   "fuzz/corpus/lock/pip_and_path.lock");
  ASSERT_TRUE(parse_lock(text, "curupira.lock"));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"python = \"3.11\"\n", ""},
           {"python = \"3.11\"", "python = \"three\""},
           {"launch = \"uvx\"", "launch = \"npx\""},
           {"file = \"py-1.0.0-", "file = \"py-1.0.1-"},
           {"file = \"py-1.0.0-", "file = \"other-1.0.0-"},
           {"marker = \"sys_platform", "marker = \"sys platform"},
           {"marker = \"", "platforms = [\"linux-x86_64\"]\nmarker = \""},
           {"marker = \"", "locations = [\"node_modules/py\"]\nmarker = \""}}) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    const auto lock = parse_lock(changed, "curupira.lock");
    ASSERT_FALSE(lock) << to;
    EXPECT_EQ(lock.error().code(), ErrorCode::lock_field) << to;
  }
}

}  // namespace
}  // namespace curupira::installer::test
