#include <sys/stat.h>

#include "tests/unit/installer/home_fixture.h"

namespace curupira::installer::test {
namespace {

namespace fs = std::filesystem;
using curupira::test::text_of;

class FolderExtension : public HomeFixture {
 protected:
  registry::Reference folder(const std::string& name, const std::string& launch,
                             const std::map<std::string, std::string>& files = {}) {
    folder_.write(name + "/curupira-extension.toml", manifest_text(name, "1.0.0", launch));
    for (const auto& [file, text] : files)
      folder_.write(name + "/" + file, text);
    return registry::PathReference{.folder = folder_ / name};
  }
  static std::string platform(const std::string& type, const std::string& url, const std::string& bytes,
                              const std::string& more = "") {
    return "type = \"" + type + "\"\nargs = [\"--stdio\"]\n\n[launch.platforms.linux-x86_64]\nurl = \"" +
           url + "\"\nsha256 = \"" + digest_of(DigestAlgorithm::sha256, bytes).hex() +
           "\"\nsize = " + std::to_string(bytes.size()) + "\n" + more;
  }
};

TEST_F(FolderExtension, AnExecutableIsWrittenSoThatTheExistingHostCanRunIt) {
  ASSERT_TRUE(install({folder_extension("y")}));
  const auto content = home_.trees() / receipt("y").content.digest;
  EXPECT_NE(installed_manifest("y").find("program = \"" + (content / "run").string() + "\""),
            std::string::npos);
  EXPECT_NE(installed_manifest("y").find("args = [\"" + (content / "data.txt").string() + "\", \"x\"]"),
            std::string::npos)
      << installed_manifest("y");
  EXPECT_EQ(receipt("y").command.entry->text(), "run");
  EXPECT_TRUE(receipt("y").command.in_content_folder);
  EXPECT_EQ(receipt("y").command.args, (std::vector<std::string>{"data.txt", "x"}));
}

TEST_F(FolderExtension, ABareNameIsOfTheFolderOrOfPath) {
  const auto reference =
      folder("own", "type = \"executable\"\nprogram = \"tool\"\n", {{"tool", "#!/bin/sh\n"}});
  fs::permissions(folder_ / "own/tool", fs::perms::owner_all);
  ASSERT_TRUE(install({reference}));
  EXPECT_EQ(receipt("own").command.entry->text(), "tool");
  ASSERT_TRUE(install({folder("of-path", "type = \"executable\"\nprogram = \"sh\"\n")}));
  EXPECT_EQ(receipt("of-path").command.path_program, "sh");
  EXPECT_EQ(refusal({folder("nowhere", "type = \"executable\"\nprogram = \"no-such-program\"\n")}),
            ErrorCode::launch_program_missing);
}

TEST_F(FolderExtension, AProgramOutsideMissingOrNotExecutable) {
  for (const std::string program : {"../run", "/bin/sh", "./missing", "./plain", "./sub"}) {
    const auto reference = folder("y", "type = \"executable\"\nprogram = \"" + program + "\"\n",
                                  {{"plain", "x"}, {"sub/x", "x"}});
    EXPECT_EQ(refusal({reference}), ErrorCode::launch_program_missing) << program;
  }
  EXPECT_TRUE(state().empty());
}

TEST_F(FolderExtension, WithoutAManifest) {
  folder_.write("empty/x", "x");
  EXPECT_EQ(refusal({registry::PathReference{.folder = folder_ / "empty"}}), ErrorCode::manifest_missing);
  EXPECT_EQ(refusal({registry::PathReference{.folder = folder_ / "nothing"}}), ErrorCode::file_not_found);
}

TEST_F(FolderExtension, ABinaryByPathIsVerifiedAndMadeExecutable) {
  ASSERT_TRUE(
      install({folder("y", platform("binary", "bin/tool", "#!/bin/sh\n"), {{"bin/tool", "#!/bin/sh\n"}})}));
  const auto program = home_.trees() / receipt("y").content.digest / "tool";
  struct stat status {};
  ASSERT_EQ(::stat(program.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0555U);
  EXPECT_EQ(receipt("y").launch_type, "binary");
  EXPECT_EQ(receipt("y").command.args, std::vector<std::string>{"--stdio"});
  EXPECT_NE(installed_manifest("y").find("type = \"executable\""), std::string::npos);
  EXPECT_FALSE(fs::exists(home_.trees() / receipt("y").content.digest / "curupira-extension.toml"));
}

TEST_F(FolderExtension, ABinaryByUrl) {
  http_.bodies["https://downloads.example.org/tool"] = "ELF";
  ASSERT_TRUE(install({folder("y", platform("binary", "https://downloads.example.org/tool", "ELF"))}));
  EXPECT_EQ(receipt("y").artifacts.at(0).location, "https://downloads.example.org/tool");
}

TEST_F(FolderExtension, ABinaryThatIsAnotherLeavesNothing) {
  EXPECT_EQ(refusal({folder("y", platform("binary", "tool", "good!"), {{"tool", "evil!"}})}),
            ErrorCode::digest_mismatch);
  EXPECT_EQ(refusal({folder("y", platform("binary", "tool", "good!"), {{"tool", "longer"}})}),
            ErrorCode::size_mismatch);
  EXPECT_TRUE(state().empty());
}

TEST_F(FolderExtension, AnArchiveIsStrippedAndItsProgramMadeExecutable) {
  const std::string archive =
      gzip_of(tar_of({{.name = "ext-1.0/bin/ext", .contents = "#!"}, {.name = "ext-1.0/data"}}));
  ASSERT_TRUE(install(
      {folder("y", platform("archive", "e.tar.gz", archive, "strip_components = 1\nprogram = \"bin/ext\"\n"),
              {{"e.tar.gz", archive}})}))
      << detail_;
  EXPECT_EQ(receipt("y").command.entry->text(), "bin/ext");
  const auto content = home_.trees() / receipt("y").content.digest;
  EXPECT_NE(fs::status(content / "bin/ext").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_TRUE(fs::exists(content / "data"));
}

TEST_F(FolderExtension, AnArchiveWithoutItsProgram) {
  const std::string archive = gzip_of(tar_of({{.name = "ext-1.0/bin/ext", .contents = "#!"}}));
  EXPECT_EQ(refusal({folder("y", platform("archive", "e.tar.gz", archive, "program = \"bin/ext\"\n"),
                            {{"e.tar.gz", archive}})}),
            ErrorCode::archive_program_missing);
}

TEST_F(FolderExtension, AnotherPlatformListsWhatThereIs) {
  std::string text = platform("binary", "tool", "x");
  text.replace(text.find("linux-x86_64"), 12, "plan9-mips  ");
  text.erase(text.find("  ]"), 2);
  EXPECT_EQ(refusal({folder("y", text, {{"tool", "x"}})}), ErrorCode::platform_missing);
  EXPECT_NE(detail_.find("plan9-mips"), std::string::npos);
  EXPECT_NE(detail_.find("linux-x86_64"), std::string::npos);
}

TEST_F(FolderExtension, NodeCodeOfTheFolderIsUsedAsItIs) {
  const auto reference =
      folder("y", "type = \"npx\"\npackage = \"@acme/y\"\nargs = [\"--stdio\"]\n",
             {{"package.json", R"({"name": "@acme/y", "version": "1.0.0", "bin": "./cli.js"})"},
              {"cli.js", "#!/usr/bin/env node\n"}});
  ASSERT_TRUE(install({reference})) << detail_;
  EXPECT_EQ(receipt("y").content.kind, manifest::ReceiptContent::Kind::tree);
  EXPECT_EQ(receipt("y").command.entry->text(), "cli.js");
  EXPECT_EQ(receipt("y").command.args, std::vector<std::string>{"--stdio"});
}

TEST_F(FolderExtension, NodeCodeWithDependenciesNeedsThemInTheFolder) {
  const std::string launch = "type = \"npx\"\npackage = \"y\"\n";
  const std::map<std::string, std::string> files{
      {"package.json", R"({"name": "y", "version": "1.0.0", "bin": "cli.js", "dependencies": {"d": "1"}})"},
      {"cli.js", ""}};
  EXPECT_EQ(refusal({folder("y", launch, files)}), ErrorCode::launch_unsupported);
  folder_.write("y/node_modules/d/index.js", "");
  EXPECT_EQ(refusal({folder("y", launch, files)}), ErrorCode::internal) << detail_;
}

TEST_F(FolderExtension, NodeCodeOfAnotherPackageOrVersion) {
  const std::string launch = "type = \"npx\"\npackage = \"y\"\n";
  EXPECT_EQ(refusal({folder("y", launch, {{"package.json", R"({"name": "z", "bin": "cli.js"})"}})}),
            ErrorCode::manifest_mismatch);
  EXPECT_EQ(
      refusal({folder("y", launch, {{"package.json", R"({"name": "y", "version": "2.0.0", "bin": "c"})"}})}),
      ErrorCode::manifest_mismatch);
}

TEST_F(FolderExtension, AManifestAloneIsAPointerToItsPackage) {
  npm_package("@acme/y", "1.0.0", {});
  ASSERT_TRUE(install({folder("y", "type = \"npx\"\npackage = \"@acme/y\"\n")})) << detail_;
  EXPECT_EQ(receipt("y").source, "path");
  EXPECT_EQ(receipt("y").content.kind, manifest::ReceiptContent::Kind::node_modules);
  EXPECT_FALSE(receipt("y").probed) << "the folder's manifest describes it: nothing is started";
}

TEST_F(FolderExtension, PythonSourcesAreNotBuilt) {
  EXPECT_EQ(refusal({folder("y", "type = \"uvx\"\npackage = \"y\"\nexecutable = \"y\"\n",
                            {{"pyproject.toml", ""}})}),
            ErrorCode::launch_unsupported);
  EXPECT_TRUE(processes_.requests.empty());
}

TEST_F(FolderExtension, LinksStayInTheFolder) {
  const auto reference = folder_extension("y");
  fs::create_symlink("data.txt", folder_ / "y-1.0.0/link");
  ASSERT_TRUE(install({reference}));
  EXPECT_EQ(fs::read_symlink(home_.trees() / receipt("y").content.digest / "link"), "data.txt");
  const auto before = state();
  for (const std::string target : {"/etc/passwd", "../outside", "missing"}) {
    fs::remove(folder_ / "y-1.0.0/link");
    folder_.write("outside", "x");
    fs::create_symlink(target, folder_ / "y-1.0.0/link");
    EXPECT_EQ(refusal({reference}), ErrorCode::archive_link) << target;
  }
  EXPECT_EQ(state(), before);
}

TEST_F(FolderExtension, ALinkThatLeavesThroughAnotherLinkIsRefused) {
  const auto reference = folder_extension("y");
  folder_.write("secret", "x");
  fs::create_directories(folder_ / "y-1.0.0/a/b/c");
  fs::create_directories(folder_ / "y-1.0.0/top");
  fs::create_symlink("../../../top", folder_ / "y-1.0.0/a/b/c/short");
  // By its letters it stays inside; followed, it leads to the folder above.
  fs::create_symlink("short/../../secret", folder_ / "y-1.0.0/a/b/c/link");
  EXPECT_EQ(refusal({reference}), ErrorCode::archive_link);
}

TEST_F(FolderExtension, GitIsLeftOutAndPipesAreRefused) {
  const auto reference = folder_extension("y");
  folder_.write("y-1.0.0/.git/config", "secret");
  ASSERT_TRUE(install({reference}));
  EXPECT_FALSE(fs::exists(home_.trees() / receipt("y").content.digest / ".git"));
  ASSERT_EQ(::mkfifo((folder_ / "y-1.0.0/pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal({reference}), ErrorCode::archive_entry_type);
}

}  // namespace
}  // namespace curupira::installer::test
