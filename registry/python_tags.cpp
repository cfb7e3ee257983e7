#include "registry/python_tags.h"

#include <algorithm>
#include <optional>

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

std::string tag_of(std::string_view python, std::string_view abi, std::string_view platform) {
  return std::string(python) + "-" + std::string(abi) + "-" + std::string(platform);
}

void add_macos(std::vector<std::string>& tags, unsigned major, unsigned minor, const std::string& arch) {
  const std::string head = "macosx_" + std::to_string(major) + "_" + std::to_string(minor) + "_";
  const bool intel = arch == "x86_64";
  // Before 11 there is arm64 in universal2 only.
  if (intel || major >= 11) tags.push_back(head + arch);
  if (intel) tags.insert(tags.end(), {head + "intel", head + "fat64"});
  tags.push_back(head + "universal2");
  if (intel) tags.push_back(head + "universal");
}

}  // namespace

std::vector<std::string> glibc_platforms(const std::string& arch, LibcVersion glibc) {
  std::vector<std::string> tags = {"linux_" + arch};
  if (glibc.major != 2) return tags;
  const unsigned oldest = arch == "x86_64" || arch == "i686" ? 5 : 17;
  for (unsigned minor = std::min(glibc.minor, Limits::newest_glibc_minor); minor >= oldest; --minor) {
    tags.push_back("manylinux_2_" + std::to_string(minor) + "_" + arch);
    if (minor == 17) tags.push_back("manylinux2014_" + arch);
    if (minor == 12) tags.push_back("manylinux2010_" + arch);
    if (minor == 5) tags.push_back("manylinux1_" + arch);
  }
  return tags;
}

std::vector<std::string> musl_platforms(const std::string& arch, LibcVersion musl) {
  std::vector<std::string> tags = {"linux_" + arch};
  for (unsigned minor = std::min(musl.minor, Limits::newest_glibc_minor) + 1; minor-- > 0;)
    tags.push_back("musllinux_" + std::to_string(musl.major) + "_" + std::to_string(minor) + "_" + arch);
  return tags;
}

std::vector<std::string> macos_platforms(const std::string& arch, unsigned major, unsigned minor) {
  std::vector<std::string> tags;
  for (unsigned m = std::min(major, Limits::newest_macos); m > 10; --m)
    add_macos(tags, m, 0, arch);
  for (unsigned m = major > 10 ? 16 : std::min(minor, 16U); m >= 4; --m)
    add_macos(tags, 10, m, arch);
  return tags;
}

std::vector<std::string> python_tags(const PythonAbi& abi, const std::vector<std::string>& platforms) {
  std::vector<std::string> tags;
  const std::string major = std::to_string(abi.major);
  const auto numbered = [&](std::string_view head, unsigned minor) {
    return std::string(head) + major + std::to_string(minor);
  };
  const auto add = [&](const std::string& python, std::string_view of) {
    for (const std::string& platform : platforms)
      tags.push_back(tag_of(python, of, platform));
  };
  const std::string own = abi.cpython ? numbered("cp", abi.minor) : abi.other_name;
  if (abi.cpython) {
    const std::string threaded = own + (abi.free_threaded ? "t" : "");
    if (abi.debug) add(own, threaded + "d");
    add(own, threaded);
    if (!abi.free_threaded) add(own, "abi3");
  } else if (!abi.other_abi.empty()) {
    add(own, abi.other_abi);
  }
  add(own, "none");
  if (abi.cpython && !abi.free_threaded)
    for (unsigned minor = abi.minor; minor-- > 2;)
      add(numbered("cp", minor), "abi3");

  std::vector<std::string> versions = {numbered("py", abi.minor), "py" + major};
  for (unsigned minor = abi.minor; minor-- > 0;)
    versions.push_back(numbered("py", minor));
  for (const std::string& version : versions)
    add(version, "none");
  tags.push_back(tag_of(own, "none", "any"));
  for (const std::string& version : versions)
    tags.push_back(tag_of(version, "none", "any"));
  return tags;
}

Result<PythonTarget> assumed_python(const manifest::Platform& platform, std::string_view minor,
                                    LibcVersion glibc) {
  const auto dot = minor.find('.');
  unsigned number = 0;
  const std::string_view digits = dot == std::string_view::npos ? std::string_view() : minor.substr(dot + 1);
  if (digits.empty() || digits.size() > 3 ||
      !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }) ||
      minor.substr(0, dot) != "3")
    return fail(ErrorCode::reference_syntax,
                "\"" + printable(minor) + "\" is no version of Python; expected one like 3.11");
  for (const char c : digits)
    number = number * 10 + static_cast<unsigned>(c - '0');

  const bool mac = platform.os() == "darwin";
  if (!mac && platform.os() != "linux")
    return fail(ErrorCode::platform_missing,
                "wheels for " + platform.text() + " are not known; known are linux and darwin");
  std::string arch = platform.arch();
  if (mac && arch == "aarch64") arch = "arm64";
  std::vector<std::string> platforms;
  if (mac) {
    platforms = macos_platforms(arch, Limits::newest_macos, 0);
  } else {
    platforms = platform.musl() ? musl_platforms(arch, {1, 2}) : glibc_platforms(arch, glibc);
  }
  PythonTarget target{.version = std::string(minor) + ".0", .minor = std::string(minor)};
  target.tags = python_tags({.minor = number}, platforms);
  target.markers = {{"os_name", "posix"},
                    {"sys_platform", mac ? "darwin" : "linux"},
                    {"platform_system", mac ? "Darwin" : "Linux"},
                    {"platform_machine", arch},
                    {"platform_release", ""},
                    {"platform_version", ""},
                    {"platform_python_implementation", "CPython"},
                    {"implementation_name", "cpython"},
                    {"implementation_version", target.version},
                    {"python_version", target.minor},
                    {"python_full_version", target.version}};
  return target;
}

}  // namespace curupira::registry
