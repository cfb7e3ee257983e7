#include "installer/generation.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/digest.h"
#include "base/json.h"
#include "base/printable.h"
#include "installer/limits.h"
#include "manifest/manifest.h"

namespace curupira::installer {
namespace {

constexpr std::size_t max_generation_bytes = 16u << 20;

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  // One spelling a number: "007" is a folder of somebody else.
  if (parsed.ec != std::errc{} || std::to_string(number) != text) return std::nullopt;
  return number;
}

tl::unexpected<Error> unreadable(const HomeLayout& home, std::uint64_t number, std::string_view why) {
  return fail(
      ErrorCode::generation_unreadable,
      printable((generation_folder(home, number) / "generation.json").string()) + ": " + std::string(why));
}

std::optional<GenerationExtension> parse_extension(const json::Value& value) {
  const std::string* const name = value.find_string("name");
  const std::string* const version = value.find_string("version");
  const std::string* const manifest_digest = value.find_string("manifest");
  const std::string* const receipt_digest = value.find_string("receipt");
  if (name == nullptr || version == nullptr || manifest_digest == nullptr || receipt_digest == nullptr ||
      !manifest::is_readable_extension_name(*name))
    return std::nullopt;
  return GenerationExtension{*name, *version, *manifest_digest, *receipt_digest};
}

std::optional<GenerationFile> parse_file(const json::Value& value) {
  const std::string* const path = value.find_string("path");
  const json::Value* const before = value.find("before");
  const json::Value* const after = value.find("after");
  if (path == nullptr || before == nullptr || before->as_bool() == nullptr || after == nullptr ||
      after->as_bool() == nullptr || !std::filesystem::path(*path).is_absolute() ||
      path->find('\0') != std::string::npos)
    return std::nullopt;
  return GenerationFile{*path, *before->as_bool(), *after->as_bool()};
}

}  // namespace

const GenerationExtension* Generation::find(std::string_view name) const {
  const auto found = std::find_if(extensions.begin(), extensions.end(),
                                  [&](const GenerationExtension& each) { return each.name == name; });
  return found == extensions.end() ? nullptr : &*found;
}

std::filesystem::path generation_folder(const HomeLayout& home, std::uint64_t number) {
  return home.generations() / std::to_string(number);
}

std::filesystem::path kept_extension(const HomeLayout& home, std::uint64_t number, std::string_view name) {
  return generation_folder(home, number) / "extensions" / name;
}

Result<std::vector<std::uint64_t>> generation_numbers(const ReadOnlyFileSystem& files,
                                                      const HomeLayout& home) {
  std::vector<std::uint64_t> numbers;
  const auto names = files.list(home.generations());
  if (!names) {
    if (names.error().code() == ErrorCode::file_not_found) return numbers;
    return fail(names.error());
  }
  for (const auto& name : *names)
    if (const auto number = parse_number(name)) numbers.push_back(*number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Result<Generation> read_generation(const ReadOnlyFileSystem& files, const HomeLayout& home,
                                   std::uint64_t number) {
  const auto text =
      files.read_file(generation_folder(home, number) / "generation.json", max_generation_bytes);
  if (!text) {
    if (text.error().code() != ErrorCode::file_not_found)
      return unreadable(home, number, text.error().summary());
    return fail(ErrorCode::generation_missing, "generation " + std::to_string(number));
  }
  const auto root = json::parse(*text);
  if (!root) return unreadable(home, number, root.error().summary());
  const json::Value* const version = root->find("format");
  if (version == nullptr || version->as_int() != Generation::format)
    return unreadable(home, number, "its format is another one than 1");
  const std::string* const time = root->find_string("time");
  const std::string* const command = root->find_string("command");
  const json::Value* const extensions = root->find("extensions");
  const json::Value* const changed = root->find("files");
  if (time == nullptr || command == nullptr || extensions == nullptr || extensions->as_array() == nullptr ||
      changed == nullptr || changed->as_array() == nullptr)
    return unreadable(home, number, "a member is missing");
  Generation generation{.number = number, .time = *time, .command = *command, .extensions = {}, .files = {}};
  for (const auto& value : *extensions->as_array()) {
    auto extension = parse_extension(value);
    if (!extension) return unreadable(home, number, "an extension is not described");
    generation.extensions.push_back(std::move(*extension));
  }
  for (const auto& value : *changed->as_array()) {
    auto file = parse_file(value);
    if (!file) return unreadable(home, number, "a file is not described");
    generation.files.push_back(std::move(*file));
  }
  return generation;
}

Result<std::vector<Generation>> read_generations(const ReadOnlyFileSystem& files, const HomeLayout& home) {
  CURUPIRA_TRY(const auto numbers, generation_numbers(files, home));
  std::vector<Generation> generations;
  for (const auto number : numbers)
    if (auto generation = read_generation(files, home, number)) generations.push_back(std::move(*generation));
  return generations;
}

Result<std::optional<std::string>> generation_file(const ReadOnlyFileSystem& files, const HomeLayout& home,
                                                   const Generation& generation, std::size_t index,
                                                   bool after) {
  const GenerationFile& file = generation.files.at(index);
  if (!(after ? file.after : file.before)) return std::optional<std::string>();
  const auto name = std::to_string(index) + (after ? ".after" : ".before");
  auto text =
      files.read_file(generation_folder(home, generation.number) / "files" / name, max_generation_bytes);
  if (!text) return unreadable(home, generation.number, text.error().summary());
  return std::optional(std::move(*text));
}

Result<std::vector<std::uint64_t>> drop_generations(FileSystem& files, const HomeLayout& home,
                                                    std::size_t keep) {
  CURUPIRA_TRY(auto numbers, generation_numbers(files, home));
  keep = std::max<std::size_t>(keep, 1);
  if (numbers.size() <= keep) return std::vector<std::uint64_t>();
  numbers.resize(numbers.size() - keep);
  for (const auto number : numbers) {
    // The record goes first: half a generation must not look like one.
    CURUPIRA_CHECK(files.remove_file(generation_folder(home, number) / "generation.json"));
    CURUPIRA_CHECK(files.remove_tree(generation_folder(home, number)));
  }
  return numbers;
}

std::vector<GenerationChange> changes_between(const Generation& from, const Generation& to) {
  std::map<std::string, GenerationChange> changes;
  for (const auto& old : from.extensions) {
    const auto* const now = to.find(old.name);
    const bool same = now != nullptr && now->manifest_sha256 == old.manifest_sha256 &&
                      now->receipt_sha256 == old.receipt_sha256;
    if (!same) changes[old.name] = {old.name, old.version, now == nullptr ? std::string() : now->version};
  }
  for (const auto& added : to.extensions)
    if (from.find(added.name) == nullptr) changes[added.name] = {added.name, {}, added.version};
  std::vector<GenerationChange> result;
  for (auto& [name, change] : changes)
    result.push_back(std::move(change));
  return result;
}

}  // namespace curupira::installer
