#include "registry/archive_name.h"

#include <algorithm>
#include <array>

namespace curupira::registry {

bool has_archive_name(std::string_view path) {
  static constexpr std::array<std::string_view, 8> endings = {".tar.gz",  ".tgz",     ".tar.xz", ".txz",
                                                              ".tar.zst", ".tar.bz2", ".tbz2",   ".zip"};
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return std::ranges::any_of(endings, [&](std::string_view ending) {
    if (name.size() <= ending.size()) return false;
    return std::ranges::equal(name.substr(name.size() - ending.size()), ending, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
  });
}

}  // namespace curupira::registry
