#include "registry/mirror_index.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/printable.h"
#include "base/relative_path.h"
#include "tuf/fields.h"

namespace curupira::registry {
namespace {

constexpr int max_depth = 8;
constexpr std::array<std::string_view, 5> kinds = {"page", "tarball", "wheel", "metadata", "archive"};

tl::unexpected<Error> invalid(std::string why) {
  return fail(ErrorCode::registry_damaged, "the mirror's index: " + std::move(why));
}

Result<> check_nothing_else(const tuf::Fields& fields) {
  const json::Object rest = fields.rest();
  if (rest.empty()) return {};
  return invalid(fields.place(excerpt(rest.begin()->first, 60)) + " is not known");
}

/// A member that may be left out.
Result<std::string> text_or_empty(tuf::Fields& fields, std::string_view name) {
  if (!fields.members().contains(name)) return std::string();
  return fields.text(name);
}

bool is_mirror_path(const std::string& text) {
  const auto path = RelativePath::parse(text);
  if (!path || path->text() != text || path->segments().size() < 2) return false;
  const auto top = path->segments().front();
  return top == "npm" || top == "simple" || top == "archives";
}

Result<MirrorFile> read_file(const json::Value& value, const std::string& where) {
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, where));
  CURUPIRA_TRY(const std::string kind, fields.text("kind"));
  const auto known = std::ranges::find(kinds, kind);
  if (known == kinds.end()) return invalid(fields.place("kind") + " is not known");
  CURUPIRA_TRY(std::string path, fields.text("path"));
  if (!is_mirror_path(path))
    return invalid(fields.place("path") + " \"" + excerpt(path, 80) + "\" is no file of a mirror");
  CURUPIRA_TRY(const std::string hex, fields.text("sha256"));
  const auto digest = Digest::from_hex(DigestAlgorithm::sha256, hex);
  if (!digest || digest->hex() != hex)
    return invalid(fields.place("sha256") + " is not a sha256 in lower case");
  CURUPIRA_TRY(const std::int64_t size, fields.number("size", 0));
  MirrorFile file{.kind = static_cast<MirrorFile::Kind>(known - kinds.begin()),
                  .path = std::move(path),
                  .package = {},
                  .sha256 = *digest,
                  .size = static_cast<std::uint64_t>(size)};
  CURUPIRA_TRY(file.package, text_or_empty(fields, "package"));
  CURUPIRA_TRY(file.version, text_or_empty(fields, "version"));
  CURUPIRA_TRY(file.origin, text_or_empty(fields, "origin"));
  CURUPIRA_TRY(file.integrity, text_or_empty(fields, "integrity"));
  CURUPIRA_TRY(const auto is_signed, fields.optional_flag("signed"));
  file.registry_signed = is_signed.value_or(false);
  CURUPIRA_CHECK(check_nothing_else(fields));
  return file;
}

Result<MirrorWish> read_wish(const json::Value& value, const std::string& where) {
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, where));
  MirrorWish wish;
  CURUPIRA_TRY(wish.reference, fields.text("reference"));
  CURUPIRA_TRY(wish.version, text_or_empty(fields, "version"));
  CURUPIRA_TRY(const auto platforms, fields.texts("platforms"));
  for (const std::string& text : platforms) {
    auto platform = manifest::Platform::parse(text);
    if (!platform) return invalid(fields.place("platforms") + ": " + platform.error().detail());
    wish.platforms.push_back(*std::move(platform));
  }
  CURUPIRA_CHECK(check_nothing_else(fields));
  return wish;
}

Result<MirrorIndex> read(std::string_view text) {
  CURUPIRA_TRY(const json::Value value, json::parse(text, {.max_bytes = max_mirror_index_bytes,
                                                           .max_depth = max_depth,
                                                           .whole_numbers_only = true}));
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, "it"));
  CURUPIRA_TRY(const std::int64_t format, fields.number("format", 1));
  if (format != MirrorIndex::format)
    return invalid("it has format " + std::to_string(format) + ", this program reads " +
                   std::to_string(MirrorIndex::format));
  MirrorIndex index;
  CURUPIRA_TRY(index.url, text_or_empty(fields, "url"));
  CURUPIRA_TRY(const json::Array* const files, fields.array("files"));
  for (const json::Value& each : *files) {
    const std::string where = "files[" + std::to_string(index.files.size()) + "]";
    CURUPIRA_TRY(MirrorFile file, read_file(each, where));
    std::string path = file.path;
    if (!index.files.emplace(std::move(path), std::move(file)).second)
      return invalid(where + " is there twice");
  }
  CURUPIRA_TRY(const json::Array* const wishes, fields.array("wishes"));
  for (const json::Value& each : *wishes) {
    const std::string where = "wishes[" + std::to_string(index.wishes.size()) + "]";
    CURUPIRA_TRY(MirrorWish wish, read_wish(each, where));
    std::string reference = wish.reference;
    if (!index.wishes.emplace(std::move(reference), std::move(wish)).second)
      return invalid(where + " is there twice");
  }
  CURUPIRA_CHECK(check_nothing_else(fields));
  return index;
}

void append_unless_empty(json::Object& object, const char* name, const std::string& text) {
  if (!text.empty()) object.append(name, text);
}

}  // namespace

std::string_view word_of(MirrorFile::Kind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

const MirrorFile* MirrorIndex::find(std::string_view path) const {
  const auto found = files.find(path);
  return found == files.end() ? nullptr : &found->second;
}

Result<MirrorIndex> parse_mirror_index(std::string_view text) {
  auto index = read(text);
  if (!index && index.error().code() != ErrorCode::registry_damaged) return invalid(index.error().detail());
  return index;
}

std::string write_mirror_index(const MirrorIndex& index) {
  json::Array files;
  files.reserve(index.files.size());
  for (const auto& [path, file] : index.files) {
    json::Object object;
    append_unless_empty(object, "integrity", file.integrity);
    object.append("kind", word_of(file.kind));
    append_unless_empty(object, "origin", file.origin);
    append_unless_empty(object, "package", file.package);
    object.append("path", path);
    object.append("sha256", file.sha256.hex());
    if (file.registry_signed) object.append("signed", true);
    object.append("size", file.size);
    append_unless_empty(object, "version", file.version);
    files.emplace_back(std::move(object));
  }
  json::Array wishes;
  for (const auto& [reference, wish] : index.wishes) {
    json::Object object;
    json::Array platforms;
    for (const auto& platform : wish.platforms)
      platforms.emplace_back(platform.text());
    object.append("platforms", std::move(platforms));
    object.append("reference", reference);
    append_unless_empty(object, "version", wish.version);
    wishes.emplace_back(std::move(object));
  }
  json::Object whole;
  whole.append("files", std::move(files));
  whole.append("format", MirrorIndex::format);
  append_unless_empty(whole, "url", index.url);
  whole.append("wishes", std::move(wishes));
  return json::write(whole);
}

}  // namespace curupira::registry
