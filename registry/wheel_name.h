#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace curupira::registry {

/// The file name of a wheel: "x-1.2.3-cp311-cp311-manylinux_2_28_x86_64.whl".
struct WheelName {
  std::string distribution, version;
  std::string python, abi, platform;  ///< tags; compressed sets as written ("py2.py3")

  /// Nothing for a name that is no wheel's, or that could not be a file name.
  static std::optional<WheelName> parse(std::string_view file_name);

  /// Which of several wheels that all fit an interpreter is made for it most closely; the greater one is.
  struct Preference {
    int closeness = 0;           ///< own ABI, stable ABI, own interpreter, native code, pure Python
    std::uint64_t python = 0;    ///< 311 of cp311
    std::uint64_t platform = 0;  ///< 2028 of manylinux_2_28
    auto operator<=>(const Preference&) const = default;
  };
  Preference preference() const;
};

}  // namespace curupira::registry
