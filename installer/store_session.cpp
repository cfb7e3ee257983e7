#include "installer/store_session.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/unique_fd.h"
#include "installer/folder_check.h"
#include "installer/proof_store.h"

namespace curupira::installer {

namespace {

/// Two registries may vouch for the same bytes: each for its own packages.
bool same_registry(const KeptProof& kept, const registry::Proof& proof) {
  const auto* const word = std::get_if<registry::RegistryProof>(&kept.by);
  if (word == nullptr || proof.vouched == nullptr) return word == nullptr && proof.vouched == nullptr;
  return word->registry == proof.vouched->proof.registry;
}

}  // namespace

Result<> StoreSession::prepare() {
  FileSystem& files = store_.files();
  const HomeLayout& home = store_.home();
  CURUPIRA_CHECK(files.create_folders(home.trees()));
  CURUPIRA_CHECK(files.create_folders(home.environments()));
  for (const auto algorithm : {DigestAlgorithm::sha256, DigestAlgorithm::sha384, DigestAlgorithm::sha512})
    CURUPIRA_CHECK(files.create_folders(home.blobs() / name_of(algorithm)));
  CURUPIRA_CHECK(files.create_folders(home.proofs()));
  return files.create_folders(store_.unpacked_folder());
}

Result<> StoreSession::keep_proof(const VerifiedArtifact& artifact) {
  if (!artifact.proof().is_signed()) return {};
  const auto& registry_artifact = artifact.artifact();
  const auto kept = read_proof(store_, artifact.digest());
  const auto repeated = repeat_proof(store_, artifact.digest());
  if (kept && *kept && repeated && repeated->level >= artifact.level() &&
      is_of(**kept, registry_artifact.package, registry_artifact.version) &&
      same_registry(**kept, artifact.proof()))
    return {};
  const auto path = proof_file(store_, artifact.digest());
  CURUPIRA_CHECK(store_.files().remove_file(path));  // one that does not hold, or shows less
  // That of bytes which were there before stays, whatever becomes of this command.
  if (!artifact.in_store()) added_.push_back(path);
  const KeptProof proof =
      kept_proof(artifact.proof(), registry_artifact.package, registry_artifact.version, artifact.digest());
  return write_file_atomically(store_.files(), path, proof_text(proof), 0444);
}

Result<VerifiedArtifact> StoreSession::keep_blob(VerifiedArtifact artifact) {
  CURUPIRA_CHECK(keep_proof(artifact));
  if (artifact.in_store()) return artifact;
  const auto path = store_.blob(artifact.digest());
  CURUPIRA_TRY(const bool there, store_.has_blob(artifact.digest()));
  if (there) {
    CURUPIRA_CHECK(store_.files().remove_file(artifact.file()));
  } else {
    CURUPIRA_CHECK(store_.files().set_mode(artifact.file(), 0444));
    added_.push_back(path);
    CURUPIRA_CHECK(store_.files().rename(artifact.file(), path));
  }
  artifact.fetched_.file = path;
  artifact.fetched_.in_store = true;
  return artifact;
}

Result<std::string> StoreSession::keep_tree(const std::filesystem::path& staged, const TreeListing& listing) {
  FileSystem& files = store_.files();
  const std::string text = listing.text();
  const std::string digest = digest_of(DigestAlgorithm::sha256, text).hex();
  CURUPIRA_TRY(const bool there, store_.has_tree(digest));
  if (there) return digest;
  const auto path = store_.tree(digest);
  const auto mark = store_.tree_mark(digest);
  CURUPIRA_CHECK(files.remove_file(mark));
  CURUPIRA_CHECK(files.remove_tree(path));  // without its mark it is what a killed command left
  added_.push_back(path);
  added_.push_back(mark);
  CURUPIRA_CHECK(files.rename(staged, path));
  CURUPIRA_CHECK(files.set_mode(path, 0555));  // only now: a folder that moves has to be writable
  CURUPIRA_CHECK(write_file_atomically(files, mark, text, 0444));
  return digest;
}

Result<> StoreSession::remember_unpacked(const std::string& key, const std::string& tree) {
  const auto path = store_.unpacked_folder() / key;
  added_.push_back(path);
  return write_file_atomically(store_.files(), path, tree, 0644);
}

Result<> StoreSession::keep_environment(const std::filesystem::path& staged, const std::string& digest) {
  FileSystem& files = store_.files();
  CURUPIRA_TRY(const bool there, store_.has_environment(digest));
  if (there) return {};
  const auto path = store_.environment(digest);
  const auto mark = store_.environment_mark(digest);
  const auto list = store_.environment_list(digest);
  // What `verify` compares with later.
  FileDigests digests;
  CURUPIRA_TRY(const TreeListing listing, list_folder(files, staged, digests));
  const std::string text = listing.text();
  CURUPIRA_CHECK(files.remove_file(mark));
  CURUPIRA_CHECK(files.remove_file(list));
  CURUPIRA_CHECK(files.remove_tree(path));
  added_.push_back(path);
  added_.push_back(list);
  added_.push_back(mark);
  CURUPIRA_CHECK(files.rename(staged, path));
  CURUPIRA_CHECK(files.set_mode(path, 0555));
  CURUPIRA_CHECK(write_file_atomically(files, list, text, 0444));
  return write_file_atomically(files, mark, environment_mark_text(text), 0444);
}

Result<> StoreSession::sync() {
  if (added_.empty()) return {};
  // One call for thousands of small files; each of them by fsync would take minutes on a slow disk.
  const UniqueFd folder(::open(store_.home().store().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
#if defined(__linux__)
  const bool done = folder && ::syncfs(folder.get()) == 0;
#else
  const bool done = folder && ::fsync(folder.get()) == 0;
#endif
  if (!done)
    return fail(ErrorCode::file_failed, store_.home().store().string() + ": " + std::strerror(errno));
  return {};
}

void StoreSession::roll_back() {
  for (auto path = added_.rbegin(); path != added_.rend(); ++path) {
    const auto removed = store_.files().remove_tree(*path);
    if (!removed) break;  // marks first: nothing incomplete may look complete
  }
  added_.clear();
}

}  // namespace curupira::installer
