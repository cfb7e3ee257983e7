#include "registry/pylock.h"

#include <gtest/gtest.h>

#include "registry/wheel_name.h"

namespace curupira::registry {
namespace {

const std::string hex_a(64, 'a');
const std::string hashes = "hashes = { sha256 = \"" + hex_a + "\" }";

std::string lock(const std::string& packages) {
  return "lock-version = \"1.0\"\ncreated-by = \"uv\"\nrequires-python = \">=3.11\"\n" + packages;
}

std::string package(const std::string& name, const std::string& wheels) {
  return "\n[[packages]]\nname = \"" + name + "\"\nversion = \"1.0\"\nwheels = [" + wheels + "]\n";
}

std::string wheel(const std::string& file, const std::string& members = hashes) {
  return "{ url = \"https://files.example.org/" + file + "\", upload-time = 2026-01-02T03:04:05Z, " +
         members + " },";
}

ErrorCode code_of(const std::string& packages) {
  const auto wheels = read_pylock(lock(packages), "/scratch");
  return wheels ? ErrorCode::internal : wheels.error().code();
}

TEST(Pylock, AWheelWithItsSizeAndDigest) {
  const auto wheels = read_pylock(
      lock(package("My.Pkg", wheel("my_pkg-1.0-py3-none-any.whl", "size = 17, " + hashes))), "/scratch");
  ASSERT_TRUE(wheels) << wheels.error().summary();
  ASSERT_EQ(wheels->size(), 1u);
  EXPECT_EQ(wheels->front().name, "my-pkg");
  EXPECT_EQ(wheels->front().version, "1.0");
  ASSERT_EQ(wheels->front().wheels.size(), 1u);
  const LockedWheel& only = wheels->front().wheels.front();
  EXPECT_EQ(only.file_name, "my_pkg-1.0-py3-none-any.whl");
  EXPECT_EQ(std::get<Url>(only.location).to_string(),
            "https://files.example.org/my_pkg-1.0-py3-none-any.whl");
  EXPECT_EQ(only.size, 17u);
  EXPECT_EQ(only.digests.front().hex(), hex_a);
}

TEST(Pylock, PrivateIndexesGiveNoSize) {
  const auto wheels = read_pylock(lock(package("x", wheel("x-1.0-py3-none-any.whl"))), "/scratch");
  ASSERT_TRUE(wheels);
  EXPECT_FALSE(wheels->front().wheels.front().size);
}

TEST(Pylock, LocalWheels) {
  const auto path_of = [](const std::string& location) {
    const auto wheels = read_pylock(lock(package("x", "{ " + location + ", " + hashes + " }")), "/scratch");
    return wheels ? std::get<std::filesystem::path>(wheels->front().wheels.front().location).string()
                  : wheels.error().summary();
  };
  EXPECT_EQ(path_of("url = \"file:///w%20h/x-1.0-py3-none-any.whl\""), "/w h/x-1.0-py3-none-any.whl");
  EXPECT_EQ(path_of("path = \"../wheels/x-1.0-py3-none-any.whl\""), "/wheels/x-1.0-py3-none-any.whl");
}

TEST(Pylock, AllWheelsOfAPackageAndItsMarker) {
  const std::string text =
      "\n[[packages]]\nname = \"x\"\nversion = \"1.0\"\nmarker = \"sys_platform == 'win32'\"\n"
      "wheels = [" +
      wheel("x-1.0-py3-none-any.whl") + wheel("x-1.0-cp311-cp311-win_amd64.whl") + "]\n";
  const auto packages = read_pylock(lock(text + "[[packages]]\nname = \"x\"\nversion = \"0.9\"\nwheels = [" +
                                         wheel("x-0.9-py3-none-any.whl") + "]\n"),
                                    "/scratch");
  ASSERT_TRUE(packages) << packages.error().summary();
  ASSERT_EQ(packages->size(), 2u);
  EXPECT_EQ((*packages)[0].version, "0.9") << "sorted";
  EXPECT_EQ((*packages)[1].marker, "sys_platform == 'win32'");
  EXPECT_EQ((*packages)[1].wheels.size(), 2u);
}

TEST(Pylock, APackageWithoutWheelIsUnsafe) {
  EXPECT_EQ(code_of("[[packages]]\nname = \"x\"\nversion = \"1.0\"\nsdist = { url = "
                    "\"https://files.example.org/x.tar.gz\" }\n"),
            ErrorCode::resolution_unsafe);
  EXPECT_EQ(code_of("[[packages]]\nname = \"x\"\nvcs = { type = \"git\" }\n"), ErrorCode::resolution_unsafe);
  EXPECT_EQ(code_of("[[packages]]\nname = \"x\"\ndirectory = { path = \".\" }\n"),
            ErrorCode::resolution_unsafe);
}

TEST(Pylock, AWheelOfAnotherPackageIsUnsafe) {
  EXPECT_EQ(code_of(package("x", wheel("y-1.0-py3-none-any.whl"))), ErrorCode::resolution_unsafe);
  EXPECT_EQ(code_of(package("x", wheel("x-1.0.tar.gz"))), ErrorCode::resolution_unsafe);
  EXPECT_EQ(code_of(package("x", wheel("..%2Fx-1.0-py3-none-any.whl"))), ErrorCode::resolution_unsafe);
}

TEST(Pylock, OnlyStrongDigestsVouch) {
  EXPECT_EQ(code_of(package("x", wheel("x-1.0-py3-none-any.whl", "size = 1"))), ErrorCode::integrity_missing);
  EXPECT_EQ(code_of(package("x", wheel("x-1.0-py3-none-any.whl", "hashes = {}"))),
            ErrorCode::integrity_missing);
  EXPECT_EQ(code_of(package("x", wheel("x-1.0-py3-none-any.whl", "hashes = { md5 = \"00\" }"))),
            ErrorCode::integrity_weak);
  EXPECT_EQ(code_of(package("x", wheel("x-1.0-py3-none-any.whl", "hashes = { sha256 = \"00\" }"))),
            ErrorCode::integrity_missing);
}

TEST(Pylock, WhatIsNoPylockIsRefused) {
  for (const char* text : {"", "x", "lock-version = \"2.0\"\npackages = []\n", "lock-version = \"1.0\"\n",
                           "lock-version = \"1.0\"\npackages = [1]\n",
                           "lock-version = \"1.0\"\npackages = [{ name = \"../x\" }]\n"}) {
    const auto wheels = read_pylock(text, "/scratch");
    ASSERT_FALSE(wheels) << text;
    EXPECT_EQ(wheels.error().code(), ErrorCode::resolution_unreadable) << text;
  }
  const std::string good = wheel("x-1.0-py3-none-any.whl");
  EXPECT_EQ(code_of(package("x", good) + package("x", good)), ErrorCode::resolution_unreadable);
  EXPECT_EQ(code_of("[[packages]]\nname = \"x\"\nversion = \"1 --hash=x\"\nwheels = [" + good + "]\n"),
            ErrorCode::resolution_unreadable);
  EXPECT_EQ(code_of(package("x", wheel("x-1.0-py3-none-any.whl", "size = -1, " + hashes))),
            ErrorCode::resolution_unreadable);
}

TEST(WheelName, Parts) {
  const auto name = WheelName::parse("my_pkg-1!2.0+cpu-1-cp311-cp311-linux_x86_64.whl");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->distribution, "my_pkg");
  EXPECT_EQ(name->version, "1!2.0+cpu");
  EXPECT_EQ(name->abi, "cp311");
  EXPECT_EQ(name->build, "1");
  for (const char* text : {"x.whl", "x-1-py3-none.whl", "x-1-py3-none-any.zip", "x-1--none-any.whl",
                           "x-1-py3-none-a/ny.whl", "../x-1-py3-none-any.whl", "x 1-1-py3-none-any.whl"}) {
    EXPECT_FALSE(WheelName::parse(text)) << text;
  }
}

}  // namespace
}  // namespace curupira::registry
