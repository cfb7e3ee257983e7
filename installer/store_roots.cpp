#include "installer/store_roots.h"

#include "installer/generation.h"
#include "installer/limits.h"
#include "installer/seen_locks.h"
#include "manifest/receipt.h"
#include "manifest/running_marker.h"

namespace curupira::installer {
namespace {

using Use = bool StoreUse::*;

class Collector {
 public:
  Collector(const Store& store, StoreRoots& roots) : store_(store), roots_(roots) {}

  /// The receipts of the folders in `folder`; how many there are.
  Result<std::size_t> add_receipts(const std::filesystem::path& folder, Use use) {
    const FileSystem& files = store_.files();
    const auto names = files.list(folder);
    if (!names) {
      if (names.error().code() != ErrorCode::file_not_found) roots_.unreadable.push_back(folder);
      return std::size_t{0};
    }
    std::size_t count = 0;
    for (const auto& name : *names) {
      const auto file = folder / name / manifest::receipt_file_name;
      const auto text = files.read_file(file, max_receipt_bytes);
      if (!text && text.error().code() == ErrorCode::file_not_found) continue;
      const auto receipt =
          text ? manifest::parse_receipt(*text) : Result<manifest::Receipt>(fail(text.error()));
      ++count;
      if (receipt)
        add(*receipt, use);
      else
        roots_.unreadable.push_back(file);
    }
    return count;
  }

  void add(const SeenLock& lock) {
    for (const auto& blob : lock.blobs)
      roots_.blobs[blob].lock = true;
    for (const auto& tree : lock.trees)
      roots_.trees[tree].lock = true;
  }

  void add(const manifest::RunningExtension& extension) {
    roots_.trees[extension.content_digest].running = true;
    roots_.environments[extension.content_digest].running = true;
    for (const auto& tree : extension.trees)
      roots_.trees[tree].running = true;
  }

 private:
  void add(const manifest::Receipt& receipt, Use use) {
    auto& content =
        receipt.content.kind == manifest::ReceiptContent::Kind::tree ? roots_.trees : roots_.environments;
    content[receipt.content.digest].*use = true;
    for (const auto& tree : receipt.trees)
      roots_.trees[tree].*use = true;
    for (const auto& artifact : receipt.artifacts)
      roots_.blobs[blob_name(artifact.digest)].*use = true;
  }

  const Store& store_;
  StoreRoots& roots_;
};

}  // namespace

std::string blob_name(const Digest& digest) {
  return std::string(name_of(digest.algorithm())) + "/" + digest.hex();
}

Result<StoreRoots> find_roots(const Store& store, std::uint64_t oldest_generation) {
  StoreRoots roots;
  Collector collector(store, roots);
  const HomeLayout& home = store.home();
  CURUPIRA_TRY(roots.extensions, collector.add_receipts(home.extensions(), &StoreUse::extension));
  CURUPIRA_TRY(const auto numbers, generation_numbers(store.files(), home));
  for (const auto number : numbers) {
    if (number < oldest_generation) continue;
    CURUPIRA_CHECK(
        collector.add_receipts(generation_folder(home, number) / "extensions", &StoreUse::generation));
    ++roots.generations;
  }
  CURUPIRA_TRY(const auto seen, seen_locks(store.files(), home));
  for (const auto& lock : seen.locks)
    collector.add(lock);
  roots.locks = seen.locks.size();
  // What a command runs stays, whatever is installed meanwhile (hashicorp/terraform#32915,
  // oven-sh/bun#37851).
  CURUPIRA_TRY(const auto running, manifest::running_extensions(home));
  for (const auto& extension : running)
    collector.add(extension);
  roots.running = running.size();
  return roots;
}

}  // namespace curupira::installer
