#include "installer/wheel_layout.h"

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "installer/limits.h"
#include "registry/python_version.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

constexpr std::string_view info_ending = ".dist-info";

tl::unexpected<Error> invalid(std::string detail) {
  return fail(ErrorCode::wheel_invalid, std::move(detail));
}

bool is_file(const TreeEntry& entry) {
  return entry.kind == TreeEntry::Kind::file || entry.kind == TreeEntry::Kind::executable;
}

bool is_signature(std::string_view path, const std::string& info) {
  return path == info + "/RECORD.jws" || path == info + "/RECORD.p7s";
}

Result<bool> has_digest(const FileSystem& files, const std::filesystem::path& tree, const TreeEntry& entry,
                        const Digest& digest) {
  if (digest.algorithm() == DigestAlgorithm::sha256) return digest.hex() == entry.sha256;
  CURUPIRA_TRY(const std::string bytes, files.read_file(entry.path.below(tree), entry.size));
  return digest_of(digest.algorithm(), bytes) == digest;
}

/// Every file is in RECORD with its digest, and RECORD names nothing else.
Result<> check_record(const FileSystem& files, const std::filesystem::path& tree, const TreeListing& listing,
                      const std::string& info) {
  CURUPIRA_TRY(const std::string text, files.read_file(tree / info / "RECORD", max_record_bytes));
  CURUPIRA_TRY(const WheelRecord record, parse_wheel_record(text));
  for (const TreeEntry& entry : listing.entries()) {
    const std::string& path = entry.path.text();
    if (entry.kind == TreeEntry::Kind::link) return invalid(printable(path) + " is a link");
    if (!is_file(entry) || path == info + "/RECORD" || is_signature(path, info)) continue;
    const auto line = record.find(path);
    if (line == record.end()) return invalid(printable(path) + " is not in its RECORD");
    if (!line->second) return invalid("RECORD has no digest of " + printable(path));
    CURUPIRA_TRY(const bool same, has_digest(files, tree, entry, *line->second));
    if (!same)
      return invalid(printable(path) + " is not the file of its RECORD: that says " + line->second->sri() +
                     ", the file has sha256 " + entry.sha256);
  }
  for (const auto& [path, digest] : record)
    if (!listing.has_file(path)) return invalid("RECORD names " + excerpt(path) + ", which it does not have");
  return {};
}

class Placing {
 public:
  Placing(std::string stem, std::string package, const std::string& minor)
      : data_(std::move(stem) + ".data"),
        site_("lib/python" + minor + "/site-packages/"),
        headers_("include/site/python" + minor + "/" + std::move(package) + "/") {}

  const std::string& site() const { return site_; }

  Result<PlacedFile> place(const RelativePath& source) const {
    const std::string& path = source.text();
    if (!path.starts_with(data_ + "/")) return PlacedFile{source, site_ + path};
    const std::string rest = path.substr(data_.size() + 1);
    const auto slash = rest.find('/');
    const std::string key = rest.substr(0, slash);
    if (slash == std::string::npos) return invalid(printable(path) + " is in no scheme");
    const std::string below = rest.substr(slash + 1);
    if (key == "purelib" || key == "platlib") return PlacedFile{source, site_ + below};
    if (key == "headers") return PlacedFile{source, headers_ + below};
    if (key == "scripts") return PlacedFile{source, "bin/" + below, PlacedFile::How::script};
    if (key == "data") return PlacedFile{source, below};
    return invalid(printable(path) + ": the scheme " + printable(key) + " is not known");
  }

 private:
  std::string data_, site_, headers_;
};

}  // namespace

Result<std::string> find_info_folder(const TreeListing& listing) {
  std::string found;
  for (const TreeEntry& entry : listing.entries()) {
    const std::string_view top = entry.path.segments().front();
    if (!top.ends_with(info_ending) || top == found) continue;
    if (!found.empty()) return invalid("it has both " + found + " and " + printable(top));
    found = top;
  }
  if (found.empty()) return invalid("it has no .dist-info folder");
  return found;
}

Result<WheelLayout> lay_out_wheel(const FileSystem& files, const std::filesystem::path& tree,
                                  const TreeListing& listing, const registry::Artifact& artifact,
                                  const std::string& minor) {
  CURUPIRA_TRY(const std::string info, find_info_folder(listing));
  for (const std::string_view name : {"METADATA", "WHEEL", "RECORD"})
    if (!listing.has_file(info + "/" + std::string(name)))
      return invalid(info + " has no " + std::string(name));
  CURUPIRA_TRY(const std::string metadata, files.read_file(tree / info / "METADATA", max_metadata_bytes));
  CURUPIRA_TRY(const WheelIdentity identity, parse_wheel_identity(metadata));
  if (registry::normalize_pip_name(identity.name) != artifact.package ||
      !registry::same_python_version(identity.version, artifact.version))
    return fail(ErrorCode::identity_mismatch, printable(artifact.file_name) + ": its METADATA says " +
                                                  excerpt(identity.name) + " " + excerpt(identity.version) +
                                                  ", resolved was " + printable(artifact.package) + " " +
                                                  printable(artifact.version));
  CURUPIRA_TRY(const std::string wheel, files.read_file(tree / info / "WHEEL", max_metadata_bytes));
  // Pure or not, both go to one folder in a virtual environment; the line has to be there all the same.
  CURUPIRA_CHECK(parse_root_is_purelib(wheel));
  CURUPIRA_CHECK(check_record(files, tree, listing, info));

  const Placing placing(info.substr(0, info.size() - info_ending.size()), artifact.package, minor);
  WheelLayout layout{.info_folder = placing.site() + info, .files = {}, .scripts = {}};
  for (const TreeEntry& entry : listing.entries()) {
    const std::string& path = entry.path.text();
    if (!is_file(entry) || path == info + "/RECORD" || path == info + "/INSTALLER" ||
        is_signature(path, info))
      continue;
    CURUPIRA_TRY(auto placed, placing.place(entry.path));
    layout.files.push_back(std::move(placed));
  }
  if (listing.has_file(info + "/entry_points.txt")) {
    CURUPIRA_TRY(const std::string text,
                 files.read_file(tree / info / "entry_points.txt", max_entry_points_bytes));
    CURUPIRA_TRY(layout.scripts, parse_script_entries(text));
  }
  return layout;
}

}  // namespace curupira::installer
