#include "tuf/metadata_parser.h"

#include <gtest/gtest.h>

#include <functional>

#include "tuf/document.h"
#include "tuf/metadata_writer.h"

namespace curupira::tuf {
namespace {

const std::string key_id = "f5ed6283098248e9dab5982a5fc7041ff081dcb6b321a9065f765469613d734d";
const std::string key =
    R"({"keytype":"ed25519","scheme":"ed25519",)"
    R"("keyval":{"public":"2be9cfad56a353ef73bca77e19feb320a43141b20514920a195ccbf90eb7d9c7"}})";
const std::string role = R"({"keyids":[")" + key_id + R"("],"threshold":1,"x-period":7})";
const std::string common = R"("spec_version":"1.0.34","version":3,"expires":"2030-01-01T00:00:00Z","x":[{}])";

const std::string root = R"({"_type":"root",)" + common + R"(,"consistent_snapshot":true,"keys":{")" +
                         key_id + R"(":)" + key + R"(},"roles":{"root":)" + role + R"(,"timestamp":)" + role +
                         R"(,"snapshot":)" + role + R"(,"targets":)" + role + R"(,"mirrors":)" + role + "}}";
const std::string timestamp =
    R"({"_type":"timestamp",)" + common +
    R"(,"meta":{"snapshot.json":{"version":1,"length":5,"hashes":{"sha256":"ab"},"y":1}}})";
const std::string snapshot = R"({"_type":"snapshot",)" + common +
                             R"(,"meta":{"targets.json":{"version":1},"a/b.json":{"version":2}}})";
const std::string targets =
    R"({"_type":"targets",)" + common +
    R"(,"targets":{"a/b":{"length":0,"hashes":{"sha256":"ab","new":"cd"},"custom":{"c":1},"z":1}},)"
    R"("delegations":{"w":1,"keys":{")" +
    key_id + R"(":)" + key +
    R"(},"roles":[{"name":"r","keyids":[],"threshold":2,"paths":["*"],"terminating":true,"v":1},)"
    R"({"name":"s","keyids":[],"threshold":1,"path_hash_prefixes":["0"]}]}})";
const std::string bins =
    R"({"_type":"targets",)" + common +
    R"(,"targets":{},"delegations":{"keys":{},"succinct_roles":{"keyids":[],"threshold":1,)"
    R"("bit_length":10,"name_prefix":"bin","u":1}}})";

json::Object object_of(std::string_view text) {
  return *json::parse(text).value().as_object();
}

template <class Model>
void expect_kept(Result<Model> (*read)(const json::Object&), const std::string& text) {
  const auto model = read(object_of(text));
  ASSERT_TRUE(model) << model.error().detail();
  EXPECT_EQ(bytes_to_sign(content_of(*model)).value(), bytes_to_sign(object_of(text)).value());
}

TEST(MetadataParser, NothingIsLostBetweenReadingAndWriting) {
  expect_kept(&read_root, root);
  expect_kept(&read_timestamp, timestamp);
  expect_kept(&read_snapshot, snapshot);
  expect_kept(&read_targets, targets);
  expect_kept(&read_targets, bins);
}

TEST(MetadataParser, ReadsWhatIsThere) {
  const Root model = read_root(object_of(root)).value();
  EXPECT_EQ(model.common.version, 3);
  EXPECT_TRUE(model.has_consistent_snapshots());
  EXPECT_EQ(model.role(timestamp_role).key_ids, std::vector{key_id});
  EXPECT_FALSE(Root().has_consistent_snapshots());
  const Targets delegating = read_targets(object_of(targets)).value();
  EXPECT_EQ(delegating.targets.at("a/b").hashes.at("new"), "cd");
  EXPECT_EQ(delegating.delegations->roles->front().keys.threshold, 2);
  EXPECT_EQ(read_snapshot(object_of(snapshot)).value().find("a/b")->version, 2);
}

struct Change {
  const char* from;  ///< in all of the texts above that have it
  const char* to;
  ErrorCode code;
  const char* words;
};

struct Text {
  std::string json;
  std::function<Result<>(const json::Object&)> read;
};

