#include "registry/root_signing.h"

#include <algorithm>

#include "base/printable.h"
#include "tuf/metadata_parser.h"
#include "tuf/verification.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

std::string shown(const fs::path& file) {
  return printable(file.string());
}

/// Whether the signature holds for the document by the root keys of one of the roots.
bool holds(const tuf::Document& document, const tuf::Signature& signature,
           const std::vector<const tuf::Root*>& roots) {
  const tuf::Document alone{.content = document.content, .signatures = {signature}};
  return std::ranges::any_of(roots, [&](const tuf::Root* root) {
    const auto& ids = root->role(tuf::root_role).key_ids;
    return std::ranges::find(ids, signature.key_id) != ids.end() &&
           tuf::check_signatures(alone, {.key_ids = {signature.key_id}}, root->keys, "root");
  });
}

}  // namespace

Result<RootFile> read_root_file(FileSystem& files, const fs::path& file) {
  constexpr tuf::Limits limits{};
  auto text = files.read_file(file, limits.max_root_bytes);
  if (!text && text.error().code() == ErrorCode::response_too_large)
    return fail(ErrorCode::tuf_metadata_too_large,
                shown(file) + " is larger than " + format_bytes(limits.max_root_bytes));
  if (!text) return fail(std::move(text).error());
  CURUPIRA_TRY(tuf::Document document, tuf::parse_document(*text, limits));
  CURUPIRA_TRY(tuf::Root root, tuf::read_root(document.content));
  return RootFile{.document = std::move(document), .root = std::move(root)};
}

Result<RootFile> sign_root_file(FileSystem& files, SigningKeys& keys, const std::vector<tuf::Key>& signers,
                                const fs::path& file) {
  CURUPIRA_TRY(RootFile read, read_root_file(files, file));
  const std::size_t before = read.document.signatures.size();
  tuf::RoleKeys all;
  for (const tuf::Key& key : signers)
    all.key_ids.push_back(key.id());
  if (auto added = keys.sign(read.document, all); !added) return fail(std::move(added).error());
  if (read.document.signatures.size() == before)
    return fail(ErrorCode::root_not_pending, shown(file) + " has the signatures of these keys already");
  CURUPIRA_TRY(const std::string text, tuf::write_document(read.document));
  CURUPIRA_CHECK(write_file_atomically(files, file, text));
  return read;
}

Result<RevisionOutcome> take_root_signatures(Repository& repository,
                                             const std::vector<fs::path>& signed_files) {
  if (!repository.pending_root())
    return fail(ErrorCode::root_not_pending,
                "nothing waits in " + printable(repository.folder().pending().string()));
  tuf::Document document = *repository.pending_root();
  CURUPIRA_TRY(const tuf::Root next, tuf::read_root(document.content));
  CURUPIRA_TRY(const std::string ours, tuf::bytes_to_sign(document.content));
  const std::vector<const tuf::Root*> roots{&repository.root(), &next};
  for (const fs::path& file : signed_files) {
    CURUPIRA_TRY(const RootFile came, read_root_file(repository.folder().files(), file));
    CURUPIRA_TRY(const std::string theirs, tuf::bytes_to_sign(came.document.content));
    if (theirs != ours)
      return fail(Error(ErrorCode::root_not_pending, shown(file) + " is root " +
                                                         std::to_string(came.root.common.version) +
                                                         ", and not the one that waits")
                      .with_help("give the holders metadata-pending/" +
                                 tuf::metadata_file_name(tuf::root_role, next.common.version) +
                                 " as it is now"));
    bool any = false;
    for (const tuf::Signature& signature : came.document.signatures) {
      const tuf::Signature* const known = document.signature_of(signature.key_id);
      if ((known != nullptr && holds(document, *known, roots)) || !holds(document, signature, roots))
        continue;
      std::erase_if(document.signatures, [&](const auto& each) { return each.key_id == signature.key_id; });
      document.signatures.push_back(signature);
      any = true;
    }
    if (!any) return fail(ErrorCode::root_not_pending, shown(file) + " has no new signature that counts");
  }
  for (const tuf::Root* const root : roots)
    if (auto added = repository.tools().keys.sign(document, root->role(tuf::root_role)); !added)
      return fail(std::move(added).error());
  Revision revision(repository);
  revision.set_signed_root(std::move(document));
  return revision.commit();
}

}  // namespace curupira::registry
