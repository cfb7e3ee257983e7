// The carriers of registries behind a command line, for tests. Exit code 0 or 1, errors as the program prints
// them.
//
//   carrier-tool [OPTIONS] get ADDRESS FOLDER ITEM…   into FOLDER/ITEM; prints "ITEM N bytes" or "ITEM none"
//   carrier-tool [OPTIONS] has ADDRESS ITEM…          prints "ITEM yes" or "ITEM no"
//   carrier-tool [OPTIONS] put ADDRESS FOLDER ITEM…   from FOLDER/ITEM
//   carrier-tool pin ROOT TRUST                       trusts the root that is in the file ROOT
//   carrier-tool [OPTIONS] walk ADDRESS TRUST TARGET… the TUF client's way to the targets, trusting TRUST
//
// ITEM: metadata/NAME or targets/PATH, in this order; between items of `get`, "reject" says that the last
// metadata does not hold and prints "again" or "nobody else". OPTIONS: --mirror ADDRESS (several), --max
// BYTES of a file, --now TIME of a walk, --chunk BYTES of an upload to an OCI registry.

#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/http_client.h"
#include "base/timestamp.h"
#include "registry/carrier_fetcher.h"
#include "registry/carriers.h"
#include "registry/local_file.h"
#include "registry/oci_carrier.h"
#include "tuf/client.h"

extern char** environ;

namespace {

using namespace curupira;
namespace fs = std::filesystem;

constexpr std::string_view metadata_prefix = "metadata/", target_prefix = "targets/";

struct Arguments {
  std::vector<std::string> mirrors;
  std::uint64_t max_bytes = 1ull << 30;
  std::uint64_t chunk_bytes = registry::Limits::oci_chunk_bytes;
  std::string now;
  std::string command, address;
  std::vector<std::string> words;  ///< what follows
};

Result<Arguments> read_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  std::size_t at = 0;
  for (; at + 1 < words.size() && words[at].starts_with("--"); at += 2) {
    if (words[at] == "--mirror") arguments.mirrors.push_back(words[at + 1]);
    if (words[at] == "--max") arguments.max_bytes = std::stoull(words[at + 1]);
    if (words[at] == "--now") arguments.now = words[at + 1];
    if (words[at] == "--chunk") arguments.chunk_bytes = std::stoull(words[at + 1]);
  }
  if (words.size() < at + 3) return fail(ErrorCode::usage, "get, has, put or walk, an address, and items");
  arguments.command = words[at];
  arguments.address = words[at + 1];
  arguments.words.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 2, words.end());
  return arguments;
}

class PrintedDiagnostics final : public Diagnostics {
 public:
  void report(Diagnostic diagnostic) override {
    std::cerr << (diagnostic.kind == Diagnostic::Kind::note ? "note: " : "warning: ") << diagnostic.text
              << "\n";
  }
};

void print(const Error& error) {
  std::cerr << "error[" << error_name(error.code()) << "]: " << error_info(error.code()).title << "\n";
  for (const std::string& doing : error.doing())
    std::cerr << "  while " << doing << "\n";
  std::cerr << "  " << error.detail() << "\n";
  if (error.cause() != nullptr) std::cerr << "  cause: " << error.cause()->summary() << "\n";
  std::cerr << "  help: " << error.help() << "\n";
}

Result<> get_metadata(FileSystem& files, registry::Carrier& carrier, const std::string& item,
                      const fs::path& to, std::uint64_t max_bytes) {
  CURUPIRA_TRY(const auto bytes, carrier.metadata(item.substr(metadata_prefix.size()), max_bytes));
  if (!bytes) {
    std::cout << item << " none\n";
    return {};
  }
  std::cout << item << " " << bytes->size() << " bytes\n";
  return write_file_atomically(files, to, *bytes);
}

Result<> get_target(FileSystem& files, registry::Carrier& carrier, const std::string& item,
                    const fs::path& to, std::uint64_t max_bytes) {
  CURUPIRA_TRY(const auto file, files.create_file(to, 0644));
  const auto done = [&]() -> Result<> {
    CURUPIRA_CHECK(carrier.target(item.substr(target_prefix.size()), nullptr, max_bytes, *file));
    return file->commit();
  }();
  if (!done) {
    CURUPIRA_CHECK(files.remove_file(to));
    return done;
  }
  std::cout << item << " " << fs::file_size(to) << " bytes\n";
  return {};
}

Result<> get(FileSystem& files, registry::Carrier& carrier, const Arguments& arguments) {
  const fs::path folder = arguments.words.front();
  for (std::size_t i = 1; i < arguments.words.size(); ++i) {
    const std::string& item = arguments.words[i];
    const fs::path to = folder / item;
    if (item == "reject") {
      const bool again = carrier.reject_metadata(Error(ErrorCode::json_invalid, "no signature holds"));
      std::cout << (again ? "again\n" : "nobody else\n");
      continue;
    }
    CURUPIRA_CHECK(files.create_folders(to.parent_path()));
    CURUPIRA_CHECK(item.starts_with(metadata_prefix)
                       ? get_metadata(files, carrier, item, to, arguments.max_bytes)
                       : get_target(files, carrier, item, to, arguments.max_bytes));
  }
  return {};
}

