#include "runtime/extension_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/runtime/extension_fixture.h"

namespace curupira::runtime {
namespace {

using testing::ElementsAre;
using namespace std::chrono_literals;

json::Value table(std::string_view text) {
  return json::parse(text).value();
}

TEST(ExtensionSession, ListsTriggersWithTheirFields) {
  auto session = start_vice();
  ASSERT_TRUE(session) << session.error().summary();
  const auto triggers = session->describe();
  ASSERT_TRUE(triggers) << triggers.error().summary();
  ASSERT_EQ(triggers->size(), 2u);
  EXPECT_EQ(triggers->at(0).trigger_type, "items");
  EXPECT_EQ(triggers->at(0).prompt_fields, std::vector<std::string>{"title"});
  EXPECT_EQ(triggers->at(1).prompt_fields, std::nullopt);
}

TEST(ExtensionSession, AsksForTheSchema) {
  auto session = start_vice();
  const auto schema = session->schema("items");
  ASSERT_TRUE(schema) << schema.error().summary();
  EXPECT_THAT(schema->prompt_fields, ElementsAre("title", "number"));
}

TEST(ExtensionSession, GetsTheNormalisedConfiguration) {
  auto session = start_vice();
  const auto outcome = session->validate("items", table(R"({"label":"good"})"));
  ASSERT_TRUE(outcome) << outcome.error().summary();
  EXPECT_TRUE(outcome->ok);
  EXPECT_EQ(outcome->configuration, table(R"({"label":"good","normalised":true})"));
}

TEST(ExtensionSession, GetsTheReasonOfARefusal) {
  auto session = start_vice();
  const auto outcome = session->validate("items", table(R"({"label":"bad"})"));
  ASSERT_TRUE(outcome) << outcome.error().summary();
  EXPECT_FALSE(outcome->ok);
  EXPECT_EQ(outcome->error, "label is bad");
}

// The feed state of an extension lives in its process (spec/protocol.md §2).
TEST(ExtensionSession, PollsOneProcessUntilThereIsNothing) {
  auto session = start_vice();
  const auto automation = table(R"({"items":[[["title","A"]],[]]})");
  EXPECT_EQ(session->poll("items", automation, true, 100).value(), (Item{{"title", "A"}}));
  EXPECT_EQ(session->poll("items", automation, true, 100).value(), Item{});
  EXPECT_EQ(session->poll("items", automation, true, 100).value(), std::nullopt);
}

TEST(ExtensionSession, SendsWhatTheProtocolSays) {
  const test::TemporaryFolder folder;
  const auto log = folder / "log";
  {
    auto session = start_vice({"--log", log.string()});
    ASSERT_TRUE(session) << session.error().summary();
    ASSERT_TRUE(session->describe());
    ASSERT_TRUE(session->poll("items", json::Object(), false, 7));
    ASSERT_TRUE(session->on_started("items", {{"title", "A"}}));
    ASSERT_TRUE(session->on_finished("items", {}));
  }
  std::vector<std::string> requests;
  for (const auto& line : log_lines(log)) {
    if (line.find("method") != nullptr) requests.push_back(json::write(line));
  }
  EXPECT_THAT(
      requests,
      ElementsAre(
          R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol_version":2,"client_info":{"name":"curupira","version":")" CURUPIRA_VERSION
          R"("}}})",
          R"({"jsonrpc":"2.0","id":2,"method":"describe","params":null})",
          R"({"jsonrpc":"2.0","id":3,"method":"trigger/poll","params":{"trigger_type":"items","automation":{},"preview":false,"limit":7}})",
          R"({"jsonrpc":"2.0","id":4,"method":"trigger/onStarted","params":{"trigger_type":"items","values":[{"key":"title","value":"A"}]}})",
          R"({"jsonrpc":"2.0","id":5,"method":"trigger/onFinished","params":{"trigger_type":"items","values":[]}})",
          R"({"jsonrpc":"2.0","id":6,"method":"shutdown","params":null})"));
}

TEST(ExtensionSession, ReadsAFrameThatComesByteByByteInUpperCase) {
  auto session = start_vice({"--vice", "byte-by-byte"});
  EXPECT_TRUE(session->describe());
}

// Slow is not dead (NousResearch/hermes-agent#101025).
TEST(ExtensionSession, WaitsForASlowAnswer) {
  auto session = start_vice({"--vice", "slow"});
  EXPECT_TRUE(session->describe());
  EXPECT_TRUE(session->alive());
}

// Undrained stderr blocks a child at 64 KiB (mark3labs/mcp-go#956).
TEST(ExtensionSession, IsNotHeldUpByTenMegabytesOfLogs) {
  auto session = start_vice({"--vice", "floods-stderr"});
  EXPECT_TRUE(session->describe());
}

TEST(ExtensionSession, EndsWithItsOwner) {
  int pid = -1;
  {
    auto session = start_vice();
    ASSERT_TRUE(session) << session.error().summary();
    pid = session->pid();
    ASSERT_FALSE(is_gone(pid));
  }
  EXPECT_TRUE(is_gone(pid));
}

TEST(ExtensionSession, AfterItsEndRefusesCallsAtOnce) {
  auto session = start_vice();
  session->shut_down();
  EXPECT_FALSE(session->alive());
  const auto triggers = session->describe();
  ASSERT_FALSE(triggers);
  EXPECT_EQ(triggers.error().code(), ErrorCode::extension_transport);
}

TEST(ExtensionSession, MovedOnEndsTheOneThatWasThere) {
  auto first = start_vice();
  auto second = start_vice();
  ASSERT_TRUE(first && second);
  const int pid = first->pid();
  *first = *std::move(second);
  EXPECT_TRUE(is_gone(pid));
  EXPECT_TRUE(first->describe());
}

}  // namespace
}  // namespace curupira::runtime
