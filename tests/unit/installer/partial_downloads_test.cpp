#include "installer/partial_downloads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "installer/fetch.h"
#include "installer/limits.h"
#include "installer/store_session.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/installer/fakes.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::TemporaryFolder;
using curupira::test::text_of;

const std::string whole = std::string(2 << 20, 'a') + std::string(1 << 20, 'b');

/// A server that knows ranges and can break off.
class RangeHttp final : public HttpClient {
 public:
  void perform(std::span<HttpTransfer> transfers) override {
    for (HttpTransfer& transfer : transfers)
      transfer.outcome = answer(transfer);
  }
  std::string body = whole;
  std::string tag = "\"v1\"";
  std::size_t breaks_after = std::string::npos;  ///< bytes of the whole
  std::vector<std::uint64_t> asked_from;

 private:
  Result<HttpResponse> answer(HttpTransfer& transfer) {
    const auto& resume = transfer.request.resume;
    asked_from.push_back(resume ? resume->offset : 0);
    HttpResponse response{.status = 200, .url = transfer.request.url, .body_bytes = body.size()};
    if (!tag.empty()) response.headers.emplace_back("etag", tag);
    std::size_t from = 0;
    if (resume && resume->validator == tag && resume->offset < body.size()) {
      response.status = 206;
      from = resume->offset;
    } else if (resume) {
      CURUPIRA_CHECK(transfer.body->restart());
    }
    if (transfer.on_answer) CURUPIRA_CHECK(transfer.on_answer(response));
    const std::string rest = body.substr(from, std::max(breaks_after, from) - from);
    CURUPIRA_CHECK(transfer.body->write(std::as_bytes(std::span(rest))));
    if (breaks_after < body.size()) return fail(ErrorCode::transfer_truncated, "broken off");
    return response;
  }
};

class PartialFetch : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(StoreSession(store_).prepare()); }
  Result<FetchedArtifact> run(const std::string& promised = whole, std::optional<std::uint64_t> size = {}) {
    fs::remove_all(folder_ / "staging");
    fs::create_directories(folder_ / "staging");
    const std::vector<registry::Artifact> artifacts{
        {.package = "x",
         .version = "1.0.0",
         .file_name = "x.tgz",
         .location = *Url::parse("https://example.org/x.tgz"),
         .proof = {.any_of = {digest_of(DigestAlgorithm::sha256, promised)}, .size = size}}};
    CURUPIRA_TRY(auto fetched, fetch({.http = &http_,
                                      .files = *files_,
                                      .store = store_,
                                      .staging = folder_ / "staging",
                                      .observer = observer_},
                                     artifacts));
    return std::move(fetched.front());
  }
  void break_off_after(std::size_t bytes) {
    http_.breaks_after = bytes;
    ASSERT_FALSE(run());
    http_.breaks_after = std::string::npos;
    http_.asked_from.clear();
  }
  fs::path partial() const { return folder_ / "home/cache/partial"; }
  fs::path part() const {
    return partial() / ("sha256-" + digest_of(DigestAlgorithm::sha256, whole).hex() + ".part");
  }
  bool nothing_is_kept() const { return !fs::exists(partial()) || fs::is_empty(partial()); }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  Store store_{HomeLayout{.root = folder_ / "home"}, *files_};
  RangeHttp http_;
  RecordingObserver observer_;
};

TEST_F(PartialFetch, TheNextRunAsksForTheRest) {
  break_off_after(2 << 20);
  EXPECT_EQ(fs::file_size(part()), 2u << 20);
  const auto fetched = run();
  ASSERT_TRUE(fetched) << fetched.error().detail();
  EXPECT_EQ(http_.asked_from, std::vector<std::uint64_t>{2u << 20});
  EXPECT_EQ(fetched->digests.front(), digest_of(DigestAlgorithm::sha256, whole)) << "of all bytes";
  EXPECT_EQ(fetched->size, whole.size());
  EXPECT_EQ(text_of(fetched->file), whole);
  EXPECT_TRUE(nothing_is_kept());
}