Result<> put(FileSystem& files, registry::WritableCarrier& carrier, const Arguments& arguments) {
  const fs::path folder = arguments.words.front();
  for (std::size_t i = 1; i < arguments.words.size(); ++i) {
    const std::string& item = arguments.words[i];
    if (item.starts_with(metadata_prefix)) {
      CURUPIRA_TRY(const std::string bytes, files.read_file(folder / item, arguments.max_bytes));
      CURUPIRA_CHECK(carrier.put_metadata(item.substr(metadata_prefix.size()), bytes));
    } else {
      CURUPIRA_TRY(const auto file, registry::measure_local_file(folder / item, arguments.max_bytes));
      CURUPIRA_CHECK(
          carrier.put_target(item.substr(target_prefix.size()), folder / item, file.sha256, file.size));
    }
    std::cout << item << "\n";
  }
  return carrier.finish();
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

Result<> walk(FileSystem& files, registry::Carrier& carrier, Diagnostics& diagnostics,
              const Arguments& arguments) {
  const fs::path folder = arguments.words.front();
  std::optional<std::chrono::sys_seconds> now;
  if (!arguments.now.empty()) {
    CURUPIRA_TRY(now, parse_timestamp(arguments.now));
  }
  const GivenClock clock(now);
  registry::CarrierFetcher fetcher(carrier);
  CURUPIRA_TRY(auto client, tuf::Client::begin(files, folder, fetcher, clock, diagnostics));
  CURUPIRA_CHECK(client.refresh());
  for (std::size_t i = 1; i < arguments.words.size(); ++i) {
    CURUPIRA_TRY(const auto name, tuf::TargetName::parse(arguments.words[i]));
    CURUPIRA_TRY(const auto target, client.find_target(name));
    StringSink text(arguments.max_bytes);
    CURUPIRA_CHECK(registry::fetch_target(carrier, target.path, nullptr, target.length, text));
    std::cout << arguments.words[i] << " " << target.role << " " << target.length << " bytes\n";
  }
  return {};
}

Result<> has(registry::WritableCarrier& carrier, const Arguments& arguments) {
  for (const std::string& item : arguments.words) {
    CURUPIRA_TRY(const bool there, carrier.has_target(item.substr(target_prefix.size()), nullptr));
    std::cout << item << (there ? " yes\n" : " no\n");
  }
  return {};
}

Result<std::unique_ptr<registry::WritableCarrier>> writable(const registry::SourceTools& tools,
                                                            Diagnostics& diagnostics,
                                                            const Arguments& arguments) {
  if (!arguments.address.starts_with("oci://"))
    return registry::make_writable_carrier(tools, diagnostics, arguments.address);
  CURUPIRA_TRY(auto repository, registry::OciRepository::parse(arguments.address));
  return registry::OciCarrier::open(tools, diagnostics, std::move(repository), arguments.chunk_bytes);
}

Result<> run(const std::vector<std::string>& words) {
  CURUPIRA_TRY(const Arguments arguments, read_arguments(words));
  const Environment environment = Environment::from(environ);
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics;
  const auto http = make_curl_http_client(environment, {.diagnostics = &diagnostics});
  SystemProcessRunner processes;
  const HomeLayout home{.root = "/nonexistent"};  // nothing of a carrier is there
  const registry::SourceTools tools{.environment = environment,
                                    .home = home,
                                    .current_folder = fs::current_path(),
                                    .files = *files,
                                    .http = http.get(),
                                    .processes = processes};
  if (arguments.command == "get") {
    CURUPIRA_TRY(const auto carrier,
                 registry::make_carrier(tools, diagnostics, arguments.address, arguments.mirrors));
    return get(*files, *carrier, arguments);
  }
  if (arguments.command == "pin") {
    CURUPIRA_TRY(const std::string root, files->read_file(arguments.address, arguments.max_bytes));
    CURUPIRA_CHECK(files->create_folders(arguments.words.front()));
    return tuf::pin_root(*files, arguments.words.front(), root);
  }
  if (arguments.command == "walk") {
    CURUPIRA_TRY(const auto carrier,
                 registry::make_carrier(tools, diagnostics, arguments.address, arguments.mirrors));
    return walk(*files, *carrier, diagnostics, arguments);
  }
  CURUPIRA_TRY(const auto carrier, writable(tools, diagnostics, arguments));
  if (arguments.command == "put") return put(*files, *carrier, arguments);
  if (arguments.command == "has") return has(*carrier, arguments);
  return fail(ErrorCode::usage, "get, has, put or walk");
}

}  // namespace

int main(int argc, char** argv) {
  const auto result = run({argv + 1, argv + argc});
  if (result) return 0;
  print(result.error());
  return 1;
}
