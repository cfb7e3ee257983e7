#include <gmock/gmock.h>

#include "runtime/automation_check.h"
#include "runtime/identity.h"
#include "tests/unit/runtime/runtime_fixture.h"

namespace curupira::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class PreviewTest : public RuntimeTest {
 protected:
  std::vector<std::string> poll_requests() {
    std::vector<std::string> polls;
    for (const auto& line : log_lines(log)) {
      const auto* method = line.find_string("method");
      if (method != nullptr && *method == "trigger/poll") polls.push_back(json::write(*line.find("params")));
    }
    return polls;
  }
};

TEST_F(PreviewTest, ShowsKeyAndPromptOfEachTask) {
  install_vice();
  use_settings(automation("one", "Do ${title} in ${repository} by {{ automation }}\\n",
                          "items = [[[\"title\", \"T1\"]], [[\"title\", \"T2\"]]]\n"));
  const auto result = preview();
  EXPECT_THAT(result.errors, IsEmpty());
  ASSERT_THAT(result.tasks, SizeIs(2));
  EXPECT_EQ(result.tasks[0].key, "one:acme/api:acme/items:" + identity_hash({{"title", "T1"}}));
  EXPECT_EQ(result.tasks[0].prompt, "Do T1 in acme/api by one");
  EXPECT_EQ(result.tasks[1].key, "one:acme/api:acme/items:" + identity_hash({{"title", "T2"}}));
}

TEST_F(PreviewTest, SaysWhenThereIsNothing) {
  install_vice();
  use_settings(automation("one", "a"));
  const auto result = preview();
  EXPECT_THAT(result.tasks, IsEmpty());
  EXPECT_THAT(result.errors, IsEmpty());
}

TEST_F(PreviewTest, PollsTheNormalisedTableAsAPreviewUntilNull) {
  install_vice();
  use_settings(automation("one", "a", "items = [[]]\n"),
               "[plugins.acme]\ntype = \"installed\"\nname = \"vice\"\n",
               "[settings.polling]\nbatch_size = 7\n");
  EXPECT_THAT(preview().errors, IsEmpty());
  const std::string poll =
      R"({"trigger_type":"items","automation":{"trigger_type":"acme/items","repository":"api","prompt":"a","items":[[]],)"
      R"("normalised":true},"preview":true,"limit":7})";
  EXPECT_THAT(poll_requests(), ElementsAre(poll, poll));
  EXPECT_EQ(logged_starts(log), 1u);
}

TEST_F(PreviewTest, PollsAnAutomationAtMostBatchSizeTimes) {
  install_vice();
  use_settings(automation("one", "a", "items = [[[\"t\", \"1\"]], [[\"t\", \"2\"]], [[\"t\", \"3\"]]]\n"),
               "[plugins.acme]\ntype = \"installed\"\nname = \"vice\"\n",
               "[settings.polling]\nbatch_size = 2\n");
  EXPECT_THAT(preview().tasks, SizeIs(2));
  EXPECT_THAT(poll_requests(), SizeIs(2));
}

TEST_F(PreviewTest, ShowsEachIdentityOnce) {
  install_vice();
  use_settings(automation("one", "a", "items = [[[\"t\", \"1\"]], [[\"t\", \"1\"]]]\n"));
  EXPECT_THAT(preview().tasks, SizeIs(1));
}

TEST_F(PreviewTest, KeepsTheOrderOfTheFile) {
  install_vice();
  use_settings(automation("zed", "z", "items = [[]]\n") + automation("ann", "a", "items = [[]]\n"));
  const auto result = preview();
  ASSERT_THAT(result.tasks, SizeIs(2));
  EXPECT_EQ(result.tasks[0].prompt, "z");
  EXPECT_EQ(result.tasks[1].prompt, "a");
}

TEST_F(PreviewTest, AnItemThatBreaksTheProtocolEndsTheSession) {
  install_vice();
  use_settings(automation("one", "a", "items = [{ values = \"x\" }]\n"));
  const auto result = preview();
  ASSERT_THAT(result.errors, SizeIs(1));
  EXPECT_EQ(result.errors[0].code(), ErrorCode::extension_protocol);
  EXPECT_THAT(result.errors[0].detail(), HasSubstr("`values` is of type string"));
  EXPECT_THAT(result.errors[0].detail(), HasSubstr("vice 1.2.3, trigger/poll"));
}

TEST_F(PreviewTest, APromptThatCannotBeRenderedHidesNoOtherTask) {
  install_vice();
  use_settings(automation("one", "{{ number }}", "items = [[[\"title\", \"T\"]]]\n") +
               automation("two", "b", "items = [[]]\n"));
  const auto result = preview();
  ASSERT_THAT(result.errors, SizeIs(1));
  EXPECT_EQ(result.errors[0].code(), ErrorCode::prompt_template);
  ASSERT_THAT(result.tasks, SizeIs(1));
  EXPECT_EQ(result.tasks[0].prompt, "b");
}

TEST_F(PreviewTest, ARefusedAutomationIsNotPolled) {
  install_vice();
  use_settings(automation("one", "a", "label = \"bad\"\nitems = [[]]\n"));
  const auto result = preview();
  ASSERT_THAT(result.errors, SizeIs(1));
  EXPECT_EQ(result.errors[0].code(), ErrorCode::trigger_refused);
  EXPECT_THAT(poll_requests(), IsEmpty());
}

TEST_F(PreviewTest, PassesOverCronWithANote) {
  use_settings("[automations.nightly]\nschedule = \"0 3 * * *\"\nrepository = \"api\"\nprompt = \"a\"\n");
  const auto result = preview();
  EXPECT_THAT(result.errors, IsEmpty());
  ASSERT_THAT(diagnostics.all, SizeIs(1));
  EXPECT_THAT(diagnostics.all[0].text, HasSubstr("\"nightly\" is passed over"));
}

}  // namespace
}  // namespace curupira::runtime
