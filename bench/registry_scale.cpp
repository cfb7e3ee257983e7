// A registry of 100,000 packages: what a client fetches to install one of them, cold and warm, and what
// publishing one more costs. Exit code 1 when a limit is not kept.
//
//   registry_scale [PACKAGES]

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "registry/release.h"
#include "registry/repository_init.h"
#include "registry/repository_refresh.h"
#include "registry/search_index.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/registry_reader.h"
#include "tuf/client.h"

namespace {

using namespace curupira;
namespace fs = std::filesystem;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::uint64_t max_cold_bytes = 500'000;
constexpr int max_cold_requests = 8;
constexpr int max_warm_requests = 2;
constexpr double max_publish_milliseconds = 1000;

class Printed final : public Diagnostics {
 public:
  void report(Diagnostic diagnostic) override { std::cerr << diagnostic.text << '\n'; }
};

class Scale {
 public:
  explicit Scale(fs::path folder) : folder_(std::move(folder)), unforced_(*files_) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "source") << "the same archive for all";
  }

  Result<bool> run(int packages) {
    CURUPIRA_CHECK(make(packages));
    CURUPIRA_CHECK(measure_client("cold", "package-471", max_cold_requests));
    CURUPIRA_CHECK(measure_client("warm", "package-471", max_warm_requests));
    CURUPIRA_CHECK(measure_publish());
    CURUPIRA_CHECK(measure_refresh());
    return good_;
  }

 private:
  registry::RepositoryPlace place() const {
    return {.folder = folder_ / "registry", .keys = folder_ / "keys"};
  }

  template <class Function>
  Result<> with_repository(FileSystem& files, Function function) {
    registry::SigningKeys keys(files, passphrases_);
    CURUPIRA_CHECK(keys.use_folder(place().keys));
    const registry::RepositoryTools tools{
        .files = files, .clock = clock_, .keys = keys, .diagnostics = diagnostics_};
    CURUPIRA_TRY(auto repository,
                 registry::Repository::open_for_change(tools, place(), {.who = "registry_scale"}));
    return function(repository);
  }

  Result<registry::Release> release(int number) const {
    const std::string package = "package-" + std::to_string(number);
    CURUPIRA_TRY(auto name, registry::PackageName::parse(package));
    CURUPIRA_TRY(const std::string archive, files_->read_file(folder_ / "source", 1000));
    return registry::Release{
        .name = std::move(name),
        .version = "1.0.0",
        .manifest = "manifest_version = 1\nname = \"" + package +
                    "\"\nversion = \"1.0.0\"\nprotocol_version = 2\nruntime = \"executable\"\nkind = "
                    "\"trigger\"\ntrigger_types = [\"tickets\", \"mails\"]\n\n[launch]\ntype = "
                    "\"executable\"\nprogram = \"./run\"\n",
        .summary = "The package with the number " + std::to_string(number) + ", for measuring",
        .files = {{.artifact = {.file = "one-for-all.tar.gz",
                                .sha256 = digest_of(DigestAlgorithm::sha256, archive),
                                .size = archive.size()},
                   .source = folder_ / "source"}}};
  }

  Result<> make(int packages) {
    const auto start = std::chrono::steady_clock::now();
    registry::SigningKeys keys(unforced_, passphrases_);
    const registry::RepositoryTools tools{
        .files = unforced_, .clock = clock_, .keys = keys, .diagnostics = diagnostics_};
    CURUPIRA_CHECK(registry::init_repository(tools, place(), {}));
    const auto published = with_repository(unforced_, [&](registry::Repository& repository) -> Result<> {
      std::vector<registry::Release> releases;
      for (int number = 0; number < packages; ++number) {
        CURUPIRA_TRY(auto each, release(number));
        releases.push_back(std::move(each));
      }
      CURUPIRA_CHECK(registry::publish(repository, releases));
      return {};
    });
    CURUPIRA_CHECK(published);
    std::cout << packages << " packages were published in " << since(start) / 1000 << " s\n";
    return {};
  }

  static double since(std::chrono::steady_clock::time_point start) {
    return Milliseconds(std::chrono::steady_clock::now() - start).count();
  }

  void judge(bool kept, const std::string& limit) {
    std::cout << (kept ? "  (limit " : "  TOO MUCH (limit ") << limit << ")\n";
    good_ = good_ && kept;
  }

  Result<> measure_client(const std::string& kind, const std::string& package, int max_requests) {
    const fs::path trust = folder_ / "trust";
    if (!fs::exists(trust)) {
      fs::create_directories(trust);
      CURUPIRA_TRY(const std::string root,
                   files_->read_file(place().folder / "metadata" / "1.root.json", 1u << 20));
      CURUPIRA_CHECK(tuf::pin_root(*files_, trust, root));
    }
    test::FolderFetcher fetcher(registry::RepositoryFolder(*files_, place().folder));
    const auto start = std::chrono::steady_clock::now();
    CURUPIRA_TRY(auto client, tuf::Client::begin(*files_, trust, fetcher, clock_, diagnostics_));
    CURUPIRA_CHECK(client.refresh());
    CURUPIRA_TRY(const auto name, tuf::TargetName::parse("packages/" + package + ".json"));
    CURUPIRA_TRY(const auto target, client.find_target(name));
    std::cout << kind << " client: " << fetcher.requests << " requests, " << fetcher.bytes
              << " bytes of metadata, then the package's index of " << target.length << " bytes; "
              << since(start) << " ms";
    judge(fetcher.requests <= max_requests && fetcher.bytes <= max_cold_bytes,
          std::to_string(max_requests) + " requests, " + std::to_string(max_cold_bytes) + " bytes");
    return {};
  }

  /// Path → size and time of writing.
  std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> all_files() const {
    std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> found;
    for (const auto& entry : fs::recursive_directory_iterator(place().folder))
      if (entry.is_regular_file())
        found[entry.path().lexically_relative(place().folder).string()] = {entry.file_size(),
                                                                           entry.last_write_time()};
    return found;
  }

  Result<> measure_publish() {
    const auto before = all_files();
    CURUPIRA_TRY(const registry::Release one_more, release(10'000'000));
    const auto start = std::chrono::steady_clock::now();
    const auto published = with_repository(*files_, [&](registry::Repository& repository) -> Result<> {
      CURUPIRA_CHECK(registry::publish(repository, std::span(&one_more, 1)));
      return {};
    });
    CURUPIRA_CHECK(published);
    const double milliseconds = since(start);
    std::cout << "publishing one more: " << milliseconds << " ms";
    judge(milliseconds < max_publish_milliseconds, "1000 ms");
    for (const auto& [name, state] : all_files()) {
      const auto known = before.find(name);
      if (known == before.end() || known->second != state)
        std::cout << "  wrote " << name << ", " << state.first << " bytes\n";
    }
    return {};
  }

  Result<> measure_refresh() {
    const auto start = std::chrono::steady_clock::now();
    const auto refreshed = with_repository(*files_, [&](registry::Repository& repository) -> Result<> {
      CURUPIRA_CHECK(registry::refresh(repository));
      return {};
    });
    CURUPIRA_CHECK(refreshed);
    std::cout << "refresh, with the search index: " << since(start) << " ms\n";
    std::uintmax_t size = 0;
    for (const auto& entry : fs::directory_iterator(place().folder / "targets" / "search"))
      size = std::max(size, entry.file_size());
    std::cout << "search index: " << size << " bytes\n";
    return {};
  }

  fs::path folder_;
  std::unique_ptr<FileSystem> files_ = make_posix_file_system();
  test::FaultyFileSystem unforced_;  // without a fault: what it writes is not forced to the disk
  SystemClock clock_;
  test::NoPassphrase passphrases_;
  Printed diagnostics_;
  bool good_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  const int packages = argc > 1 ? std::stoi(argv[1]) : 100'000;
  std::string folder = (fs::temp_directory_path() / "registry-scale-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const auto good = Scale(folder).run(packages);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!good) std::cerr << error_name(good.error().code()) << ' ' << good.error().summary() << '\n';
  return good && *good ? 0 : 1;
}
