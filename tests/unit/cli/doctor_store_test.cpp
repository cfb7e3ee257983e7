#include "cli/doctor_store.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/unit/cli/doctor_fixture.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using test::about;
using test::says;

class DoctorStore : public testing::Test {
 protected:
  Findings examine(bool busy = false) { return examine_store(*files, home, installed, busy); }

  /// An extension whose content is the tree `digest`.
  void install(const std::string& digest) {
    manifest::Receipt receipt{};
    receipt.name = "acme";
    receipt.reference = "npm:acme";
    receipt.content.digest = digest;
    receipt.trees = {digest};
    manifest::Manifest manifest{};
    manifest.name = "acme";
    installed.extensions.push_back({.manifest = manifest, .folder = "/x", .receipt = receipt});
  }

  curupira::test::TemporaryFolder folder;
  HomeLayout home{folder / "home"};
  std::unique_ptr<FileSystem> files = make_posix_file_system();
  manifest::Discovered installed;
};

TEST_F(DoctorStore, NothingYet) {
  EXPECT_EQ(about(examine(), "content").level, Level::note);
}

TEST_F(DoctorStore, CountsWhatIsThere) {
  folder.write("home/store/v1/blobs/sha256/aa", "12345");
  folder.write("home/store/v1/blobs/sha512/bb", "1234567");
  folder.write("home/store/v1/trees/cc/file", "x");
  folder.write("home/store/v1/trees/cc.listing", "x");
  const Finding finding = about(examine(), "content");
  EXPECT_TRUE(says(finding, "2 artifacts (12 bytes), 1 package tree, 0 environments"));
}

TEST_F(DoctorStore, ATreeWithoutItsMarkIsUnfinished) {
  folder.write("home/store/v1/trees/cc/file", "x");
  const auto findings = examine();
  EXPECT_EQ(findings.at(1).level, Level::note);
  EXPECT_TRUE(says(findings.at(1), "1 object is unfinished"));
}

TEST_F(DoctorStore, AnInstallationThatWasStopped) {
  folder.write("home/store/v1/trees/cc.listing", "x");
  folder.write("home/commit.json", "{}");
  folder.write("home/staging/run-1/x", "x");
  EXPECT_EQ(about(examine(), "journal").level, Level::warning);
  EXPECT_EQ(about(examine(), "staging").level, Level::note);
}

TEST_F(DoctorStore, OfACommandAtWorkNothingIsLeftOver) {
  folder.write("home/store/v1/trees/cc.listing", "x");
  folder.write("home/commit.json", "{}");
  for (const Finding& finding : examine(true))
    EXPECT_EQ(finding.subject, "content");
}

TEST_F(DoctorStore, ATreeThatAReceiptNamesIsMissing) {
  const std::string digest(64, 'a');
  folder.write("home/store/v1/trees/other.listing", "x");
  install(digest);
  const Finding finding = about(examine(), "acme");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, digest));
  EXPECT_TRUE(says(finding, "curupira plugins verify --repair acme"));
}

TEST_F(DoctorStore, ATreeThatIsThereIsNoFinding) {
  const std::string digest(64, 'a');
  folder.write("home/store/v1/trees/" + digest + "/file", "x");
  folder.write("home/store/v1/trees/" + digest + ".listing", "x");
  install(digest);
  const auto findings = examine();
  EXPECT_EQ(findings.size(), 1u) << findings.back().what;
}

}  // namespace
}  // namespace curupira::cli
