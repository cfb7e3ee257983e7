#include "installer/verification_level.h"

#include <gtest/gtest.h>

namespace curupira::installer {
namespace {

using manifest::ReceiptArtifact;
using enum manifest::VerificationLevel;

ReceiptArtifact artifact(const std::string& package, manifest::VerificationLevel level) {
  return {.package = package,
          .version = "1.0.0",
          .location = {},
          .digest = digest_of(DigestAlgorithm::sha512, package),
          .level = level};
}

/// "x@1.0.0: a → b" of each step down.
std::vector<std::string> lowered(const std::vector<ReceiptArtifact>& before,
                                 const std::vector<ReceiptArtifact>& now) {
  std::vector<std::string> texts;
  for (const auto& one : level_went_down(before, now))
    texts.push_back(to_string(one));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(VerificationLevel, TheWeakestIsTheExtensions) {
  const std::vector artifacts{artifact("x", registry_signed), artifact("y", digest)};
  EXPECT_EQ(weakest_level(artifacts), digest);
  EXPECT_FALSE(weakest_level({}));
}

TEST(VerificationLevel, AStepDownOfAPackage) {
  EXPECT_EQ(lowered({artifact("x", registry_signed)}, {artifact("x", digest)}),
            Texts{"x@1.0.0: registry-signed → digest"});
}

TEST(VerificationLevel, TheSameOrMoreIsNoStepDown) {
  EXPECT_EQ(lowered({artifact("x", digest)}, {artifact("x", registry_signed)}), Texts{});
  EXPECT_EQ(lowered({artifact("x", registry_signed)}, {artifact("x", registry_signed)}), Texts{});
  EXPECT_EQ(lowered({}, {artifact("x", digest)}), Texts{});
}

TEST(VerificationLevel, ANewPackageMayNotBeBelowWhatTheExtensionHad) {
  EXPECT_EQ(
      lowered({artifact("x", registry_signed)}, {artifact("x", registry_signed), artifact("y", digest)}),
      Texts{"y@1.0.0: registry-signed → digest"});
  EXPECT_EQ(lowered({artifact("x", registry_signed), artifact("z", digest)},
                    {artifact("x", registry_signed), artifact("y", digest)}),
            Texts{});
}

TEST(VerificationLevel, WhatWasPromisedIsRequired) {
  const std::vector promised{artifact("x", registry_signed)};
  EXPECT_TRUE(require_levels(promised, promised));
  const auto refused = require_levels(promised, std::vector{artifact("x", digest)});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::level_lowered);
  EXPECT_EQ(refused.error().detail(), "x@1.0.0: registry-signed → digest");
}

}  // namespace
}  // namespace curupira::installer
