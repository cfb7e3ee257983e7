#include "installer/object_check.h"

#include <algorithm>

#include "base/printable.h"
#include "installer/limits.h"
#include "installer/proof_store.h"
#include "installer/store_roots.h"

namespace curupira::installer {
namespace {

using Object = Finding::Object;
using Kind = Difference::Kind;

}  // namespace

bool ObjectCheck::begin(Object object, const std::string& name, const std::string& extension) {
  if (seen_.insert(std::string(name_of(object)) + " " + name).second) return true;
  if (extension.empty()) return false;
  for (Finding& finding : result_.findings) {
    auto& users = finding.extensions;
    if (finding.object != object || finding.name != name) continue;
    if (std::find(users.begin(), users.end(), extension) == users.end()) users.push_back(extension);
  }
  return false;
}

void ObjectCheck::add(Object object, const std::string& name, const std::filesystem::path& path,
                      Difference difference, const std::string& extension) {
  Finding finding{
      .object = object, .name = name, .path = path, .difference = std::move(difference), .extensions = {}};
  if (!extension.empty()) finding.extensions.push_back(extension);
  result_.findings.push_back(std::move(finding));
}

Result<> ObjectCheck::blob(const Digest& digest, const std::string& extension) {
  const std::string name = blob_name(digest);
  if (!begin(Object::blob, name, extension)) return {};
  ++result_.blobs;
  const auto path = store_.blob(digest);
  const std::string expected = std::string(name_of(digest.algorithm())) + " " + digest.hex();
  CURUPIRA_TRY(const auto status, store_.files().status(path));
  if (!status || status->type != FileType::regular) {
    add(Object::blob, name, path, {status ? Kind::type : Kind::missing, "", expected, ""}, extension);
    return {};
  }
  const auto found = digest_of_file(path, digest.algorithm());
  if (!found)
    add(Object::blob, name, path, {Kind::unreadable, "", expected, found.error().summary()}, extension);
  else if (*found != digest)
    add(Object::blob, name, path,
        {Kind::changed, "", expected, std::string(name_of(digest.algorithm())) + " " + found->hex()},
        extension);
  else if (status->mode != 0444 && status->mode != 0644)
    add(Object::blob, name, path,
        {Kind::mode, "", "0444", (status->mode & 0222u) != 0 ? "writable" : "not readable"}, extension);
  return {};
}

void ObjectCheck::proof(const manifest::ReceiptArtifact& artifact, const std::string& extension) {
  if (artifact.level == manifest::VerificationLevel::digest) return;
  const std::string name = blob_name(artifact.digest);
  if (!begin(Object::proof, name, extension)) return;
  const auto repeated = repeat_proof(store_, artifact.digest);
  if (repeated && repeated->level >= artifact.level) return;
  const auto kept = read_proof(store_, artifact.digest);
  const Kind kind = !kept ? Kind::unreadable : *kept ? Kind::changed : Kind::missing;
  add(Object::proof, name, proof_file(store_, artifact.digest),
      {kind, "", "a proof that it is " + std::string(manifest::name_of(artifact.level)),
       repeated ? std::string(manifest::name_of(repeated->level)) : repeated.error().summary()},
      extension);
}

Result<> ObjectCheck::tree(const std::string& digest, const std::string& extension) {
  if (!begin(Object::tree, digest, extension)) return {};
  ++result_.trees;
  const auto path = store_.tree(digest);
  const auto listing = store_.listing(digest);
  if (!listing) {
    const bool missing = listing.error().code() == ErrorCode::file_not_found;
    add(Object::tree, digest, store_.tree_mark(digest),
        {missing ? Kind::missing : Kind::changed, "", "the listing of the tree",
         missing ? "" : "another text"},
        extension);
    return {};
  }
  CURUPIRA_TRY(auto differences, compare_folder(store_.files(), path, *listing, false, digests_));
  for (auto& difference : differences)
    add(Object::tree, digest, path, std::move(difference), extension);
  return {};
}

Result<> ObjectCheck::environment(const manifest::ReceiptContent& content,
                                  const std::vector<std::string>& trees, const std::string& extension) {
  const std::string& digest = content.digest;
  if (!begin(Object::environment, digest, extension)) return {};
  ++result_.environments;
  const auto path = store_.environment(digest);
  CURUPIRA_TRY(const bool there, store_.has_environment(digest));
  if (!there) {
    add(Object::environment, digest, path, {Kind::missing, "", "a folder", ""}, extension);
    return {};
  }
  const auto listing = store_.environment_listing(digest);
  if (!listing) {
    if (listing.error().code() == ErrorCode::file_not_found)
      result_.notes.push_back("environment " + digest + (extension.empty() ? "" : " of " + extension) +
                              " was made by an earlier version of this program, which kept no listing: it "
                              "cannot be compared");
    else
      add(Object::environment, digest, path, {Kind::changed, "", "its listing", listing.error().summary()},
          extension);
    return {};
  }
  const bool venv = content.kind == manifest::ReceiptContent::Kind::venv;
  CURUPIRA_TRY(auto differences, compare_folder(store_.files(), path, *listing, venv, digests_));
  for (auto& difference : differences)
    add(Object::environment, digest, path, std::move(difference), extension);
  if (!venv && !trees.empty()) return check_origins(digest, *listing, trees, extension);
  return {};
}

/// The listing itself is ours and not named by a digest, but every file of node_modules is one of a tree.
Result<> ObjectCheck::check_origins(const std::string& name, const TreeListing& listing,
                                    const std::vector<std::string>& trees, const std::string& extension) {
  std::set<std::string> known;
  for (const auto& tree : trees) {
    const auto files = store_.listing(tree);
    if (!files) return {};  // is said of the tree
    for (const TreeEntry& entry : files->entries())
      known.insert(entry.sha256);
  }
  for (const TreeEntry& entry : listing.entries())
    if (!entry.sha256.empty() && !known.contains(entry.sha256))
      add(Object::environment, name, store_.environment(name),
          {Kind::changed, entry.path.text(), "a file of one of its packages", "sha256 " + entry.sha256},
          extension);
  return {};
}

Result<> ObjectCheck::all_of(const manifest::Receipt& receipt) {
  for (const auto& artifact : receipt.artifacts) {
    CURUPIRA_CHECK(blob(artifact.digest, receipt.name));
    proof(artifact, receipt.name);
  }
  for (const auto& digest : receipt.trees)
    CURUPIRA_CHECK(tree(digest, receipt.name));
  if (receipt.content.kind == manifest::ReceiptContent::Kind::tree)
    return tree(receipt.content.digest, receipt.name);
  return environment(receipt.content, receipt.trees, receipt.name);
}

}  // namespace curupira::installer
