#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/manifest_text.h"

namespace curupira::manifest::test {
namespace {

using testing::HasSubstr;

constexpr const char* digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/// A manifest with this launch table, whose header stands in line 8.
Result<Manifest> parse_launch_text(const std::string& lines, Diagnostics& diagnostics) {
  ManifestText text;
  text.launch = "[launch]\n" + lines;
  return parse(text.text(), diagnostics);
}

Result<Manifest> parse_launch_text(const std::string& lines) {
  CollectedDiagnostics ignored;
  return parse_launch_text(lines, ignored);
}

/// An archive launch; header of the platform in line 10, url in line 11, and what follows from line 12 on.
std::string archive(const std::string& url, const std::string& rest) {
  return "type = \"archive\"\n[launch.platforms.linux-x86_64]\nurl = \"" + url + "\"\n" + rest;
}

std::string sha256() {
  return std::string("sha256 = \"") + digest + "\"\n";
}
std::string program() {
  return "program = \"bin/ext\"\n";
}

struct BadLaunch {
  const char* name;
  std::string lines;
  const char* place;
  const char* words;
};

void PrintTo(const BadLaunch& bad, std::ostream* out) {
  *out << bad.name;
}

class BadLaunchTable : public testing::TestWithParam<BadLaunch> {};

TEST_P(BadLaunchTable, is_refused_with_place_and_field) {
  const auto manifest = parse_launch_text(GetParam().lines);
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code(), ErrorCode::manifest_field);
  EXPECT_THAT(manifest.error().detail(),
              testing::StartsWith(std::string(file_name) + ":" + GetParam().place + ": "));
  EXPECT_THAT(manifest.error().detail(), HasSubstr(GetParam().words));
}

std::string name_of_row(const testing::TestParamInfo<BadLaunch>& row) {
  return row.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Type, BadLaunchTable,
    testing::Values(
        BadLaunch{"missing", "package = \"x\"\n", "8:1",
                  "field \"launch.type\": expected a string, found nothing"},
        BadLaunch{"unknown", "type = \"docker\"\n", "9:8",
                  "expected \"npx\", \"uvx\", \"executable\", \"binary\" or \"archive\", found \"docker\""},
        BadLaunch{"misspelt", "type = \"nxp\"\n", "9:8", "found \"nxp\""},
        BadLaunch{"number", "type = 1\n", "9:8", "expected a string, found 1"}),
    name_of_row);

INSTANTIATE_TEST_SUITE_P(
    Fields, BadLaunchTable,
    testing::Values(
        BadLaunch{"npx_without_package", "type = \"npx\"\n", "8:1", "\"launch.package\": expected a string"},
        BadLaunch{"npx_package_empty", "type = \"npx\"\npackage = \"\"\n", "10:11",
                  "the name of an npm package"},
        BadLaunch{"npx_package_is_an_option", "type = \"npx\"\npackage = \"--call=x\"\n", "10:11",
                  "leading '-'"},
        BadLaunch{"npx_package_with_space", "type = \"npx\"\npackage = \"a b\"\n", "10:11", "without spaces"},
        BadLaunch{"npx_version_number", "type = \"npx\"\npackage = \"x\"\nversion = 1\n", "11:11",
                  "a string, found 1"},
        BadLaunch{"npx_bin_array", "type = \"npx\"\npackage = \"x\"\nbin = []\n", "11:7",
                  "expected a string"},
        BadLaunch{"npx_args_string", "type = \"npx\"\npackage = \"x\"\nargs = \"--stdio\"\n", "11:8",
                  "\"launch.args\": expected an array of strings, found \"--stdio\""},
        BadLaunch{"npx_args_number", "type = \"npx\"\npackage = \"x\"\nargs = [\"a\", 1]\n", "11:14",
                  "\"launch.args[1]\": expected a string, found 1"},
        BadLaunch{"args_with_nul", "type = \"npx\"\npackage = \"x\"\nargs = [\"a\\u0000\"]\n", "11:9",
                  "without NUL"},
        BadLaunch{"uvx_without_package", "type = \"uvx\"\nexecutable = \"x\"\n", "8:1", "\"launch.package\""},
        BadLaunch{"uvx_without_executable", "type = \"uvx\"\npackage = \"x\"\n", "8:1",
                  "\"launch.executable\": expected a string"},
        BadLaunch{"uvx_executable_number", "type = \"uvx\"\npackage = \"x\"\nexecutable = 1\n", "11:14",
                  "found 1"},
        BadLaunch{"executable_without_program", "type = \"executable\"\n", "8:1", "\"launch.program\""},
        BadLaunch{"executable_program_empty", "type = \"executable\"\nprogram = \"\"\n", "10:11",
                  "found \"\""},
        BadLaunch{"binary_without_platforms", "type = \"binary\"\n", "8:1",
                  "\"launch.platforms\": expected a table"},
        BadLaunch{"binary_platforms_empty", "type = \"binary\"\nplatforms = {}\n", "10:13",
                  "at least one platform"},
        BadLaunch{"binary_platform_string", "type = \"binary\"\nplatforms = {linux-x86_64 = \"x\"}\n",
                  "10:29", "\"launch.platforms.linux-x86_64\": expected a table, found \"x\""},
        BadLaunch{"platform_upper_case", "type = \"binary\"\n[launch.platforms.Linux-x86_64]\n", "10:19",
                  "expected a platform like \"linux-x86_64\""},
        BadLaunch{"platform_without_arch", "type = \"binary\"\n[launch.platforms.linux]\n", "10:19",
                  "expected a platform like"}),
    name_of_row);

INSTANTIATE_TEST_SUITE_P(
    Artifact, BadLaunchTable,
    testing::Values(
        BadLaunch{"without_url", "type = \"binary\"\n[launch.platforms.linux-x86_64]\n" + sha256(), "10:1",
                  "\"launch.platforms.linux-x86_64.url\": expected a string"},
        BadLaunch{"http", archive("http://example.org/x.tar", sha256() + program()), "11:7",
                  "expected an https URL"},
        BadLaunch{"http_to_a_name_like_loopback",
                  archive("http://127.0.0.1.example.org/x.tar", sha256() + program()), "11:7",
                  "expected an https URL"},
        BadLaunch{"ftp", archive("ftp://example.org/x.tar", sha256() + program()), "11:7",
                  "expected an https URL"},
        BadLaunch{"file", archive("file:///etc/passwd", sha256() + program()), "11:7",
                  "expected an https URL"},
        BadLaunch{"absolute_path", archive("/opt/x.tar", sha256() + program()), "11:7",
                  "a path inside the manifest's folder, found \"/opt/x.tar\""},
        BadLaunch{"network_path", archive("//example.org/x.tar", sha256() + program()), "11:7",
                  "a path inside"},
        BadLaunch{"path_that_leaves", archive("dist/../../x.tar", sha256() + program()), "11:7",
                  "a path inside"},
        BadLaunch{"drive", archive("C:\\\\x.tar", sha256() + program()), "11:7", "a path inside"},
        BadLaunch{"url_empty", archive("", sha256() + program()), "11:7", "found \"\""},
        BadLaunch{"url_with_password", archive("https://me:hunter2@example.org/x.tar", sha256() + program()),
                  "11:7", "a URL without user name and password"},
        BadLaunch{"without_sha256", archive("x.tar", program()), "10:1",
                  "sha256\": expected a string, found nothing"},
        BadLaunch{"sha256_short", archive("x.tar", "sha256 = \"9f86\"\n" + program()), "12:10",
                  "64 hexadecimal digits (found 4 characters)"},
        BadLaunch{"sha256_not_hex",
                  archive("x.tar", "sha256 = \"" + std::string(64, 'g') + "\"\n" + program()), "12:10",
                  "64 hexadecimal digits"},
        BadLaunch{"size_negative", archive("x.tar", sha256() + "size = -1\n" + program()), "13:8",
                  "size\": expected an integer, at least 1, found -1"},
        BadLaunch{"size_string", archive("x.tar", sha256() + "size = \"1\"\n" + program()), "13:8",
                  "found \"1\""},
        BadLaunch{"strip_negative", archive("x.tar", sha256() + "strip_components = -1\n" + program()),
                  "13:20", "strip_components\": expected an integer from 0 to 16, found -1"},
        BadLaunch{"strip_17", archive("x.tar", sha256() + "strip_components = 17\n" + program()), "13:20",
                  "expected an integer from 0 to 16, found 17"},
        BadLaunch{"without_program", archive("x.tar", sha256()), "10:1", "program\": expected a string"},
        BadLaunch{"program_absolute", archive("x.tar", sha256() + "program = \"/bin/sh\"\n"), "13:11",
                  "expected a path inside the archive, found \"/bin/sh\""},
        BadLaunch{"program_leaves", archive("x.tar", sha256() + "program = \"../sh\"\n"), "13:11",
                  "expected a path inside the archive"}),
    name_of_row);

TEST(BadLaunchMessage, does_not_show_a_password) {
  const auto manifest =
      parse_launch_text(archive("ftp://me:hunter2@example.org/x.tar", sha256() + program()));
  ASSERT_FALSE(manifest);
  EXPECT_THAT(manifest.error().detail(), testing::Not(HasSubstr("hunter2")));
}

TEST(LaunchTable, reads_an_archive_for_each_platform) {
  const auto manifest = parse_launch_text(
      "type = \"archive\"\nargs = [\"--stdio\"]\n[launch.platforms.linux-x86_64]\n"
      "url = \"https://downloads.example.org/x.tar.zst\"\nsize = 123456\nstrip_components = 1\n" +
      sha256() + program() + "[launch.platforms.linux-aarch64-musl]\nurl = \"./dist/x.zip\"\n" + sha256() +
      program());
  ASSERT_TRUE(manifest) << manifest.error().detail();
  const auto& launch = std::get<ArchiveLaunch>(manifest->launch);
  EXPECT_THAT(launch.args, testing::ElementsAre("--stdio"));
  ASSERT_EQ(launch.platforms.size(), 2u);
  const auto& x86 = launch.platforms.at(*Platform::parse("linux-x86_64"));
  EXPECT_EQ(x86.location, "https://downloads.example.org/x.tar.zst");
  EXPECT_EQ(x86.sha256.hex(), digest);
  EXPECT_EQ(x86.size, 123456u);
  EXPECT_EQ(x86.strip_components, 1);
  ASSERT_TRUE(x86.program);
  EXPECT_EQ(x86.program->text(), "bin/ext");
  EXPECT_EQ(launch.platforms.at(*Platform::parse("linux-aarch64-musl")).location, "dist/x.zip");
}

TEST(LaunchTable, takes_http_on_this_machine) {
  for (const char* host : {"127.0.0.1:8080", "localhost", "[::1]:8080"}) {
    const auto manifest =
        parse_launch_text(archive(std::string("http://") + host + "/x.tar", sha256() + program()));
    EXPECT_TRUE(manifest) << host << ": " << manifest.error().detail();
  }
}

TEST(LaunchTable, warns_about_the_fields_of_archives_in_a_binary) {
  CollectedDiagnostics diagnostics;
  const auto manifest = parse_launch_text(
      "type = \"binary\"\n[launch.platforms.linux-x86_64]\nurl = \"x\"\nstrip_components = 1\n" + sha256() +
          program(),
      diagnostics);
  ASSERT_TRUE(manifest) << manifest.error().detail();
  ASSERT_EQ(diagnostics.all.size(), 2u);
  EXPECT_EQ(diagnostics.all[0].position, (TextPosition{12, 1}));
  EXPECT_FALSE(std::get<BinaryLaunch>(manifest->launch).platforms.begin()->second.program);
}

}  // namespace
}  // namespace curupira::manifest::test
