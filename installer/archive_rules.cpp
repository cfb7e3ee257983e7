#include "installer/archive_rules.h"

#include <algorithm>
#include <vector>

#include "base/printable.h"

namespace curupira::installer {
namespace {

std::string join(std::span<const std::string_view> segments) {
  std::string text;
  for (const auto segment : segments) {
    if (!text.empty()) text += '/';
    text += segment;
  }
  return text;
}

std::string_view word_of(TreeNames::Kind kind) {
  switch (kind) {
    case TreeNames::Kind::folder:
      return "folder";
    case TreeNames::Kind::link:
      return "link";
    case TreeNames::Kind::file:
      break;
  }
  return "file";
}

/// Upper case letters of Latin-1, Latin Extended-A, Greek and Cyrillic, which are two bytes each in UTF-8.
unsigned fold_code_point(unsigned c) {
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 0x20;
  if ((c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177)) return c | 1U;
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) return (c & 1U) != 0 ? c + 1 : c;
  if (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) return c + 0x20;
  if (c >= 0x410 && c <= 0x42F) return c + 0x20;
  if (c >= 0x400 && c <= 0x40F) return c + 0x50;
  return c;
}

}  // namespace

std::string fold_case(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 'A' && c <= 'Z') {
      folded += static_cast<char>(c + ('a' - 'A'));
    } else if (c >= 0xC2 && c <= 0xDF && i + 1 < text.size()) {
      const unsigned point = ((c & 0x1FU) << 6U) | (static_cast<unsigned char>(text[++i]) & 0x3FU);
      const unsigned lower = fold_code_point(point);
      folded += static_cast<char>(0xC0U | (lower >> 6U));
      folded += static_cast<char>(0x80U | (lower & 0x3FU));
    } else {
      folded += text[i];
    }
  }
  return folded;
}

Result<> TreeNames::add_one(const std::string& path, Kind kind, bool implied) {
  const auto [place, fresh] = names_.try_emplace(fold_case(path), Name{path, kind});
  if (fresh) return {};
  const Name& earlier = place->second;
  if (earlier.spelling != path)
    return fail(ErrorCode::archive_duplicate, printable(earlier.spelling) + " and " + printable(path) +
                                                  " are one name where upper and lower case are the same");
  if (kind == Kind::folder && earlier.kind == Kind::folder) return {};
  if (implied && earlier.kind == Kind::link)
    return fail(ErrorCode::archive_link, "an entry lies behind the link " + printable(path));
  if (kind != earlier.kind)
    return fail(ErrorCode::archive_duplicate, printable(path) + " is a " +
                                                  std::string(word_of(earlier.kind)) + " and a " +
                                                  std::string(word_of(kind)));
  return fail(ErrorCode::archive_duplicate, printable(path) + " is there twice");
}

Result<> TreeNames::add(const RelativePath& path, Kind kind) {
  const std::string& text = path.text();
  for (auto slash = text.find('/'); slash != std::string::npos; slash = text.find('/', slash + 1))
    CURUPIRA_CHECK(add_one(text.substr(0, slash), Kind::folder, true));
  return add_one(text, kind, false);
}

std::optional<TreeNames::Kind> TreeNames::find(const RelativePath& path) const {
  const auto place = names_.find(fold_case(path.text()));
  if (place == names_.end() || place->second.spelling != path.text()) return std::nullopt;
  return place->second.kind;
}

Result<RelativePath> parse_entry_path(std::string_view raw, std::size_t max_depth) {
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      return fail(ErrorCode::archive_path, printable(raw) + ": a control character in the name");
  }
  auto path = RelativePath::parse(raw);
  if (!path) {
    return fail(ErrorCode::archive_path, std::move(path).error().detail());
  }
  const auto depth = static_cast<std::size_t>(std::count(path->text().begin(), path->text().end(), '/')) + 1;
  if (depth > max_depth)
    return fail(ErrorCode::archive_bomb, printable(raw.substr(0, 200)) + "…: " + std::to_string(depth) +
                                             " folders deep, allowed are " + std::to_string(max_depth));
  return std::move(*path);
}

std::string relative_target(const RelativePath& from, const RelativePath& to) {
  const auto a = from.segments();
  const auto b = to.segments();
  std::size_t common = 0;
  while (common + 1 < a.size() && common + 1 < b.size() && a[common] == b[common])
    ++common;
  std::string text;
  for (std::size_t i = common; i + 1 < a.size(); ++i)
    text += "../";
  return text + join(std::span(b).subspan(common));
}

Result<RelativePath> ArchiveRules::check_path(const std::string& raw) const {
  return parse_entry_path(raw, limits_.max_depth);
}

