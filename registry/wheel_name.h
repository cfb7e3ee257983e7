#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace curupira::registry {

/// The file name of a wheel: "x-1.2.3-cp311-cp311-manylinux_2_28_x86_64.whl".
struct WheelName {
  std::string distribution, version;
  std::string build;                  ///< "1"; mostly empty
  std::string python, abi, platform;  ///< tags; compressed sets as written ("py2.py3")

  /// Nothing for a name that is no wheel's, or that could not be a file name.
  static std::optional<WheelName> parse(std::string_view file_name);
};

/// The version that the name of a wheel or source distribution says; nothing when it is no file of the
/// package, whose name is normalised.
std::optional<std::string> python_file_version(std::string_view file_name, std::string_view package);

/// Which wheels an interpreter takes, and which of them is made for it most closely: its own list of tags.
class TagOrder {
 public:
  explicit TagOrder(const std::vector<std::string>& tags);

  /// The place of the wheel's best tag; nothing when it does not fit. Smaller is closer.
  std::optional<std::size_t> rank(const WheelName& name) const;
  /// The index of the best of several file names; nothing when none fits. Names that are no wheels' are
  /// passed over; of equal ones the higher build number, then the first wins.
  std::optional<std::size_t> best(const std::vector<std::string>& file_names) const;

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace curupira::registry
