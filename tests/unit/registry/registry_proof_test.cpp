#include "registry/registry_proof.h"

#include <gmock/gmock.h>

#include "registry/registry_client.h"
#include "tests/support/small_registry.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry::test {
namespace {

using curupira::test::SmallRegistry;
using manifest::VerificationLevel;
using ::testing::HasSubstr;

/// A proof of the only file of tickets 1.0.0, as a user of the registry got it.
class RegistryProofs : public RegistryTest {
 protected:
  RegistryProofs() {
    EXPECT_TRUE(registry.publish(*files, "tickets"));
    settings = {.name = "corp",
                .url = registry.place.folder.string(),
                .root_fingerprint = digest_of(DigestAlgorithm::sha256, root(1))};
    kept_tools.clock = &registry.clock;
    const auto client = RegistryClient::open(kept_tools, settings, diagnostics);
    EXPECT_TRUE(client);
    const auto record = (*client)->find(tickets);
    EXPECT_TRUE(record);
    proof.metadata = record->proof;
    proof.index = record->text;
    file = record->index.find("1.0.0")->archive().sha256;
  }
  std::string root(int version) {
    const auto name = std::to_string(version) + ".root.json";
    return files->read_file(registry.place.folder / "metadata" / name, 1u << 20).value();
  }
  TrustedKeys trusted(int version) { return {.root = root(version)}; }
  ErrorCode refused(const RegistryProof& changed) {
    const auto word = check_registry_proof(changed, trusted(1), file);
    return word ? ErrorCode::internal : word.error().code();
  }

  SmallRegistry registry;
  manifest::RegistrySettings settings;
  SourceTools kept_tools = tools();
  PackageName tickets = PackageName::parse("tickets").value();
  RegistryProof proof{
      .registry = "corp", .package = tickets, .version = "1.0.0", .metadata = {}, .index = {}};
  Digest file = digest_of(DigestAlgorithm::sha256, "");
};

TEST_F(RegistryProofs, SaysWhoVouches) {
  const auto word = check_registry_proof(proof, trusted(1), file);
  ASSERT_TRUE(word) << word.error().summary();
  EXPECT_EQ(word->level, VerificationLevel::registry_signed);
  std::vector<std::string> roles;
  for (const auto& role : word->roles) {
    roles.push_back(role.role);
    EXPECT_EQ(role.key_ids.size(), 1u) << role.role;
  }
  ASSERT_EQ(roles.size(), 6u);
  EXPECT_EQ(roles[3], "targets");
  EXPECT_EQ(roles[4], "bins");
  EXPECT_THAT(roles[5], HasSubstr("bins-"));
}

TEST_F(RegistryProofs, HoldsForNothingElse) {
  RegistryProof other = proof;
  other.version = "1.1.0";
  EXPECT_EQ(refused(other), ErrorCode::release_differs);
  other = proof;
  other.index += " ";
  EXPECT_EQ(refused(other), ErrorCode::tuf_target_swapped);
  other = proof;
  other.package = PackageName::parse("notes").value();
  EXPECT_EQ(refused(other), ErrorCode::tuf_target_unknown);
  file = digest_of(DigestAlgorithm::sha256, "something else");
  EXPECT_EQ(refused(proof), ErrorCode::release_differs);
}

TEST_F(RegistryProofs, AKeyThatWasTakenAwayVouchesNoMore) {
  ASSERT_TRUE(registry.rotate_online(*files));
  const auto word = check_registry_proof(proof, trusted(2), file);
  ASSERT_FALSE(word);
  EXPECT_EQ(word.error().code(), ErrorCode::tuf_threshold);
  EXPECT_THAT(word.error().detail(), HasSubstr("taken away since"));
  EXPECT_TRUE(check_registry_proof(proof, trusted(1), file));
}

TEST_F(RegistryProofs, IsWrittenAndReadAgain) {
  const auto again = read_registry_proof(json::parse(json::write(to_json(proof))).value());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->metadata.metadata, proof.metadata.metadata);
  EXPECT_EQ(again->metadata.time, proof.metadata.time);
  EXPECT_TRUE(check_registry_proof(*again, trusted(1), file));
  for (const char* name : {"registry", "package", "version", "time", "metadata", "index"}) {
    json::Object lacks;
    for (const auto& [member, value] : to_json(proof))
      if (member != name) lacks.set(member, value);
    EXPECT_FALSE(read_registry_proof(lacks)) << name;
    lacks.set(name, 7);
    EXPECT_FALSE(read_registry_proof(lacks)) << name;
  }
}

}  // namespace
}  // namespace curupira::registry::test
