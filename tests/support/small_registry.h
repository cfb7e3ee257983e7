#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/file_system.h"
#include "registry/release.h"
#include "registry/repository_init.h"
#include "registry/repository_keys.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/registry_reader.h"
#include "tests/support/temporary_folder.h"
#include "tuf/client.h"

namespace curupira::test {

class FixedClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return time; }
  std::chrono::steady_clock::time_point steady_now() const override { return {}; }
  std::chrono::sys_seconds time{std::chrono::sys_days(std::chrono::year(2030) / 1 / 1)};
};

/// A registry in a temporary folder, as its keeper has it.
class SmallRegistry {
 public:
  explicit SmallRegistry(int bin_bits = 1, int root_keys = 1, int root_threshold = 1) {
    EXPECT_TRUE(with(*files, [&](const registry::RepositoryTools& tools) -> Result<> {
      CURUPIRA_CHECK(registry::init_repository(
          tools, place, {.root_keys = root_keys, .root_threshold = root_threshold, .bin_bits = bin_bits}));
      return {};
    }));
  }

  /// Runs with all keys of the keeper, on the file system that is given.
  template <class Function>
  Result<> with(FileSystem& used, Function function) {
    registry::SigningKeys keys(used, passphrases);
    if (auto known = keys.use_folder(place.keys); !known) return known;
    return function(
        registry::RepositoryTools{.files = used, .clock = clock, .keys = keys, .diagnostics = diagnostics});
  }

  template <class Function>
  Result<> change(FileSystem& used, Function function) {
    return with(used, [&](const registry::RepositoryTools& tools) -> Result<> {
      CURUPIRA_TRY(auto repository, registry::Repository::open_for_change(tools, place, {.who = "a test"}));
      return function(repository);
    });
  }

  Result<> publish(FileSystem& used, const std::string& name, const std::string& version = "1.0.0") {
    const registry::Release release = release_of(name, version);
    return change(used, [&](registry::Repository& repository) -> Result<> {
      CURUPIRA_CHECK(registry::publish(repository, std::span(&release, 1)));
      return {};
    });
  }

  /// A new online key in the place of the one that is there.
  Result<> rotate_online(FileSystem& used) {
    return with(used, [&](const registry::RepositoryTools& tools) -> Result<> {
      CURUPIRA_TRY(auto repository, registry::Repository::open_for_change(tools, place, {.who = "a test"}));
      CURUPIRA_TRY(const auto role, registry::find_role(repository, "online"));
      CURUPIRA_TRY(const std::string old, registry::find_key(role, std::nullopt));
      const auto file = place.keys / ("online-" + std::to_string(++online_keys_) + ".pem");
      CURUPIRA_TRY(const tuf::Key key, tools.keys.make(file));
      CURUPIRA_CHECK(registry::change_keys(repository, {.role = "online", .add = {key}, .remove = {old}}));
      return {};
    });
  }

  registry::Release release_of(const std::string& name, const std::string& version) {
    const std::string contents = name + " " + version;
    const auto source = temporary.path() / ("source-" + version);
    std::ofstream(source) << contents;
    const Digest digest = digest_of(DigestAlgorithm::sha256, contents);
    return {.name = registry::PackageName::parse(name).value(),
            .version = version,
            .manifest = "name = \"" + name + "\"\n",
            .summary = "one of a test",
            .files = {{.artifact = {.file = name + ".tar.gz", .sha256 = digest, .size = contents.size()},
                       .source = source}}};
  }

  /// A client's update, from the trust that it keeps in `trust`; with a package, also the way to it.
  Result<> update(const std::filesystem::path& trust, const std::optional<std::string>& package = {}) {
    FaultyFileSystem unforced(*files);  // nothing is forced to the disk
    FolderFetcher fetcher(registry::RepositoryFolder(*files, place.folder));
    CURUPIRA_TRY(auto client, tuf::Client::begin(unforced, trust, fetcher, clock, diagnostics));
    CURUPIRA_CHECK(client.refresh());
    if (!package) return {};
    CURUPIRA_TRY(const auto name, registry::PackageName::parse(*package));
    CURUPIRA_TRY(const auto target, tuf::TargetName::parse(name.target()));
    CURUPIRA_TRY(const auto found, client.find_target(target));
    CURUPIRA_TRY(const std::string text,
                 files->read_file(place.folder / "targets" / found.path, found.length));
    CURUPIRA_CHECK(registry::parse_package_index(text, name));
    return {};
  }

  /// A new client's folder, which trusts the first root.
  std::filesystem::path new_trust(const std::string& name) {
    const auto trust = temporary.path() / name;
    std::filesystem::create_directories(trust);
    const auto root = files->read_file(place.folder / "metadata" / "1.root.json", 1u << 20);
    EXPECT_TRUE(root && tuf::pin_root(*files, trust, *root));
    return trust;
  }

  TemporaryFolder temporary;
  std::unique_ptr<FileSystem> files = make_posix_file_system();
  FixedClock clock;
  NoPassphrase passphrases;
  CollectedDiagnostics diagnostics;
  registry::RepositoryPlace place{.folder = temporary.path() / "registry",
                                  .keys = temporary.path() / "registry.keys"};

 private:
  int online_keys_ = 1;  // that were made so far
};

}  // namespace curupira::test
