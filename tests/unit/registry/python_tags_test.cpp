#include "registry/python_tags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/json.h"
#include "base/process_runner.h"
#include "registry/python_interpreter.h"
#include "registry/wheel_name.h"

namespace curupira::registry {
namespace {

std::size_t place(const std::vector<std::string>& tags, const std::string& tag) {
  return static_cast<std::size_t>(std::ranges::find(tags, tag) - tags.begin());
}

PythonTarget assumed(std::string_view platform, LibcVersion glibc = {}) {
  return assumed_python(manifest::Platform::parse(platform).value(), "3.11", glibc).value();
}

TEST(PythonTags, TheClosestStandFirst) {
  const auto tags = assumed("linux-x86_64").tags;
  const char* const order[] = {"cp311-cp311-linux_x86_64",
                               "cp311-cp311-manylinux_2_28_x86_64",
                               "cp311-cp311-manylinux_2_17_x86_64",
                               "cp311-cp311-manylinux2014_x86_64",
                               "cp311-cp311-manylinux_2_5_x86_64",
                               "cp311-cp311-manylinux1_x86_64",
                               "cp311-abi3-manylinux_2_28_x86_64",
                               "cp311-none-linux_x86_64",
                               "cp310-abi3-manylinux_2_17_x86_64",
                               "cp32-abi3-manylinux1_x86_64",
                               "py311-none-manylinux_2_17_x86_64",
                               "py3-none-linux_x86_64",
                               "cp311-none-any",
                               "py311-none-any",
                               "py3-none-any",
                               "py310-none-any",
                               "py30-none-any"};
  for (std::size_t i = 1; i < std::size(order); ++i) {
    ASSERT_LT(place(tags, order[i]), tags.size()) << order[i];
    EXPECT_LT(place(tags, order[i - 1]), place(tags, order[i])) << order[i];
  }
  EXPECT_EQ(std::ranges::count(tags, "cp311-cp311-manylinux_2_29_x86_64"), 0) << "newer than the C library";
  EXPECT_EQ(std::ranges::count(tags, "cp312-cp312-manylinux_2_28_x86_64"), 0);
}

TEST(PythonTags, EachPlatformHasItsOwn) {
  const auto has = [](std::string_view platform, const std::string& tag) {
    return std::ranges::count(assumed(platform).tags, tag) == 1;
  };
  EXPECT_TRUE(has("linux-aarch64", "cp311-cp311-manylinux_2_17_aarch64"));
  EXPECT_FALSE(has("linux-aarch64", "cp311-cp311-manylinux_2_5_aarch64"));
  EXPECT_TRUE(has("linux-x86_64-musl", "cp311-cp311-musllinux_1_2_x86_64"));
  EXPECT_FALSE(has("linux-x86_64-musl", "cp311-cp311-manylinux_2_17_x86_64"));
  EXPECT_TRUE(has("darwin-arm64", "cp311-cp311-macosx_11_0_arm64"));
  EXPECT_TRUE(has("darwin-arm64", "cp311-cp311-macosx_10_9_universal2"));
  EXPECT_FALSE(has("darwin-arm64", "cp311-cp311-macosx_10_9_x86_64"));
  EXPECT_TRUE(has("darwin-x86_64", "cp311-cp311-macosx_10_9_x86_64"));
  const auto other = assumed_python(manifest::Platform::parse("plan9-x86_64").value(), "3.11");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::platform_missing);
  for (const char* minor : {"3", "3.", "2.7", "3.x", "3.11.7", ""})
    EXPECT_FALSE(assumed_python(manifest::Platform::parse("linux-x86_64").value(), minor)) << minor;
}

TEST(PythonTags, FreeThreadedAndDebugBuilds) {
  const std::vector<std::string> platform = {"linux_x86_64"};
  const auto threaded = python_tags({.minor = 13, .free_threaded = true}, platform);
  EXPECT_EQ(threaded.front(), "cp313-cp313t-linux_x86_64");
  EXPECT_EQ(std::ranges::count(threaded, "cp313-abi3-linux_x86_64"), 0);
  const auto debug = python_tags({.minor = 11, .debug = true}, platform);
  EXPECT_EQ(debug[0], "cp311-cp311d-linux_x86_64");
  EXPECT_EQ(debug[1], "cp311-cp311-linux_x86_64");
}

TEST(TagOrder, OfSeveralWheelsTheClosestIsTaken) {
  const TagOrder order(assumed("linux-x86_64").tags);
  const auto best = [&](const std::vector<std::string>& files) {
    const auto index = order.best(files);
    return index ? files[*index] : std::string();
  };
  const std::string own = "x-1.0-cp311-cp311-manylinux_2_17_x86_64.whl",
                    stable = "x-1.0-cp37-abi3-manylinux_2_28_x86_64.whl",
                    stable_newer = "x-1.0-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
                    pure = "x-1.0-py3-none-any.whl", both = "x-1.0-py2.py3-none-any.whl",
                    foreign = "x-1.0-cp311-cp311-win_amd64.whl", built = "x-1.0-2-py3-none-any.whl",
                    built_later = "x-1.0-10-py3-none-any.whl";
  EXPECT_EQ(best({pure, stable, own, foreign}), own);
  EXPECT_EQ(best({stable, stable_newer}), stable_newer);
  EXPECT_EQ(best({pure, "x-1.0-py3-none-manylinux_2_28_x86_64.whl"}),
            "x-1.0-py3-none-manylinux_2_28_x86_64.whl");
  EXPECT_EQ(best({both}), both);
  EXPECT_EQ(best({pure, built_later, built}), built_later);
  EXPECT_EQ(best({foreign, "x-1.0.tar.gz", "x-1.0-cp312-cp312-manylinux_2_17_x86_64.whl"}), "");
}

/// packaging, the reference, is asked for the same interpreter and for macOS.
TEST(PythonTags, AreThoseOfPackaging) {
  const std::filesystem::path python =
      std::filesystem::path(CURUPIRA_SOURCE_FOLDER) / "build/tools/python/bin/python";
  if (!std::filesystem::exists(python)) GTEST_SKIP() << "scripts/dependencies makes " << python;
  SystemProcessRunner processes;
  const auto ask = [&](std::string_view program) {
    auto output =
        processes.run({.argv = {python.string(), "-I", "-c", std::string(program)}, .environment = {}});
    EXPECT_TRUE(output && output->status.success()) << (output ? output->standard_error : "");
    return output ? output->standard_output : std::string();
  };
  const auto mine = parse_interpreter_answer(ask(interpreter_question()));
  ASSERT_TRUE(mine) << mine.error().summary();
  const auto answer = json::parse(ask(R"(
import json
from packaging import tags
mac = [list(tags.mac_platforms((14, 2), arch)) for arch in ("arm64", "x86_64")]
print(json.dumps([[str(t) for t in tags.sys_tags()], *mac]))
)"));
  ASSERT_TRUE(answer) << answer.error().summary();
  const auto list = [&](std::size_t index) {
    std::vector<std::string> strings;
    for (const json::Value& tag : *(*answer->as_array())[index].as_array())
      strings.push_back(*tag.as_string());
    return strings;
  };
  EXPECT_EQ(mine->tags, list(0));
  const auto without_fat = [](std::vector<std::string> tags) {  // of PowerPC times
    std::erase_if(tags, [](const std::string& tag) { return tag.find("_fat") != std::string::npos; });
    return tags;
  };
  EXPECT_EQ(macos_platforms("arm64", 14, 2), list(1));
  EXPECT_EQ(without_fat(macos_platforms("x86_64", 14, 2)), without_fat(list(2)));
}

}  // namespace
}  // namespace curupira::registry
