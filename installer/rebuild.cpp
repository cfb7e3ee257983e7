#include "installer/rebuild.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "base/printable.h"
#include "installer/folder_check.h"
#include "installer/folder_snapshot.h"
#include "installer/unpack.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

namespace fs = std::filesystem;

/// What `unpacked/<key>` says: which artifact became the tree, and how many leading folders were taken off.
struct Origin {
  Digest blob;
  int strip = 0;
};

std::optional<Origin> parse_key(const std::string& key) {
  const auto first = key.find('-');
  const auto second = first == std::string::npos ? first : key.find('-', first + 1);
  if (second == std::string::npos) return std::nullopt;
  const auto algorithm = parse_digest_algorithm(key.substr(0, first));
  if (!algorithm) return std::nullopt;
  const auto digest = Digest::from_hex(*algorithm, key.substr(first + 1, second - first - 1));
  if (!digest) return std::nullopt;
  std::string how = key.substr(second + 1);
  how = how.substr(0, how.find('-'));
  Origin origin{*digest, how == "npm" ? 1 : 0};
  if (how.starts_with("strip")) {
    const auto parsed = std::from_chars(how.data() + 5, how.data() + how.size(), origin.strip);
    if (parsed.ec != std::errc{}) return std::nullopt;
  }
  return origin;
}

Result<bool> is_whole(const Store& store, const Digest& digest) {
  CURUPIRA_TRY(const bool there, store.has_blob(digest));
  if (!there) return false;
  const auto found = digest_of_file(store.blob(digest), digest.algorithm());
  return found && *found == digest;
}

/// The artifacts that became this tree and are whole.
Result<std::vector<Origin>> origins_of(const Store& store, const std::string& tree) {
  std::vector<Origin> origins;
  const auto keys = store.files().list(store.unpacked_folder());
  if (!keys) return origins;
  for (const auto& key : *keys) {
    const auto text = store.files().read_file(store.unpacked_folder() / key, 1024);
    const auto origin = parse_key(key);
    if (!text || *text != tree || !origin) continue;
    CURUPIRA_TRY(const bool whole, is_whole(store, origin->blob));
    if (whole) origins.push_back(*origin);
  }
  return origins;
}

Error differs(const std::string& what, const std::string& expected, const std::string& found) {
  return Error(ErrorCode::repair_differs, what + "\nexpected tree " + expected + "  found " + found);
}

Result<fs::path> unpack_again(const Store& store, const InstallRun& run, const std::string& digest,
                              const TreeListing& wanted, const Origin& origin) {
  CURUPIRA_TRY(const auto folder, run.new_folder("tree-"));
  UnpackRules rules{.strip = origin.strip};
  // Which programs were made executable when it was installed, the listing knows.
  rules.at_the_end = [&](TreeWriter& writer, const fs::path&) -> Result<> {
    for (const TreeEntry& entry : wanted.entries())
      if (entry.kind == TreeEntry::Kind::executable) CURUPIRA_CHECK(writer.make_executable(entry.path));
    return {};
  };
  CURUPIRA_TRY(const TreeListing made,
               unpack_file(store.blob(origin.blob), rules, run.archive_limits, folder));
  if (made.digest() != digest) return fail(differs(store.blob(origin.blob).string(), digest, made.digest()));
  return folder;
}

/// A tree of one program: the artifact itself is its only file.
Result<std::optional<fs::path>> copy_program(const Store& store, const InstallRun& run,
                                             const TreeListing& wanted) {
  if (wanted.entries().size() != 1 || wanted.entries()[0].sha256.empty()) return std::optional<fs::path>();
  const TreeEntry& entry = wanted.entries()[0];
  CURUPIRA_TRY(const Digest digest, Digest::from_hex(DigestAlgorithm::sha256, entry.sha256));
  CURUPIRA_TRY(const bool whole, is_whole(store, digest));
  if (!whole) return std::optional<fs::path>();
  CURUPIRA_TRY(const auto folder, run.new_folder("tree-"));
  CURUPIRA_TRY(TreeWriter writer, TreeWriter::open(folder));
  CURUPIRA_CHECK(writer.begin_file(entry.path, entry.kind == TreeEntry::Kind::executable));
  std::ifstream stream(store.blob(digest), std::ios::binary);
  std::array<char, 65536> buffer{};
  while (stream) {
    stream.read(buffer.data(), buffer.size());
    CURUPIRA_CHECK(
        writer.write(std::as_bytes(std::span(buffer).first(static_cast<std::size_t>(stream.gcount())))));
  }
  if (!stream.eof()) return fail(ErrorCode::file_failed, store.blob(digest).string() + " cannot be read");
  CURUPIRA_CHECK(writer.end_file());
  CURUPIRA_CHECK(writer.finish());
  return std::optional(folder);
}

