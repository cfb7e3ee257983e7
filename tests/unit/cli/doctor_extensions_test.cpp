#include "cli/doctor_extensions.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/doctor_fixture.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using test::about;
using test::says;

manifest::InstalledExtension extension(const std::string& name, const std::string& program) {
  manifest::Manifest manifest{};
  manifest.name = name;
  manifest.version = "1.0.0";
  manifest.launch = manifest::ExecutableLaunch{.program = program};
  return {.manifest = manifest, .folder = "/x"};
}

class DoctorExtensions : public testing::Test {
 protected:
  Findings examine() { return examine_extensions(installed, HomeLayout{"/h"}, environment); }
  manifest::Discovered installed;
  Environment environment{{"PATH", "/usr/bin:/bin"}};
};

TEST_F(DoctorExtensions, NoneIsANote) {
  EXPECT_EQ(about(examine(), "installed").level, Level::note);
}

TEST_F(DoctorExtensions, OneWhoseProgramIsMissingIsNamed) {
  installed.extensions = {extension("good", "sh"), extension("bad", "no-such-program")};
  const auto findings = examine();
  EXPECT_EQ(about(findings, "bad").level, Level::problem);
  EXPECT_TRUE(says(about(findings, "bad"), "no-such-program"));
  EXPECT_TRUE(says(about(findings, "installed"), "1 extension of 2 can start"));
}

TEST_F(DoctorExtensions, ABrokenManifestIsAProblem) {
  installed.broken.push_back(
      {"/h/extensions/odd/curupira-extension.toml", Error(ErrorCode::manifest_field, "line 3")});
  const Finding finding = about(examine(), "odd");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "line 3"));
  EXPECT_TRUE(says(finding, "remove the folder /h/extensions/odd"));
}

}  // namespace
}  // namespace curupira::cli
