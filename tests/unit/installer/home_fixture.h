#pragma once

#include <gtest/gtest.h>

#include "installer/garbage.h"
#include "installer/generation.h"
#include "installer/installer.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/installer/archive_bytes.h"
#include "tests/unit/installer/fakes.h"

namespace curupira::installer::test {

/// A home with fake sources, registry and programs, and a real file system that can be made to fail.
class HomeFixture : public ::testing::Test {
 protected:
  HomeFixture() {
    auto source = std::make_unique<FakeSource>();
    source_ = source.get();
    sources_.push_back(std::move(source));
  }

  static std::string manifest_text(const std::string& name, const std::string& version,
                                   const std::string& launch) {
    return "manifest_version = 1\nname = \"" + name + "\"\nversion = \"" + version +
           "\"\nprotocol_version = 2\nruntime = \"node\"\nkind = \"trigger\"\ntrigger_types = "
           "[\"items\"]\n\n[launch]\n" +
           launch;
  }

  /// A folder with an executable program `run`, for path:.
  registry::Reference folder_extension(const std::string& name, const std::string& version = "1.0.0") {
    const std::string folder = name + "-" + version;
    folder_.write(
        folder + "/curupira-extension.toml",
        manifest_text(name, version,
                      "type = \"executable\"\nprogram = \"./run\"\nargs = [\"data.txt\", \"x\"]\n"));
    folder_.write(folder + "/data.txt", "data of " + version);
    std::filesystem::permissions(folder_.write(folder + "/run", "#!/bin/sh\n"),
                                 std::filesystem::perms::owner_all);
    return registry::PathReference{.folder = folder_ / folder};
  }

  /// Makes the fake source resolve npm:NAME@VERSION to one tarball with `files` and a package.json.
  registry::Reference npm_package(const std::string& name, const std::string& version,
                                  std::map<std::string, std::string> files,
                                  const std::string& bin = "\"cli.js\"") {
    files.emplace("package.json",
                  R"({"name": ")" + name + R"(", "version": ")" + version + R"(", "bin": )" + bin + "}");
    files.emplace("cli.js", "#!/usr/bin/env node\n");
    return npm_tarball_package(name, version, npm_tarball(files));
  }

  registry::Reference npm_tarball_package(const std::string& name, const std::string& version,
                                          const std::string& tarball) {
    const std::string file = name.substr(name.rfind('/') + 1) + "-" + version + ".tgz";
    const std::string url = "https://registry.example.org/" + name + "/-/" + file;
    http_.bodies[url] = tarball;
    const registry::NpmReference reference{.name = name, .range = version};
    registry::Resolution resolution{.reference = reference,
                                    .package = name,
                                    .version = version,
                                    .artifacts = {},
                                    .content = registry::LocalFolder{}};
    resolution.artifacts.push_back({.package = name,
                                    .version = version,
                                    .file_name = file,
                                    .location = *Url::parse(url),
                                    .proof = {.any_of = {digest_of(DigestAlgorithm::sha512, tarball)}}});
    registry::NodeClosure closure{.root = name, .packages = {}};
    closure.packages.push_back({.location = *RelativePath::parse("node_modules/" + name),
                                .name = name,
                                .version = version,
                                .artifact = 0});
    resolution.content = std::move(closure);
    source_->resolutions.insert_or_assign(registry::to_string(registry::Reference(reference)), resolution);
    return reference;
  }

  Result<PreparedInstall> prepare(const std::vector<registry::Reference>& references) {
    const InstallerTools tools{.home = home_,
                               .environment = environment_,
                               .files = files_,
                               .http = &http_,
                               .processes = processes_,
                               .sources = sources_,
                               .platform = *manifest::Platform::parse("linux-x86_64")};
    return prepare_install(tools, references, {}, diagnostics_, observer_);
  }
  /// Prepares and commits; the plan.
  Result<InstallPlan> install(const std::vector<registry::Reference>& references) {
    CURUPIRA_TRY(PreparedInstall prepared, prepare(references));
    InstallPlan plan = prepared.plan();
    CURUPIRA_CHECK(std::move(prepared).commit(observer_));
    return plan;
  }
  ErrorCode refusal(const std::vector<registry::Reference>& references) {
    const auto plan = install(references);
    if (!plan) detail_ = plan.error().detail();
    return plan ? ErrorCode::internal : plan.error().code();
  }

  /// Every file of the home but the lock and the generations, with its contents.
  std::map<std::string, std::string> state() const {
    std::map<std::string, std::string> files;
    if (!std::filesystem::exists(home_.root)) return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home_.root))
      if (!entry.is_directory() && entry.path() != home_.lock() &&
          !entry.path().string().starts_with(home_.generations().string()))
        files[entry.path().lexically_relative(home_.root).string()] = curupira::test::text_of(entry.path());
    return files;
  }
  /// Earlier states go, and what only they used.
  void forget_generations() {
    EXPECT_TRUE(drop_generations(*real_, home_, 1));
    EXPECT_TRUE(collect_garbage(Store(home_, *real_)));
  }
  std::string installed_manifest(const std::string& name) const {
    return curupira::test::text_of(home_.extensions() / name / "curupira-extension.toml");
  }
  manifest::Receipt receipt(const std::string& name) const {
    const auto parsed =
        manifest::parse_receipt(curupira::test::text_of(home_.extensions() / name / "receipt.json"));
    EXPECT_TRUE(parsed) << name;
    return *parsed;
  }

  curupira::test::TemporaryFolder folder_;
  HomeLayout home_{.root = folder_ / "home"};
  Environment environment_{{{"PATH", "/usr/bin:/bin"}}};
  std::unique_ptr<FileSystem> real_ = make_posix_file_system();
  curupira::test::FaultyFileSystem files_{*real_};
  FakeHttp http_;
  FakeProcesses processes_;
  std::vector<std::unique_ptr<registry::Source>> sources_;
  FakeSource* source_ = nullptr;
  CollectedDiagnostics diagnostics_;
  RecordingObserver observer_;
  std::string detail_;
};

}  // namespace curupira::installer::test
