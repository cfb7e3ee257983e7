#include "installer/commit_journal.h"

#include <utility>

#include "base/json.h"
#include "manifest/manifest.h"

namespace curupira::installer {
namespace {

constexpr std::size_t max_journal_bytes = 4u << 20;

json::Object to_object(const JournalExtension& extension) {
  json::Object object;
  object.set("name", extension.name);
  object.set("before", extension.before);
  object.set("after", extension.after);
  return object;
}

json::Object to_object(const JournalFile& file) {
  json::Object object;
  object.set("path", file.path.string());
  object.set("before", file.before);
  object.set("after", file.after);
  object.set("staged", file.staged);
  return object;
}

/// The string members of `entry`, in this order; nothing when one is missing.
std::optional<std::vector<std::string>> members(const json::Value& entry,
                                                std::initializer_list<std::string_view> names) {
  std::vector<std::string> found;
  for (const auto name : names) {
    const std::string* const text = entry.find_string(name);
    if (text == nullptr || text->find('\0') != std::string::npos) return std::nullopt;
    found.push_back(*text);
  }
  return found;
}

std::optional<Journal> parse(const HomeLayout& home, const json::Value& root) {
  const std::string* const staging = root.find_string("staging");
  const json::Value* const extensions = root.find("extensions");
  const json::Value* const files = root.find("files");
  if (staging == nullptr || extensions == nullptr || extensions->as_array() == nullptr || files == nullptr ||
      files->as_array() == nullptr)
    return std::nullopt;
  Journal journal{.staging = home.staging() / std::filesystem::path(*staging).filename()};
  for (const auto& entry : *extensions->as_array()) {
    auto texts = members(entry, {"name", "before", "after"});
    if (!texts || !manifest::is_readable_extension_name((*texts)[0])) return std::nullopt;
    journal.extensions.push_back({(*texts)[0], (*texts)[1], (*texts)[2]});
  }
  for (const auto& entry : *files->as_array()) {
    auto texts = members(entry, {"path", "before", "after", "staged"});
    if (!texts || !std::filesystem::path((*texts)[0]).is_absolute()) return std::nullopt;
    journal.files.push_back(
        {(*texts)[0], (*texts)[1], (*texts)[2], std::filesystem::path((*texts)[3]).filename().string()});
  }
  // A journal of the version before had none.
  const json::Value* const generations = root.find("generations");
  if (generations != nullptr && generations->as_array() == nullptr) return std::nullopt;
  if (generations != nullptr) {
    for (const auto& entry : *generations->as_array()) {
      const auto number = entry.as_uint();
      if (!number) return std::nullopt;
      journal.generations.push_back(*number);
    }
  }
  return journal;
}

}  // namespace

std::filesystem::path journal_file(const HomeLayout& home) {
  return home.root / "commit.json";
}

Result<> write_journal(FileSystem& files, const HomeLayout& home, const Journal& journal) {
  json::Array extensions;
  for (const auto& extension : journal.extensions)
    extensions.emplace_back(to_object(extension));
  json::Array replaced;
  for (const auto& file : journal.files)
    replaced.emplace_back(to_object(file));
  json::Array generations;
  for (const auto number : journal.generations)
    generations.emplace_back(number);
  json::Object root;
  root.set("format", 2);
  root.set("staging", journal.staging.filename().string());
  root.set("extensions", std::move(extensions));
  root.set("files", std::move(replaced));
  root.set("generations", std::move(generations));
  // By way of the staging folder: what a killed command leaves of it goes with that folder.
  const auto staged = journal.staging / "commit.json";
  CURUPIRA_CHECK(write_file_atomically(files, staged, json::write_pretty(root)));
  CURUPIRA_CHECK(files.rename(staged, journal_file(home)));
  return files.sync_folder(home.root);
}

Result<std::optional<Journal>> read_journal(const FileSystem& files, const HomeLayout& home) {
  const auto text = files.read_file(journal_file(home), max_journal_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::file_not_found) return std::optional<Journal>();
    return fail(text.error());
  }
  // It was written in one piece, so one that cannot be read was never ours.
  const auto root = json::parse(*text);
  auto journal = root ? parse(home, *root) : std::nullopt;
  if (!journal)
    return fail(Error(ErrorCode::home_unusable, journal_file(home).string() + " cannot be read")
                    .with_help("remove this file and install again"));
  return journal;
}

}  // namespace curupira::installer
