#include "installer/generation_record.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <string>

#include "base/digest.h"
#include "base/json.h"
#include "installer/generation.h"
#include "installer/limits.h"
#include "manifest/manifest.h"
#include "manifest/receipt.h"

namespace curupira::installer {
namespace {

struct ExtensionBytes {
  std::string manifest_text;
  std::string receipt_text;
};
using State = std::map<std::string, ExtensionBytes>;

/// The bytes of an extension's folder; nothing when it has no receipt: then it is another program's.
Result<std::optional<ExtensionBytes>> read_extension(const FileSystem& files,
                                                     const std::filesystem::path& folder) {
  const auto read = [&](std::string_view name) -> Result<std::optional<std::string>> {
    auto text = files.read_file(folder / name, max_receipt_bytes);
    if (text) return std::optional(std::move(*text));
    if (text.error().code() == ErrorCode::file_not_found) return std::optional<std::string>();
    return fail(std::move(text).error());
  };
  CURUPIRA_TRY(auto receipt, read(manifest::receipt_file_name));
  if (!receipt) return std::optional<ExtensionBytes>();
  CURUPIRA_TRY(auto manifest_text, read(manifest::manifest_file_name));
  return std::optional(ExtensionBytes{std::move(manifest_text).value_or(""), std::move(*receipt)});
}

Result<State> installed_state(const FileSystem& files, const HomeLayout& home) {
  State state;
  const auto names = files.list(home.extensions());
  if (!names) {
    if (names.error().code() == ErrorCode::file_not_found) return state;
    return fail(names.error());
  }
  for (const auto& name : *names) {
    if (!manifest::is_readable_extension_name(name)) continue;
    auto bytes = read_extension(files, home.extensions() / name);
    // A receipt that says nothing cannot be gone back to, and would keep the whole store.
    if (bytes && *bytes && manifest::parse_receipt((*bytes)->receipt_text))
      state.emplace(name, std::move(**bytes));
  }
  return state;
}

/// By the clock of the file system, which is the one that matters to files: the staging folder was just made.
Result<std::string> time_of(const FileSystem& files, const std::filesystem::path& folder) {
  CURUPIRA_TRY(const auto status, files.status(folder));
  const std::time_t seconds =
      status ? std::chrono::system_clock::to_time_t(status->modified) : std::time_t{0};
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[sizeof "2026-12-01T08:35:00Z" + 16];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text);
}

class Recorder {
 public:
  Recorder(FileSystem& files, const HomeLayout& home, const std::filesystem::path& staging, std::string time)
      : files_(files), home_(home), staging_(staging), time_(std::move(time)) {}

  /// What is the same in `previous` gets a second name there instead of being written again.
  Result<> write(std::uint64_t number, const std::string& command, const State& state,
                 const std::vector<ReplacedFile>& replaced, std::optional<std::uint64_t> previous) {
    const auto folder = staged_generation(staging_, number);
    CURUPIRA_CHECK(files_.create_folders(folder));
    json::Array extensions;
    for (const auto& [name, bytes] : state) {
      const auto place = folder / "extensions" / name;
      CURUPIRA_CHECK(files_.create_folders(place));
      const auto older = previous ? std::optional(kept_extension(home_, *previous, name)) : std::nullopt;
      CURUPIRA_CHECK(keep(older, place, manifest::manifest_file_name, bytes.manifest_text));
      CURUPIRA_CHECK(keep(older, place, manifest::receipt_file_name, bytes.receipt_text));
      const auto receipt = manifest::parse_receipt(bytes.receipt_text);
      json::Object object;
      object.set("name", name);
      object.set("version", receipt ? receipt->version : std::string());
      object.set("manifest", digest_of(DigestAlgorithm::sha256, bytes.manifest_text).hex());
      object.set("receipt", digest_of(DigestAlgorithm::sha256, bytes.receipt_text).hex());
      extensions.emplace_back(std::move(object));
    }
    CURUPIRA_TRY(auto files, write_files(folder, replaced));
    json::Object root;
    root.set("format", Generation::format);
    root.set("number", number);
    root.set("time", time_);
    root.set("command", command);
    root.set("extensions", std::move(extensions));
    root.set("files", std::move(files));
    CURUPIRA_CHECK(write_file_atomically(files_, folder / "generation.json", json::write_pretty(root)));
    return files_.sync_folder(folder);
  }

