#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/child_process.h"
#include "runtime/extension_session.h"
#include "tests/unit/runtime/extension_fixture.h"

// Extensions that break the protocol: what the error says, and that nothing of them stays.

namespace curupira::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// The failure of `describe` of an extension with `vice`; its process must be gone.
Error failure_of(const std::string& vice, const SessionLimits& limits = {},
                 std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"--vice", vice});
  auto session = start_vice(std::move(more), limits, {"ACME_TOKEN", "EDITOR"});
  if (!session) return session.error();
  const int pid = session->pid();
  auto triggers = session->describe();
  if (triggers) return Error(ErrorCode::internal, vice + " was accepted");
  if (triggers.error().code() != ErrorCode::extension_error) {
    EXPECT_FALSE(session->alive()) << vice;
    EXPECT_TRUE(is_gone(pid)) << vice;
  }
  return triggers.error();
}

TEST(ExtensionVice, EachFailureSaysWhoWasAskedWhat) {
  EXPECT_THAT(failure_of("wrong-id").detail(), HasSubstr("vice 1.2.3, describe, JSON-RPC code -32001"));
  EXPECT_THAT(failure_of("dies").detail(), HasSubstr("vice 1.2.3, describe, JSON-RPC code -32000"));
}

// microsoft/azure-devops-mcp#147, sbroenne/mcp-server-excel#636
TEST(ExtensionVice, ABannerOnStdoutIsQuoted) {
  const auto error = failure_of("pollution");
  EXPECT_EQ(error.code(), ErrorCode::extension_stdout);
  EXPECT_THAT(error.detail(), HasSubstr("\"Listening on port 3000 \\x1b[2J\""));
  EXPECT_THAT(error.help(), HasSubstr("stdout is for frames and stderr is for logs"));
}

TEST(ExtensionVice, ShortTextOnStdoutIsNotWaitedFor) {
  const auto begin = Clock::now();
  const auto error = failure_of("short-pollution");
  EXPECT_EQ(error.code(), ErrorCode::extension_stdout);
  EXPECT_THAT(error.detail(), HasSubstr("\"ok"));
  EXPECT_LT(Clock::now() - begin, SessionLimits{}.start);
}

TEST(ExtensionVice, TextBetweenFramesIsQuoted) {
  const auto error = failure_of("pollution-between");
  EXPECT_EQ(error.code(), ErrorCode::extension_stdout);
  EXPECT_THAT(error.detail(), HasSubstr("\"done!\""));
}

TEST(ExtensionVice, TextThatLooksLikeALengthIsRefusedAsOne) {
  const auto error = failure_of("looks-like-a-length");
  EXPECT_EQ(error.code(), ErrorCode::extension_frame_too_large);
  EXPECT_THAT(error.detail(), HasSubstr("\"deadbeef\""));
  EXPECT_THAT(error.help(), HasSubstr("stdout is for frames"));
}

TEST(ExtensionVice, AFrameOfFourGigabytesIsRefusedByItsHeader) {
  const auto error = failure_of("huge-frame");
  EXPECT_EQ(error.code(), ErrorCode::extension_frame_too_large);
  EXPECT_THAT(error.detail(), AllOf(HasSubstr("4.3 GB"), HasSubstr("the limit is 16.8 MB")));
}

TEST(ExtensionVice, ADeathTellsHowAndTheLastWords) {
  const auto error = failure_of("dies");
  EXPECT_EQ(error.code(), ErrorCode::extension_transport);
  EXPECT_THAT(error.detail(), HasSubstr("exit code 7"));
  EXPECT_THAT(error.detail(), HasSubstr("first line\n  last \\x1b[31mwords"));
}

TEST(ExtensionVice, ADeathInMidFrameTellsHowMuchCame) {
  const auto error = failure_of("dies-mid-frame");
  EXPECT_EQ(error.code(), ErrorCode::extension_transport);
  EXPECT_THAT(error.detail(), HasSubstr("11 of 120 bytes"));
  EXPECT_THAT(error.detail(), HasSubstr("going down"));
}

// Calls to a dead process wait for the whole time-out (MoonshotAI/kimi-code#2109); here a grandchild even
// holds the pipe open (mozilla-ai/mcpd#310). The start of python is not counted.
TEST(ExtensionVice, ADeathFailsTheCallLongBeforeItsTime) {
  auto session = start_vice({"--vice", "dies-while-grandchild-holds-the-pipe"});
  ASSERT_TRUE(session) << session.error().summary();
  const auto begin = Clock::now();
  const auto triggers = session->describe();
  EXPECT_LT(Clock::now() - begin, 5s) << "the budget is ten seconds";
  ASSERT_FALSE(triggers);
  EXPECT_EQ(triggers.error().code(), ErrorCode::extension_transport);
}

TEST(ExtensionVice, ClosingStdoutIsAnEndToo) {
  const auto error = failure_of("closes-stdout");
  EXPECT_EQ(error.code(), ErrorCode::extension_transport);
  EXPECT_THAT(error.detail(), HasSubstr("closed its stdout"));
}

