#include "installer/cache.h"

#include <algorithm>
#include <set>

#include "installer/garbage.h"
#include "installer/generation.h"
#include "installer/home_session.h"
#include "installer/partial_downloads.h"
#include "installer/seen_locks.h"
#include "installer/store_roots.h"

namespace curupira::installer {
namespace {

namespace fs = std::filesystem;
using Roots = std::map<std::string, StoreUse>;

constexpr int max_depth = 256;

/// Counts the bytes of files, each once however many names it has.
class Meter {
 public:
  explicit Meter(const FileSystem& files) : files_(files) {}

  Result<std::uint64_t> bytes_of(const fs::path& path, int depth = 0) {
    CURUPIRA_TRY(const auto status, files_.status(path));
    if (!status || depth > max_depth) return std::uint64_t{0};
    if (status->type != FileType::directory) return seen_.insert(status->inode).second ? status->size : 0;
    std::uint64_t bytes = 0;
    CURUPIRA_TRY(const auto names, files_.list(path));
    for (const auto& name : names) {
      CURUPIRA_TRY(const auto part, bytes_of(path / name, depth + 1));
      bytes += part;
    }
    return bytes;
  }

 private:
  const FileSystem& files_;
  std::set<std::uint64_t> seen_;
};

class Inventory {
 public:
  Inventory(const FileSystem& files, CacheInfo& info) : files_(files), meter_(files), info_(info) {}

  /// The objects of one folder; files whose names have a dot are marks.
  Result<> add(const fs::path& folder, const std::string& prefix, const Roots& roots, StoreAmount& amount) {
    const auto names = files_.list(folder);
    if (!names) return {};
    for (const auto& name : *names) {
      if (name.find('.') != std::string::npos) continue;
      CURUPIRA_TRY(const auto bytes, meter_.bytes_of(folder / name));
      for (StoreAmount* const each : {&amount, &user_of(roots, prefix + name)}) {
        ++each->count;
        each->bytes += bytes;
      }
    }
    return {};
  }

 private:
  StoreAmount& user_of(const Roots& roots, const std::string& name) {
    const auto found = roots.find(name);
    if (found == roots.end()) return info_.unused;
    if (found->second.extension) return info_.extensions;
    if (found->second.lock) return info_.locks;
    if (found->second.running) return info_.running;
    return info_.generations;
  }

