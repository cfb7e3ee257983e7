#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <vector>

namespace curupira::cli {
namespace {

Result<Arguments> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "curupira");
  return parse_arguments(static_cast<int>(words.size()), words.data());
}

template <class Command>
const Command& command_of(const Result<Arguments>& arguments) {
  return std::get<Command>(arguments.value().command);
}

TEST(Arguments, InstallTakesSeveralReferences) {
  const auto parsed = parse({"plugins", "install", "npm:a", "path:b", "--yes"});
  const auto& install = command_of<InstallArguments>(parsed);
  EXPECT_EQ(install.references, (std::vector<std::string>{"npm:a", "path:b"}));
  EXPECT_TRUE(install.yes);
}

TEST(Arguments, AnOptionThatMayBeRepeatedTakesOneValueAtATime) {
  const auto search = parse({"plugins", "search", "--registry", "a", "x", "--registry", "b", "y"});
  ASSERT_TRUE(search);
  const auto& asked =
      std::get<SearchArguments>(std::get<RegistryUseArguments>(std::get<RegistryArguments>(search->command)));
  EXPECT_EQ(asked.words, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(asked.registries, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(
      parse({"registry", "add", "--mirror", "https://m.example.org/", "acme", "https://example.org/"}));
  EXPECT_TRUE(parse({"registry", "publish", "--key", "k.pem", "registry", "acme-1.0.0"}));
}

TEST(Arguments, UninstallIsRemove) {
  EXPECT_EQ(command_of<RemoveArguments>(parse({"plugins", "uninstall", "x"})).names,
            std::vector<std::string>{"x"});
}

TEST(Arguments, ConfigStandsBeforeOrAfterTheCommandAndTheLaterWins) {
  EXPECT_EQ(parse({"--config", "a.toml", "validate"})->common.config, "a.toml");
  EXPECT_EQ(parse({"validate", "--config", "b.toml"})->common.config, "b.toml");
  EXPECT_EQ(parse({"--config", "a.toml", "validate", "--config", "b.toml"})->common.config, "b.toml");
}

TEST(Arguments, LogLevelIsReadInAnyCase) {
  EXPECT_EQ(parse({"validate", "--log-level", "debug"})->common.log_level, manifest::LogLevel::debug);
}

TEST(Arguments, LogLevelOfAnotherNameIsRefused) {
  EXPECT_EQ(parse({"validate", "--log-level", "ZORK"}).error().code(), ErrorCode::usage);
}

TEST(Arguments, SizeIsAtLeastOne) {
  EXPECT_EQ(parse({"run", "--size", "0"}).error().code(), ErrorCode::usage);
}

TEST(Arguments, SizeIsOnlyThereWhenGiven) {
  EXPECT_EQ(command_of<RunArguments>(parse({"run"})).size, std::nullopt);
  EXPECT_EQ(command_of<RunArguments>(parse({"run", "--size", "3"})).size, 3u);
}

TEST(Arguments, NoCommandIsAUsageErrorThatShowsTheCommands) {
  const auto parsed = parse({});
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code(), ErrorCode::usage);
  EXPECT_NE(parsed.error().detail().find("plugins"), std::string::npos);
}

TEST(Arguments, AMisspeltCommandIsNamedWithTheNearest) {
  const auto parsed = parse({"plugins", "isntall", "x"});
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().detail().find("\"isntall\""), std::string::npos);
  EXPECT_NE(parsed.error().detail().find("did you mean \"install\"?"), std::string::npos);
}

TEST(Arguments, ACommandWithoutItsGroupIsNamedWithIt) {
  const auto parsed = parse({"sync", "--frozen"});
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().detail().find("did you mean \"plugins sync\"?"), std::string::npos);
}

TEST(Arguments, AMisspeltOptionLeadsToTheHelpOfItsCommand) {
  const auto parsed = parse({"plugins", "sync", "--froze"});
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().help().find("`curupira plugins sync --help`"), std::string::npos);
}

TEST(Arguments, AnUnknownCommandShowsWhatThereIs) {
  const auto parsed = parse({"frobnicate"});
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().detail().find("validate"), std::string::npos);
}

TEST(Arguments, HelpOfACommandIsThatCommandsHelp) {
  EXPECT_NE(command_of<ShowText>(parse({"plugins", "install", "--help"})).text.find("REFERENCE"),
            std::string::npos);
}

TEST(Arguments, VersionNamesTheProgram) {
  EXPECT_EQ(command_of<ShowText>(parse({"--version"})).text, "curupira " CURUPIRA_VERSION "\n");
}

}  // namespace
}  // namespace curupira::cli
