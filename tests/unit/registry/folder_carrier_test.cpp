#include "registry/folder_carrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;
using curupira::test::FaultyFileSystem;
using curupira::test::text_of;

const std::string content = "the bytes of the artifact";
const Digest sha256 = digest_of(DigestAlgorithm::sha256, content);
const std::string path = "artifacts/" + sha256.hex() + ".x.tar.gz";

class FolderCarrierTest : public ::testing::Test {
 protected:
  Result<> put() { return carrier.put_target(path, source, sha256, content.size()); }
  std::vector<std::string> left() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(registry)) {
      if (entry.is_regular_file()) all.push_back(fs::relative(entry.path(), registry).string());
    }
    return all;
  }

  curupira::test::TemporaryFolder folder;
  fs::path registry = folder.path() / "registry";
  fs::path source = folder.write("source", content);
  std::unique_ptr<FileSystem> real = make_posix_file_system();
  FaultyFileSystem files{*real};
  FolderCarrier carrier{files, registry};
};

TEST_F(FolderCarrierTest, AFileOfAnotherSizeOrDigestIsNotTaken) {
  EXPECT_EQ(carrier.put_target(path, source, sha256, 7).error().code(), ErrorCode::size_mismatch);
  const Digest other = digest_of(DigestAlgorithm::sha256, "other");
  EXPECT_EQ(carrier.put_target(path, source, other, content.size()).error().code(),
            ErrorCode::digest_mismatch);
  EXPECT_TRUE(!fs::exists(registry) || left().empty());
}

TEST_F(FolderCarrierTest, WhatIsThereIsNeverReplaced) {
  folder.write("registry/targets/" + path, "something else");
  EXPECT_EQ(put().error().code(), ErrorCode::carrier_taken);
  EXPECT_EQ(text_of(registry / "targets" / path), "something else");
}

TEST_F(FolderCarrierTest, WithoutHardLinksFilesAreMoved) {
  files.no_hard_links = true;
  ASSERT_TRUE(put());
  ASSERT_TRUE(carrier.put_metadata("1.root.json", "{}"));
  EXPECT_THAT(left(), ::testing::UnorderedElementsAre("targets/" + path, "metadata/1.root.json"));
  EXPECT_EQ(carrier.put_metadata("1.root.json", "{ }").error().code(), ErrorCode::carrier_taken);
}

TEST_F(FolderCarrierTest, AtEveryFaultTheFileIsWholeOrAbsent) {
  files.set_fault(FaultyFileSystem::Fault::none, 0);
  ASSERT_TRUE(put());
  ASSERT_TRUE(carrier.put_metadata("7.snapshot.json", "{}"));
  ASSERT_TRUE(carrier.put_metadata("timestamp.json", "{\"version\":1}"));
  const int operations = files.count();
  ASSERT_GT(operations, 10);
  for (const auto fault : {FaultyFileSystem::Fault::fails, FaultyFileSystem::Fault::crashes}) {
    for (int at = 1; at <= operations; ++at) {
      fs::remove_all(registry);
      folder.write("registry/metadata/timestamp.json", "{\"version\":0}");
      files.set_fault(fault, at);
      const bool done = put() && carrier.put_metadata("7.snapshot.json", "{}") &&
                        carrier.put_metadata("timestamp.json", "{\"version\":1}");
      const std::string target = text_of(registry / "targets" / path);
      const std::string snapshot = text_of(registry / "metadata/7.snapshot.json");
      const std::string timestamp = text_of(registry / "metadata/timestamp.json");
      EXPECT_TRUE(target.empty() || target == content) << at;
      EXPECT_TRUE(snapshot.empty() || snapshot == "{}") << at;
      EXPECT_TRUE(timestamp == "{\"version\":0}" || timestamp == "{\"version\":1}") << at;
      EXPECT_TRUE(timestamp != "{\"version\":1}" || (!target.empty() && !snapshot.empty())) << at;
      EXPECT_TRUE(!done || timestamp == "{\"version\":1}") << at;
      // The next run goes on from there.
      files.set_fault(FaultyFileSystem::Fault::none, 0);
      EXPECT_TRUE(put()) << at;
      EXPECT_TRUE(carrier.put_metadata("7.snapshot.json", "{}")) << at;
    }
  }
}

}  // namespace
}  // namespace curupira::registry
