#include "installer/tree_archive.h"

#include <optional>

#include "base/file_copy.h"
#include "base/printable.h"
#include "base/tar_writer.h"

namespace curupira::installer {
namespace {

using Kind = TreeEntry::Kind;

/// Where the link leads, below the root; nothing when it leaves the tree.
std::optional<std::string> end_of(const TreeEntry& link) {
  auto segments = link.path.segments();
  segments.pop_back();
  std::string_view rest = link.target;
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const auto segment = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      segments.push_back(segment);
    } else if (segments.empty()) {
      return std::nullopt;
    } else {
      segments.pop_back();
    }
  }
  std::string path;
  for (const auto segment : segments)
    path += (path.empty() ? "" : "/") + std::string(segment);
  return path;
}

Result<> pack_link(TarWriter& tar, const TreeListing& listing, const TreeEntry& link) {
  const auto end = end_of(link);
  if (!end || !listing.has_file(*end))
    return fail(Error(ErrorCode::archive_link, printable(link.path.text()) + " -> " + printable(link.target) +
                                                   ": it does not lead to a file of the folder")
                    .with_help("a bundle carries links to files only; put a copy in its place"));
  return tar.symbolic_link(link.path.text(), link.target);
}

Result<> pack_file(TarWriter& tar, const std::filesystem::path& root, const TreeEntry& file) {
  CURUPIRA_CHECK(tar.begin_file(file.path.text(), file.size, file.kind == Kind::executable));
  CURUPIRA_CHECK(copy_into(file.path.below(root), tar));
  return tar.end_file();
}

}  // namespace

Result<> pack_tree(const Store& store, std::string_view tree, ByteSink& sink) {
  CURUPIRA_TRY(const TreeListing listing, store.listing(tree));
  const auto root = store.tree(tree);
  TarWriter tar(sink, 0);
  for (const TreeEntry& entry : listing.entries())
    if (entry.kind == Kind::folder) CURUPIRA_CHECK(tar.folder(entry.path.text()));
  for (const TreeEntry& entry : listing.entries())
    if (entry.kind == Kind::file || entry.kind == Kind::executable)
      CURUPIRA_CHECK(pack_file(tar, root, entry));
  for (const TreeEntry& entry : listing.entries())
    if (entry.kind == Kind::link) CURUPIRA_CHECK(pack_link(tar, listing, entry));
  return tar.finish();
}

}  // namespace curupira::installer
