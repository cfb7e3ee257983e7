#include "manifest/platform.h"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/printable.h"

namespace curupira::manifest {
namespace {

constexpr std::size_t max_platform_length = 64;

bool is_platform_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::vector<std::string_view> segments_of(std::string_view text) {
  std::vector<std::string_view> segments;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find('-', start);
    segments.push_back(text.substr(start, end == std::string_view::npos ? end : end - start));
    if (end == std::string_view::npos) return segments;
    start = end + 1;
  }
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

constexpr std::array<std::string_view, 5> known_systems = {"linux", "darwin", "windows", "freebsd",
                                                           "openbsd"};
constexpr std::array<std::string_view, 11> known_architectures = {
    "x86_64", "aarch64", "arm64", "armv7l",  "armv6l",     "i686",
    "i386",   "ppc64le", "s390x", "riscv64", "loongarch64"};

}  // namespace

Result<Platform> Platform::parse(std::string_view text) {
  const auto segments = segments_of(text);
  const bool complete = segments.size() >= 2 && std::none_of(segments.begin(), segments.end(),
                                                             [](std::string_view s) { return s.empty(); });
  if (text.size() > max_platform_length || !complete ||
      !std::all_of(text.begin(), text.end(), is_platform_character)) {
    return fail(ErrorCode::manifest_field,
                "expected a platform like \"linux-x86_64\" or \"linux-aarch64-musl\" (lower case), found \"" +
                    printable(text.substr(0, max_platform_length)) + "\"");
  }
  return Platform(std::string(text));
}

Platform Platform::current() {
  utsname name{};
  ::uname(&name);
  std::string text = lower(name.sysname) + "-" + lower(name.machine);
#if defined(__linux__) && !defined(__GLIBC__)
  // The C library that this program was built for is the one that it runs on.
  text += "-musl";
#endif
  return Platform(std::move(text));
}

std::string Platform::os() const {
  return std::string(segments_of(text_)[0]);
}

std::string Platform::arch() const {
  return std::string(segments_of(text_)[1]);
}

bool Platform::musl() const {
  return segments_of(text_).back() == "musl";
}

bool Platform::is_known() const {
  return std::find(known_systems.begin(), known_systems.end(), os()) != known_systems.end() &&
         std::find(known_architectures.begin(), known_architectures.end(), arch()) !=
             known_architectures.end();
}

}  // namespace curupira::manifest
