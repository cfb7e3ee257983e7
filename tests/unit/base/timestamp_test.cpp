#include "base/timestamp.h"

#include <gtest/gtest.h>

namespace curupira {
namespace {

std::string read_and_written(std::string_view text) {
  const auto time = parse_timestamp(text);
  return time ? format_timestamp(*time) : "invalid";
}

TEST(Timestamp, FormsThatRegistriesWrite) {
  EXPECT_EQ(read_and_written("2025-01-29T00:00:00.000Z"), "2025-01-29T00:00:00Z");
  EXPECT_EQ(read_and_written("2024-02-29T23:59:59Z"), "2024-02-29T23:59:59Z");
  EXPECT_EQ(read_and_written("2024-02-27T16:27:13.411000+00:00"), "2024-02-27T16:27:13Z");
  EXPECT_EQ(read_and_written("2024-03-01T00:30:00+01:00"), "2024-02-29T23:30:00Z");
  EXPECT_EQ(read_and_written("2023-12-31T23:30:00-01:00"), "2024-01-01T00:30:00Z");
}

TEST(Timestamp, Order) {
  EXPECT_LT(parse_timestamp("2025-01-28T23:59:59.999Z").value(),
            parse_timestamp("2025-01-29T00:00:00Z").value());
}

TEST(Timestamp, WhatIsNoTime) {
  for (const char* text :
       {"", "2025-01-29", "2025-01-29T00:00:00", "2025-02-30T00:00:00Z", "2025-13-01T00:00:00Z",
        "2025-01-29T24:00:00Z", "2025-01-29T00:00:00.Z", "2025-01-29T00:00:00Zx", "25-01-29T00:00:00Z",
        "2025-01-29T00:00:00+1:00", "never"}) {
    const auto time = parse_timestamp(text);
    ASSERT_FALSE(time) << text;
    EXPECT_EQ(time.error().code(), ErrorCode::timestamp_invalid);
  }
}

}  // namespace
}  // namespace curupira
