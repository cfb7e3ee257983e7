#include "base/environment.h"

#include <gtest/gtest.h>

namespace curupira {
namespace {

Environment from(std::vector<const char*> entries) {
  entries.push_back(nullptr);
  return Environment::from(entries.data());
}

TEST(Environment, ReadsNamesAndValues) {
  const Environment environment = from({"A=1", "B=x=y"});
  EXPECT_EQ(environment.get("A"), "1");
  EXPECT_EQ(environment.get("B"), "x=y");
  EXPECT_EQ(environment.get("C"), std::nullopt);
}

TEST(Environment, AnEmptyValueIsAValueButNotForGetOr) {
  const Environment environment = from({"A="});
  EXPECT_EQ(environment.get("A"), "");
  EXPECT_EQ(environment.get_or("A", "fallback"), "fallback");
}

TEST(Environment, EntriesWithoutANameAreLeftOut) {
  EXPECT_EQ(from({"=x", "nothing", "A=1"}).entries(), std::vector<std::string>{"A=1"});
}

TEST(Environment, TheFirstOfEqualNamesCounts) {
  EXPECT_EQ(from({"A=1", "A=2"}).get("A"), "1");
}

TEST(Environment, NoEntriesAtAll) {
  EXPECT_TRUE(Environment::from(nullptr).variables().empty());
}

TEST(Environment, OnlyTakesTheNamedOnesThatAreSet) {
  const Environment chosen = from({"PATH=/bin", "TOKEN=s", "LANG=C"}).only({"PATH", "LANG", "TZ"});
  EXPECT_EQ(chosen.entries(), (std::vector<std::string>{"LANG=C", "PATH=/bin"}));
}

TEST(Environment, SetReplacesAndUnsetForgets) {
  Environment environment = from({"A=1", "B=2"});
  environment.set("A", "3");
  environment.unset("B");
  environment.unset("never there");
  EXPECT_EQ(environment.entries(), std::vector<std::string>{"A=3"});
}

}  // namespace
}  // namespace curupira
