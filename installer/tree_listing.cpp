#include "installer/tree_listing.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/digest.h"

namespace curupira::installer {
namespace {

constexpr std::string_view header = "curupira tree 1\n";

char letter_of(TreeEntry::Kind kind) {
  switch (kind) {
    case TreeEntry::Kind::executable:
      return 'x';
    case TreeEntry::Kind::folder:
      return 'd';
    case TreeEntry::Kind::link:
      return 'l';
    case TreeEntry::Kind::file:
      break;
  }
  return 'f';
}

bool is_file(const TreeEntry& entry) {
  return entry.kind == TreeEntry::Kind::file || entry.kind == TreeEntry::Kind::executable;
}

}  // namespace

TreeListing::TreeListing(std::vector<TreeEntry> entries) : entries_(std::move(entries)) {
  std::sort(entries_.begin(), entries_.end(),
            [](const TreeEntry& a, const TreeEntry& b) { return a.path.text() < b.path.text(); });
}

const TreeEntry* TreeListing::find(std::string_view path) const {
  const auto place =
      std::lower_bound(entries_.begin(), entries_.end(), path,
                       [](const TreeEntry& e, std::string_view p) { return e.path.text() < p; });
  return place != entries_.end() && place->path.text() == path ? &*place : nullptr;
}

bool TreeListing::has_file(std::string_view path) const {
  const TreeEntry* const entry = find(path);
  return entry != nullptr && is_file(*entry);
}

// One line an entry, fields between tabs: kind, path, then size and digest of files, or the target of links.
// No name in a tree has control characters, so a line cannot be read in two ways.
std::string TreeListing::text() const {
  std::string text(header);
  for (const TreeEntry& entry : entries_) {
    text += letter_of(entry.kind);
    text += '\t';
    text += entry.path.text();
    if (is_file(entry)) {
      text += '\t';
      text += std::to_string(entry.size);
      text += '\t';
      text += entry.sha256;
    } else if (entry.kind == TreeEntry::Kind::link) {
      text += '\t';
      text += entry.target;
    }
    text += '\n';
  }
  return text;
}

std::string TreeListing::digest() const {
  return digest_of(DigestAlgorithm::sha256, text()).hex();
}

Result<TreeListing> TreeListing::parse(std::string_view text) {
  const auto damaged = [](std::size_t line) {
    return fail(ErrorCode::store_object_damaged, "line " + std::to_string(line) + " of a tree's listing");
  };
  if (!text.starts_with(header)) return damaged(1);
  text.remove_prefix(header.size());
  std::vector<TreeEntry> entries;
  while (!text.empty()) {
    const std::size_t number = entries.size() + 2;
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return damaged(number);
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    std::array<std::string_view, 4> fields;
    std::size_t count = 0;
    while (count < fields.size()) {
      const auto tab = line.find('\t');
      fields[count++] = line.substr(0, tab);
      if (tab == std::string_view::npos) break;
      line.remove_prefix(tab + 1);
    }
    auto path = RelativePath::parse(fields[1]);
    if (count < 2 || !path || fields[0].size() != 1) return damaged(number);
    TreeEntry entry{.path = std::move(*path)};
    switch (fields[0][0]) {
      case 'd':
        entry.kind = TreeEntry::Kind::folder;
        break;
      case 'l':
        entry.kind = TreeEntry::Kind::link;
        break;
      case 'x':
        entry.kind = TreeEntry::Kind::executable;
        break;
      case 'f':
        break;
      default:
        return damaged(number);
    }
    if (is_file(entry)) {
      const auto size = fields[2];
      const auto parsed = std::from_chars(size.data(), size.data() + size.size(), entry.size);
      if (count != 4 || parsed.ec != std::errc{} || parsed.ptr != size.data() + size.size())
        return damaged(number);
      entry.sha256 = fields[3];
    } else if (entry.kind == TreeEntry::Kind::link) {
      if (count != 3) return damaged(number);
      entry.target = fields[2];
    }
    entries.push_back(std::move(entry));
  }
  return TreeListing(std::move(entries));
}

}  // namespace curupira::installer
