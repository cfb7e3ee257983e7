#include "registry/npm_platform.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/printable.h"

namespace curupira::registry {

namespace {

std::vector<std::string> read_list(const json::Value* value) {
  std::vector<std::string> list;
  if (value == nullptr) return list;
  if (const auto* text = value->as_string()) list.push_back(*text);
  if (const auto* array = value->as_array()) {
    for (const json::Value& entry : *array) {
      if (const auto* text = entry.as_string()) list.push_back(*text);
    }
  }
  return list;
}

/// npm's rule: an excluded value never fits; a list of exclusions alone admits the rest.
bool list_admits(const std::vector<std::string>& list, std::string_view value) {
  if (list.empty() || (list.size() == 1 && list.front() == "any")) return true;
  bool only_exclusions = true;
  bool named = false;
  for (const std::string& entry : list) {
    if (entry.starts_with('!')) {
      if (std::string_view(entry).substr(1) == value) return false;
    } else {
      only_exclusions = false;
      named = named || entry == value;
    }
  }
  return named || only_exclusions;
}

/// uname's word for a processor → the one of Node.js.
std::string node_cpu(const std::string& arch) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> names = {
      {{"x86_64", "x64"},
       {"amd64", "x64"},
       {"aarch64", "arm64"},
       {"i686", "ia32"},
       {"i386", "ia32"},
       {"armv7l", "arm"},
       {"armv6l", "arm"},
       {"ppc64le", "ppc64"},
       {"mips64", "mips64el"},
       {"loongarch64", "loong64"}}};
  const auto found = std::ranges::find(names, arch, &std::pair<std::string_view, std::string_view>::first);
  return found == names.end() ? arch : std::string(found->second);
}

void describe(std::string& out, std::string_view what, const std::vector<std::string>& list) {
  if (list.empty()) return;
  if (!out.empty()) out += ", ";
  out += what;
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i == 0 ? " " : " or ") + printable(list[i]);
}

}  // namespace

NpmPlatformRule NpmPlatformRule::read(const json::Value& package) {
  return {read_list(package.find("os")), read_list(package.find("cpu")), read_list(package.find("libc"))};
}

bool NpmPlatformRule::admits(const manifest::Platform& platform) const {
  const std::string system = platform.os();
  if (!list_admits(os, system == "windows" ? "win32" : system)) return false;
  if (!list_admits(cpu, node_cpu(platform.arch()))) return false;
  if (libc.empty()) return true;
  return system == "linux" && list_admits(libc, platform.musl() ? "musl" : "glibc");
}

std::string NpmPlatformRule::to_string() const {
  std::string out;
  describe(out, "os", os);
  describe(out, "cpu", cpu);
  describe(out, "libc", libc);
  return out;
}

}  // namespace curupira::registry
