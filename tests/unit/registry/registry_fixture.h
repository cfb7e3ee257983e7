#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "registry/sources.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/registry/fake_http_client.h"
#include "tests/unit/registry/fake_process_runner.h"

namespace curupira::registry::test {

/// A user with a home, a current folder and programs on PATH; no network and no real program.
class RegistryTest : public ::testing::Test {
 protected:
  RegistryTest() {
    for (const char* name : {"user", "work", "bin", "home"})
      std::filesystem::create_directories(folder / name);
    environment.set("HOME", (folder / "user").string());
    environment.set("PATH", (folder / "bin").string());
    environment.set("PIP_CONFIG_FILE", "/dev/null");  // not this machine's
    environment.set("XDG_CONFIG_DIRS", (folder / "machine").string());
    home.root = folder / "home";
  }

  /// An executable file on PATH. It is never started.
  void have_program(std::string_view name) {
    const auto file = folder.write("bin/" + std::string(name), "#!/bin/false\n");
    std::filesystem::permissions(file, std::filesystem::perms(0755));
  }
  SourceTools tools() { return {environment, home, folder / "work", *files, &http, processes}; }
  static manifest::Platform platform(std::string_view text = "linux-x86_64") {
    return manifest::Platform::parse(text).value();
  }
  bool was_reported(std::string_view words) const {
    for (const Diagnostic& diagnostic : diagnostics.all) {
      if (diagnostic.text.find(words) != std::string::npos) return true;
    }
    return false;
  }
  /// True when nothing is left of resolvers' work.
  bool staging_is_empty() const {
    return !std::filesystem::exists(home.staging()) || std::filesystem::is_empty(home.staging());
  }

  curupira::test::TemporaryFolder folder;
  Environment environment;
  HomeLayout home;
  std::unique_ptr<FileSystem> files = make_posix_file_system();
  FakeHttpClient http;
  FakeProcessRunner processes;
  CollectedDiagnostics diagnostics;
};

/// A valid SRI hash made of one letter, for packages of which only the identity matters.
inline std::string sri(char letter) {
  return "sha512-" + std::string(85, letter) + "A==";
}

}  // namespace curupira::registry::test