TEST(ExtensionVice, BrokenAnswersAreNamed) {
  EXPECT_THAT(failure_of("wrong-id").detail(), HasSubstr("`id` of the answer is 9; expected 2"));
  EXPECT_THAT(failure_of("text-id").detail(), HasSubstr("`id` of the answer is \"2\"; expected 2"));
  EXPECT_THAT(failure_of("wrong-jsonrpc").detail(), HasSubstr("`jsonrpc` of the answer is \"1.0\""));
  EXPECT_THAT(failure_of("both-result-and-error").detail(), HasSubstr("both `result` and `error`"));
  EXPECT_THAT(failure_of("neither-result-nor-error").detail(), HasSubstr("neither `result` nor `error`"));
  EXPECT_THAT(failure_of("own-request").detail(), HasSubstr("\"host/ask\""));
  EXPECT_THAT(failure_of("not-json").detail(), HasSubstr("is not JSON"));
  EXPECT_THAT(failure_of("null-result").detail(), HasSubstr("of type null; expected an object"));
}

TEST(ExtensionVice, AnotherProtocolVersionNamesBoth) {
  const auto error = failure_of("version-3");
  EXPECT_EQ(error.code(), ErrorCode::extension_version);
  EXPECT_THAT(error.detail(), HasSubstr("speaks protocol version 3; this program speaks version 2"));
  EXPECT_THAT(error.detail(), HasSubstr("vice 1.2.3, initialize"));
}

TEST(ExtensionVice, NoAnswerIsATimeOutAndTheTreeIsGone) {
  ASSERT_TRUE(become_subreaper());
  const test::TemporaryFolder folder;
  const auto pids = folder / "pids";
  SessionLimits limits;
  limits.describe = 300ms;
  const auto error = failure_of("never-answers", limits, {"--pids", pids.string()});
  EXPECT_EQ(error.code(), ErrorCode::extension_timeout);
  EXPECT_THAT(error.detail(), HasSubstr("no answer within 300 ms"));
  EXPECT_THAT(error.detail(), HasSubstr("JSON-RPC code -32004"));
  EXPECT_TRUE(all_end(pids, 1));
}

TEST(ExtensionVice, AnErrorReplyHasTheExtensionsOwnCodeAndTheSessionGoesOn) {
  auto session = start_vice({"--vice", "error-reply"});
  ASSERT_TRUE(session) << session.error().summary();
  const auto triggers = session->describe();
  ASSERT_FALSE(triggers);
  EXPECT_EQ(triggers.error().code(), ErrorCode::extension_error);
  EXPECT_THAT(triggers.error().detail(), HasSubstr("the error -32003: boom \\x1b[31m"));
  EXPECT_THAT(triggers.error().detail(), HasSubstr("JSON-RPC code -32003"));
  EXPECT_TRUE(session->schema("items"));
}

// VeriTeknik/pluggedin-app#209: a clean environment; and whoever misses a variable learns so.
TEST(ExtensionVice, AFailureListsTheVariablesThatWereNotGiven) {
  EXPECT_THAT(failure_of("wants-token").detail(),
              HasSubstr("variables that it was not given: ACME_TOKEN, EDITOR"));
  EXPECT_THAT(failure_of("dies").detail(), HasSubstr("not given: ACME_TOKEN, EDITOR"));
  EXPECT_THAT(failure_of("pollution").detail(), Not(HasSubstr("ACME_TOKEN")));
}

TEST(ExtensionVice, AProgramThatIsNotThereIsSaidToBe) {
  const auto session =
      ExtensionSession::start({.argv = {"/nonexistent/program"}}, path_only(), vice_identity);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code(), ErrorCode::spawn_failed);
  EXPECT_THAT(session.error().detail(), HasSubstr("vice 1.2.3, initialize"));
}

// modelcontextprotocol/typescript-sdk#579: each step of a shutdown, each bounded.
TEST(ExtensionVice, IgnoringSigtermDoesNotHoldUpTheEnd) {
  SessionLimits limits;
  limits.shutdown_step = 200ms;
  auto session = start_vice({"--vice", "ignores-sigterm"}, limits);
  ASSERT_TRUE(session) << session.error().summary();
  const int pid = session->pid();
  session->shut_down();
  EXPECT_TRUE(is_gone(pid));
}

// mozilla-ai/mcpd#310, anthropics/claude-code#27707: also what has left the process group.
TEST(ExtensionVice, GrandchildrenEndWithTheSession) {
  ASSERT_TRUE(become_subreaper());
  const test::TemporaryFolder folder;
  const auto pids = folder / "pids";
  auto session = start_vice({"--vice", "grandchildren", "--pids", pids.string()});
  ASSERT_TRUE(session) << session.error().summary();
  session->shut_down();
  EXPECT_TRUE(all_end(pids, 2));
}

}  // namespace
}  // namespace curupira::runtime
