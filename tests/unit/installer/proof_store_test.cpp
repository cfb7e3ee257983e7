#include "installer/proof_store.h"

#include <gtest/gtest.h>

#include "installer/garbage.h"
#include "installer/store_session.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/signed_package.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/installer/receipts.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::FaultyFileSystem;
using curupira::test::TemporaryFolder;
using manifest::VerificationLevel;

class ProofStore : public ::testing::Test {
 protected:
  void SetUp() override {
    StoreSession session(store_);
    ASSERT_TRUE(session.prepare());
    fs::create_directories(home_.staging());
    fs::create_directories(home_.extensions());
  }
  registry::Artifact artifact(std::vector<registry::RegistrySignature> signatures) {
    return {.package = package_.package,
            .version = package_.version,
            .file_name = "x-1.2.3.tgz",
            .location = *Url::parse("https://npm.example.org/x-1.2.3.tgz"),
            .proof = {.any_of = {digest_}, .size = {}, .signatures = std::move(signatures)}};
  }
  Result<VerifiedArtifact> verified(const registry::Artifact& artifact, const registry::Proof& proof) {
    return verify({.artifact = artifact,
                   .file = folder_.write("home/staging/x", package_.content),
                   .size = package_.content.size(),
                   .digests = {digest_}},
                  proof);
  }
  void keep() {
    StoreSession session(store_);
    const auto one = artifact({signature_});
    ASSERT_TRUE(session.keep_blob(*verified(one, one.proof)));
    session.release();
  }
  void change_proof(const std::string& from, const std::string& to) {
    const auto file = proof_file(store_, digest_);
    std::string text = curupira::test::text_of(file);
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
    fs::remove(file);
    std::ofstream(file) << text;
  }

  curupira::test::SignedPackage package_;
  Digest digest_ = digest_of(DigestAlgorithm::sha512, package_.content);
  registry::RegistrySignature signature_{.text = package_.text,
                                         .signature = package_.signature,
                                         .key_id = package_.key_id,
                                         .scheme = "ecdsa-sha2-nistp256",
                                         .key = package_.key,
                                         .expires = {},
                                         .published = {},
                                         .registry = "https://npm.example.org/",
                                         .obtained = "2026-01-01T00:00:00Z"};
  TemporaryFolder folder_;
  HomeLayout home_{.root = folder_ / "home"};
  std::unique_ptr<FileSystem> real_ = make_posix_file_system();
  FaultyFileSystem files_{*real_};
  Store store_{home_, files_};
};

TEST_F(ProofStore, ASignatureThatHoldsRaisesTheLevel) {
  const auto signed_one = artifact({signature_});
  EXPECT_EQ(verified(signed_one, signed_one.proof)->level(), VerificationLevel::registry_signed);
  EXPECT_EQ(verified(signed_one, signed_one.proof)->receipt().level, VerificationLevel::registry_signed);
  const auto plain = artifact({});
  EXPECT_EQ(verified(plain, plain.proof)->level(), VerificationLevel::digest);
}

TEST_F(ProofStore, OneWrongSignatureAmongSeveralIsRefused) {
  auto wrong = signature_;
  wrong.signature = package_.other_signature;
  const auto one = artifact({signature_, wrong});
  const auto result = verified(one, one.proof);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::signature_invalid);
}

TEST_F(ProofStore, KeptBesideTheBlobAndRepeated) {
  keep();
  const auto proof = read_proof(store_, digest_);
  ASSERT_TRUE(proof);
  ASSERT_TRUE(*proof);
  EXPECT_EQ((*proof)->package, "@acme/x");
  EXPECT_EQ(std::get<std::vector<registry::RegistrySignature>>((*proof)->by), std::vector{signature_});
  EXPECT_TRUE(repeat_proof(store_, digest_));
  EXPECT_EQ(proof_file(store_, digest_).filename(), "sha512-" + digest_.hex() + ".json");
}

TEST_F(ProofStore, NothingIsKeptWhereOnlyTheDigestVouched) {
  StoreSession session(store_);
  const auto plain = artifact({});
  ASSERT_TRUE(session.keep_blob(*verified(plain, plain.proof)));
  session.release();
  EXPECT_FALSE(*read_proof(store_, digest_));
  EXPECT_EQ(repeat_proof(store_, digest_).error().code(), ErrorCode::proof_damaged);
}

TEST_F(ProofStore, WhatIsNotReleasedIsTakenBack) {
  {
    StoreSession session(store_);
    const auto one = artifact({signature_});
    ASSERT_TRUE(session.keep_blob(*verified(one, one.proof)));
  }
  EXPECT_TRUE(fs::is_empty(home_.proofs()));
}

TEST_F(ProofStore, AProofThatWasChangedDoesNotHold) {
  keep();
  change_proof(package_.signature, package_.other_signature);
  EXPECT_EQ(repeat_proof(store_, digest_).error().code(), ErrorCode::signature_invalid);
  change_proof("\"format\": 1", "\"format\": 2");
  EXPECT_EQ(repeat_proof(store_, digest_).error().code(), ErrorCode::proof_damaged);
}

TEST_F(ProofStore, AProofThatDoesNotHoldIsWrittenAnew) {
  keep();
  change_proof(package_.signature, package_.other_signature);
  keep();
  EXPECT_TRUE(repeat_proof(store_, digest_));
}

TEST_F(ProofStore, WhatWasProvedOnceStaysProvedWithoutANetwork) {
  keep();
  const auto plain = artifact({});
  EXPECT_EQ(with_kept_proof(store_, plain).signatures, std::vector{signature_});
}

TEST_F(ProofStore, AKeptProofIsOnlyForItsPackageAndOnlyWhenItHolds) {
  keep();
  auto other = artifact({});
  other.package = "@acme/y";
  EXPECT_TRUE(with_kept_proof(store_, other).signatures.empty());
  change_proof(package_.signature, package_.other_signature);
  EXPECT_TRUE(with_kept_proof(store_, artifact({})).signatures.empty());
}

TEST_F(ProofStore, GoesWithItsBlob) {
  keep();
  auto receipt = receipt_of("x");
  const auto one = artifact({signature_});
  receipt.artifacts.push_back(verified(one, one.proof)->receipt());
  const auto file = home_.extensions() / "x" / "receipt.json";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << json::write(manifest::to_json(receipt));
  ASSERT_TRUE(collect_garbage(store_));
  EXPECT_TRUE(repeat_proof(store_, digest_));
  fs::remove(file);
  ASSERT_TRUE(collect_garbage(store_));
  EXPECT_TRUE(fs::is_empty(home_.proofs()));
}

}  // namespace
}  // namespace curupira::installer::test
