#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

/// What libFuzzer calls, and replay_main.cpp too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace curupira::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the program when something that must hold for every input does not.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  __builtin_trap();
}

}  // namespace curupira::fuzz
