#include "registry/python_lock.h"

#include "registry/python_index_places.h"
#include "tests/unit/registry/python_facts.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

std::string hex(char letter) {
  return std::string(64, letter);
}
Digest sha256(char letter) {
  return Digest::from_hex(DigestAlgorithm::sha256, hex(letter)).value();
}
const std::string index_url = "https://index.example.org/simple/";

std::string wheel(const std::string& file, char letter) {
  return "{ url = \"https://files.example.org/" + file + "\", size = 9, hashes = { sha256 = \"" +
         hex(letter) + "\" } },";
}
std::string package(const std::string& name, const std::string& wheels, const std::string& marker = {}) {
  return "[[packages]]\nname = \"" + name + "\"\nversion = \"1.0\"\n" +
         (marker.empty() ? "" : "marker = \"" + marker + "\"\n") + "wheels = [" + wheels + "]\n";
}
std::string link(const std::string& file, char letter) {
  return "<a href=\"/files/" + file + "#sha256=" + hex(letter) + "\">f</a>\n";
}

class PythonLockTest : public test::RegistryTest {
 protected:
  PythonLockTest() {
    have_program("uv");
    have_program("python3");
    processes.prints("-c", test::interpreter_answer(folder.write("bin/base", "x").string()));
    environment.set("UV_DEFAULT_INDEX", index_url);
    processes.prints(
        "--universal",
        "lock-version = \"1.0\"\n" + package("x", wheel("x-1.0-py3-none-any.whl", 'a')) +
            package("dep", wheel("dep-1.0-cp311-cp311-manylinux_2_17_x86_64.whl", 'b') +
                               wheel("dep-1.0-cp311-cp311-macosx_11_0_arm64.whl", 'c')) +
            package("winonly", wheel("winonly-1.0-py3-none-any.whl", 'd'), "sys_platform == 'win32'"));
    http.answer(index_url + "x/", link("x-1.0-py3-none-any.whl", 'a') + link("x-1.0.tar.gz", 'e') +
                                      link("x-1.1.tar.gz", 'f') + link("x-1.0.0-py2-none-any.whl", '1'));
    http.answer(index_url + "dep/", link("dep-1.0-cp311-cp311-manylinux_2_17_x86_64.whl", 'b'));
    http.answer(index_url + "winonly/", "<html>");
  }
  Result<PythonLock> lock(const std::vector<std::string>& names = {"linux-x86_64", "darwin-arm64"}) {
    std::vector<manifest::Platform> platforms;
    for (const std::string& name : names)
      platforms.push_back(platform(name));
    return lock_python(tools(), {.name = "x", .specifiers = "<2"}, platforms, diagnostics);
  }
  static PythonTarget on(std::string_view name) { return assumed_python(platform(name), "3.11").value(); }
};

TEST_F(PythonLockTest, HasEveryWheelAndSourceOfEachVersion) {
  const auto made = lock();
  ASSERT_TRUE(made) << made.error().summary();
  EXPECT_EQ(made->version, "1.0");
  EXPECT_EQ(made->python, "3.11");
  ASSERT_EQ(made->packages.size(), 3U);
  EXPECT_EQ(made->packages[0].name, "dep");
  EXPECT_EQ(made->packages[0].files.size(), 2U);
  std::vector<std::string> names;
  for (const PythonFile& file : made->packages[2].files)
    names.push_back(file.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"x-1.0-py3-none-any.whl", "x-1.0.0-py2-none-any.whl", "x-1.0.tar.gz"}));
  EXPECT_EQ(made->packages[2].files[0].size, 9U);
  EXPECT_EQ(made->packages[1].marker, "sys_platform == 'win32'");
  EXPECT_TRUE(staging_is_empty());
}

TEST_F(PythonLockTest, APlatformWithoutAWheelIsRefused) {
  const auto made = lock({"linux-x86_64", "linux-aarch64"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::resolution_unsafe);
  EXPECT_NE(made.error().detail().find("dep 1.0 has no wheel"), std::string::npos);
  EXPECT_NE(made.error().doing()[0].find("linux-aarch64"), std::string::npos);
}

TEST_F(PythonLockTest, AnIndexThatContradictsTheResolver) {
  http.answer(index_url + "x/", link("x-1.0-py3-none-any.whl", 'f'));
  const auto made = lock();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::registry_unreadable);
  EXPECT_NE(made.error().detail().find(hex('a')), std::string::npos);
  EXPECT_NE(made.error().detail().find(hex('f')), std::string::npos);
}