Result<RelativePath> ArchiveRules::check_target(const ArchiveEntry& entry, const RelativePath& path) const {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::archive_link,
                printable(entry.path) + " -> " + printable(entry.link_target) + ": " + std::string(why));
  };
  // A hard link names its target from the archive's root, a symbolic one from its own folder
  // (ag2ai/ag2#2361).
  std::vector<std::string_view> segments;
  if (entry.type == ArchiveEntry::Type::symbolic_link) {
    segments = path.segments();
    segments.pop_back();
  }
  std::string_view rest = entry.link_target;
  if (rest.empty()) return refuse("it has no target");
  if (rest.starts_with('/')) return refuse("it is absolute");
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const auto segment = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      segments.push_back(segment);
    } else if (segments.empty()) {
      return refuse("it leaves the archive");
    } else {
      segments.pop_back();
    }
  }
  auto target = RelativePath::parse(join(segments));
  if (!target) return refuse("its target is no path that can be used");
  const auto kind = archive_names_.find(*target);
  if (!kind) return refuse("its target does not come earlier in the archive");
  if (*kind != TreeNames::Kind::file) return refuse("its target is a " + std::string(word_of(*kind)));
  return std::move(*target);
}

Result<std::optional<AcceptedEntry>> ArchiveRules::check(const ArchiveEntry& entry) {
  if (++entries_ > limits_.max_entries)
    return fail(ErrorCode::archive_bomb, "more than " + std::to_string(limits_.max_entries) + " entries");
  if (entry.type == ArchiveEntry::Type::other)
    return fail(ErrorCode::archive_entry_type, printable(entry.path) + " is " + entry.kind);
  if (entry.type == ArchiveEntry::Type::folder && (entry.path == "." || entry.path == "./"))
    return std::optional<AcceptedEntry>();
  CURUPIRA_TRY(const RelativePath path, check_path(entry.path));
  // Folders get our own mode; only on files such a bit would be meant for whoever runs them.
  if (entry.type != ArchiveEntry::Type::folder && entry.type != ArchiveEntry::Type::symbolic_link &&
      (entry.mode & 07000U) != 0)
    return fail(
        ErrorCode::archive_mode, printable(entry.path) + ": mode " + [&] {
          std::string octal;
          for (unsigned shift = 12; shift > 0; shift -= 3)
            octal += static_cast<char>('0' + ((entry.mode >> (shift - 3)) & 7U));
          return octal;
        }());
  if (entry.type == ArchiveEntry::Type::file && entry.size > limits_.max_file)
    return fail(ErrorCode::archive_bomb, printable(entry.path) + ": " + format_bytes(entry.size) +
                                             ", allowed for a file are " + format_bytes(limits_.max_file));
  const bool link =
      entry.type == ArchiveEntry::Type::symbolic_link || entry.type == ArchiveEntry::Type::hard_link;
  std::optional<RelativePath> target;
  if (link) {
    CURUPIRA_TRY(target, check_target(entry, path));
  }
  const auto kind = entry.type == ArchiveEntry::Type::folder          ? TreeNames::Kind::folder
                    : entry.type == ArchiveEntry::Type::symbolic_link ? TreeNames::Kind::link
                                                                      : TreeNames::Kind::file;
  CURUPIRA_CHECK(archive_names_.add(path, kind));

  const auto strip = [&](const RelativePath& whole) -> std::optional<RelativePath> {
    const auto segments = whole.segments();
    const auto leading = static_cast<std::size_t>(strip_);
    if (segments.size() <= leading) return std::nullopt;
    auto rest = RelativePath::parse(join(std::span(segments).subspan(leading)));
    if (!rest) return std::nullopt;
    return std::move(*rest);
  };
  auto place = strip(path);
  if (!place) return std::optional<AcceptedEntry>();
  CURUPIRA_CHECK(tree_names_.add(*place, kind));
  AcceptedEntry accepted{.path = std::move(*place)};
  accepted.executable = (entry.mode & 0111U) != 0;
  if (target) {
    accepted.target = strip(*target);
    if (!accepted.target || tree_names_.find(*accepted.target) != TreeNames::Kind::file)
      return fail(ErrorCode::archive_link, printable(entry.path) + " -> " + printable(entry.link_target) +
                                               ": its target is stripped away");
  }
  switch (entry.type) {
    case ArchiveEntry::Type::folder:
      accepted.type = AcceptedEntry::Type::folder;
      break;
    case ArchiveEntry::Type::symbolic_link:
      accepted.type = AcceptedEntry::Type::symbolic_link;
      break;
    case ArchiveEntry::Type::hard_link:
      accepted.type = AcceptedEntry::Type::hard_link;
      break;
    default:
      accepted.type = AcceptedEntry::Type::file;
  }
  return std::optional(std::move(accepted));
}

Result<> ArchiveRules::count(std::uint64_t bytes, const std::string& path) {
  unpacked_ += bytes;
  if (unpacked_ > limits_.max_unpacked)
    return fail(ErrorCode::archive_bomb,
                printable(path) + ": more than " + format_bytes(limits_.max_unpacked) + " unpacked");
  if (unpacked_ > limits_.ratio_floor && packed_size_ > 0 && unpacked_ / packed_size_ >= limits_.max_ratio)
    return fail(ErrorCode::archive_bomb, printable(path) + ": " + format_bytes(unpacked_) + " came out of " +
                                             format_bytes(packed_size_) + ", allowed is " +
                                             std::to_string(limits_.max_ratio) + " to 1");
  return {};
}

}  // namespace curupira::installer
