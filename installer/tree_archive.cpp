#include "installer/tree_archive.h"

#include "base/file_copy.h"
#include "base/printable.h"
#include "base/tar_writer.h"
#include "installer/archive_rules.h"

namespace curupira::installer {
namespace {

using Kind = TreeEntry::Kind;

ArchiveEntry::Type type_of(Kind kind) {
  switch (kind) {
    case Kind::folder:
      return ArchiveEntry::Type::folder;
    case Kind::link:
      return ArchiveEntry::Type::symbolic_link;
    default:
      return ArchiveEntry::Type::file;
  }
}

/// Folders may hold what archives may not. Whoever packs learns it, not whoever unpacks.
Result<> check(ArchiveRules& rules, const TreeEntry& entry) {
  auto accepted = rules.check({.type = type_of(entry.kind),
                               .path = entry.path.text(),
                               .size = entry.size,
                               .link_target = entry.target});
  if (!accepted)
    return fail(std::move(accepted).error().with_help(
        "a bundle carries folders as archives do: mend the folder, and install it again"));
  if (entry.kind != Kind::link) return {};
  const std::string target = relative_target(entry.path, *(*accepted)->target);
  if (target == entry.target) return {};
  return fail(Error(ErrorCode::archive_link, printable(entry.path.text()) + " -> " + printable(entry.target) +
                                                 ": not the straight way")
                  .with_help("let the link name " + printable(target) + ", and install the folder again"));
}

Result<> pack(TarWriter& tar, const std::filesystem::path& root, const TreeEntry& entry) {
  switch (entry.kind) {
    case Kind::folder:
      return tar.folder(entry.path.text());
    case Kind::link:
      return tar.symbolic_link(entry.path.text(), entry.target);
    default:
      CURUPIRA_CHECK(tar.begin_file(entry.path.text(), entry.size, entry.kind == Kind::executable));
      CURUPIRA_CHECK(copy_into(entry.path.below(root), tar));
      return tar.end_file();
  }
}

}  // namespace

Result<> pack_tree(const Store& store, std::string_view tree, const ArchiveLimits& limits, ByteSink& sink) {
  CURUPIRA_TRY(const TreeListing listing, store.listing(tree));
  const auto root = store.tree(tree);
  ArchiveRules rules(limits, 0, 0);
  TarWriter tar(sink, 0);
  const auto pack_all = [&](auto... kinds) -> Result<> {
    for (const TreeEntry& entry : listing.entries()) {
      if (((entry.kind != kinds) && ...)) continue;
      CURUPIRA_CHECK(check(rules, entry));
      CURUPIRA_CHECK(pack(tar, root, entry));
    }
    return {};
  };
  CURUPIRA_CHECK(pack_all(Kind::folder));
  CURUPIRA_CHECK(pack_all(Kind::file, Kind::executable));
  CURUPIRA_CHECK(pack_all(Kind::link));
  return tar.finish();
}

}  // namespace curupira::installer