/// An extension of a folder has no artifact: the folder itself may still be what it was.
Result<fs::path> copy_folder(const InstallRun& run, const std::string& digest,
                             const manifest::Receipt& receipt) {
  const auto reference = registry::parse_reference(receipt.reference);
  const auto* const path = reference ? std::get_if<registry::PathReference>(&*reference) : nullptr;
  if (path == nullptr)
    return fail(ErrorCode::repair_failed,
                "the store has no artifact that tree " + digest + " can be unpacked from");
  CURUPIRA_TRY(const std::string found, snapshot_folder(run, path->folder));
  if (found != digest) return fail(differs(printable(path->folder.string()), digest, found));
  return run.store.tree(found);
}

class Linking {
 public:
  Linking(const Store& store, const InstallRun& run, fs::path folder)
      : store_(store), run_(run), folder_(std::move(folder)) {}

  Result<> know(const std::string& tree) {
    CURUPIRA_TRY(const TreeListing listing, store_.listing(tree));
    for (const TreeEntry& entry : listing.entries())
      if (!entry.sha256.empty()) known_.emplace(key_of(entry), entry.path.below(store_.tree(tree)));
    return {};
  }

  Result<> place(const TreeEntry& entry, const fs::path& damaged) {
    const auto to = entry.path.below(folder_);
    CURUPIRA_CHECK(run_.files.create_folders(to.parent_path()));
    switch (entry.kind) {
      case TreeEntry::Kind::folder:
        folders_.push_back(to);
        return run_.files.create_folders(to);
      case TreeEntry::Kind::link:
        return run_.files.symbolic_link(entry.target, to);
      default:
        break;
    }
    const auto known = known_.find(key_of(entry));
    if (known != known_.end()) {
      if (run_.files.hard_link(known->second, to)) return {};
      return copy(known->second, to, entry);
    }
    const auto own = entry.path.below(damaged);
    const auto digest = digest_of_file(own, DigestAlgorithm::sha256);
    if (!digest || digest->hex() != entry.sha256)
      return fail(ErrorCode::repair_failed, printable(own.string()) +
                                                " was written when the environment was made, "
                                                "and no package has it");
    return copy(own, to, entry);
  }

  Result<> seal() {
    for (const auto& folder : folders_)
      CURUPIRA_CHECK(run_.files.set_mode(folder, 0555));
    return {};
  }

 private:
  static std::string key_of(const TreeEntry& entry) {
    return entry.sha256 + (entry.kind == TreeEntry::Kind::executable ? "x" : "f");
  }
  Result<> copy(const fs::path& from, const fs::path& to, const TreeEntry& entry) {
    CURUPIRA_TRY(const std::string bytes, run_.files.read_file(from, entry.size));
    CURUPIRA_TRY(const auto file,
                 run_.files.create_file(to, entry.kind == TreeEntry::Kind::executable ? 0555 : 0444));
    CURUPIRA_CHECK(file->write(std::as_bytes(std::span(bytes))));
    return file->commit();
  }

  const Store& store_;
  const InstallRun& run_;
  fs::path folder_;
  std::map<std::string, fs::path> known_;
  std::vector<fs::path> folders_;
};

}  // namespace

Result<fs::path> rebuild_tree(const Store& store, const InstallRun& run, const std::string& digest,
                              const manifest::Receipt& receipt) {
  const auto listing = store.listing(digest);
  const TreeListing wanted = listing ? *listing : TreeListing();
  CURUPIRA_TRY(const auto origins, origins_of(store, digest));
  std::optional<Error> failure;
  for (const Origin& origin : origins) {
    auto made = unpack_again(store, run, digest, wanted, origin);
    if (made) return made;
    failure = std::move(made).error();
  }
  if (failure) return fail(std::move(*failure));
  CURUPIRA_TRY(auto program, copy_program(store, run, wanted));
  if (program) return std::move(*program);
  return copy_folder(run, digest, receipt);
}

Result<fs::path> rebuild_environment(const Store& store, const InstallRun& run,
                                     const manifest::Receipt& receipt) {
  const std::string& digest = receipt.content.digest;
  const auto listing = store.environment_listing(digest);
  if (!listing)
    return fail(
        Error(ErrorCode::repair_failed, "environment " + digest + " has no listing that says what it was")
            .caused_by(listing.error()));
  CURUPIRA_TRY(const auto folder, run.new_folder("environment-"));
  Linking linking(store, run, folder);
  for (const auto& tree : receipt.trees)
    CURUPIRA_CHECK(linking.know(tree));
  for (const TreeEntry& entry : listing->entries())
    CURUPIRA_CHECK(linking.place(entry, store.environment(digest)));
  CURUPIRA_CHECK(linking.seal());
  FileDigests digests;
  CURUPIRA_TRY(const TreeListing made, list_folder(run.files, folder, digests));
  if (made.text() != listing->text())
    return fail(ErrorCode::repair_failed, "environment " + digest + " does not become what it was");
  return folder;
}

}  // namespace curupira::installer
