#include "registry/mirrored_carrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "registry/carried_target.h"

namespace curupira::registry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What a carrier has, and how it fails.
struct Behaviour {
  std::map<std::string, std::string> files = {};  ///< by name or path
  std::optional<ErrorCode> error = {};            ///< of every question
};

class FakeCarrier final : public Carrier {
 public:
  FakeCarrier(std::string name, Behaviour behaviour, std::vector<std::string>& asked)
      : name_(std::move(name)), behaviour_(std::move(behaviour)), asked_(asked) {}
  std::string name() const override { return name_; }
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t) override {
    asked_.push_back(name_ + " " + file_name);
    if (behaviour_.error) return fail(*behaviour_.error, "injected");
    const auto found = behaviour_.files.find(file_name);
    if (found == behaviour_.files.end()) return std::nullopt;
    return found->second;
  }
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override {
    asked_.push_back(name_ + " " + path);
    if (behaviour_.error) return fail(*behaviour_.error, "injected");
    CURUPIRA_TRY(const auto target, CarriedTarget::parse(path, sha256));
    const auto found = behaviour_.files.find(path);
    if (found == behaviour_.files.end()) return fail(ErrorCode::carrier_file_missing, path);
    TargetCheck check(target, name_, max_bytes, sink);
    CURUPIRA_CHECK(check.write(std::as_bytes(std::span(found->second))));
    return check.finish();
  }

 private:
  std::string name_;
  Behaviour behaviour_;
  std::vector<std::string>& asked_;
};

/// Takes nothing.
class FullSink final : public ByteSink {
 public:
  Result<> write(std::span<const std::byte>) override { return fail(ErrorCode::file_failed, "no room"); }
  Result<> restart() override { return {}; }
};

class MirroredCarrierTest : public ::testing::Test {
 protected:
  MirroredCarrier mirrored(std::vector<Behaviour> behaviours) {
    std::vector<std::unique_ptr<Carrier>> carriers;
    char name = 'a';
    for (Behaviour& behaviour : behaviours)
      carriers.push_back(std::make_unique<FakeCarrier>(std::string(1, name++), std::move(behaviour), asked));
    return MirroredCarrier(std::move(carriers), diagnostics);
  }
  std::vector<std::string> asked;
  CollectedDiagnostics diagnostics;
};

const std::string good = "good";
const std::string path = "artifacts/" + digest_of(DigestAlgorithm::sha256, good).hex() + ".x";

TEST_F(MirroredCarrierTest, ASinkThatTakesNothingIsNobodysFault) {
  auto carrier = mirrored({{.files = {{path, good}}}, {.files = {{path, good}}}});
  FullSink sink;
  EXPECT_EQ(carrier.target(path, nullptr, 100, sink).error().code(), ErrorCode::file_failed);
  EXPECT_THAT(asked, ElementsAre("a " + path));
  EXPECT_TRUE(diagnostics.all.empty());
}

TEST_F(MirroredCarrierTest, OneWithBadBytesIsAskedForOtherFiles) {
  auto carrier = mirrored({{.files = {{path, "bad!"}, {"1.root.json", "{}"}}}, {.files = {{path, good}}}});
  StringSink sink(100);
  ASSERT_TRUE(carrier.target(path, nullptr, 100, sink));
  EXPECT_EQ(sink.text(), good);
  ASSERT_EQ(diagnostics.all.size(), 1u);
  EXPECT_THAT(diagnostics.all[0].text, HasSubstr("a gave something else"));
  EXPECT_EQ(carrier.metadata("1.root.json", 100).value(), "{}");
  EXPECT_THAT(asked, ElementsAre("a " + path, "b " + path, "a 1.root.json"));
}

class Unreachable : public MirroredCarrierTest, public ::testing::WithParamInterface<ErrorCode> {};

TEST_P(Unreachable, IsAskedOnce) {
  auto carrier = mirrored({{.error = GetParam()}, {.files = {{path, good}, {"1.root.json", "{}"}}}});
  StringSink sink(100);
  EXPECT_EQ(carrier.metadata("1.root.json", 100).value(), "{}");
  ASSERT_TRUE(carrier.target(path, nullptr, 100, sink));
  EXPECT_EQ(carrier.metadata("2.root.json", 100).value(), std::nullopt);
  EXPECT_THAT(asked, ElementsAre("a 1.root.json", "b 1.root.json", "b " + path, "b 2.root.json"));
  EXPECT_EQ(diagnostics.all.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(All, Unreachable,
                         ::testing::Values(ErrorCode::network_unreachable, ErrorCode::transfer_stalled,
                                           ErrorCode::tls_failed, ErrorCode::credentials_refused,
                                           ErrorCode::http_status, ErrorCode::proxy_refused,
                                           ErrorCode::file_not_found, ErrorCode::redirect_refused));

TEST_F(MirroredCarrierTest, RejectedMetadataComesFromTheNextOne) {
  auto carrier = mirrored(
      {{.files = {{"7.snapshot.json", "old"}, {path, good}}}, {.files = {{"7.snapshot.json", "new"}}}});
  EXPECT_EQ(carrier.metadata("7.snapshot.json", 100).value(), "old");
  EXPECT_TRUE(carrier.reject_metadata(Error(ErrorCode::json_invalid, "rolled back")));
  EXPECT_EQ(carrier.metadata("7.snapshot.json", 100).value(), "new");
  StringSink sink(100);
  EXPECT_TRUE(carrier.target(path, nullptr, 100, sink)) << "targets are proved by their digests";
  EXPECT_FALSE(carrier.reject_metadata(Error(ErrorCode::json_invalid, "as well")));
  const auto nobody = carrier.metadata("7.snapshot.json", 100);
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code(), ErrorCode::carriers_exhausted);
  EXPECT_THAT(nobody.error().detail(), HasSubstr("rolled back"));
}

TEST_F(MirroredCarrierTest, NothingIsRejectedBeforeSomethingCame) {
  auto carrier = mirrored({{}, {}});
  EXPECT_FALSE(carrier.reject_metadata(Error(ErrorCode::json_invalid)));
}

}  // namespace
}  // namespace curupira::registry
