#include "manifest/running_marker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "tests/unit/manifest/temporary_folder.h"

namespace curupira::manifest::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class RunningMarkers : public testing::Test {
 protected:
  std::vector<RunningExtension> running() const {
    auto all = running_extensions(home);
    EXPECT_TRUE(all) << all.error().detail();
    return all.value_or(std::vector<RunningExtension>());
  }
  std::vector<std::string> files() const {
    return make_posix_file_system()->list(home.running()).value_or(std::vector<std::string>());
  }
  static Receipt receipt(std::string name) {
    return Receipt{.name = std::move(name),
                   .version = "1.0.0",
                   .reference = {},
                   .source = {},
                   .package = {},
                   .launch_type = {},
                   .artifacts = {},
                   .content = {.digest = std::string(64, 'a')},
                   .command = {},
                   .trees = {std::string(64, 'b')}};
  }

  TemporaryFolder folder;
  HomeLayout home{folder.path()};
  std::string own = "acme." + std::to_string(::getpid());
};

TEST_F(RunningMarkers, tell_name_process_and_objects_while_they_live) {
  const auto marker = RunningMarker::create(home, receipt("acme"));
  ASSERT_TRUE(marker) << marker.error().detail();
  const auto all = running();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].name, "acme");
  EXPECT_EQ(all[0].pid, ::getpid());
  EXPECT_EQ(all[0].content_digest, std::string(64, 'a'));
  EXPECT_THAT(all[0].trees, ElementsAre(std::string(64, 'b')));
  EXPECT_EQ(all[0].marker, home.running() / own);
  EXPECT_THAT(files(), ElementsAre(own));
}

TEST_F(RunningMarkers, leave_nothing_behind) {
  { const auto marker = RunningMarker::create(home, receipt("acme")); }
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_THAT(running(), IsEmpty());
}

TEST_F(RunningMarkers, live_on_where_they_were_moved) {
  std::optional<RunningMarker> kept;
  {
    auto marker = RunningMarker::create(home, receipt("acme"));
    kept.emplace(*std::move(marker));
  }
  EXPECT_THAT(running(), SizeIs(1));
  *kept = *RunningMarker::create(home, receipt("other"));
  const auto all = running();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].name, "other");
}

TEST_F(RunningMarkers, of_one_process_do_not_replace_each_other) {
  auto first = RunningMarker::create(home, receipt("acme"));
  {
    const auto second = RunningMarker::create(home, receipt("acme"));
    EXPECT_THAT(running(), SizeIs(2));
  }
  EXPECT_THAT(running(), SizeIs(1));
}

TEST_F(RunningMarkers, of_processes_that_are_gone_are_removed) {
  folder.write("running/acme.12345", R"({"name":"acme","pid":12345,"content":"","trees":[]})");
  folder.write("running/empty.12345", "");
  EXPECT_THAT(running(), IsEmpty());
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(RunningMarkers, that_are_being_made_are_left_alone) {
  const std::string unfinished = "." + own + ".1.new";
  folder.write("running/" + unfinished, "");
  EXPECT_THAT(running(), IsEmpty());
  EXPECT_THAT(files(), ElementsAre(unfinished));
}

TEST_F(RunningMarkers, that_were_never_finished_are_removed) {
  // Above the largest process id that Linux gives (PID_MAX_LIMIT, 2^22).
  folder.write("running/.acme.2000000000.1.new", "");
  EXPECT_THAT(running(), IsEmpty());
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(RunningMarkers, no_folder_is_nobody) {
  EXPECT_THAT(running(), IsEmpty());
}

TEST_F(RunningMarkers, a_waiters_empty_file_is_nobody) {
  folder.write("running/acme.12345", "");
  const auto waiter = FileLock::acquire(home.running() / "acme.12345", FileLock::Mode::exclusive);
  ASSERT_TRUE(waiter);
  EXPECT_THAT(running(), IsEmpty());
}

TEST_F(RunningMarkers, two_scans_at_once_do_not_take_each_other_for_the_holder) {
  folder.write("running/acme.12345", R"({"name":"acme","pid":12345,"content":"","trees":[]})");
  const auto other = FileLock::try_acquire(home.running() / "acme.12345", FileLock::Mode::shared);
  ASSERT_TRUE(other && other->has_value());
  EXPECT_THAT(running(), IsEmpty());
}

}  // namespace
}  // namespace curupira::manifest::test
