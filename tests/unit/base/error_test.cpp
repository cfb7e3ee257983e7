#include "base/error.h"

#include <gtest/gtest.h>

#include <set>

#include "base/result.h"

namespace curupira {
namespace {

TEST(ErrorTable, EveryCodeFindsItsOwnRow) {
  for (const ErrorInfo& row : error_table())
    EXPECT_EQ(&error_info(row.code), &row) << row.name;
}

TEST(ErrorTable, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const ErrorInfo& row : error_table())
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(ErrorTable, ExitCodesAreThoseOfTheProgram) {
  for (const ErrorInfo& row : error_table()) {
    EXPECT_TRUE(row.exit_code == 1 || row.exit_code == 2 || row.exit_code == 130) << row.name;
  }
}

TEST(ErrorTable, RpcCodesAreThoseOfTheProtocol) {
  const std::set<int> known{-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32003, -32004};
  for (const ErrorInfo& row : error_table())
    EXPECT_TRUE(known.contains(row.rpc_code)) << row.name;
}

TEST(ErrorTable, TitlesAreOneSentenceWithoutFullStop) {
  for (const ErrorInfo& row : error_table()) {
    EXPECT_FALSE(row.title.empty()) << row.name;
    EXPECT_FALSE(row.title.ends_with('.')) << row.name;
    EXPECT_EQ(row.title.find('\n'), std::string_view::npos) << row.name;
  }
}

TEST(ErrorTable, EveryCodeSaysWhatToDo) {
  for (const ErrorInfo& row : error_table())
    EXPECT_FALSE(row.remedy.empty()) << row.name;
}

TEST(ErrorTable, UnknownNumberIsAFaultOfOurs) {
  EXPECT_EQ(error_info(static_cast<ErrorCode>(7)).code, ErrorCode::internal);
}

TEST(ErrorName, IsThePrefixAndFourDigits) {
  EXPECT_EQ(error_name(ErrorCode::digest_mismatch), "CUR-2104");
}

TEST(Error, HelpIsTheRemedyOfTheTable) {
  const Error error(ErrorCode::json_invalid);
  EXPECT_EQ(error.help(), error_info(ErrorCode::json_invalid).remedy);
}

TEST(Error, OwnHelpWins) {
  const Error error = Error(ErrorCode::json_invalid).with_help("write JSON");
  EXPECT_EQ(error.help(), "write JSON");
}

TEST(Error, DoingIsInnermostFirst) {
  const Error error = Error(ErrorCode::json_invalid).while_doing("reading x").while_doing("installing y");
  EXPECT_EQ(error.doing(), (std::vector<std::string>{"reading x", "installing y"}));
}

TEST(Error, KeepsItsCause) {
  const Error error =
      Error(ErrorCode::registry_unreadable).caused_by(Error(ErrorCode::json_invalid, "byte 3"));
  ASSERT_NE(error.cause(), nullptr);
  EXPECT_EQ(error.cause()->detail(), "byte 3");
}

TEST(Error, SummaryIsTitleAndDetailOnOneLine) {
  EXPECT_EQ(Error(ErrorCode::archive_truncated, "x.tgz\nof acme").summary(),
            "the archive ends early: x.tgz of acme");
}

TEST(Error, SummaryWithoutDetailIsTheTitle) {
  EXPECT_EQ(Error(ErrorCode::archive_truncated).summary(), "the archive ends early");
}

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::usage, "odd");
  return number / 2;
}

Result<int> quarter(int number) {
  CURUPIRA_TRY(const int first, half(number));
  CURUPIRA_TRY(const int second, half(first));
  return second;
}

TEST(Result, TryGivesTheValue) {
  EXPECT_EQ(quarter(12).value(), 3);
}

TEST(Result, TryReturnsTheError) {
  const auto result = quarter(6);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().detail(), "odd");
}

}  // namespace
}  // namespace curupira
