#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace curupira::serve {

/// Which bytes of a file are asked for.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  bool operator==(const ByteRange&) const = default;
};

struct RangeAnswer {
  enum class Kind {
    whole,         ///< no range, several, or none that can be read: the whole file (RFC 9110 §14.2)
    part,          ///< `range`
    unsatisfiable  ///< it begins behind the end: 416
  };
  Kind kind = Kind::whole;
  ByteRange range = {};
  bool operator==(const RangeAnswer&) const = default;
};

/// Of the field "Range" for a file of `size` bytes: "bytes=0-99", "bytes=100-", "bytes=-100".
RangeAnswer parse_range(std::string_view field, std::uint64_t size);

/// Whether a list of entity tags, or "*", names the tag (RFC 9110 §13.1.2: weak comparison).
bool matches_tag(std::string_view list, std::string_view tag);

}  // namespace curupira::serve
