#include "manifest/receipt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira::manifest {
namespace {

using testing::HasSubstr;

const std::string tree_digest(64, 'a');

Receipt full_receipt() {
  Receipt receipt{.name = "acme",
                  .version = "1.2.3",
                  .reference = "npm:@acme/ext@^1.2",
                  .source = "npm",
                  .package = "@acme/ext",
                  .launch_type = "npx",
                  .artifacts = {},
                  .content = {.kind = ReceiptContent::Kind::node_modules, .digest = tree_digest},
                  .command = {.interpreter = ReceiptCommand::Interpreter::node,
                              .entry = *RelativePath::parse("node_modules/@acme/ext/bin.js"),
                              .args = {"--stdio"}},
                  .trees = {std::string(64, 'b'), std::string(64, 'c')},
                  .probed = true,
                  .sandbox = "bubblewrap"};
  receipt.artifacts.push_back({.package = "@acme/ext",
                               .version = "1.2.3",
                               .location = "https://registry.example.org/@acme/ext/-/ext-1.2.3.tgz",
                               .digest = digest_of(DigestAlgorithm::sha512, "bytes"),
                               .size = 48'213,
                               .level = VerificationLevel::registry_signed});
  return receipt;
}

/// The receipt's JSON with one member of the document replaced.
std::string with(std::string name, json::Value value) {
  json::Value document = to_json(full_receipt());
  document.as_object()->set(std::move(name), std::move(value));
  return json::write(document);
}

TEST(Receipt, is_the_same_after_writing_and_reading) {
  const std::string text = json::write_pretty(to_json(full_receipt()));
  const auto again = parse_receipt(text);
  ASSERT_TRUE(again) << again.error().detail();
  EXPECT_EQ(json::write_pretty(to_json(*again)), text);
  ASSERT_EQ(again->artifacts.size(), 1u);
  EXPECT_EQ(again->artifacts[0].digest, digest_of(DigestAlgorithm::sha512, "bytes"));
  EXPECT_EQ(again->artifacts[0].level, VerificationLevel::registry_signed);
  EXPECT_EQ(again->content.kind, ReceiptContent::Kind::node_modules);
  EXPECT_EQ(again->command.interpreter, ReceiptCommand::Interpreter::node);
  EXPECT_TRUE(again->probed);
}

TEST(Receipt, keeps_a_program_of_the_path) {
  Receipt receipt = full_receipt();
  receipt.command = {.path_program = "python3", .args = {"-m", "acme"}, .in_content_folder = true};
  const auto again = parse_receipt(json::write(to_json(receipt)));
  ASSERT_TRUE(again) << again.error().detail();
  EXPECT_EQ(again->command.path_program, "python3");
  EXPECT_TRUE(again->command.in_content_folder);
}

TEST(Receipt, ignores_members_of_later_versions) {
  EXPECT_TRUE(parse_receipt(with("zork", json::Array{})));
}

TEST(Receipt, levels_have_the_names_of_the_ladder) {
  EXPECT_EQ(name_of(VerificationLevel::digest), "digest");
  EXPECT_EQ(name_of(VerificationLevel::registry_signed), "registry-signed");
  EXPECT_EQ(name_of(VerificationLevel::publisher_signed), "publisher-signed");
}

void expect_refused(const std::string& text, const std::string& words) {
  const auto receipt = parse_receipt(text);
  ASSERT_FALSE(receipt) << text;
  EXPECT_EQ(receipt.error().code(), ErrorCode::receipt_unreadable);
  EXPECT_THAT(receipt.error().detail(), HasSubstr(words));
}

TEST(BadReceipt, is_not_json) {
  expect_refused("{", "");
}
TEST(BadReceipt, is_no_object) {
  expect_refused("[]", "expected a JSON object");
}
TEST(BadReceipt, has_no_format) {
  expect_refused("{}", "\"format\": expected a number");
}

TEST(BadReceipt, has_a_later_format) {
  const auto receipt = parse_receipt(with("format", 2));
  ASSERT_FALSE(receipt);
  EXPECT_THAT(receipt.error().detail(), HasSubstr("format 2, this program reads format 1"));
  EXPECT_THAT(receipt.error().help(), HasSubstr("the version of curupira that installed"));
}

TEST(BadReceipt, has_a_member_of_another_type) {
  for (const char* name : {"name", "version", "reference", "source", "package", "launch_type", "artifacts",
                           "content", "command", "trees", "probed", "sandbox"}) {
    expect_refused(with(name, 1), std::string("member \"") + name + "\"");
  }
}

TEST(BadReceipt, has_a_name_that_is_a_path) {
  expect_refused(with("name", "../x"), "the name of an extension");
}

TEST(BadReceipt, has_a_content_that_leaves_the_store) {
  json::Object content;
  content.set("kind", "tree");
  content.set("digest", "../../etc");
  expect_refused(with("content", content), "content.digest");
}

TEST(BadReceipt, has_a_tree_that_leaves_the_store) {
  expect_refused(with("trees", json::Array{"../x"}), "trees");
}

TEST(BadReceipt, has_an_unknown_kind_of_content) {
  json::Object content;
  content.set("kind", "zork");
  content.set("digest", tree_digest);
  expect_refused(with("content", content), "\"tree\", \"node-modules\", \"venv\", found \"zork\"");
}

json::Object command_with_entry(std::string entry) {
  json::Object command;
  command.set("interpreter", "none");
  command.set("entry", std::move(entry));
  command.set("args", json::Array{});
  command.set("in_content_folder", false);
  return command;
}

TEST(BadReceipt, has_an_entry_that_leaves_the_content) {
  expect_refused(with("command", command_with_entry("../../bin/sh")), "command.entry");
}

TEST(BadReceipt, starts_two_things) {
  json::Object command = command_with_entry("bin/ext");
  command.set("path_program", "python3");
  expect_refused(with("command", command), "either \"entry\" or \"path_program\"");
}

TEST(BadReceipt, has_an_interpreter_without_a_script) {
  json::Object command;
  command.set("interpreter", "node");
  command.set("path_program", "node");
  command.set("args", json::Array{});
  command.set("in_content_folder", false);
  expect_refused(with("command", command), "the script for the interpreter");
}

TEST(BadReceipt, has_a_digest_of_another_length) {
  json::Value document = to_json(full_receipt());
  json::Array artifacts = *document.find("artifacts")->as_array();
  artifacts[0].as_object()->set("digest", "sha256:abcd");
  expect_refused(with("artifacts", artifacts), "\"digest\"");
}

TEST(BadReceipt, has_a_negative_size) {
  json::Value document = to_json(full_receipt());
  json::Array artifacts = *document.find("artifacts")->as_array();
  artifacts[0].as_object()->set("size", -1);
  expect_refused(with("artifacts", artifacts), "\"size\"");
}

}  // namespace
}  // namespace curupira::manifest
