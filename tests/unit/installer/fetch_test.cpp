#include "installer/fetch.h"

#include <gtest/gtest.h>

#include "installer/store_session.h"
#include "installer/verified_artifact.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/installer/fakes.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::TemporaryFolder;
using curupira::test::text_of;

class Fetch : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "staging");
    ASSERT_TRUE(StoreSession(store_).prepare());
  }
  registry::Artifact artifact(const std::string& name, const std::string& bytes) {
    const std::string url = "https://registry.example.org/" + name;
    http_.bodies[url] = bytes;
    return {.package = name,
            .version = "1.0.0",
            .file_name = name,
            .location = *Url::parse(url),
            .proof = {.any_of = {digest_of(DigestAlgorithm::sha512, bytes)}}};
  }
  Result<std::vector<FetchedArtifact>> fetch_all(const std::vector<registry::Artifact>& artifacts) {
    fs::remove_all(folder_ / "staging");
    fs::create_directories(folder_ / "staging");
    return fetch({.http = &http_,
                  .files = *files_,
                  .store = store_,
                  .staging = folder_ / "staging",
                  .observer = observer_},
                 artifacts);
  }
  Result<VerifiedArtifact> fetch_one(const registry::Artifact& artifact) {
    CURUPIRA_TRY(auto fetched, fetch_all({artifact}));
    return verify(std::move(fetched.front()), artifact.proof);
  }
  static ErrorCode code_of(const Result<VerifiedArtifact>& result) {
    return result ? ErrorCode::internal : result.error().code();
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  Store store_{HomeLayout{.root = folder_ / "home"}, *files_};
  FakeHttp http_;
  RecordingObserver observer_;
};

TEST_F(Fetch, FetchesVerifiesAndDigestsOnTheWay) {
  const auto verified = fetch_one(artifact("a.tgz", "hello"));
  ASSERT_TRUE(verified) << verified.error().detail();
  EXPECT_EQ(text_of(verified->file()), "hello");
  EXPECT_EQ(verified->size(), 5U);
  EXPECT_EQ(verified->receipt().location, "https://registry.example.org/a.tgz");
}

TEST_F(Fetch, WhatTheStoreHasIsNotFetched) {
  const auto one = artifact("a.tgz", "hello");
  StoreSession session(store_);
  ASSERT_TRUE(session.keep_blob(*fetch_one(one)));
  session.release();
  http_.asked.clear();
  const auto again = fetch_one(one);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->in_store());
  EXPECT_TRUE(http_.asked.empty());
  EXPECT_EQ(observer_.events.back(), "fetch 1 in store 1");
}

TEST_F(Fetch, ADamagedBlobIsFetchedAnew) {
  const auto one = artifact("a.tgz", "hello");
  StoreSession session(store_);
  ASSERT_TRUE(session.keep_blob(*fetch_one(one)));
  session.release();
  const auto blob = store_.blob(one.proof.any_of[0]);
  fs::permissions(blob, fs::perms::owner_all);
  std::ofstream(blob) << "jello";
  const auto again = fetch_one(one);
  ASSERT_TRUE(again);
  EXPECT_EQ(text_of(again->file()), "hello");
}

// microsoft/vscode#230816: expected and found, the source, the bytes read.
TEST_F(Fetch, AnotherDigestShowsBoth) {
  auto wrong = artifact("a.tgz", "hello");
  wrong.proof.any_of = {digest_of(DigestAlgorithm::sha256, "other")};
  const auto verified = fetch_one(wrong);
  ASSERT_EQ(code_of(verified), ErrorCode::digest_mismatch);
  const auto& detail = verified.error().detail();
  EXPECT_NE(detail.find("expected " + digest_of(DigestAlgorithm::sha256, "other").sri()), std::string::npos);
  EXPECT_NE(detail.find("found " + digest_of(DigestAlgorithm::sha256, "hello").sri()), std::string::npos);
  EXPECT_NE(detail.find("https://registry.example.org/a.tgz"), std::string::npos);
  EXPECT_NE(detail.find("5 bytes"), std::string::npos);
}

TEST_F(Fetch, OneOfSeveralDigestsIsEnough) {
  auto two = artifact("a.tgz", "hello");
  two.proof.any_of.push_back(digest_of(DigestAlgorithm::sha512, "other"));
  EXPECT_TRUE(fetch_one(two));
}

TEST_F(Fetch, AnotherSize) {
  auto wrong = artifact("a.tgz", "hello");
  wrong.proof.size = 6;
  EXPECT_EQ(code_of(fetch_one(wrong)), ErrorCode::size_mismatch);
  wrong.proof.size = 4;
  EXPECT_EQ(code_of(fetch_one(wrong)), ErrorCode::size_mismatch) << "cut at the promised size";
}

TEST_F(Fetch, NothingWeakOrMissingVouches) {
  auto weak = artifact("a.tgz", "hello");
  weak.proof.any_of = {digest_of(DigestAlgorithm::sha1, "hello")};
  EXPECT_EQ(code_of(fetch_one(weak)), ErrorCode::integrity_weak);
  weak.proof.any_of.clear();
  EXPECT_EQ(code_of(fetch_one(weak)), ErrorCode::integrity_missing);
  EXPECT_TRUE(http_.asked.empty()) << "noticed before anything is fetched";
}

TEST_F(Fetch, TheLimitStandsInTheError) {
  const auto one = artifact("a.tgz", std::string(2000, 'x'));
  const auto fetched = fetch({.http = &http_,
                              .files = *files_,
                              .store = store_,
                              .staging = folder_ / "staging",
                              .observer = observer_,
                              .limits = {.max_artifact = 1000}},
                             std::span(&one, 1));
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code(), ErrorCode::artifact_too_large);
  EXPECT_NE(fetched.error().detail().find("1,000"), std::string::npos) << fetched.error().detail();
}

TEST_F(Fetch, LocalFilesAreCopiedSoThatTheyCannotChange) {
  auto local = artifact("a.tgz", "hello");
  local.location = folder_.write("a.tgz", "hello");
  const auto verified = fetch_one(local);
  ASSERT_TRUE(verified);
  EXPECT_NE(verified->file(), folder_ / "a.tgz");
  EXPECT_TRUE(http_.asked.empty());
  local.location = folder_ / "missing.tgz";
  EXPECT_EQ(code_of(fetch_one(local)), ErrorCode::file_not_found);
}

TEST_F(Fetch, OneFailureAmongManyNamesItsArtifact) {
  auto missing = artifact("b.tgz", "x");
  http_.bodies.erase("https://registry.example.org/b.tgz");
  const auto fetched = fetch_all({artifact("a.tgz", "hello"), missing});
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code(), ErrorCode::http_not_found);
  EXPECT_NE(fetched.error().doing().front().find("b.tgz"), std::string::npos);
}

TEST_F(Fetch, ProgressAddsUp) {
  auto a = artifact("a.tgz", "hello");
  auto b = artifact("b.tgz", "world!");
  a.proof.size = 5;
  b.proof.size = 6;
  ASSERT_TRUE(fetch_all({a, b}));
  EXPECT_EQ(observer_.events, (std::vector<std::string>{"fetch 2 in store 0", "bytes 5/11", "bytes 11/11"}));
}

}  // namespace
}  // namespace curupira::installer::test
