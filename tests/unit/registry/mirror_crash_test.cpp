// A mirror that is killed at any operation, or whose disk fails there, is one that clients use and that
// verifies; the next run goes on with it.

#include <fstream>
#include <iterator>

#include "registry/mirror_role.h"
#include "registry/repository_verify.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/small_registry.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;
using test::FaultyFileSystem;
using test::SmallRegistry;

constexpr const char* page_path = "npm/hello/index.html";

void copy_folder(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

class MirrorCrash : public testing::Test {
 protected:
  /// One run: a file, and the page that names it.
  Result<> mirror(FileSystem& files, const std::string& contents) {
    return registry_.with(files, [&](const RepositoryTools& tools) -> Result<> {
      CURUPIRA_TRY(auto repository, Repository::open_for_change(tools, registry_.place, {.who = "a test"}));
      CURUPIRA_TRY(MirrorIndex index, read_mirror(repository));
      CURUPIRA_CHECK(finish_pages(repository.folder(), index));
      MirrorFile file{.kind = MirrorFile::Kind::tarball,
                      .path = "npm/hello/-/hello-" + contents + ".tgz",
                      .package = "hello",
                      .sha256 = digest_of(DigestAlgorithm::sha256, contents),
                      .size = contents.size()};
      CURUPIRA_CHECK(
          repository.folder().put_beside({.path = file.path, .sha256 = file.sha256, .bytes = contents}));
      index.files.insert_or_assign(file.path, file);
      const MirrorPage page{.path = page_path, .package = "hello", .bytes = "page of " + contents};
      CURUPIRA_CHECK(publish_mirror(repository, std::move(index), std::span(&page, 1)));
      return {};
    });
  }

  std::string page() const {
    std::ifstream file(registry_.place.folder / page_path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void expect_sound() {
    EXPECT_TRUE(registry_.with(*registry_.files, [&](const RepositoryTools& tools) -> Result<> {
      CURUPIRA_TRY(const auto report, verify_repository(tools, registry_.place));
      for (const auto& problem : report.problems)
        ADD_FAILURE() << problem.where << ": " << problem.error.summary();
      return {};
    }));
  }

  void at_every_operation(FaultyFileSystem::Fault fault) {
    ASSERT_TRUE(mirror(*registry_.files, "before"));
    const fs::path saved = registry_.temporary.path() / "saved";
    fs::create_directories(saved);
    copy_folder(registry_.place.folder, saved / "registry");
    copy_folder(registry_.place.keys, saved / "keys");
    FaultyFileSystem faulty(*registry_.files);
    int operation = 1;
    for (;; ++operation) {
      SCOPED_TRACE("operation " + std::to_string(operation));
      copy_folder(saved / "registry", registry_.place.folder);
      copy_folder(saved / "keys", registry_.place.keys);
      faulty.set_fault(fault, operation);
      const Result<> done = mirror(faulty, "after");
      if (!faulty.hit()) {
        ASSERT_TRUE(done) << done.error().summary();
        break;
      }
      EXPECT_TRUE(page() == "page of before" || page() == "page of after") << page();
      expect_sound();
      faulty.set_fault(FaultyFileSystem::Fault::none, 0);
      const Result<> again = mirror(faulty, "after");
      ASSERT_TRUE(again) << again.error().summary();
      EXPECT_EQ(page(), "page of after");
      EXPECT_FALSE(fs::exists(registry_.place.folder / ".mirror"));
      expect_sound();
    }
    EXPECT_GT(operation, 15);
  }

  SmallRegistry registry_;
};

TEST_F(MirrorCrash, TheRunIsKilled) {
  at_every_operation(FaultyFileSystem::Fault::crashes);
}

TEST_F(MirrorCrash, AnOperationFails) {
  at_every_operation(FaultyFileSystem::Fault::fails);
}

}  // namespace
}  // namespace curupira::registry
