#pragma once

#include <string>

namespace curupira::registry::test {

/// What an interpreter prints of itself: CPython on x86-64 Linux with glibc 2.36.
inline std::string interpreter_answer(const std::string& executable = "/opt/python/bin/python3.11",
                                      const std::string& version = "3.11.7") {
  const std::string minor = version.substr(0, version.rfind('.'));
  return R"({"executable": ")" + executable + R"(", "version": ")" + version + R"(", "minor": ")" + minor +
         R"(", "library_folder": "lib", "implementation": "cpython", "soabi": "", "free_threaded": false,
 "debug": false, "platform": "linux-x86_64", "machine": "x86_64", "is_32bit": false, "macos": "",
 "glibc": "2.36", "musl": "", "markers": {"sys_platform": "linux", "platform_machine": "x86_64",
 "python_version": ")" +
         minor + R"(", "python_full_version": ")" + version + R"("}})";
}

}  // namespace curupira::registry::test
