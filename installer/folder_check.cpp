#include "installer/folder_check.h"

#include <array>
#include <fstream>
#include <set>

#include "base/printable.h"

namespace curupira::installer {
namespace {

namespace fs = std::filesystem;

constexpr int max_depth = 512;

std::string octal(unsigned mode) {
  std::string text = "0";
  for (int shift = 6; shift >= 0; shift -= 3)
    text += static_cast<char>('0' + ((mode >> shift) & 7u));
  return text;
}

std::string_view type_name(FileType type) {
  switch (type) {
    case FileType::regular:
      return "a file";
    case FileType::directory:
      return "a folder";
    case FileType::symlink:
      return "a link";
    case FileType::other:
      break;
  }
  return "neither file, folder nor link";
}

FileType type_of(const TreeEntry& entry) {
  if (entry.kind == TreeEntry::Kind::folder) return FileType::directory;
  return entry.kind == TreeEntry::Kind::link ? FileType::symlink : FileType::regular;
}

class Comparison {
 public:
  Comparison(const ReadOnlyFileSystem& files, const fs::path& root, bool bytecode_allowed,
             FileDigests& digests)
      : files_(files), root_(root), bytecode_allowed_(bytecode_allowed), digests_(digests) {}

  Result<std::vector<Difference>> run(const TreeListing& listing) {
    CURUPIRA_TRY(const auto status, files_.status(root_));
    if (!status || status->type != FileType::directory) {
      add(status ? Difference::Kind::type : Difference::Kind::missing, "", "a folder",
          status ? std::string(type_name(status->type)) : "");
      return std::move(found_);
    }
    check_mode("", status->mode, 0555);
    for (const TreeEntry& entry : listing.entries()) {
      expected_.insert(entry.path.text());
      CURUPIRA_CHECK(check(entry));
    }
    CURUPIRA_CHECK(find_extra("", 0));
    return std::move(found_);
  }

 private:
  void add(Difference::Kind kind, std::string path, std::string expected, std::string found) {
    found_.push_back({kind, std::move(path), std::move(expected), std::move(found)});
  }
  void check_mode(const std::string& path, unsigned mode, unsigned expected) {
    if (mode != expected) add(Difference::Kind::mode, path, octal(expected), octal(mode));
  }

  Result<> check(const TreeEntry& entry) {
    const std::string& path = entry.path.text();
    const auto place = entry.path.below(root_);
    CURUPIRA_TRY(const auto status, files_.status(place));
    if (!status) {
      add(Difference::Kind::missing, path, std::string(type_name(type_of(entry))), "");
      return {};
    }
    if (status->type != type_of(entry)) {
      add(Difference::Kind::type, path, std::string(type_name(type_of(entry))),
          std::string(type_name(status->type)));
      return {};
    }
    if (entry.kind == TreeEntry::Kind::folder) {
      check_mode(path, status->mode, 0555);
    } else if (entry.kind == TreeEntry::Kind::link) {
      CURUPIRA_TRY(const std::string target, files_.read_link(place));
      if (target != entry.target) add(Difference::Kind::target, path, entry.target, target);
    } else {
      check_mode(path, status->mode, entry.kind == TreeEntry::Kind::executable ? 0555 : 0444);
      const auto sha256 = digests_.sha256(place, *status);
      if (!sha256)
        add(Difference::Kind::unreadable, path, "sha256 " + entry.sha256, sha256.error().summary());
      else if (*sha256 != entry.sha256)
        add(Difference::Kind::changed, path, "sha256 " + entry.sha256, "sha256 " + *sha256);
    }
    return {};
  }

  Result<> find_extra(const std::string& folder, int depth) {
    if (depth > max_depth) return {};
    const auto names = files_.list(folder.empty() ? root_ : root_ / folder);
    if (!names) {
      add(Difference::Kind::unreadable, folder, "a folder", names.error().summary());
      return {};
    }
    for (const auto& name : *names) {
      const std::string path = folder.empty() ? name : folder + "/" + name;
      const bool known = expected_.contains(path);
      if (!known && bytecode_allowed_ && name == "__pycache__") continue;
      CURUPIRA_TRY(const auto status, files_.status(root_ / path));
      if (!status) continue;
      if (!known)
        add(Difference::Kind::extra, path, "", std::string(type_name(status->type)));
      else if (status->type == FileType::directory)
        CURUPIRA_CHECK(find_extra(path, depth + 1));
    }
    return {};
  }