TEST_F(PythonLockTest, EachInterpreterChoosesItsOwn) {
  const PythonLock made = lock().value();
  const auto file = [&](std::string_view name) { return choose_wheels(made, on(name)).value()[0].file.name; };
  EXPECT_EQ(choose_wheels(made, on("linux-x86_64"))->size(), 2U) << "winonly does not belong to it";
  EXPECT_EQ(file("linux-x86_64"), "dep-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  EXPECT_EQ(file("darwin-arm64"), "dep-1.0-cp311-cp311-macosx_11_0_arm64.whl");
  const auto musl = choose_wheels(made, on("linux-x86_64-musl"));
  ASSERT_FALSE(musl);
  EXPECT_EQ(musl.error().code(), ErrorCode::resolution_unsafe);
  const auto old = choose_wheels(made, assumed_python(platform(), "3.9").value());
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code(), ErrorCode::version_not_found);
}

TEST_F(PythonLockTest, ResolvedWithoutAResolver) {
  const PythonLock made = lock().value();
  std::filesystem::remove(folder / "bin/uv");
  processes.requests.clear();
  const Reference reference = PipReference{.name = "x", .specifiers = {}};
  const auto resolution = resolve_locked(tools(), reference, made, on("linux-x86_64"),
                                         [](const Digest& digest) { return digest == sha256('a'); });
  ASSERT_TRUE(resolution) << resolution.error().summary();
  ASSERT_EQ(resolution->artifacts.size(), 2U);
  EXPECT_EQ(std::get<Url>(resolution->artifacts[0].location).to_string(),
            "https://index.example.org/files/dep-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  EXPECT_EQ(std::get<std::filesystem::path>(resolution->artifacts[1].location), "x-1.0-py3-none-any.whl");
  EXPECT_EQ(resolution->artifacts[1].proof.any_of, std::vector<Digest>{sha256('a')});
  EXPECT_TRUE(processes.requests.empty());
}

TEST_F(PythonLockTest, WithEverythingAtHandNothingIsAsked) {
  const PythonLock made = lock().value();
  http.requests.clear();
  SourceTools offline = tools();
  offline.http = nullptr;
  const Reference reference = PipReference{.name = "x", .specifiers = {}};
  EXPECT_TRUE(
      resolve_locked(offline, reference, made, on("linux-x86_64"), [](const Digest&) { return true; }));
  const auto missing =
      resolve_locked(offline, reference, made, on("linux-x86_64"), [](const Digest&) { return false; });
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::offline_missing);
  EXPECT_NE(missing.error().detail().find("dep-1.0-cp311"), std::string::npos) << "names it";
  EXPECT_TRUE(http.requests.empty());
}

TEST_F(PythonLockTest, AnotherFileUnderTheLockedName) {
  const PythonLock made = lock().value();
  http.answer(index_url + "dep/", link("dep-1.0-cp311-cp311-manylinux_2_17_x86_64.whl", 'f'));
  const Reference reference = PipReference{.name = "x", .specifiers = {}};
  const auto resolution =
      resolve_locked(tools(), reference, made, on("linux-x86_64"), [](const Digest&) { return false; });
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::digest_mismatch);
  EXPECT_NE(resolution.error().detail().find(hex('b')), std::string::npos);
  EXPECT_NE(resolution.error().detail().find(hex('f')), std::string::npos);
}

TEST_F(PythonLockTest, IndexesOfTheEnvironmentInTheirOrder) {
  environment.set("UV_INDEX", "acme=https://one.example.org/s https://user:secret@two.example.org/s");
  environment.set("UV_EXTRA_INDEX_URL", "https://three.example.org/s");
  const auto places = python_index_places(tools(), read_python_indexes(tools()));
  ASSERT_TRUE(places);
  std::vector<std::string> hosts;
  for (const Url& url : places->indexes)
    hosts.push_back(url.host());
  EXPECT_EQ(hosts, (std::vector<std::string>{"one.example.org", "two.example.org", "three.example.org",
                                             "index.example.org"}));
}

TEST_F(PythonLockTest, WithoutADefaultUvIsAskedAndRemembered) {
  environment.unset("UV_DEFAULT_INDEX");
  processes.prints(
      "--emit-index-url",
      "--index-url https://default.example.org/simple\n--extra-index-url https://u:pw@e.example.org/s\n\n");
  const auto read = [&] { return python_index_places(tools(), read_python_indexes(tools())); };
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->indexes[0].host(), "e.example.org");
  std::filesystem::remove(folder / "bin/uv");
  const auto without = read();
  ASSERT_TRUE(without) << without.error().summary();
  EXPECT_EQ(without->indexes[1].host(), "default.example.org");
  EXPECT_EQ(curupira::test::text_of(home.cache() / "python-indexes.txt").find("pw"), std::string::npos);
  std::filesystem::remove(home.cache() / "python-indexes.txt");
  EXPECT_EQ(read().error().code(), ErrorCode::tool_missing);
}

}  // namespace
}  // namespace curupira::registry
