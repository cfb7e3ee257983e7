#include "cli/doctor_file_system.h"

#include <gtest/gtest.h>

#include "base/file_lock.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/cli/doctor_fixture.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using test::about;
using test::says;

TEST(DoctorVolume, LittleSpaceIsAProblemAndScarceAWarning) {
  const auto level_with = [](std::uint64_t bytes) {
    return about(judge_volume({.type = "ext4", .free_bytes = bytes}, "/h"), "space").level;
  };
  EXPECT_EQ(level_with(little_space - 1), Level::problem);
  EXPECT_EQ(level_with(scarce_space - 1), Level::warning);
  EXPECT_EQ(level_with(scarce_space), Level::ok);
}

TEST(DoctorVolume, HowItIsMounted) {
  const auto volume_with = [](Volume volume) {
    volume.free_bytes = scarce_space;
    return about(judge_volume(volume, "/h"), "volume");
  };
  EXPECT_EQ(volume_with({.type = "ext4", .read_only = true}).level, Level::problem);
  EXPECT_EQ(volume_with({.type = "tmpfs", .no_programs = true}).level, Level::problem);
  EXPECT_EQ(volume_with({.type = "nfs", .over_network = true}).level, Level::note);
}

class DoctorFileSystem : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(home.store());
    std::filesystem::create_directories(home.extensions());
  }
  Findings examine() { return examine_file_system(files, home); }
  bool nothing_is_left() {
    return std::filesystem::is_empty(home.staging()) && std::filesystem::is_empty(home.store()) &&
           std::filesystem::is_empty(home.extensions());
  }

  curupira::test::TemporaryFolder folder;
  HomeLayout home{folder / "home"};
  std::unique_ptr<FileSystem> real = make_posix_file_system();
  curupira::test::FaultyFileSystem files{*real};
};

TEST_F(DoctorFileSystem, AGoodOneIsTriedAndLeftAsItWas) {
  const auto findings = examine();
  EXPECT_EQ(about(findings, "home").level, Level::ok);
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(DoctorFileSystem, ThatDoesNotTellCasesApart) {
  files.fold_case();
  const Finding finding = about(examine(), "case");
  EXPECT_EQ(finding.level, Level::warning);
  EXPECT_TRUE(says(finding, "CURUPIRA_HOME"));
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(DoctorFileSystem, WithoutHardLinks) {
  files.no_hard_links = true;
  EXPECT_EQ(about(examine(), "hard links").level, Level::warning);
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(DoctorFileSystem, WithoutExchange) {
  files.no_exchange = true;
  EXPECT_EQ(about(examine(), "exchange").level, Level::note);
}

TEST_F(DoctorFileSystem, WhereNothingCanBeChanged) {
  files.set_fault(curupira::test::FaultyFileSystem::Fault::crashes, 1);
  const Finding finding = about(examine(), "home");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "CURUPIRA_HOME"));
}

TEST_F(DoctorFileSystem, WhatFailsInTheTrialsIsNamed) {
  // Every operation once: whatever fails, doctor says so and goes on.
  files.set_fault(curupira::test::FaultyFileSystem::Fault::none, 0);
  examine();
  const int operations = files.count();
  for (int n = 1; n <= operations; ++n) {
    files.set_fault(curupira::test::FaultyFileSystem::Fault::fails, n);
    const auto findings = examine();
    const bool said = std::ranges::any_of(findings, [](const Finding& f) { return f.level != Level::ok; });
    // The last one removes the folder of the trials, which the next command does as well.
    EXPECT_TRUE(said || n == operations) << "operation " << n << " of " << operations;
  }
}

TEST_F(DoctorFileSystem, WhileAnotherCommandIsAtWorkNothingIsTried) {
  const auto lock = FileLock::acquire(home.lock(), FileLock::Mode::exclusive);
  ASSERT_TRUE(lock);
  EXPECT_TRUE(says(about(examine(), "home"), "another curupira command"));
}

TEST_F(DoctorFileSystem, AHomeThatIsNotThereIsNotMade) {
  const HomeLayout other{folder / "other"};
  const auto findings = examine_file_system(files, other);
  EXPECT_EQ(about(findings, "home").level, Level::note);
  EXPECT_FALSE(std::filesystem::exists(other.root));
}

}  // namespace
}  // namespace curupira::cli
