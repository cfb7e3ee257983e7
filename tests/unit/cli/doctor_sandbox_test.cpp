#include "cli/doctor_sandbox.h"

#include <gtest/gtest.h>

#include "tests/unit/cli/doctor_fixture.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using launcher::SandboxLevel;
using launcher::SandboxSupport;
using test::about;
using test::says;

Finding missing(const std::string& reason, const KernelSwitches& switches) {
  const SandboxSupport support{.best = SandboxLevel::landlock, .reasons = {reason}};
  return about(examine_sandbox(support, switches), "not there");
}

TEST(DoctorSandbox, TheBestLevelIsOneFinding) {
  const auto findings = examine_sandbox({.best = SandboxLevel::bubblewrap}, {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].level, Level::ok);
  EXPECT_TRUE(says(findings[0], "bubblewrap"));
}

TEST(DoctorSandbox, NoneIsAWarningWithTheWayOut) {
  const SandboxSupport support{
      .best = SandboxLevel::none,
      .reasons = {"bubblewrap: bwrap is not on PATH", "landlock: the kernel has no Landlock"}};
  const auto findings = examine_sandbox(support, {});
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].level, Level::warning);
  EXPECT_TRUE(says(findings[0], "--probe-unsandboxed"));
}

TEST(DoctorSandbox, WithoutTheProgramThePackageIsNamed) {
  EXPECT_TRUE(says(missing("bubblewrap: bwrap is not on PATH", {}), "install the package bubblewrap"));
}

TEST(DoctorSandbox, TheSwitchThatForbidsNamespacesIsNamed) {
  const std::string reason = "bubblewrap: bwrap: No permissions to create new namespace";
  EXPECT_TRUE(says(missing(reason, {.unprivileged_namespaces = "0"}), "unprivileged_userns_clone=1"));
  EXPECT_TRUE(says(missing(reason, {.apparmor_restriction = "1"}), "AppArmor profile"));
  EXPECT_TRUE(says(missing(reason, {.most_namespaces = "0"}), "max_user_namespaces"));
  EXPECT_TRUE(says(missing(reason, {.unprivileged_namespaces = "1"}), "container"));
}

TEST(DoctorSandbox, AKernelThatStartedWithoutLandlockSaysWhichOption) {
  const SandboxSupport support{.best = SandboxLevel::none,
                               .reasons = {"landlock: the kernel has no Landlock"}};
  const auto findings = examine_sandbox(support, {.security_modules = "capability,yama"});
  EXPECT_TRUE(says(about(findings, "not there"), "lsm=capability,yama"));
}

TEST(DoctorSandbox, ALevelThatTheVariableForbidsNamesTheVariable) {
  EXPECT_TRUE(says(missing("bubblewrap: CURUPIRA_SANDBOX is \"landlock\"", {}), "unset CURUPIRA_SANDBOX"));
}

}  // namespace
}  // namespace curupira::cli