template <class Model>
Text text_of(const std::string& json, Result<Model> (*read)(const json::Object&)) {
  return {json, [read](const json::Object& content) -> Result<> {
            CURUPIRA_CHECK(read(content));
            return {};
          }};
}

const std::vector<Text> texts{text_of(root, &read_root), text_of(timestamp, &read_timestamp),
                              text_of(snapshot, &read_snapshot), text_of(targets, &read_targets),
                              text_of(bins, &read_targets)};

class Refusal : public ::testing::TestWithParam<Change> {};

TEST_P(Refusal, NamesTheRuleAndThePlace) {
  const auto& [from, to, code, words] = GetParam();
  int changed_texts = 0;
  for (const auto& [json, read] : texts) {
    const std::size_t at = json.find(from);
    if (at == std::string::npos) continue;
    ++changed_texts;
    std::string changed = json;
    changed.replace(at, std::string_view(from).size(), to);
    const auto refused = read(object_of(changed));
    ASSERT_FALSE(refused) << changed;
    EXPECT_EQ(refused.error().code(), code) << refused.error().detail();
    EXPECT_NE(refused.error().detail().find(words), std::string::npos) << refused.error().detail();
  }
  EXPECT_GT(changed_texts, 0) << from;
}

INSTANTIATE_TEST_SUITE_P(
    Members, Refusal,
    ::testing::Values(
        Change{R"("_type":")", R"("_type":"other)", ErrorCode::tuf_wrong_type, "found \"other"},
        Change{R"("_type")", R"("type")", ErrorCode::tuf_field, "_type is missing"},
        Change{"1.0.34", "2.0.34", ErrorCode::tuf_spec_version, "spec_version is \"2.0.34\""},
        Change{"1.0.34", "1", ErrorCode::tuf_spec_version, "spec_version"},
        Change{"1.0.34", "1.0.", ErrorCode::tuf_spec_version, "spec_version"},
        Change{"1.0.34", "1.0.0-rc1", ErrorCode::tuf_spec_version, "spec_version"},
        Change{"1.0.34", "10.0.0", ErrorCode::tuf_spec_version, "spec_version"},
        Change{R"("version":3)", R"("version":0)", ErrorCode::tuf_field,
               "version has to be a whole number, at least 1"},
        Change{R"("version":3)", R"("version":"3")", ErrorCode::tuf_field, "version has to be"},
        Change{R"("version":3)", R"("version":18446744073709551615)", ErrorCode::tuf_field,
               "version has to be"},
        Change{"2030-01-01T00:00:00Z", "2030-01-01T00:00:00.5Z", ErrorCode::tuf_field,
               "expires has to be a time"},
        Change{"2030-01-01T00:00:00Z", "2030-01-01T00:00:00+00:00", ErrorCode::tuf_field, "expires"},
        Change{"2030-01-01T00:00:00Z", "2030-02-30T00:00:00Z", ErrorCode::tuf_field, "expires"},
        Change{R"("consistent_snapshot":true)", R"("consistent_snapshot":1)", ErrorCode::tuf_field,
               "true or false"},
        Change{R"("scheme":"ed25519")", R"("scheme":"ed25518")", ErrorCode::tuf_key_id, "has the id "},
        Change{R"("snapshot":{"keyids")", R"("other":{"keyids")", ErrorCode::tuf_field,
               "root: roles.snapshot is missing"},
        Change{R"("threshold":1)", R"("threshold":0)", ErrorCode::tuf_field, "threshold has to be"},
        Change{R"("snapshot.json")", R"("targets.json")", ErrorCode::tuf_field,
               "has to describe snapshot.json"},
        Change{R"("meta":{"snapshot.json")", R"("meta":{"root.json":{"version":1},"snapshot.json")",
               ErrorCode::tuf_field, "and nothing else"},
        Change{R"("length":5)", R"("length":-1)", ErrorCode::tuf_field, "snapshot.json.length has to be"},
        Change{R"("hashes":{"sha256":"ab"})", R"("hashes":{})", ErrorCode::tuf_field, "hashes is empty"},
        Change{R"("targets.json":{"version":1})", R"("targets.json":{})", ErrorCode::tuf_field,
               "meta.targets.json.version is missing"},
        Change{R"("length":0,)", "", ErrorCode::tuf_field, "targets.a/b.length is missing"},
        Change{R"("custom":{"c":1})", R"("custom":1)", ErrorCode::tuf_field, "custom has to be an object"},
        Change{R"("name":"r")", R"("name":"root")", ErrorCode::tuf_field,
               "which no delegated role can be called"},
        Change{R"("name":"r")", R"("name":"")", ErrorCode::tuf_field,
               "which no delegated role can be called"},
        Change{R"("name":"r")", R"("name":"s")", ErrorCode::tuf_field, "has the role \"s\" twice"},
        Change{R"("paths":["*"])", R"("paths":["*"],"path_hash_prefixes":["0"])", ErrorCode::tuf_field,
               "exclude each other"},
        Change{R"("paths":["*"])", R"("paths":[1])", ErrorCode::tuf_field,
               "roles[0].paths has to be a list of texts"},
        Change{R"("roles":[)", R"("other":[)", ErrorCode::tuf_field, "exactly one of them"},
        Change{R"("succinct_roles":{)", R"("roles":[],"succinct_roles":{)", ErrorCode::tuf_field,
               "exactly one of them"},
        Change{R"("bit_length":10)", R"("bit_length":33)", ErrorCode::tuf_field,
               "bit_length has to be at most 32"},
        Change{R"("bit_length":10)", R"("bit_length":0)", ErrorCode::tuf_field, "bit_length has to be"}));

