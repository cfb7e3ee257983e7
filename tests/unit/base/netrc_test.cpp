#include "base/netrc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace curupira {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string login(const Netrc& netrc, const std::string& address, std::string_view user = "",
                  bool also_default = true) {
  const auto found = netrc.user_info_for(Url::parse(address).value(), user, also_default);
  return found ? found->reveal() : "-";
}

TEST(Netrc, FindsTheHostOnOneLineOrMany) {
  const auto netrc = Netrc::parse(
      "machine a.example.org login me password s3cret\n"
      "machine B.example.org\n\tlogin you\r\n\tpassword other\n\taccount nobody\n");
  EXPECT_EQ(login(netrc, "https://a.example.org/x"), "me:s3cret");
  EXPECT_EQ(login(netrc, "https://b.example.org:8443/"), "you:other");
  EXPECT_EQ(login(netrc, "https://c.example.org/"), "-");
  EXPECT_EQ(login(netrc, "https://x.a.example.org/"), "-") << "no subdomains";
}

TEST(Netrc, TheFirstThatFitsCounts) {
  const auto netrc = Netrc::parse(
      "machine a.example.org login one password 1 machine a.example.org login two password 2 "
      "default login any password 3");
  EXPECT_EQ(login(netrc, "https://a.example.org/"), "one:1");
  EXPECT_EQ(login(netrc, "https://a.example.org/", "two"), "two:2");
  EXPECT_EQ(login(netrc, "https://a.example.org/", "three"), "-");
  EXPECT_EQ(login(netrc, "https://b.example.org/"), "any:3");
  EXPECT_EQ(login(netrc, "https://b.example.org/", "", false), "-");
}

TEST(Netrc, WordsMayBeQuoted) {
  const auto netrc = Netrc::parse(R"(machine "a.example.org" login "a b" password "x\"y\\z #1")");
  EXPECT_EQ(login(netrc, "https://a.example.org/"), R"(a b:x"y\z #1)");
}

TEST(Netrc, ValuesMayLookLikeWordsOfTheFormat) {
  const auto netrc = Netrc::parse("machine a.example.org login machine password #default");
  EXPECT_EQ(login(netrc, "https://a.example.org/"), "machine:#default");
}

TEST(Netrc, MacrosAndCommentsArePassedOver) {
  const auto netrc = Netrc::parse(
      "# machine a.example.org login no password no\n"
      "macdef init\n  machine a.example.org login no password no\n\n"
      "machine a.example.org login yes password 1 # mine\n");
  EXPECT_EQ(login(netrc, "https://a.example.org/"), "yes:1");
}

TEST(Netrc, AnUnfinishedFileHasWhatIsFinished) {
  EXPECT_TRUE(Netrc::parse("machine").empty());
  EXPECT_EQ(login(Netrc::parse("machine a.example.org"), "https://a.example.org/"), "-");
  EXPECT_EQ(login(Netrc::parse("machine a.example.org login"), "https://a.example.org/"), "-");
  EXPECT_EQ(login(Netrc::parse("macdef x\nfoo"), "https://a.example.org/"), "-");
  std::size_t unknown = 0;
  Netrc::parse("machine a login b password c d e", &unknown);
  EXPECT_EQ(unknown, 2u);
}

class NetrcFile : public ::testing::Test {
 protected:
  Netrc load() { return Netrc::load(environment, *make_posix_file_system(), diagnostics); }
  std::string warnings() const {
    std::string text;
    for (const auto& each : diagnostics.all)
      text += each.text + "\n";
    return text;
  }
  test::TemporaryFolder folder;
  Environment environment;
  CollectedDiagnostics diagnostics;
};

TEST_F(NetrcFile, IsTheOneOfTheVariableElseOfTheHome) {
  environment.set("HOME", folder.path().string());
  EXPECT_TRUE(load().empty());
  const auto write = [this](const char* name, const char* text) {
    std::filesystem::permissions(folder.write(name, text), std::filesystem::perms(0600));
  };
  write(".netrc", "machine a.example.org login home password 1");
  EXPECT_EQ(login(load(), "https://a.example.org/"), "home:1");
  write("other", "machine a.example.org login other password 1");
  environment.set("NETRC", (folder / "other").string());
  EXPECT_EQ(login(load(), "https://a.example.org/"), "other:1");
  EXPECT_EQ(warnings(), "");
}

TEST_F(NetrcFile, ThatOthersMayReadIsWarnedAboutWithoutItsWords) {
  const auto file = folder.write("netrc", "machine a.example.org login me password s3cret pass phrase");
  std::filesystem::permissions(file, std::filesystem::perms(0644));
  environment.set("NETRC", file.string());
  EXPECT_EQ(login(load(), "https://a.example.org/"), "me:s3cret");
  EXPECT_THAT(warnings(), AllOf(HasSubstr("chmod 600"), HasSubstr("2 words"), Not(HasSubstr("s3cret")),
                                Not(HasSubstr("phrase"))));
}

TEST_F(NetrcFile, ThatIsNamedAndMissingIsWarnedAbout) {
  environment.set("NETRC", (folder / "nothing").string());
  EXPECT_TRUE(load().empty());
  EXPECT_THAT(warnings(), HasSubstr("nothing"));
  diagnostics.all.clear();
  environment.set("NETRC", "/dev/null");
  EXPECT_TRUE(load().empty());
  EXPECT_EQ(warnings(), "");
}

}  // namespace
}  // namespace curupira