  const ReadOnlyFileSystem& files_;
  const fs::path& root_;
  bool bytecode_allowed_;
  FileDigests& digests_;
  std::set<std::string> expected_;
  std::vector<Difference> found_;
};

Result<> collect(const ReadOnlyFileSystem& files, const fs::path& root, const std::string& folder, int depth,
                 FileDigests& digests, std::vector<TreeEntry>& entries) {
  if (depth > max_depth)
    return fail(ErrorCode::file_failed, printable((root / folder).string()) + " is too deep");
  CURUPIRA_TRY(const auto names, files.list(folder.empty() ? root : root / folder));
  for (const auto& name : names) {
    CURUPIRA_TRY(const auto path, RelativePath::parse(folder.empty() ? name : folder + "/" + name));
    TreeEntry entry{.path = path};
    const auto place = path.below(root);
    CURUPIRA_TRY(const auto status, files.status(place));
    if (!status || status->type == FileType::other)
      return fail(ErrorCode::file_failed, printable(place.string()) + " is neither file, folder nor link");
    if (status->type == FileType::directory) {
      entry.kind = TreeEntry::Kind::folder;
      entries.push_back(entry);
      CURUPIRA_CHECK(collect(files, root, path.text(), depth + 1, digests, entries));
      continue;
    }
    if (status->type == FileType::symlink) {
      entry.kind = TreeEntry::Kind::link;
      CURUPIRA_TRY(entry.target, files.read_link(place));
    } else {
      if ((status->mode & 0111u) != 0) entry.kind = TreeEntry::Kind::executable;
      entry.size = status->size;
      CURUPIRA_TRY(entry.sha256, digests.sha256(place, *status));
    }
    entries.push_back(std::move(entry));
  }
  return {};
}

}  // namespace

std::string_view name_of(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::changed:
      return "changed";
    case Difference::Kind::missing:
      return "missing";
    case Difference::Kind::extra:
      return "extra";
    case Difference::Kind::mode:
      return "mode";
    case Difference::Kind::type:
      return "type";
    case Difference::Kind::target:
      return "target";
    case Difference::Kind::unreadable:
      break;
  }
  return "unreadable";
}

Result<Digest> digest_of_file(const fs::path& path, DigestAlgorithm algorithm) {
  std::ifstream stream(path, std::ios::binary);
  Hasher hasher(algorithm);
  std::array<char, 65536> buffer{};
  while (stream) {
    stream.read(buffer.data(), buffer.size());
    hasher.update(std::string_view(buffer.data(), static_cast<std::size_t>(stream.gcount())));
  }
  if (!stream.eof()) return fail(ErrorCode::file_failed, printable(path.string()) + " cannot be read");
  return hasher.finish();
}

Result<std::string> FileDigests::sha256(const fs::path& path, const FileStatus& status) {
  ++files_;
  if (const auto known = known_.find(status.inode); known != known_.end()) return known->second;
  CURUPIRA_TRY(const Digest digest, digest_of_file(path, DigestAlgorithm::sha256));
  bytes_ += status.size;
  return known_[status.inode] = digest.hex();
}

Result<TreeListing> list_folder(const ReadOnlyFileSystem& files, const fs::path& folder,
                                FileDigests& digests) {
  std::vector<TreeEntry> entries;
  CURUPIRA_CHECK(collect(files, folder, "", 0, digests, entries));
  return TreeListing(std::move(entries));
}

Result<std::vector<Difference>> compare_folder(const ReadOnlyFileSystem& files, const fs::path& folder,
                                               const TreeListing& listing, bool bytecode_allowed,
                                               FileDigests& digests) {
  return Comparison(files, folder, bytecode_allowed, digests).run(listing);
}

}  // namespace curupira::installer
