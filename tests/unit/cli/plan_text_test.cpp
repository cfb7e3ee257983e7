#include "cli/plan_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace curupira::cli {
namespace {

using installer::PlannedExtension;

PlannedExtension planned(PlannedExtension::Action action) {
  PlannedExtension extension;
  extension.action = action;
  extension.name = "acme-ext";
  extension.version = "1.2.0";
  extension.reference = "npm:@acme/ext@^1.2";
  extension.source = "npm";
  extension.launch_type = "npx";
  extension.permissions = {"network"};
  extension.artifacts.push_back({.package = "@acme/ext",
                                 .version = "1.2.0",
                                 .location = "https://registry.example.org/ext-1.2.0.tgz",
                                 .digest = digest_of(DigestAlgorithm::sha256, "x"),
                                 .size = 48213});
  return extension;
}

std::string text_of(const PlannedExtension& extension) {
  std::istringstream in;
  std::ostringstream out, err;
  Terminal terminal(in, out, err);
  print_plan(terminal, {{extension}});
  return out.str();
}

TEST(PlanText, ShowsNameVersionSourceSizesDigestsAndPermissions) {
  const std::string text = text_of(planned(PlannedExtension::Action::add));
  for (const char* part : {"+ acme-ext 1.2.0", "npm:@acme/ext@^1.2", "network", "48,213 bytes", "sha256-"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(PlanText, AReplacementShowsBothVersions) {
  auto extension = planned(PlannedExtension::Action::replace);
  extension.installed_version = "1.1.0";
  EXPECT_NE(text_of(extension).find("~ acme-ext 1.1.0 -> 1.2.0"), std::string::npos);
}

TEST(PlanText, WhatIsKeptSaysSo) {
  EXPECT_EQ(text_of(planned(PlannedExtension::Action::keep)),
            "= acme-ext 1.2.0 (already installed: no change)\n");
}

TEST(PlanText, JsonHasTheWholeDigest) {
  const auto json = plan_to_json({{planned(PlannedExtension::Action::add)}});
  const auto* artifacts = json.as_array()->front().find("artifacts");
  EXPECT_EQ(*artifacts->as_array()->front().find_string("digest"),
            digest_of(DigestAlgorithm::sha256, "x").sri());
}

}  // namespace
}  // namespace curupira::cli
