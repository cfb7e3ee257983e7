#include "base/file_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"

namespace curupira {
namespace {

TEST(FileReader, ReadsAnywhereAndAll) {
  const test::TemporaryFolder folder;
  const std::string bytes(300'000, 'y');
  const auto file = FileReader::open(folder.write("x", "0123456789" + bytes)).value();
  EXPECT_EQ(file.size(), 300'010u);
  std::array<std::byte, 4> buffer{};
  EXPECT_EQ(file.read(3, buffer).value(), 4u);
  EXPECT_EQ(buffer[0], std::byte{'3'});
  EXPECT_EQ(file.read(300'008, buffer).value(), 2u);
  EXPECT_EQ(file.read(400'000, buffer).value(), 0u);
  StringSink sink(1'000'000);
  ASSERT_TRUE(file.copy_into(sink));
  EXPECT_EQ(sink.text(), "0123456789" + bytes);
}

TEST(FileReader, OnlyRegularFiles) {
  const test::TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(FileReader::open(pipe).error().code(), ErrorCode::file_failed);
  EXPECT_EQ(FileReader::open(folder.path()).error().code(), ErrorCode::file_failed);
  EXPECT_EQ(FileReader::open(folder / "none").error().code(), ErrorCode::file_not_found);
  EXPECT_EQ(FileReader::open(pipe / "below").error().code(), ErrorCode::file_not_found);
}

}  // namespace
}  // namespace curupira
