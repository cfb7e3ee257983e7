#include "registry/archive_source.h"
#include "registry/folder_source.h"
#include "registry/local_file.h"
#include "registry/sources.h"
#include "tests/unit/registry/registry_fixture.h"

namespace curupira::registry {
namespace {

class LocalSourcesTest : public test::RegistryTest {
 protected:
  Result<Resolution> resolve(std::string_view text) {
    const Reference reference = parse_reference(text).value();
    const auto sources = make_sources(tools());
    return source_for(sources, reference).resolve(reference, platform(), diagnostics);
  }
};

TEST_F(LocalSourcesTest, AFolderIsTakenAsItIs) {
  std::filesystem::create_directories(folder / "work/ext");
  const auto resolution = resolve("path:./ext");
  ASSERT_TRUE(resolution);
  EXPECT_EQ(std::get<LocalFolder>(resolution->content).folder, folder / "work/ext");
  EXPECT_EQ(to_string(resolution->reference), "path:" + (folder / "work/ext").string());
  EXPECT_TRUE(resolution->artifacts.empty());
}

TEST_F(LocalSourcesTest, AFolderThatIsNone) {
  EXPECT_EQ(resolve("path:missing").error().code(), ErrorCode::file_not_found);
  folder.write("work/x.zip", "PK");
  const auto resolution = resolve("path:x.zip");
  EXPECT_EQ(resolution.error().code(), ErrorCode::reference_syntax);
  EXPECT_NE(resolution.error().help().find("without path:"), std::string::npos);
}

TEST_F(LocalSourcesTest, AnArchiveVouchesForItself) {
  folder.write("work/x.tar.gz", "bytes");
  const auto resolution = resolve("x.tar.gz");
  ASSERT_TRUE(resolution);
  ASSERT_EQ(resolution->artifacts.size(), 1u);
  const Artifact& artifact = resolution->artifacts[0];
  EXPECT_EQ(std::get<std::filesystem::path>(artifact.location), folder / "work/x.tar.gz");
  EXPECT_EQ(to_string(resolution->reference), (folder / "work/x.tar.gz").string());
  EXPECT_EQ(artifact.proof.any_of.front(), digest_of(DigestAlgorithm::sha256, "bytes"));
  EXPECT_EQ(artifact.proof.size, 5u);
  EXPECT_EQ(std::get<ArchiveContent>(resolution->content).artifact, 0u);
}

TEST_F(LocalSourcesTest, AnArchiveThatIsNotTheOneAskedFor) {
  folder.write("work/x.zip", "bytes");
  const std::string right = digest_of(DigestAlgorithm::sha256, "bytes").hex();
  EXPECT_TRUE(resolve("x.zip#sha256=" + right));
  const auto resolution = resolve("x.zip#sha256=" + std::string(64, '0'));
  ASSERT_FALSE(resolution);
  EXPECT_EQ(resolution.error().code(), ErrorCode::digest_mismatch);
  EXPECT_NE(resolution.error().detail().find(right), std::string::npos);
}

TEST_F(LocalSourcesTest, AnArchiveThatIsNoFile) {
  EXPECT_EQ(resolve("missing.zip").error().code(), ErrorCode::file_not_found);
  std::filesystem::create_directories(folder / "work/folder.zip");
  EXPECT_EQ(resolve("folder.zip").error().code(), ErrorCode::file_failed);
}

TEST_F(LocalSourcesTest, ALocalFileIsBounded) {
  const auto file = folder.write("work/x.zip", std::string(200'000, 'x'));
  EXPECT_EQ(measure_local_file(file, 199'999).error().code(), ErrorCode::artifact_too_large);
  EXPECT_EQ(measure_local_file(file, 200'000)->size, 200'000u);
}

TEST_F(LocalSourcesTest, AnAddressIsProvedByItsDigest) {
  const auto resolution =
      resolve("https://downloads.example.org/a%20b/x-1.0.tar.zst#sha256=" + std::string(64, 'a'));
  ASSERT_TRUE(resolution);
  const Artifact& artifact = resolution->artifacts[0];
  EXPECT_EQ(artifact.file_name, "x-1.0.tar.zst");
  EXPECT_EQ(artifact.proof.any_of.front().hex(), std::string(64, 'a'));
  EXPECT_TRUE(http.requests.empty()) << "nothing is fetched to resolve";
}

TEST_F(LocalSourcesTest, AnAddressWithoutUsableFileName) {
  const std::string digest = "#sha256=" + std::string(64, 'a');
  EXPECT_EQ(resolve("https://downloads.example.org/latest/" + digest)->artifacts[0].file_name, "archive");
  EXPECT_EQ(resolve("https://downloads.example.org/..%2Fx" + digest)->artifacts[0].file_name, "archive");
}

TEST_F(LocalSourcesTest, EveryReferenceHasItsSource) {
  const auto sources = make_sources(tools());
  for (const char* text : {"npm:x", "pip:x", "path:x", "x.zip"}) {
    const Reference reference = parse_reference(text).value();
    EXPECT_TRUE(source_for(sources, reference).handles(reference)) << text;
  }
}

}  // namespace
}  // namespace curupira::registry
