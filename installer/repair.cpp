#include "installer/repair.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/printable.h"
#include "installer/any_age.h"
#include "installer/artifact_place.h"
#include "installer/fetch.h"
#include "installer/generation.h"
#include "installer/home_session.h"
#include "installer/limits.h"
#include "installer/proof_store.h"
#include "installer/rebuild.h"
#include "installer/store_roots.h"
#include "manifest/manifest.h"
#include "registry/sources.h"

namespace curupira::installer {
namespace {

namespace fs = std::filesystem;
using Object = Finding::Object;

class Workshop {
 public:
  Workshop(const InstallerTools& tools, const Store& store, const InstallRun& run, Diagnostics& diagnostics,
           Repair& repair)
      : tools_(tools),
        as_locked_(tools),
        store_(store),
        run_(run),
        diagnostics_(diagnostics),
        repair_(repair) {}

  /// In this order: what is made of something comes after it.
  Result<> mend(const std::vector<manifest::Receipt>& receipts, const std::optional<Generation>& last) {
    for (const auto& finding : repair_.before.findings)
      if (finding.object == Object::manifest || finding.object == Object::receipt)
        note(finding.object, finding.name, mend_own_file(finding, last), "the last generation");
    for (const auto& receipt : receipts) {
      for (const auto& artifact : receipt.artifacts)
        if (take(Object::blob, blob_name(artifact.digest)))
          note(Object::blob, blob_name(artifact.digest), mend_blob(artifact, receipt), "fetched again");
      for (const auto& artifact : receipt.artifacts)
        if (take(Object::proof, blob_name(artifact.digest)))
          note(Object::proof, blob_name(artifact.digest), mend_proof(artifact, receipt), "asked again");
      auto trees = receipt.trees;
      if (receipt.content.kind == manifest::ReceiptContent::Kind::tree)
        trees.push_back(receipt.content.digest);
      for (const auto& tree : trees)
        if (take(Object::tree, tree)) mend(tree, receipt);
    }
    for (const auto& receipt : receipts)
      if (take(Object::environment, receipt.content.digest))
        note(Object::environment, receipt.content.digest, mend_environment(receipt), "linked again");
    return {};
  }

 private:
  /// True for a damaged object, once.
  bool take(Object object, const std::string& name) {
    const bool damaged =
        std::any_of(repair_.before.findings.begin(), repair_.before.findings.end(),
                    [&](const Finding& finding) { return finding.object == object && finding.name == name; });
    return damaged && taken_.insert(std::string(name_of(object)) + " " + name).second;
  }

  void note(Object object, const std::string& name, Result<> outcome, std::string from) {
    if (outcome)
      repair_.repaired.push_back({object, name, std::move(from)});
    else
      repair_.unrepaired.push_back({object, name, std::move(outcome).error()});
  }

  Result<> mend_own_file(const Finding& finding, const std::optional<Generation>& last) {
    const auto* const extension = last ? last->find(finding.name) : nullptr;
    if (extension == nullptr)
      return fail(ErrorCode::repair_failed, "no generation has " + printable(finding.path.string()));
    const auto name = finding.path.filename();
    const auto kept = kept_extension(tools_.home, last->number, finding.name) / name;
    CURUPIRA_TRY(const std::string text, tools_.files.read_file(kept, max_receipt_bytes));
    const bool is_manifest = finding.object == Object::manifest;
    if (digest_of(DigestAlgorithm::sha256, text).hex() !=
        (is_manifest ? extension->manifest_sha256 : extension->receipt_sha256))
      return fail(ErrorCode::repair_failed, printable(kept.string()) + " is damaged, too");
    CURUPIRA_CHECK(tools_.files.create_folders(finding.path.parent_path()));
    return write_file_atomically(tools_.files, finding.path, text);
  }

  Result<> mend_blob(const manifest::ReceiptArtifact& wanted, const manifest::Receipt& receipt) {
    const auto place = store_.blob(wanted.digest);
    const auto found = digest_of_file(place, wanted.digest.algorithm());
    if (found && *found == wanted.digest) return tools_.files.set_mode(place, 0444);
    auto first = fetch_from(wanted, receipt, false);
    if (first || receipt.source != "npm") return first;
    return fetch_from(wanted, receipt, true) ? Result<>() : std::move(first);
  }

