#include "runtime/extension_pool.h"

#include <gmock/gmock.h>

#include "tests/unit/runtime/runtime_fixture.h"

namespace curupira::runtime {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class ExtensionPoolTest : public RuntimeTest {
 protected:
  PluginTarget target(std::vector<std::string> arguments = {}) {
    return {.identity = vice_identity, .command = vice_command(std::move(arguments))};
  }
  ExtensionEnvironment variables{path_only(), {}};
};

TEST_F(ExtensionPoolTest, GivesTheSameSessionAgain) {
  ExtensionPool pool(home, {});
  const auto first = pool.session(target(), variables);
  const auto second = pool.session(target(), variables);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
}

TEST_F(ExtensionPoolTest, GivesAnotherForOtherArguments) {
  ExtensionPool pool(home, {});
  const auto first = pool.session(target(), variables);
  const auto second = pool.session(target({"--more"}), variables);
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
}

// hashicorp/terraform#32915: nobody removes or rewrites what runs.
TEST_F(ExtensionPoolTest, MarksTheExtensionAsRunningWhileItLives) {
  manifest::Receipt receipt;
  receipt.name = "vice";
  receipt.content.digest = std::string(64, 'a');
  auto marked = target();
  marked.receipt = &receipt;
  {
    ExtensionPool pool(home, {});
    ASSERT_TRUE(pool.session(marked, variables));
    const auto running = manifest::running_extensions(home);
    ASSERT_TRUE(running) << running.error().summary();
    ASSERT_THAT(*running, SizeIs(1));
    EXPECT_EQ(running->front().name, "vice");
    EXPECT_EQ(running->front().content_digest, receipt.content.digest);
  }
  EXPECT_THAT(manifest::running_extensions(home).value(), IsEmpty());
}

TEST_F(ExtensionPoolTest, EndsAllProcesses) {
  int pid = -1;
  {
    ExtensionPool pool(home, {});
    pid = (*pool.session(target(), variables))->pid();
    ASSERT_FALSE(is_gone(pid));
  }
  EXPECT_TRUE(is_gone(pid));
}

}  // namespace
}  // namespace curupira::runtime
