#include "installer/tree_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/open_beneath.h"
#include "base/printable.h"

namespace curupira::installer {
namespace {

tl::unexpected<Error> system_error(const std::string& path, int number) {
  if (number == EEXIST) return fail(ErrorCode::archive_duplicate, printable(path) + " is there already");
  if (number == ELOOP || number == EXDEV)
    return fail(ErrorCode::archive_link, printable(path) + " lies behind a link");
  return fail(ErrorCode::file_failed, printable(path) + ": " + std::strerror(number));
}

}  // namespace

Result<TreeWriter> TreeWriter::open(const std::filesystem::path& folder) {
  UniqueFd root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!root) return system_error(folder.string(), errno);
  return TreeWriter(std::move(root));
}

Result<UniqueFd> TreeWriter::open_folder(const std::string& path) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  UniqueFd folder = open_beneath(root_.get(), path.empty() ? "." : path, flags);
  if (!folder) return system_error(path, errno);
  return folder;
}

Result<int> TreeWriter::parent_of(const RelativePath& path) {
  const std::string& text = path.text();
  const auto slash = text.rfind('/');
  const std::string parent = slash == std::string::npos ? std::string() : text.substr(0, slash);
  if (!parent.empty() && !folders_.contains(parent)) {
    CURUPIRA_TRY(const RelativePath folder, RelativePath::parse(parent));
    CURUPIRA_CHECK(make_folder(folder));
  }
  if (!parent_ || parent_path_ != parent) {
    CURUPIRA_TRY(parent_, open_folder(parent));
    parent_path_ = parent;
  }
  return parent_.get();
}

Result<> TreeWriter::make_folder(const RelativePath& path) {
  if (folders_.contains(path.text())) return {};
  CURUPIRA_TRY(const int parent, parent_of(path));
  const std::string name(path.file_name());
  if (::mkdirat(parent, name.c_str(), 0700) != 0) return system_error(path.text(), errno);
  folders_.insert(path.text());
  entries_.push_back({.path = path, .kind = TreeEntry::Kind::folder});
  return {};
}

Result<> TreeWriter::begin_file(const RelativePath& path, bool executable) {
  CURUPIRA_TRY(const int parent, parent_of(path));
  const std::string name(path.file_name());
  file_ =
      UniqueFd(::openat(parent, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_) return system_error(path.text(), errno);
  writing_ =
      TreeEntry{.path = path, .kind = executable ? TreeEntry::Kind::executable : TreeEntry::Kind::file};
  hasher_.emplace(DigestAlgorithm::sha256);
  return {};
}

Result<> TreeWriter::write(std::span<const std::byte> bytes) {
  hasher_->update(bytes);
  writing_->size += bytes.size();
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(writing_->path.text(), errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

void TreeWriter::add_file(TreeEntry entry) {
  files_.emplace(entry.path.text(), entries_.size());
  entries_.push_back(std::move(entry));
}

Result<> TreeWriter::end_file() {
  const mode_t mode = writing_->kind == TreeEntry::Kind::executable ? 0555 : 0444;
  if (::fchmod(file_.get(), mode) != 0) return system_error(writing_->path.text(), errno);
  writing_->sha256 = hasher_->finish().hex();
  add_file(std::move(*writing_));
  writing_.reset();
  hasher_.reset();
  file_.reset();
  return {};
}

Result<> TreeWriter::symbolic_link(const RelativePath& path, const std::string& target) {
  CURUPIRA_TRY(const int parent, parent_of(path));
  const std::string name(path.file_name());
  if (::symlinkat(target.c_str(), parent, name.c_str()) != 0) return system_error(path.text(), errno);
  entries_.push_back({.path = path, .kind = TreeEntry::Kind::link, .target = target});
  return {};
}

Result<> TreeWriter::hard_link(const RelativePath& path, const RelativePath& existing) {
  const auto original = files_.find(existing.text());
  if (original == files_.end())
    return fail(ErrorCode::archive_link, printable(existing.text()) + " is no file");
  TreeEntry entry = entries_[original->second];
  entry.path = path;
  const auto slash = existing.text().rfind('/');
  CURUPIRA_TRY(const UniqueFd folder,
               open_folder(slash == std::string::npos ? std::string() : existing.text().substr(0, slash)));
  CURUPIRA_TRY(const int parent, parent_of(path));
  const std::string from(existing.file_name()), to(path.file_name());
  if (::linkat(folder.get(), from.c_str(), parent, to.c_str(), 0) != 0)
    return system_error(path.text(), errno);
  add_file(std::move(entry));
  return {};
}

Result<bool> TreeWriter::make_executable(const RelativePath& path) {
  const auto found = files_.find(path.text());
  if (found == files_.end()) return false;
  TreeEntry* const place = &entries_[found->second];
  if (place->kind == TreeEntry::Kind::executable) return true;
  CURUPIRA_TRY(const int parent, parent_of(path));
  const std::string name(path.file_name());
  const UniqueFd file(::openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || ::fchmod(file.get(), 0555) != 0)
    return system_error(path.text(), errno);
  // Other names of the same file change with it.
  for (TreeEntry& entry : entries_)
    if (status.st_nlink > 1 && entry.kind == TreeEntry::Kind::file && entry.sha256 == place->sha256 &&
        entry.size == place->size) {
      CURUPIRA_TRY(const int other_parent, parent_of(entry.path));
      struct stat other {};
      const std::string other_name(entry.path.file_name());
      if (::fstatat(other_parent, other_name.c_str(), &other, AT_SYMLINK_NOFOLLOW) == 0 &&
          other.st_ino == status.st_ino)
        entry.kind = TreeEntry::Kind::executable;
    }
  place->kind = TreeEntry::Kind::executable;
  return true;
}

Result<TreeListing> TreeWriter::finish() {
  parent_.reset();
  for (const std::string& path : folders_) {
    CURUPIRA_TRY(const UniqueFd folder, open_folder(path));
    if (::fchmod(folder.get(), 0555) != 0) return system_error(path, errno);
  }
  return TreeListing(std::move(entries_));
}

}  // namespace curupira::installer
