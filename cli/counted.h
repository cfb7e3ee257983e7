#pragma once

#include <cstdint>
#include <string>

namespace curupira::cli {

/// "1 file", "2 files": for nouns whose plural is regular.
inline std::string counted(std::uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace curupira::cli
