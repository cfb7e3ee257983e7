#include "cli/doctor_store.h"

#include <algorithm>

#include "base/file_lock.h"
#include "base/printable.h"
#include "installer/store.h"

namespace curupira::cli {
namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;

Finding finding(Level level, std::string subject, std::string what, std::string remedy = {}) {
  return {.area = "store",
          .level = level,
          .subject = std::move(subject),
          .what = std::move(what),
          .remedy = std::move(remedy)};
}

std::vector<std::string> names_in(const FileSystem& files, const fs::path& folder) {
  auto names = files.list(folder);
  return names ? *std::move(names) : std::vector<std::string>();
}

std::string counted(std::size_t number, std::string_view one, std::string_view more) {
  return std::to_string(number) + " " + std::string(number == 1 ? one : more);
}

/// Folders with the mark of completeness beside them, and those without.
struct Marked {
  std::size_t complete = 0, unfinished = 0;
};

Marked count_marked(const FileSystem& files, const fs::path& folder, std::string_view mark) {
  const auto names = names_in(files, folder);
  Marked marked;
  for (const std::string& name : names) {
    if (name.find('.') != std::string::npos) continue;  // marks; the folders are digests
    ++(std::ranges::binary_search(names, name + std::string(mark)) ? marked.complete : marked.unfinished);
  }
  return marked;
}

Findings contents(const FileSystem& files, const HomeLayout& home) {
  std::size_t blobs = 0;
  std::uint64_t bytes = 0;
  for (const std::string& algorithm : names_in(files, home.blobs())) {
    for (const std::string& name : names_in(files, home.blobs() / algorithm)) {
      const auto status = files.status(home.blobs() / algorithm / name);
      if (!status || !*status) continue;
      ++blobs;
      bytes += (*status)->size;
    }
  }
  const Marked trees = count_marked(files, home.trees(), ".listing");
  const Marked environments = count_marked(files, home.environments(), ".complete");
  Findings findings{finding(Level::ok, "content",
                            counted(blobs, "artifact", "artifacts") + " (" + format_bytes(bytes) + "), " +
                                counted(trees.complete, "package tree", "package trees") + ", " +
                                counted(environments.complete, "environment", "environments"))};
  if (const std::size_t unfinished = trees.unfinished + environments.unfinished)
    findings.push_back(finding(Level::note, "content",
                               counted(unfinished, "object is", "objects are") +
                                   " unfinished, of a command that was stopped; they are not used"));
  return findings;
}

Findings leftovers(const FileSystem& files, const HomeLayout& home) {
  Findings findings;
  const auto journal = files.status(home.root / "commit.json");
  if (journal && *journal)
    findings.push_back(finding(Level::warning, "journal",
                               "a command was stopped while it put extensions in their places",
                               "the next `curupira plugins install` or `remove` finishes it first"));
  if (const auto staged = names_in(files, home.staging()); !staged.empty())
    findings.push_back(
        finding(Level::note, "staging",
                counted(staged.size(), "folder is", "folders are") +
                    " left of commands that were stopped; the next `curupira plugins install` or "
                    "`remove` removes them"));
  return findings;
}

/// What an installed extension needs of the store and is not there.
Findings missing_objects(FileSystem& files, const HomeLayout& home, const manifest::Receipt& receipt) {
  const installer::Store store(home, files);
  Findings findings;
  const auto check = [&](const Result<bool>& there, const fs::path& object) {
    if (there && *there) return;
    findings.push_back(
        finding(Level::problem, receipt.name,
                there ? printable(object.string()) + " is missing or unfinished" : words_of(there.error()),
                "`curupira plugins verify --repair " + receipt.name + "` makes it anew"));
  };
  if (receipt.content.kind != manifest::ReceiptContent::Kind::tree)
    check(store.has_environment(receipt.content.digest), store.environment(receipt.content.digest));
  else if (!std::ranges::count(receipt.trees, receipt.content.digest))
    check(store.has_tree(receipt.content.digest), store.tree(receipt.content.digest));
  for (const std::string& tree : receipt.trees)
    check(store.has_tree(tree), store.tree(tree));
  return findings;
}

}  // namespace

bool is_busy(const FileSystem& files, const HomeLayout& home) {
  const auto there = files.status(home.lock());
  if (!there || !*there) return false;
  const auto lock = FileLock::try_acquire(home.lock(), FileLock::Mode::exclusive);
  return lock && !*lock;
}

Findings examine_store(FileSystem& files, const HomeLayout& home, const manifest::Discovered& installed,
                       bool busy) {
  const auto there = files.status(home.store());
  if (!there) return {finding(Level::problem, "content", words_of(there.error()), there.error().help())};
  if (!*there) return {finding(Level::note, "content", "nothing is in it yet")};
  Findings findings = contents(files, home);
  if (!busy) append(findings, leftovers(files, home));
  for (const auto& extension : installed.extensions)
    if (extension.receipt) append(findings, missing_objects(files, home, *extension.receipt));
  return findings;
}

}  // namespace curupira::cli