 private:
  Result<> keep(const std::optional<std::filesystem::path>& older, const std::filesystem::path& place,
                std::string_view name, const std::string& bytes) {
    if (older) {
      const auto known = files_.read_file(*older / name, max_receipt_bytes);
      if (known && *known == bytes && files_.hard_link(*older / name, place / name)) return {};
    }
    return write_file_atomically(files_, place / name, bytes, 0444);
  }

  Result<json::Array> write_files(const std::filesystem::path& folder,
                                  const std::vector<ReplacedFile>& replaced) {
    json::Array array;
    if (!replaced.empty()) CURUPIRA_CHECK(files_.create_folders(folder / "files"));
    for (const auto& file : replaced) {
      const auto stem = std::to_string(array.size());
      if (file.before)
        CURUPIRA_CHECK(
            write_file_atomically(files_, folder / "files" / (stem + ".before"), *file.before, 0444));
      if (file.after)
        CURUPIRA_CHECK(
            write_file_atomically(files_, folder / "files" / (stem + ".after"), *file.after, 0444));
      json::Object object;
      object.set("path", file.path.string());
      object.set("before", file.before.has_value());
      object.set("after", file.after.has_value());
      array.emplace_back(std::move(object));
    }
    return array;
  }

  FileSystem& files_;
  const HomeLayout& home_;
  const std::filesystem::path& staging_;
  std::string time_;
};

bool is_same(const State& state, const Generation& generation) {
  if (state.size() != generation.extensions.size()) return false;
  return std::all_of(state.begin(), state.end(), [&](const auto& each) {
    const auto* const kept = generation.find(each.first);
    return kept != nullptr &&
           kept->manifest_sha256 == digest_of(DigestAlgorithm::sha256, each.second.manifest_text).hex() &&
           kept->receipt_sha256 == digest_of(DigestAlgorithm::sha256, each.second.receipt_text).hex();
  });
}

}  // namespace

std::filesystem::path staged_generation(const std::filesystem::path& staging, std::uint64_t number) {
  return staging / ("generation." + std::to_string(number));  // no name of an extension has a dot
}

Result<std::vector<std::uint64_t>> stage_generations(FileSystem& files, const HomeLayout& home,
                                                     const std::filesystem::path& staging,
                                                     const Changes& changes) {
  CURUPIRA_TRY(const State before, installed_state(files, home));
  State after = before;
  for (const auto& name : changes.removed)
    after.erase(name);
  for (const auto& name : changes.staged) {
    CURUPIRA_TRY(auto bytes, read_extension(files, staging / name));
    if (!bytes) return fail(ErrorCode::internal, "the extension " + name + " is staged without a receipt");
    after.insert_or_assign(name, std::move(*bytes));
  }
  std::vector<ReplacedFile> replaced;
  for (const auto& file : changes.files)
    if (file.before != file.after) replaced.push_back(file);

  CURUPIRA_TRY(const std::string time, time_of(files, staging));
  Recorder recorder(files, home, staging, time);
  CURUPIRA_TRY(const auto numbers, generation_numbers(files, home));
  if (numbers.empty()) {
    CURUPIRA_CHECK(recorder.write(0, "", before, {}, std::nullopt));
    CURUPIRA_CHECK(recorder.write(1, changes.command, after, replaced, std::nullopt));
    return std::vector<std::uint64_t>{0, 1};
  }
  const auto last = read_generation(files, home, numbers.back());
  if (last && replaced.empty() && is_same(after, *last)) return std::vector<std::uint64_t>();
  const std::uint64_t next = numbers.back() + 1;
  CURUPIRA_CHECK(recorder.write(next, changes.command, after, replaced, numbers.back()));
  return std::vector<std::uint64_t>{next};
}

}  // namespace curupira::installer
