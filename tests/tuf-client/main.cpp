// The TUF client of this project behind the command line of the public conformance suite (tuf-conformance,
// CLIENT-CLI.md): exit code 0 or 1, trusted metadata in --metadata-dir under names without versions.
//
//   tuf-client --metadata-dir D init ROOT
//   tuf-client --metadata-dir D --metadata-url U refresh
//   tuf-client … --target-name T [--target-name T…] --target-base-url B --target-dir D download
//
// Beside the suite's options there is --now TIME, which turns the clock by hand.

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/http_client.h"
#include "base/printable.h"
#include "base/timestamp.h"
#include "tuf/client.h"
#include "tuf/http_fetcher.h"

extern char** environ;

namespace {

using namespace curupira;
namespace fs = std::filesystem;

constexpr std::uint64_t max_root_file_bytes = 128u << 20;

struct Arguments {
  std::map<std::string, std::string> options;
  std::vector<std::string> target_names;
  std::vector<std::string> words;  ///< the command and what follows it

  Result<std::string> option(const std::string& name) const {
    const auto found = options.find(name);
    if (found == options.end()) return fail(ErrorCode::usage, name + " is missing");
    return found->second;
  }
};

Result<Arguments> read_arguments(const std::vector<std::string>& words) {
  constexpr std::array known{"--metadata-dir", "--metadata-url", "--target-base-url", "--target-dir",
                             "--now"};
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      arguments.words.push_back(words[i]);
      continue;
    }
    if (i + 1 == words.size()) return fail(ErrorCode::usage, words[i] + " needs a value");
    if (words[i] == "--target-name") {
      arguments.target_names.push_back(words[i + 1]);
    } else if (std::ranges::find(known, words[i]) != known.end()) {
      arguments.options[words[i]] = words[i + 1];
    } else {
      return fail(ErrorCode::usage, printable(words[i]) + " is not known");
    }
    ++i;
  }
  if (arguments.words.empty()) return fail(ErrorCode::usage, "init, refresh or download");
  return arguments;
}

class GivenClock final : public Clock {
 public:
  explicit GivenClock(std::optional<std::chrono::sys_seconds> now) : now_(now) {}
  std::chrono::system_clock::time_point now() const override { return now_ ? *now_ : machine_.now(); }
  std::chrono::steady_clock::time_point steady_now() const override { return machine_.steady_now(); }

 private:
  std::optional<std::chrono::sys_seconds> now_;
  SystemClock machine_;
};

class PrintedDiagnostics final : public Diagnostics {
 public:
  void report(Diagnostic diagnostic) override { std::cerr << "warning: " << diagnostic.text << "\n"; }
};

void print(const Error& error) {
  std::cerr << "error[" << error_name(error.code()) << "]: " << error_info(error.code()).title << "\n";
  for (const std::string& doing : error.doing())
    std::cerr << "  while " << doing << "\n";
  std::cerr << "  " << error.detail() << "\n";
  if (error.cause() != nullptr) std::cerr << "  cause: " << error.cause()->summary() << "\n";
  std::cerr << "  help: " << error.help() << "\n";
}

/// True when the file is there and is the target.
bool is_there(const FileSystem& files, const fs::path& file, const tuf::TargetInfo& target) {
  const auto content = files.read_file(file, target.length);
  if (!content) return false;
  StringSink nowhere(target.length);
  tuf::TargetSink sink(nowhere, target);
  return sink.write(std::as_bytes(std::span(*content))) && sink.finish();
}

Result<> fetch_target(FileSystem& files, tuf::TargetFetcher& fetcher, const tuf::TargetInfo& target,
                      const fs::path& folder) {
  const fs::path file = folder / percent_encode(target.name.text());
  if (is_there(files, file, target)) return {};
  CURUPIRA_TRY(const fs::path temporary, files.create_temporary_folder(folder, ".download-"));
  const auto fetched = [&]() -> Result<> {
    CURUPIRA_TRY(const auto part, files.create_file(temporary / "part", 0644));
    CURUPIRA_CHECK(tuf::download(fetcher, target, *part));
    CURUPIRA_CHECK(part->commit());
    return files.rename(temporary / "part", file);
  }();
  CURUPIRA_CHECK(files.remove_tree(temporary));
  return fetched;
}

Result<> run(const std::vector<std::string>& words) {
  CURUPIRA_TRY(const Arguments arguments, read_arguments(words));
  const std::string& command = arguments.words.front();
  CURUPIRA_TRY(const fs::path metadata_folder, arguments.option("--metadata-dir"));
  const auto files = make_posix_file_system();
  CURUPIRA_CHECK(files->create_folders(metadata_folder));
  if (command == "init" && arguments.words.size() == 2) {
    CURUPIRA_TRY(const std::string root, files->read_file(arguments.words[1], max_root_file_bytes));
    return tuf::pin_root(*files, metadata_folder, root);
  }
  if ((command != "refresh" && command != "download") || arguments.words.size() != 1)
    return fail(ErrorCode::usage, "init ROOT, refresh or download");

  std::optional<std::chrono::sys_seconds> now;
  if (const auto given = arguments.options.find("--now"); given != arguments.options.end()) {
    CURUPIRA_TRY(now, parse_timestamp(given->second));
  }
  const GivenClock clock(now);
  PrintedDiagnostics diagnostics;
  const auto http = make_curl_http_client(Environment::from(environ));
  CURUPIRA_TRY(const std::string metadata_url, arguments.option("--metadata-url"));
  CURUPIRA_TRY(Url metadata_base, Url::parse(metadata_url));
  tuf::HttpMetadataFetcher metadata(*http, std::move(metadata_base));
  CURUPIRA_TRY(auto client, tuf::Client::begin(*files, metadata_folder, metadata, clock, diagnostics));
  CURUPIRA_CHECK(client.refresh());
  if (command == "refresh") return {};

  CURUPIRA_TRY(const fs::path target_folder, arguments.option("--target-dir"));
  CURUPIRA_TRY(const std::string target_url, arguments.option("--target-base-url"));
  CURUPIRA_TRY(Url target_base, Url::parse(target_url));
  CURUPIRA_CHECK(files->create_folders(target_folder));
  tuf::HttpTargetFetcher targets(*http, std::move(target_base));
  for (const std::string& text : arguments.target_names) {
    CURUPIRA_TRY(const auto name, tuf::TargetName::parse(text));
    CURUPIRA_TRY(const auto target, client.find_target(name));
    CURUPIRA_CHECK(fetch_target(*files, targets, target, target_folder));
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto result = run({argv + 1, argv + argc});
  if (result) return 0;
  print(result.error());
  return 1;
}
