#include "base/tar_writer.h"

#include <gtest/gtest.h>

#include "tests/unit/base/read_tar.h"

namespace curupira::test {
namespace {

using Type = ArchiveEntry::Type;

struct Written {
  StringSink sink{1u << 24U};
  TarWriter tar{sink, 0};

  Result<ReadTar> read() {
    EXPECT_TRUE(tar.finish());
    return read_all(sink.text());
  }
};

TEST(TarWriter, WritesWhatIsReadAgain) {
  Written written;
  ASSERT_TRUE(written.tar.folder("a"));
  ASSERT_TRUE(written.tar.file("a/f", std::string(700, 'x')));
  ASSERT_TRUE(written.tar.begin_file("a/run", 2, true));
  ASSERT_TRUE(written.tar.write(std::as_bytes(std::span("hi", 2))));
  ASSERT_TRUE(written.tar.end_file());
  ASSERT_TRUE(written.tar.file("empty", ""));
  ASSERT_TRUE(written.tar.symbolic_link("a/link", "../a/f"));
  const auto tar = written.read();
  ASSERT_TRUE(tar) << tar.error().detail();
  ASSERT_EQ(tar->entries.size(), 5U);
  EXPECT_EQ(tar->entries[0].type, Type::folder);
  EXPECT_EQ(tar->entries[0].mode, 0755U);
  EXPECT_EQ(tar->contents[1], std::string(700, 'x'));
  EXPECT_EQ(tar->entries[1].mode, 0644U);
  EXPECT_EQ(tar->entries[2].mode, 0755U);
  EXPECT_EQ(tar->contents[2], "hi");
  EXPECT_EQ(tar->entries[3].size, 0U);
  EXPECT_EQ(tar->entries[4].type, Type::symbolic_link);
  EXPECT_EQ(tar->entries[4].link_target, "../a/f");
}

TEST(TarWriter, NamesOfEveryLength) {
  for (std::size_t length = 1; length <= 1200; length += length < 90 || length > 110 ? 37 : 1) {
    const std::string name(length, 'n'), target(length, 't');
    Written written;
    ASSERT_TRUE(written.tar.file(name, "contents"));
    ASSERT_TRUE(written.tar.symbolic_link(name + "l", target));
    ASSERT_TRUE(written.tar.folder(name + "f"));
    const auto tar = written.read();
    ASSERT_TRUE(tar) << length << ": " << tar.error().detail();
    ASSERT_EQ(tar->entries.size(), 3U) << length;
    EXPECT_EQ(tar->entries[0].path, name);
    EXPECT_EQ(tar->contents[0], "contents");
    EXPECT_EQ(tar->entries[1].path, name + "l");
    EXPECT_EQ(tar->entries[1].link_target, target);
    EXPECT_EQ(tar->entries[2].path, name + "f");
  }
}

TEST(TarWriter, NamesKeepTheirBytes) {
  const std::string name = "gr\xc3\xbc\xc3\x9f" + std::string(120, 'e') + "\xe2\x82\xac =\n";
  Written written;
  ASSERT_TRUE(written.tar.file(name, ""));
  const auto tar = written.read();
  ASSERT_TRUE(tar);
  EXPECT_EQ(tar->entries[0].path, name);
}

// Where the size has more than eleven octal digits.
TEST(TarWriter, SizesBeyondEightGigabytes) {
  for (const std::uint64_t size : {(std::uint64_t{8} << 30U) - 1, std::uint64_t{8} << 30U,
                                   (std::uint64_t{8} << 30U) + 513, std::uint64_t{1} << 50U}) {
    Written written;
    ASSERT_TRUE(written.tar.begin_file("huge", size));
    TextStream stream(written.sink.text());
    TarReader reader(stream);
    const auto entry = reader.next();
    ASSERT_TRUE(entry) << entry.error().detail();
    EXPECT_EQ((*entry)->size, size);
  }
}

TEST(TarWriter, AFileHasTheSizeThatWasSaid) {
  Written longer;
  ASSERT_TRUE(longer.tar.begin_file("f", 2));
  const auto grew = longer.tar.write(std::as_bytes(std::span("abc", 3)));
  ASSERT_FALSE(grew);
  EXPECT_EQ(grew.error().code(), ErrorCode::size_mismatch);
  Written shorter;
  ASSERT_TRUE(shorter.tar.begin_file("f", 2));
  ASSERT_TRUE(shorter.tar.write(std::as_bytes(std::span("a", 1))));
  const auto shrank = shorter.tar.end_file();
  ASSERT_FALSE(shrank);
  EXPECT_EQ(shrank.error().code(), ErrorCode::size_mismatch);
}

TEST(TarWriter, TheSameBytesForTheSameContents) {
  const auto make = [](std::uint64_t modified) {
    StringSink sink(1u << 20U);
    TarWriter tar(sink, modified);
    EXPECT_TRUE(tar.file("f", "x"));
    EXPECT_TRUE(tar.finish());
    return sink.take();
  };
  EXPECT_EQ(make(7), make(7));
  EXPECT_NE(make(7), make(8));
  EXPECT_EQ(make(7).size() % 512, 0U);
}

}  // namespace
}  // namespace curupira::test