TEST(MetadataParser, RefusesARoleNameThatNoFileCanHave) {
  std::string changed = targets;
  changed.replace(changed.find(R"("name":"r")"), 10, R"("name":")" + std::string(67, '/') + "\"");
  EXPECT_NE(read_targets(object_of(changed)).error().detail().find("201 bytes long"), std::string::npos);
}

TEST(MetadataParser, RefusesAKeyThatARoleHasTwice) {
  std::string changed = root;
  const std::string once = R"("keyids":[")" + key_id + R"("])";
  changed.replace(changed.find(once), once.size(),
                  R"("keyids":[")" + key_id + R"(","x",")" + key_id + R"("])");
  EXPECT_EQ(read_root(object_of(changed)).error().code(), ErrorCode::tuf_key_twice);
}

TEST(DocumentTest, IsTheSameAfterWritingAndReading) {
  const std::string text =
      R"({"signatures":[{"keyid":"a","sig":"","x":1},{"keyid":"b","sig":"zz"}],"signed":)" + targets +
      R"(,"y":{}})";
  const Document document = parse_document(text).value();
  EXPECT_EQ(document.signature_of("a")->hex, "");
  EXPECT_EQ(document.signature_of("c"), nullptr);
  EXPECT_EQ(parse_document(write_document(document).value()).value(), document);
}

TEST(DocumentTest, Refusals) {
  const auto refused = [](std::string_view text, ErrorCode code, std::string_view words) {
    const auto document = parse_document(text);
    ASSERT_FALSE(document) << text;
    EXPECT_EQ(document.error().code(), code);
    EXPECT_NE(document.error().detail().find(words), std::string::npos) << document.error().detail();
  };
  refused("", ErrorCode::tuf_syntax, "byte");
  refused("[]", ErrorCode::tuf_field, "has to be an object");
  refused(R"({"signed":{}})", ErrorCode::tuf_field, "signatures is missing");
  refused(R"({"signed":1,"signatures":[]})", ErrorCode::tuf_field, "signed has to be an object");
  refused(R"({"signed":{},"signatures":[{"keyid":"a"}]})", ErrorCode::tuf_field, "sig is missing");
  refused(R"({"signed":{"a":1,"a":2},"signatures":[]})", ErrorCode::tuf_syntax, "\"a\" appears twice");
  refused(R"({"signed":{"a":1.0},"signatures":[]})", ErrorCode::tuf_syntax, "not written as a whole one");
  refused(R"({"signed":{},"signatures":[{"keyid":"a","sig":""},{"keyid":"a","sig":"00"}]})",
          ErrorCode::tuf_key_twice, "two signatures of the key a");
  refused(R"({"signed":{},"signatures":[]} {})", ErrorCode::tuf_syntax, "byte");
}

}  // namespace
}  // namespace curupira::tuf