  const FileSystem& files_;
  Meter meter_;
  CacheInfo& info_;
};

/// Downloads that broke off; the note beside each counts with it.
Result<StoreAmount> partial_amount(const FileSystem& files, const HomeLayout& home) {
  StoreAmount amount;
  const auto names = files.list(partial_folder(home));
  if (!names) return amount;
  amount.count = static_cast<std::size_t>(
      std::ranges::count_if(*names, [](const std::string& name) { return name.ends_with(".part"); }));
  CURUPIRA_TRY(amount.bytes, Meter(files).bytes_of(partial_folder(home)));
  return amount;
}

/// Files in cache/, in whatever folders.
Result<> old_answers(const FileSystem& files, const fs::path& path,
                     std::chrono::system_clock::time_point before, std::vector<fs::path>& found,
                     int depth = 0) {
  CURUPIRA_TRY(const auto status, files.status(path));
  if (!status || depth > max_depth) return {};
  if (status->type != FileType::directory) {
    if (status->modified < before) found.push_back(path);
    return {};
  }
  CURUPIRA_TRY(const auto names, files.list(path));
  for (const auto& name : names)
    CURUPIRA_CHECK(old_answers(files, path / name, before, found, depth + 1));
  return {};
}

/// The oldest generation that stays, by number and age; budgets come later. The newest stays always.
Result<std::size_t> first_kept(const FileSystem& files, const HomeLayout& home,
                               const std::vector<std::uint64_t>& numbers, const PruneOptions& options,
                               std::chrono::system_clock::time_point now) {
  if (numbers.empty()) return std::size_t{0};
  const std::size_t newest = numbers.size() - 1;
  std::size_t first = 0;
  if (options.keep_generations)
    first = numbers.size() - std::min(numbers.size(), std::max<std::size_t>(*options.keep_generations, 1));
  while (options.max_age && first < newest) {
    CURUPIRA_TRY(const auto status,
                 files.status(generation_folder(home, numbers[first]) / "generation.json"));
    if (status && status->modified >= now - *options.max_age) break;
    ++first;
  }
  return first;
}

Result<std::uint64_t> store_bytes(const Store& store) {
  return Meter(store.files()).bytes_of(store.home().store());
}

}  // namespace

Result<CacheInfo> cache_info(const HomeLayout& home, FileSystem& files) {
  CacheInfo info;
  CURUPIRA_TRY(const StoreRoots roots, find_roots(Store(home, files)));
  info.installed = roots.extensions;
  info.seen_locks = roots.locks;
  info.running_commands = roots.running;
  info.kept_generations = roots.generations;
  info.unreadable = roots.unreadable;
  Inventory inventory(files, info);
  for (const auto algorithm : {DigestAlgorithm::sha256, DigestAlgorithm::sha384, DigestAlgorithm::sha512}) {
    const std::string name(name_of(algorithm));
    CURUPIRA_CHECK(inventory.add(home.blobs() / name, name + "/", roots.blobs, info.blobs));
  }
  CURUPIRA_CHECK(inventory.add(home.trees(), "", roots.trees, info.trees));
  CURUPIRA_CHECK(inventory.add(home.environments(), "", roots.environments, info.environments));
  CURUPIRA_TRY(info.partial, partial_amount(files, home));
  CURUPIRA_TRY(const auto cached, Meter(files).bytes_of(home.cache()));
  info.answers = cached - info.partial.bytes;
  return info;
}

Result<Pruned> prune_cache(const HomeLayout& home, FileSystem& files, const PruneOptions& options,
                           std::chrono::system_clock::time_point now, InstallObserver& observer) {
  CURUPIRA_TRY(const HomeSession session, HomeSession::open(home, files, observer));
  const Store store(home, files);
  Pruned pruned;
  CURUPIRA_TRY(const auto numbers, generation_numbers(files, home));
  CURUPIRA_TRY(std::size_t first, first_kept(files, home, numbers, options, now));
  CURUPIRA_TRY(const std::uint64_t before, store_bytes(store));
  std::optional<StoreRoots> roots;
  std::uint64_t freed = 0;
  while (true) {
    CURUPIRA_TRY(roots, find_roots(store, numbers.empty() ? 0 : numbers[first]));
    CURUPIRA_TRY(const Sweeping would, sweep(store, *roots, true));
    freed = would.bytes;
    if (!options.max_bytes || before - freed <= *options.max_bytes || first + 1 >= numbers.size()) break;
    ++first;
  }
  pruned.generations.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(first));
  pruned.unreadable = roots->unreadable;
  CURUPIRA_TRY(const SeenLocks locks, seen_locks(files, home));
  pruned.lock_records = locks.gone;
  // Nobody is fetching: this command holds the home.
  CURUPIRA_TRY(const StoreAmount partial, partial_amount(files, home));
  pruned.partial = partial.count;
  pruned.freed_bytes += partial.bytes;
  if (!options.dry_run) CURUPIRA_CHECK(files.remove_tree(partial_folder(home)));
  std::vector<fs::path> answers;
  if (options.max_age) CURUPIRA_CHECK(old_answers(files, home.cache(), now - *options.max_age, answers));
  pruned.answers = answers.size();
  Meter meter(files);
  for (const auto& answer : answers) {
    CURUPIRA_TRY(const auto bytes, meter.bytes_of(answer));
    pruned.freed_bytes += bytes;
  }

  if (!options.dry_run) {
    // What refers goes before what is referred to: stopped in between, there is only more to remove.
    CURUPIRA_CHECK(drop_generations(files, home, numbers.size() - first));
    for (const auto& record : locks.gone)
      CURUPIRA_CHECK(files.remove_file(record));
    for (const auto& answer : answers)
      CURUPIRA_CHECK(files.remove_file(answer));
  }
  CURUPIRA_TRY(const Sweeping swept, sweep(store, *roots, options.dry_run));
  pruned.objects = swept.objects;
  pruned.freed_bytes += swept.bytes;
  pruned.left_bytes = before - freed;
  return pruned;
}

}  // namespace curupira::installer