  Result<> fetch_from(const manifest::ReceiptArtifact& wanted, const manifest::Receipt& receipt,
                      bool ask_registry) {
    CURUPIRA_TRY(const registry::Artifact artifact,
                 place_of_artifact(tools_, receipt, wanted, ask_registry, diagnostics_));
    return fetch_blob(artifact);
  }

  /// What the registry signed, asked anew.
  Result<> mend_proof(const manifest::ReceiptArtifact& wanted, const manifest::Receipt& receipt) {
    CURUPIRA_TRY(const auto reference, registry::parse_reference(receipt.reference));
    const auto same_version = registry::pinned(reference, receipt.version);
    CURUPIRA_TRY(const auto resolution, registry::source_for(as_locked_.tools().sources, same_version)
                                            .resolve(same_version, tools_.platform, diagnostics_));
    for (const auto& candidate : resolution.artifacts) {
      const registry::Proof& proof = candidate.proof;
      const bool same =
          std::find(proof.any_of.begin(), proof.any_of.end(), wanted.digest) != proof.any_of.end();
      // A registry vouches also for what the manifest in its archive names.
      if ((!same && !proof.vouched) || !proof.is_signed()) continue;
      const auto level = level_of_proof(proof, wanted.package, wanted.version, wanted.digest);
      if (!level && same) return fail(level.error());
      if (!level || *level < wanted.level) continue;
      const auto file = proof_file(store_, wanted.digest);
      CURUPIRA_CHECK(tools_.files.create_folders(file.parent_path()));
      return write_file_atomically(
          tools_.files, file, proof_text(kept_proof(proof, wanted.package, wanted.version, wanted.digest)),
          0444);
    }
    return fail(ErrorCode::level_lowered, "the registry has no signature for " + printable(wanted.package) +
                                              "@" + printable(wanted.version) + " any more");
  }

  static std::string pinned(const manifest::Receipt& receipt) {
    const auto reference = registry::parse_reference(receipt.reference);
    return reference ? registry::to_string(registry::pinned(*reference, receipt.version)) : receipt.reference;
  }

  Result<> fetch_blob(const registry::Artifact& artifact) {
    CURUPIRA_TRY(const auto folder, run_.new_folder("fetch-"));
    // The store of the staging folder has nothing, so it is really fetched.
    CURUPIRA_TRY(auto fetched, fetch({.http = tools_.http,
                                      .files = tools_.files,
                                      .store = run_.store,
                                      .staging = folder,
                                      .observer = run_.observer,
                                      .limits = run_.fetch_limits},
                                     std::span(&artifact, 1)));
    CURUPIRA_TRY(const VerifiedArtifact verified, verify(std::move(fetched[0]), artifact.proof));
    const auto place = store_.blob(verified.digest());
    CURUPIRA_CHECK(tools_.files.set_mode(verified.file(), 0444));
    CURUPIRA_CHECK(tools_.files.create_folders(place.parent_path()));
    CURUPIRA_CHECK(tools_.files.rename(verified.file(), place));
    return tools_.files.sync_folder(place.parent_path());
  }

  void mend(const std::string& tree, const manifest::Receipt& receipt) {
    if (auto listed = mend_listing(tree); !listed || *listed)
      note(Object::tree, tree, listed ? Result<>() : fail(listed.error()), "listed again");
    else
      note(Object::tree, tree, mend_tree(tree, receipt), "unpacked again");
  }

  /// True when only the listing was damaged: what is there has the digest that the tree is named after.
  Result<bool> mend_listing(const std::string& digest) {
    FileDigests digests;
    const auto there = list_folder(tools_.files, store_.tree(digest), digests);
    if (!there || there->digest() != digest) return false;
    const auto listing = store_.listing(digest);
    if (listing && listing->digest() == digest) return false;
    CURUPIRA_CHECK(write_file_atomically(tools_.files, store_.tree_mark(digest), there->text(), 0444));
    return true;
  }

  Result<> mend_tree(const std::string& digest, const manifest::Receipt& receipt) {
    CURUPIRA_TRY(const auto made, rebuild_tree(store_, run_, digest, receipt));
    FileDigests digests;
    CURUPIRA_TRY(const TreeListing listing, list_folder(tools_.files, made, digests));
    if (listing.digest() != digest)
      return fail(ErrorCode::repair_differs, "expected tree " + digest + "  found " + listing.digest());
    CURUPIRA_CHECK(put_in_place(made, store_.tree(digest)));
    return write_file_atomically(tools_.files, store_.tree_mark(digest), listing.text(), 0444);
  }

