#include "installer/garbage.h"

#include <algorithm>
#include <optional>
#include <set>

namespace curupira::installer {
namespace {

using Kept = std::map<std::string, StoreUse>;

class Sweep {
 public:
  Sweep(FileSystem& files, bool dry_run) : files_(files), dry_run_(dry_run) {}

  /// Removes what is in `folder` and not in `kept`, where it is called `prefix` + its name. Names may have
  /// the suffix of a mark.
  Result<> sweep(const std::filesystem::path& folder, const Kept& kept, const std::string& prefix,
                 const std::string& shown, const std::vector<std::string>& marks) {
    const auto names = files_.list(folder);
    if (!names) return {};
    std::set<std::string> gone;
    for (const auto& name : *names) {
      std::string digest = name;
      for (const auto& mark : marks)
        if (digest.ends_with(mark)) digest.resize(digest.size() - mark.size());
      if (!kept.contains(prefix + digest)) gone.insert(std::move(digest));
    }
    for (const auto& digest : gone) {
      CURUPIRA_CHECK(count(folder / digest, 0));
      for (const auto& mark : marks)
        CURUPIRA_CHECK(count(folder / (digest + mark), 0));
      swept_.objects.push_back(shown + digest);
      if (dry_run_) continue;
      // The marks go first: half a folder must not look complete.
      for (const auto& mark : marks)
        CURUPIRA_CHECK(files_.remove_file(folder / (digest + mark)));
      CURUPIRA_CHECK(files_.remove_tree(folder / digest));
    }
    return {};
  }

  Sweeping take() {
    for (const auto& [inode, names] : shared_)
      if (names.seen == names.links) swept_.bytes += names.size;
    return std::move(swept_);
  }

 private:
  struct Names {
    std::uint64_t links = 0, seen = 0, size = 0;
  };

  /// A file with names outside of what goes stays on the disk: its bytes do not become free.
  Result<> count(const std::filesystem::path& path, int depth) {
    CURUPIRA_TRY(const auto status, files_.status(path));
    if (!status || depth > 256) return {};
    if (status->type == FileType::regular) {
      auto& names = shared_[status->inode];
      names.links = std::max(names.links, status->link_count);  // removing makes them fewer on the way
      names.size = status->size;
      ++names.seen;
    }
    if (status->type != FileType::directory) return {};
    CURUPIRA_TRY(const auto names, files_.list(path));
    for (const auto& name : names)
      CURUPIRA_CHECK(count(path / name, depth + 1));
    return {};
  }

  FileSystem& files_;
  bool dry_run_;
  Sweeping swept_;
  std::map<std::uint64_t, Names> shared_;  // by inode
};

}  // namespace

Result<Sweeping> sweep(const Store& store, const StoreRoots& roots, bool dry_run) {
  if (!roots.unreadable.empty()) return Sweeping();
  const HomeLayout& home = store.home();
  FileSystem& files = store.files();
  Sweep swept(files, dry_run);
  CURUPIRA_CHECK(
      swept.sweep(home.environments(), roots.environments, "", "environments/", {".complete", ".listing"}));
  CURUPIRA_CHECK(swept.sweep(home.trees(), roots.trees, "", "trees/", {".listing"}));
  for (const auto algorithm : {DigestAlgorithm::sha256, DigestAlgorithm::sha384, DigestAlgorithm::sha512}) {
    const std::string name(name_of(algorithm));
    CURUPIRA_CHECK(swept.sweep(home.blobs() / name, roots.blobs, name + "/", "blobs/" + name + "/", {}));
  }
  Kept proofs;  // "sha512/<hex>" is proved by "sha512-<hex>.json"
  for (const auto& [blob, use] : roots.blobs) {
    std::string name = blob + ".json";
    std::ranges::replace(name, '/', '-');
    proofs.emplace(std::move(name), use);
  }
  CURUPIRA_CHECK(swept.sweep(home.proofs(), proofs, "", "proofs/", {}));
  const auto keys = files.list(store.unpacked_folder());
  if (keys && !dry_run) {
    for (const auto& key : *keys) {
      CURUPIRA_TRY(const auto tree, store.unpacked(key));
      if (!tree) CURUPIRA_CHECK(files.remove_file(store.unpacked_folder() / key));
    }
  }
  return swept.take();
}

Result<std::uint64_t> bytes_kept_for_rollback(const Store& store) {
  CURUPIRA_TRY(StoreRoots roots, find_roots(store));
  CURUPIRA_TRY(const Sweeping unused, sweep(store, roots, true));
  for (Kept* const kept : {&roots.blobs, &roots.trees, &roots.environments})
    std::erase_if(*kept, [](const auto& entry) {
      const StoreUse& use = entry.second;
      return !use.extension && !use.lock && !use.running;
    });
  CURUPIRA_TRY(const Sweeping without_generations, sweep(store, roots, true));
  return without_generations.bytes - unused.bytes;
}

Result<std::uint64_t> collect_garbage(const Store& store) {
  CURUPIRA_TRY(const auto roots, find_roots(store));
  CURUPIRA_TRY(const Sweeping swept, sweep(store, roots, false));
  return swept.bytes;
}

}  // namespace curupira::installer
