#include "manifest/discovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/manifest/manifest_text.h"
#include "tests/unit/manifest/temporary_folder.h"

namespace curupira::manifest::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string manifest_of(const std::string& name) {
  ManifestText text;
  text.name = "name = \"" + name + "\"\n";
  return text.text();
}

std::string receipt_of(const std::string& name, const std::string& version = "1.2.3") {
  return json::write(to_json(Receipt{.name = name,
                                     .version = version,
                                     .reference = "npm:@acme/ext",
                                     .source = "npm",
                                     .package = "@acme/ext",
                                     .launch_type = "npx",
                                     .artifacts = {},
                                     .content = {.digest = std::string(64, 'a')},
                                     .command = {.path_program = "ext"},
                                     .trees = {}}));
}

/// Counts what is asked of the real file system.
class CountingFiles final : public ReadOnlyFileSystem {
 public:
  Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t max_bytes) const override {
    ++reads;
    return real_->read_file(path, max_bytes);
  }
  Result<std::optional<FileStatus>> status(const std::filesystem::path& path) const override {
    return real_->status(path);
  }
  Result<std::vector<std::string>> list(const std::filesystem::path& folder) const override {
    ++lists;
    return real_->list(folder);
  }
  Result<std::string> read_link(const std::filesystem::path& path) const override {
    return real_->read_link(path);
  }

  mutable int reads = 0;
  mutable int lists = 0;

 private:
  std::unique_ptr<FileSystem> real_ = make_posix_file_system();
};

class Discovery : public testing::Test {
 protected:
  void add(const std::string& folder, const std::string& text) const {
    home.write(std::filesystem::path(folder) / manifest_file_name, text);
  }
  void add_receipt(const std::string& folder, const std::string& text) const {
    home.write(std::filesystem::path(folder) / receipt_file_name, text);
  }
  Discovered look(const std::vector<std::string>& folders = {"extensions"}) {
    std::vector<std::filesystem::path> paths;
    for (const auto& folder : folders)
      paths.push_back(home.path() / folder);
    return discover(files, paths, diagnostics);
  }
  static std::vector<std::string> names(const Discovered& found) {
    std::vector<std::string> all;
    for (const auto& extension : found.extensions)
      all.push_back(extension.manifest.name);
    return all;
  }

  TemporaryFolder home;
  CountingFiles files;
  CollectedDiagnostics diagnostics;
};

TEST_F(Discovery, finds_extensions_sorted_by_their_own_name) {
  add("extensions/z", manifest_of("alpha"));
  add("extensions/a", manifest_of("zeta"));
  add("extensions/m", manifest_of("Mid"));
  const auto found = look();
  EXPECT_THAT(names(found), ElementsAre("Mid", "alpha", "zeta"));
  ASSERT_NE(found.find("alpha"), nullptr);
  EXPECT_EQ(found.find("alpha")->folder, home.path() / "extensions/z");
  EXPECT_EQ(found.find("zork"), nullptr);
}

TEST_F(Discovery, lists_a_folder_once_and_reads_manifest_and_receipt) {
  for (const char* name : {"a", "b", "c"})
    add(std::string("extensions/") + name, manifest_of(name));
  add_receipt("extensions/a", receipt_of("a"));
  look();
  EXPECT_EQ(files.lists, 1);
  EXPECT_EQ(files.reads, 6);
}

TEST_F(Discovery, the_first_folder_wins_a_name) {
  add("first/x", manifest_of("acme"));
  add("second/y", manifest_of("acme"));
  const auto found = look({"first", "second"});
  ASSERT_THAT(found.extensions, SizeIs(1));
  EXPECT_EQ(found.extensions[0].folder, home.path() / "first/x");
  ASSERT_THAT(diagnostics.all, SizeIs(1));
  EXPECT_EQ(diagnostics.all[0].kind, Diagnostic::Kind::note);
  EXPECT_THAT(diagnostics.all[0].text, HasSubstr("is hidden by"));
}

TEST_F(Discovery, in_one_folder_the_first_by_folder_name_wins) {
  add("extensions/b", manifest_of("acme"));
  add("extensions/a", manifest_of("acme"));
  EXPECT_EQ(look().find("acme")->folder.filename(), "a");
}

TEST_F(Discovery, a_broken_manifest_hides_no_other) {
  add("extensions/a", manifest_of("a"));
  add("extensions/bad", "manifest_version = 1\nname = 7\nkind = \"trigger\"\nprotocol_version = 2\n");
  add("extensions/c", manifest_of("c"));
  const auto found = look();
  EXPECT_THAT(names(found), ElementsAre("a", "c"));
  ASSERT_THAT(found.broken, SizeIs(1));
  const auto file = home.path() / "extensions/bad" / manifest_file_name;
  EXPECT_EQ(found.broken[0].file, file);
  EXPECT_EQ(found.broken[0].error.code(), ErrorCode::manifest_field);
  EXPECT_THAT(found.broken[0].error.detail(), HasSubstr(file.string() + ":2:8: field \"name\""));
}

TEST_F(Discovery, a_broken_manifest_takes_no_name) {
  ManifestText broken;
  broken.version = "version = \"x\"\n";
  add("first/acme", broken.text());
  add("second/acme", manifest_of("acme"));
  const auto found = look({"first", "second"});
  EXPECT_THAT(names(found), ElementsAre("acme"));
  EXPECT_THAT(found.broken, SizeIs(1));
}

