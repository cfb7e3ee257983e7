#include <gtest/gtest.h>

#include <vector>

#include "cli/arguments.h"

namespace curupira::cli {
namespace {

Result<Arguments> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "curupira");
  return parse_arguments(static_cast<int>(words.size()), words.data());
}

TEST(DoctorArguments, AloneItLooksAtEverything) {
  const auto parsed = parse({"doctor", "--json"});
  EXPECT_FALSE(std::get<DoctorArguments>(parsed->command).network_only);
  EXPECT_TRUE(parsed->common.json);
}

TEST(DoctorArguments, NetworkTakesAddresses) {
  const auto parsed =
      parse({"doctor", "network", "https://a.example.org/", "https://b.example.org/", "--json"});
  const auto& doctor = std::get<DoctorArguments>(parsed->command);
  EXPECT_TRUE(doctor.network_only);
  EXPECT_EQ(doctor.urls.size(), 2u);
  EXPECT_TRUE(parsed->common.json);
}

TEST(DoctorArguments, AnAreaThatDoesNotExistIsNamed) {
  const auto parsed = parse({"doctor", "netwrk"});
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().detail().find("did you mean \"network\"?"), std::string::npos);
}

}  // namespace
}  // namespace curupira::cli