  Result<> mend_environment(const manifest::Receipt& receipt) {
    auto made = rebuild_environment(store_, run_, receipt);
    if (!made)
      return fail(
          std::move(made).error().with_help("`curupira plugins remove " + receipt.name +
                                            "`, `curupira cache prune --keep-generations 1` and `curupira "
                                            "plugins install " +
                                            printable(pinned(receipt)) + "` make it anew"));
    return put_in_place(*made, store_.environment(receipt.content.digest));
  }

  /// The damaged one is in the staging folder then, and goes with it.
  Result<> put_in_place(const fs::path& made, const fs::path& place) {
    CURUPIRA_TRY(const auto status, tools_.files.status(place));
    CURUPIRA_CHECK(tools_.files.set_mode(made, 0755));  // a folder that moves has to be writable
    if (!status) {
      CURUPIRA_CHECK(tools_.files.rename(made, place));
    } else {
      if (status->type == FileType::directory) CURUPIRA_CHECK(tools_.files.set_mode(place, 0755));
      if (!tools_.files.exchange(made, place)) {
        // A file system without exchange: for a moment nothing is there.
        CURUPIRA_CHECK(tools_.files.rename(place, made.string() + ".damaged"));
        CURUPIRA_CHECK(tools_.files.rename(made, place));
      }
    }
    CURUPIRA_CHECK(tools_.files.set_mode(place, 0555));
    return tools_.files.sync_folder(place.parent_path());
  }

  const InstallerTools& tools_;
  AnyAge as_locked_;
  const Store& store_;
  const InstallRun& run_;
  Diagnostics& diagnostics_;
  Repair& repair_;
  std::set<std::string> taken_;
};

/// The receipts of the extensions that something is wrong with: what was committed, else what is there.
std::vector<manifest::Receipt> receipts_of(const InstallerTools& tools, const Verification& found,
                                           const std::optional<Generation>& last) {
  std::set<std::string> names;
  for (const auto& finding : found.findings)
    names.insert(finding.extensions.begin(), finding.extensions.end());
  std::vector<manifest::Receipt> receipts;
  for (const auto& name : names) {
    const bool committed = last && last->find(name) != nullptr;
    const auto folder =
        committed ? kept_extension(tools.home, last->number, name) : tools.home.extensions() / name;
    const auto text = tools.files.read_file(folder / manifest::receipt_file_name, max_receipt_bytes);
    if (!text) continue;
    if (auto receipt = manifest::parse_receipt(*text)) receipts.push_back(std::move(*receipt));
  }
  return receipts;
}

}  // namespace

Result<Repair> repair_extensions(const InstallerTools& tools, const std::vector<std::string>& names,
                                 Diagnostics& diagnostics, InstallObserver& observer) {
  CURUPIRA_TRY(const HomeSession session, HomeSession::open(tools.home, tools.files, observer));
  Repair repair;
  CURUPIRA_TRY(repair.before, verify_extensions_locked(tools.home, tools.files, names));
  if (repair.before.findings.empty()) {
    repair.after = repair.before;
    return repair;
  }
  CURUPIRA_TRY(const auto numbers, generation_numbers(tools.files, tools.home));
  std::optional<Generation> last;
  if (!numbers.empty())
    if (auto generation = read_generation(tools.files, tools.home, numbers.back()))
      last = std::move(*generation);

  // A store of its own in the staging folder: what is made there is not there yet.
  const Store store(tools.home, tools.files);
  const HomeLayout aside{.root = session.staging() / "aside"};
  const Store aside_store(aside, tools.files);
  StoreSession aside_session(aside_store);
  CURUPIRA_CHECK(aside_session.prepare());
  const auto work = session.staging() / "work";
  CURUPIRA_CHECK(tools.files.create_folders(work));
  const InstallRun run{.store = aside_store,
                       .session = aside_session,
                       .files = tools.files,
                       .staging = work,
                       .observer = observer};
  Workshop workshop(tools, store, run, diagnostics, repair);
  CURUPIRA_CHECK(workshop.mend(receipts_of(tools, repair.before, last), last));
  CURUPIRA_TRY(repair.after, verify_extensions_locked(tools.home, tools.files, names));
  return repair;
}

}  // namespace curupira::installer