TEST_F(Discovery, a_huge_manifest_is_broken) {
  add("extensions/a", std::string(10u << 20, '#'));
  const auto found = look();
  ASSERT_THAT(found.broken, SizeIs(1));
  EXPECT_EQ(found.broken[0].error.code(), ErrorCode::manifest_too_large);
}

TEST_F(Discovery, an_obsolete_agent_is_skipped_with_a_warning) {
  ManifestText agent;
  agent.kind = "kind = \"agent\"\n";
  add("extensions/agent", agent.text());
  const auto found = look();
  EXPECT_THAT(found.extensions, IsEmpty());
  EXPECT_THAT(found.broken, IsEmpty());
  ASSERT_THAT(diagnostics.all, SizeIs(1));
  EXPECT_EQ(diagnostics.all[0].kind, Diagnostic::Kind::warning);
  EXPECT_EQ(diagnostics.all[0].file, home.path() / "extensions/agent" / manifest_file_name);
}

TEST_F(Discovery, ignores_what_is_no_extension) {
  home.write("extensions/loose.txt", "x");
  home.write("extensions/empty/readme", "x");
  add("extensions/.staging-1", manifest_of("staged"));
  add("extensions/group/nested", manifest_of("nested"));
  std::filesystem::create_symlink("nowhere", home.path() / "extensions/dangling");
  std::filesystem::create_symlink("loose.txt", home.path() / "extensions/link-to-file");
  const auto found = look();
  EXPECT_THAT(found.extensions, IsEmpty());
  EXPECT_THAT(found.broken, IsEmpty());
  EXPECT_THAT(diagnostics.all, IsEmpty());
}

TEST_F(Discovery, follows_a_link_to_a_working_copy) {
  add("work/acme", manifest_of("acme"));
  std::filesystem::create_directories(home.path() / "extensions");
  std::filesystem::create_directory_symlink(home.path() / "work/acme", home.path() / "extensions/acme");
  EXPECT_THAT(names(look()), ElementsAre("acme"));
}

TEST_F(Discovery, a_folder_of_the_path_may_be_an_extension_itself) {
  add("acme", manifest_of("acme"));
  add("acme/inner", manifest_of("inner"));
  EXPECT_THAT(names(look({"acme"})), ElementsAre("acme", "inner"));
}

TEST_F(Discovery, a_missing_folder_has_no_extensions) {
  const auto found = look({"nowhere"});
  EXPECT_THAT(found.extensions, IsEmpty());
  EXPECT_THAT(diagnostics.all, IsEmpty());
}

TEST_F(Discovery, warns_about_a_relative_folder_and_does_not_look_into_it) {
  const auto found = discover(files, {"extensions", "."}, diagnostics);
  EXPECT_THAT(found.extensions, IsEmpty());
  EXPECT_THAT(diagnostics.all, SizeIs(2));
  EXPECT_EQ(files.lists, 0);
}

TEST_F(Discovery, reads_the_receipt_beside_the_manifest) {
  add("extensions/acme", manifest_of("acme"));
  add_receipt("extensions/acme", receipt_of("acme"));
  const auto found = look();
  ASSERT_NE(found.find("acme"), nullptr);
  ASSERT_TRUE(found.find("acme")->receipt);
  EXPECT_EQ(found.find("acme")->receipt->reference, "npm:@acme/ext");
}

TEST_F(Discovery, an_unreadable_receipt_is_named) {
  add("extensions/acme", manifest_of("acme"));
  add_receipt("extensions/acme", "{\"format\": 1}");
  const auto found = look();
  ASSERT_THAT(found.broken, SizeIs(1));
  EXPECT_EQ(found.broken[0].error.code(), ErrorCode::receipt_unreadable);
  EXPECT_THAT(found.broken[0].error.detail(), HasSubstr("receipt.json: member \"name\""));
}

TEST_F(Discovery, with_a_receipt_the_folder_has_the_name_of_the_extension) {
  add("extensions/other", manifest_of("acme"));
  add_receipt("extensions/other", receipt_of("acme"));
  const auto found = look();
  ASSERT_THAT(found.broken, SizeIs(1));
  EXPECT_EQ(found.broken[0].error.code(), ErrorCode::manifest_mismatch);
}

TEST_F(Discovery, a_receipt_of_another_version_belongs_to_another_manifest) {
  add("extensions/acme", manifest_of("acme"));
  add_receipt("extensions/acme", receipt_of("acme", "0.9.0"));
  const auto found = look();
  ASSERT_THAT(found.broken, SizeIs(1));
  EXPECT_EQ(found.broken[0].error.code(), ErrorCode::manifest_mismatch);
  EXPECT_THAT(found.broken[0].error.detail(), HasSubstr("version \"0.9.0\", found \"1.2.3\""));
}

TEST(SearchPath, has_the_folders_of_the_specification_in_their_order) {
  Environment environment;
  environment.set("CURUPIRA_EXTENSIONS_PATH", "/one:/two;;relative:");
  EXPECT_THAT(search_path(HomeLayout{"/home/me/.curupira"}, environment, "/opt/curupira/bin/curupira"),
              ElementsAre("/home/me/.curupira/extensions", "/one", "/two", "relative",
                          "/opt/curupira/bin/plugins", "/opt/curupira/share/curupira/plugins"));
}

TEST(SearchPath, knows_nothing_of_the_current_folder) {
  EXPECT_THAT(search_path(HomeLayout{"/h"}, Environment{}, "curupira"), ElementsAre("/h/extensions"));
}

}  // namespace
}  // namespace curupira::manifest::test
