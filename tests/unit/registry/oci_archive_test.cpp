#include "registry/oci_archive.h"

#include <gtest/gtest.h>

#include "base/tar_writer.h"
#include "registry/oci_archive_writer.h"
#include "tests/support/temporary_folder.h"

namespace curupira::registry::test {
namespace {

using curupira::test::TemporaryFolder;
using curupira::test::text_of;

OciBlob blob_of(std::string media_type, std::string bytes) {
  const Digest digest = digest_of(DigestAlgorithm::sha256, bytes);
  return {.descriptor = {std::move(media_type), digest, bytes.size()}, .bytes = std::move(bytes)};
}

class OciArchiveTest : public ::testing::Test {
 protected:
  Result<OciDescriptor> write(const std::filesystem::path& file, std::uint64_t modified = 0) {
    return write_oci_archive(*files_, file, manifest_, blobs_, modified);
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  std::vector<OciBlob> blobs_{blob_of("application/x.first", "first"),
                              blob_of("application/x.second", std::string(100'000, 's')),
                              blob_of("application/x.config", "{}")};
  OciManifest manifest_{.artifact_type = "application/x",
                        .config = blobs_[2].descriptor,
                        .layers = {blobs_[0].descriptor, blobs_[1].descriptor},
                        .annotations = {{"made", "by a test"}}};
};

TEST_F(OciArchiveTest, WhatWasWrittenIsRead) {
  const auto written = write(folder_ / "a");
  ASSERT_TRUE(written) << written.error().detail();
  const auto archive = OciArchive::open(folder_ / "a");
  ASSERT_TRUE(archive) << archive.error().detail();
  EXPECT_EQ(archive->descriptor(), *written);
  EXPECT_EQ(archive->manifest().artifact_type, "application/x");
  EXPECT_EQ(archive->manifest().layers, manifest_.layers);
  EXPECT_EQ(archive->manifest().annotations, manifest_.annotations);
  for (const auto& blob : blobs_) {
    EXPECT_EQ(archive->size(blob.descriptor.digest), blob.bytes.size());
    EXPECT_EQ(archive->read_text(blob.descriptor.digest, 1u << 20U), blob.bytes);
  }
}

TEST_F(OciArchiveTest, TheOrderOfTheBlobsDoesNotMatter) {
  ASSERT_TRUE(write(folder_ / "a"));
  std::ranges::reverse(blobs_);
  blobs_.push_back(blobs_.front());
  ASSERT_TRUE(write(folder_ / "b"));
  EXPECT_EQ(text_of(folder_ / "a"), text_of(folder_ / "b"));
}

TEST_F(OciArchiveTest, AFileOnTheDiskIsABlobToo) {
  ASSERT_TRUE(write(folder_ / "a"));
  blobs_[1].file = folder_.write("layer", blobs_[1].bytes);
  blobs_[1].bytes.clear();
  ASSERT_TRUE(write(folder_ / "b"));
  EXPECT_EQ(text_of(folder_ / "a"), text_of(folder_ / "b"));
}

TEST_F(OciArchiveTest, AFileThatIsNotWhatWasSaidLeavesTheOldOne) {
  folder_.write("out/a", "the old one");
  for (const auto& [text, code] : {std::pair(std::string(100'000, 't'), ErrorCode::digest_mismatch),
                                   std::pair(std::string("short"), ErrorCode::size_mismatch),
                                   std::pair(std::string(100'001, 's'), ErrorCode::size_mismatch)}) {
    blobs_[1].file = folder_.write("layer", text);
    const auto written = write(folder_ / "out/a");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), code);
    EXPECT_EQ(text_of(folder_ / "out/a"), "the old one");
    EXPECT_EQ(files_->list(folder_ / "out"), std::vector<std::string>{"a"});
  }
}

TEST_F(OciArchiveTest, AFileThatChangesAfterItWasOpenedIsNoticed) {
  ASSERT_TRUE(write(folder_ / "a"));
  const auto archive = OciArchive::open(folder_ / "a");
  ASSERT_TRUE(archive);
  std::string text = text_of(folder_ / "a");
  text.replace(text.find("sssss"), 1, "t");
  std::fstream(folder_ / "a", std::ios::in | std::ios::out | std::ios::binary) << text;
  StringSink sink(1u << 20U);
  const auto read = archive->read(blobs_[1].descriptor.digest, sink);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::bundle_blob_changed);
}

TEST_F(OciArchiveTest, ABlobThatIsNotThere) {
  ASSERT_TRUE(write(folder_ / "a"));
  const auto archive = OciArchive::open(folder_ / "a");
  ASSERT_TRUE(archive);
  const Digest other = digest_of(DigestAlgorithm::sha256, "other");
  EXPECT_FALSE(archive->has(other));
  EXPECT_EQ(archive->size(other).error().code(), ErrorCode::bundle_blob_missing);
  EXPECT_EQ(archive->read_text(other, 10).error().code(), ErrorCode::bundle_blob_missing);
}

TEST_F(OciArchiveTest, ATextThatIsLongerThanAllowed) {
  ASSERT_TRUE(write(folder_ / "a"));
  const auto archive = OciArchive::open(folder_ / "a");
  ASSERT_TRUE(archive);
  EXPECT_EQ(archive->read_text(blobs_[0].descriptor.digest, 4).error().code(), ErrorCode::bundle_unreadable);
  EXPECT_EQ(archive->read_text(blobs_[0].descriptor.digest, 5), "first");
}

// As skopeo writes them: folders first, names with "./", blobs before what names them.
TEST_F(OciArchiveTest, EntriesInAnyOrder) {
  const std::string text = write_oci_manifest(manifest_);
  const OciBlob manifest = blob_of(std::string(oci_manifest_media_type), text);
  StringSink sink(1u << 20U);
  TarWriter tar(sink, 0);
  ASSERT_TRUE(tar.folder("./"));
  ASSERT_TRUE(tar.folder("blobs/"));
  ASSERT_TRUE(tar.folder("./blobs/sha256"));
  for (const auto& blob : {blobs_[1], manifest, blobs_[2], blobs_[0]})
    ASSERT_TRUE(tar.file("./blobs/sha256/" + blob.descriptor.digest.hex(), blob.bytes));
  ASSERT_TRUE(tar.file("./index.json", write_oci_index(manifest.descriptor, "application/x")));
  ASSERT_TRUE(tar.file("oci-layout", R"({"imageLayoutVersion": "1.0.0"})"));
  ASSERT_TRUE(tar.finish());
  const auto archive = OciArchive::open(folder_.write("a", sink.text()));
  ASSERT_TRUE(archive) << archive.error().detail();
  EXPECT_EQ(archive->descriptor(), manifest.descriptor);
}

TEST(OciManifest, WrongMembersAreNamed) {
  const std::string digest = R"("digest":"sha256:)" + std::string(64, '0') + R"(")";
  const std::string good = R"({"mediaType":"x",)" + digest + R"(,"size":1})";
  const auto refusal = [](const std::string& text) {
    const auto parsed = parse_oci_manifest(text);
    return parsed ? std::string() : parsed.error().detail();
  };
  const auto manifest = [](const std::string& config, const std::string& layers) {
    return R"({"schemaVersion":2,"config":)" + config + R"(,"layers":)" + layers + "}";
  };
  EXPECT_EQ(refusal(manifest(good, "[" + good + "]")), "");
  EXPECT_EQ(refusal("[]"), "the manifest: schemaVersion is not 2");
  EXPECT_EQ(refusal(R"({"schemaVersion":1})"), "the manifest: schemaVersion is not 2");
  EXPECT_EQ(refusal(manifest(good, "3")), "the manifest has no layers");
  EXPECT_EQ(refusal(manifest("3", "[]")), "config is missing");
  EXPECT_EQ(refusal(manifest(good, "[" + good + ",{}]")), "layer 1 needs mediaType, digest and size");
  EXPECT_EQ(refusal(manifest(R"({"mediaType":"x",)" + digest + R"(,"size":-1})", "[]")),
            "config needs mediaType, digest and size");
  EXPECT_EQ(refusal(manifest(R"({"mediaType":"x","digest":"sha512:00","size":1})", "[]")),
            "\"sha512:00\" is no sha256 digest");
}

TEST(OciManifest, DigestsAreWrittenInOneWay) {
  const std::string hex(64, 'a');
  EXPECT_TRUE(parse_oci_digest("sha256:" + hex));
  for (const std::string& text :
       {hex, "sha256:" + std::string(64, 'A'), "sha256:" + hex.substr(1), "SHA256:" + hex,
        "sha256:" + hex + " ", std::string("sha256:../../etc/passwd")})
    EXPECT_FALSE(parse_oci_digest(text)) << text;
}

}  // namespace
}  // namespace curupira::registry::test
