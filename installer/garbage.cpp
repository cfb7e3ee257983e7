#include "installer/garbage.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "installer/limits.h"
#include "manifest/receipt.h"
#include "manifest/running_marker.h"

namespace curupira::installer {
namespace {

struct Roots {
  std::set<std::string> blobs;  // "sha512/<hex>"
  std::set<std::string> trees, environments;
};

/// Nothing when a receipt cannot be read.
Result<std::optional<Roots>> find_roots(const Store& store) {
  Roots roots;
  const FileSystem& files = store.files();
  const auto extensions = files.list(store.home().extensions());
  if (extensions) {
    for (const auto& name : *extensions) {
      const auto file = store.home().extensions() / name / manifest::receipt_file_name;
      const auto text = files.read_file(file, max_receipt_bytes);
      if (!text && text.error().code() == ErrorCode::file_not_found) continue;
      const auto receipt =
          text ? manifest::parse_receipt(*text) : Result<manifest::Receipt>(fail(text.error()));
      if (!receipt) return std::optional<Roots>();
      auto& content =
          receipt->content.kind == manifest::ReceiptContent::Kind::tree ? roots.trees : roots.environments;
      content.insert(receipt->content.digest);
      roots.trees.insert(receipt->trees.begin(), receipt->trees.end());
      for (const auto& artifact : receipt->artifacts)
        roots.blobs.insert(std::string(name_of(artifact.digest.algorithm())) + "/" + artifact.digest.hex());
    }
  } else if (extensions.error().code() != ErrorCode::file_not_found) {
    return std::optional<Roots>();
  }
  // What a command runs stays, whatever is installed meanwhile (hashicorp/terraform#32915,
  // oven-sh/bun#37851).
  CURUPIRA_TRY(const auto running, manifest::running_extensions(store.home()));
  for (const auto& extension : running) {
    roots.trees.insert(extension.content_digest);
    roots.environments.insert(extension.content_digest);
    roots.trees.insert(extension.trees.begin(), extension.trees.end());
  }
  return std::optional(std::move(roots));
}

class Sweep {
 public:
  explicit Sweep(FileSystem& files) : files_(files) {}

  /// Removes what is in `folder` and not in `kept`; names may have the suffix of a mark.
  Result<> sweep(const std::filesystem::path& folder, const std::set<std::string>& kept,
                 std::string_view mark) {
    const auto names = files_.list(folder);
    if (!names) return {};
    std::set<std::string> gone;
    for (const auto& name : *names) {
      std::string digest = name;
      if (!mark.empty() && digest.ends_with(mark)) digest.resize(digest.size() - mark.size());
      if (!kept.contains(digest)) gone.insert(std::move(digest));
    }
    for (const auto& digest : gone) {
      // The mark goes first: half a folder must not look complete.
      if (!mark.empty()) CURUPIRA_CHECK(files_.remove_file(folder / (digest + std::string(mark))));
      CURUPIRA_CHECK(count(folder / digest, 0));
      CURUPIRA_CHECK(files_.remove_tree(folder / digest));
    }
    return {};
  }

  std::uint64_t freed() const { return freed_; }

 private:
  /// A file with other names stays on the disk; it is counted where its last name goes.
  Result<> count(const std::filesystem::path& path, int depth) {
    CURUPIRA_TRY(const auto status, files_.status(path));
    if (!status || depth > 256) return {};
    if (status->type == FileType::regular && status->link_count == 1) freed_ += status->size;
    if (status->type != FileType::directory) return {};
    CURUPIRA_TRY(const auto names, files_.list(path));
    for (const auto& name : names)
      CURUPIRA_CHECK(count(path / name, depth + 1));
    return {};
  }

  FileSystem& files_;
  std::uint64_t freed_ = 0;
};

}  // namespace

Result<std::uint64_t> collect_garbage(const Store& store) {
  CURUPIRA_TRY(const auto roots, find_roots(store));
  if (!roots) return std::uint64_t{0};
  const HomeLayout& home = store.home();
  FileSystem& files = store.files();
  Sweep sweep(files);
  CURUPIRA_CHECK(sweep.sweep(home.environments(), roots->environments, ".complete"));
  CURUPIRA_CHECK(sweep.sweep(home.trees(), roots->trees, ".listing"));
  for (const auto algorithm : {DigestAlgorithm::sha256, DigestAlgorithm::sha384, DigestAlgorithm::sha512}) {
    std::set<std::string> kept;
    const std::string prefix = std::string(name_of(algorithm)) + "/";
    for (const auto& blob : roots->blobs)
      if (blob.starts_with(prefix)) kept.insert(blob.substr(prefix.size()));
    CURUPIRA_CHECK(sweep.sweep(home.blobs() / name_of(algorithm), kept, ""));
  }
  std::set<std::string> proofs;  // "sha512/<hex>" is proved by "sha512-<hex>.json"
  for (const auto& blob : roots->blobs) {
    std::string name = blob + ".json";
    std::ranges::replace(name, '/', '-');
    proofs.insert(std::move(name));
  }
  CURUPIRA_CHECK(sweep.sweep(home.proofs(), proofs, ""));
  const auto keys = files.list(store.unpacked_folder());
  if (keys) {
    for (const auto& key : *keys) {
      CURUPIRA_TRY(const auto tree, store.unpacked(key));
      if (!tree) CURUPIRA_CHECK(files.remove_file(store.unpacked_folder() / key));
    }
  }
  return sweep.freed();
}

}  // namespace curupira::installer
