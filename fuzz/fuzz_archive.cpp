#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/fuzz_target.h"
#include "installer/unpack.h"

using namespace curupira;
namespace fs = std::filesystem;

namespace {

void empty(const fs::path& folder) {
  std::error_code ignored;
  for (fs::recursive_directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored))
      fs::permissions(entry->path(), fs::perms::owner_all, ignored);
  fs::remove_all(folder, ignored);
}

/// One folder for the whole run, removed at its end.
struct WorkFolder {
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / "curupira-fuzz-XXXXXX").string();
    fuzz::require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    path = name;
  }
  ~WorkFolder() { empty(path); }
  fs::path path;
};

const fs::path& work() {
  static const WorkFolder folder;
  return folder.path;
}

}  // namespace

/// Any bytes as an archive: refused, or a tree that is all below its folder and is what its listing says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fs::path file = work() / "archive", tree = work() / "tree", sentinel = work() / "sentinel";
  fs::remove(
      file);  // a file that is cut to nothing and written again is forced to the disk by some file systems
  if (!fs::exists(sentinel)) std::ofstream(sentinel) << "untouched";
  std::ofstream(file, std::ios::binary) << fuzz::text_of(data, size);
  fs::create_directory(tree);
  installer::ArchiveLimits limits;
  limits.max_unpacked = 4u << 20;
  limits.max_entries = 500;
  for (const int strip : {0, 1}) {
    const auto listing = installer::unpack_file(file, {.strip = strip}, limits, tree);
    if (listing) {
      std::size_t found = 0;
      for (const auto& entry : fs::recursive_directory_iterator(tree)) {
        const auto* const known = listing->find(entry.path().lexically_relative(tree).string());
        fuzz::require(known != nullptr, "all that is on the disk is in the listing");
        if (known->kind == installer::TreeEntry::Kind::link) {
          const fs::path end = fs::canonical(entry.path());
          fuzz::require(end.string().starts_with(fs::canonical(tree).string() + "/"),
                        "a link stays in the tree");
        } else if (entry.is_regular_file()) {
          fuzz::require(fs::file_size(entry.path()) == known->size, "sizes are as listed");
        }
        ++found;
      }
      fuzz::require(found == listing->entries().size(), "all that is listed is on the disk");
      const auto again = installer::TreeListing::parse(listing->text());
      fuzz::require(again && again->text() == listing->text(), "a listing reads back");
    }
    empty(tree);
    fs::create_directory(tree);
  }
  std::size_t beside = 0;
  for (const auto& entry : fs::directory_iterator(work()))
    beside += entry.exists() ? 1 : 0;
  fuzz::require(beside == 3, "nothing is written beside the tree");
  fuzz::require(fs::file_size(sentinel) == 9, "nothing else is changed");
  return 0;
}