TEST_F(PartialFetch, BreakingOffTwiceLosesNothing) {
  break_off_after(1 << 20);
  break_off_after(2 << 20);
  ASSERT_TRUE(run());
  EXPECT_EQ(http_.asked_from, std::vector<std::uint64_t>{2u << 20});
}

TEST_F(PartialFetch, AChangedFileBeginsAnew) {
  break_off_after(2 << 20);
  http_.tag = "\"v2\"";
  const auto fetched = run();
  ASSERT_TRUE(fetched);
  EXPECT_EQ(text_of(fetched->file), whole);
  EXPECT_TRUE(nothing_is_kept());
}

TEST_F(PartialFetch, ADamagedPartLeadsToASecondTry) {
  break_off_after(2 << 20);
  {
    std::fstream file(part(), std::ios::in | std::ios::out | std::ios::binary);
    file << "damaged";
  }
  const auto fetched = run();
  ASSERT_TRUE(fetched);
  EXPECT_EQ(http_.asked_from, (std::vector<std::uint64_t>{2u << 20, 0}));
  EXPECT_EQ(text_of(fetched->file), whole);
  EXPECT_TRUE(nothing_is_kept());
}

TEST_F(PartialFetch, APartWithForeignBytesLeadsToASecondTry) {
  break_off_after(2 << 20);
  std::ofstream(part(), std::ios::app | std::ios::binary) << "more";
  const auto fetched = run(whole, whole.size());
  ASSERT_TRUE(fetched) << fetched.error().detail();
  EXPECT_EQ(text_of(fetched->file), whole);
}

TEST_F(PartialFetch, APartThatIsLongerThanPromisedIsDropped) {
  break_off_after(2 << 20);
  fs::resize_file(part(), whole.size() + 1);
  ASSERT_TRUE(run(whole, whole.size()));
  EXPECT_EQ(http_.asked_from, std::vector<std::uint64_t>{0});
}

TEST_F(PartialFetch, APartWithoutItsNoteIsDropped) {
  break_off_after(2 << 20);
  fs::remove(part().replace_extension(".json"));
  ASSERT_TRUE(run());
  EXPECT_EQ(http_.asked_from, std::vector<std::uint64_t>{0});
}

TEST_F(PartialFetch, WhatCannotBeResumedIsNotKept) {
  http_.tag = "";
  break_off_after(2 << 20);
  EXPECT_TRUE(nothing_is_kept());
}

TEST_F(PartialFetch, WhatIsSmallIsNotKept) {
  http_.body = std::string(1000, 'x');
  break_off_after(500);
  EXPECT_TRUE(nothing_is_kept());
}

TEST_F(PartialFetch, ASymbolicLinkIsNoPart) {
  break_off_after(2 << 20);
  const auto victim = folder_.write("victim", "mine");
  fs::remove(part());
  fs::create_symlink(victim, part());
  ASSERT_TRUE(run());
  EXPECT_EQ(text_of(victim), "mine");
}

TEST_F(PartialFetch, OldPartsGo) {
  break_off_after(2 << 20);
  for (const auto& each : fs::directory_iterator(partial()))
    fs::last_write_time(each, fs::last_write_time(each) - std::chrono::hours(8 * 24));
  ASSERT_TRUE(run());
  EXPECT_EQ(http_.asked_from, std::vector<std::uint64_t>{0});
}

TEST(PartialDownloads, TheOldestGoWhenThereIsTooMuch) {
  const TemporaryFolder folder;
  const auto files = make_posix_file_system();
  for (const char* name : {"old.part", "new.part"}) {
    const auto file = folder.write(name, "x");
    fs::resize_file(file, max_partial_bytes / 2 + 1);  // takes no room: it is a hole
  }
  fs::last_write_time(folder / "old.part", fs::last_write_time(folder / "old.part") - std::chrono::hours(1));
  PartialDownloads partials(*files, folder.path());
  partials.tidy(std::chrono::system_clock::time_point(files->status(folder / "new.part").value()->modified));
  EXPECT_FALSE(fs::exists(folder / "old.part"));
  EXPECT_TRUE(fs::exists(folder / "new.part"));
}

}  // namespace
}  // namespace curupira::installer::test
