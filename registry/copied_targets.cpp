#include "registry/copied_targets.h"

#include <utility>

#include "base/printable.h"
#include "registry/carrier_fetcher.h"
#include "registry/search_index.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

/// Of targets that are neither an index of a package nor the search index.
constexpr std::uint64_t max_other_bytes = std::uint64_t{4} << 30;
/// From how many artifacts on it is cheaper to read the copy's own index than to ask for each.
constexpr std::size_t worth_reading = 3;

Result<Digest> sha256_of(const tuf::TargetInfo& info) {
  for (const Digest& digest : info.digests)
    if (digest.algorithm() == DigestAlgorithm::sha256) return digest;
  return fail(ErrorCode::tuf_hash_unknown, printable(info.name.text()) + " has no sha256");
}

/// All bytes of a target that its metadata vouches for.
Result<std::string> read_target(Carrier& carrier, const tuf::TargetInfo& info, const Digest& sha256,
                                std::uint64_t max_bytes) {
  if (info.length > max_bytes)
    return fail(ErrorCode::tuf_target_swapped,
                printable(info.name.text()) + " would be larger than " + format_bytes(max_bytes));
  StringSink text(info.length);
  tuf::TargetSink check(text, info);
  CURUPIRA_CHECK(fetch_target(carrier, info.path, &sha256, info.length, check));
  CURUPIRA_CHECK(check.finish());
  return text.take();
}

}  // namespace

Result<> CopiedTargets::copy(const std::string& role, const tuf::Targets& targets,
                             const tuf::Targets* before) {
  for (const auto& [path, file] : targets.targets) {
    const tuf::TargetFile* kept = nullptr;
    if (before != nullptr) {
      const auto found = before->targets.find(path);
      if (found != before->targets.end()) kept = &found->second;
    }
    const auto package = PackageName::of_target(path);
    if (package && request_.packages) {
      if (!request_.packages->contains(package->text())) continue;
      seen_.insert(package->text());
    }
    if (kept != nullptr && kept->hashes == file.hashes && kept->length == file.length) continue;
    CURUPIRA_TRY(const auto name, tuf::TargetName::parse(path));
    CURUPIRA_TRY(const auto info, tuf::target_info(name, file, role, true));
    auto copied = package ? copy_package(*package, info, kept) : copy_other(info);
    if (!copied) return fail(std::move(copied).error().while_doing("copying " + printable(path)));
  }
  return {};
}

Result<std::string> CopiedTargets::read_index(const tuf::TargetInfo& info, bool there) {
  CURUPIRA_TRY(const Digest sha256, sha256_of(info));
  if (there) {
    auto text = read_target(to_, info, sha256, max_package_index_bytes);
    if (text) return text;
  }
  return read_target(from_, info, sha256, max_package_index_bytes);
}

std::set<Digest> CopiedTargets::artifacts_before(const PackageName& name, const tuf::TargetFile* before) {
  std::set<Digest> found;
  if (before == nullptr || to_.is_written_whole()) return found;
  const auto target = tuf::TargetName::parse(name.target());
  const auto info = target ? tuf::target_info(*target, *before, {}, true)
                           : Result<tuf::TargetInfo>(fail(ErrorCode::tuf_target_name));
  const auto sha256 = info ? sha256_of(*info) : Result<Digest>(fail(ErrorCode::tuf_hash_unknown));
  const auto text = sha256 ? read_target(to_, *info, *sha256, max_package_index_bytes)
                           : Result<std::string>(fail(sha256.error()));
  const auto index = text ? parse_package_index(*text, name) : Result<PackageIndex>(fail(text.error()));
  if (!index) return found;
  for (const auto& [version, release] : index->versions)
    for (const IndexArtifact& artifact : release.artifacts)
      found.insert(artifact.sha256);
  return found;
}

/// The index comes last: where it is, its artifacts are.
Result<> CopiedTargets::copy_package(const PackageName& name, const tuf::TargetInfo& info,
                                     const tuf::TargetFile* before) {
  CURUPIRA_TRY(const Digest sha256, sha256_of(info));
  CURUPIRA_TRY(const bool there, to_.has_target(info.path, &sha256));
  if (there) {
    ++report_.there.indexes;
    report_.there.bytes += info.length;
    if (!to_.is_written_whole()) return {};
  }
  CURUPIRA_TRY(const std::string text, read_index(info, there));
  CURUPIRA_TRY(const PackageIndex index, parse_package_index(text, name));
  std::vector<const IndexArtifact*> artifacts;
  for (const auto& [version, release] : index.versions)
    for (const IndexArtifact& artifact : release.artifacts)
      artifacts.push_back(&artifact);
  std::set<Digest> known;
  if (artifacts.size() >= worth_reading) known = artifacts_before(name, before);
  for (const IndexArtifact* const artifact : artifacts)
    if (!known.contains(artifact->sha256)) CURUPIRA_CHECK(copy_artifact(*artifact));
  if (there) return {};
  ++report_.copied.indexes;
  report_.copied.bytes += text.size();
  return put_bytes(info.path, sha256, text);
}

Result<> CopiedTargets::copy_other(const tuf::TargetInfo& info) {
  CURUPIRA_TRY(const Digest sha256, sha256_of(info));
  CURUPIRA_TRY(const bool there, to_.has_target(info.path, &sha256));
  CopyCount& count = there ? report_.there : report_.copied;
  ++count.indexes;
  count.bytes += info.length;
  if (there || request_.dry_run) return {};
  if (info.length > max_other_bytes)
    return fail(ErrorCode::tuf_target_swapped, "it would be larger than " + format_bytes(max_other_bytes));
  observer_.copying(info.path, report_.copied);
  const fs::path part = tools_.scratch / "part";
  CURUPIRA_CHECK(tools_.files.remove_file(part));
  CURUPIRA_TRY(const auto file, tools_.files.create_file(part, 0600));
  tuf::TargetSink check(*file, info);
  CURUPIRA_CHECK(fetch_target(from_, info.path, &sha256, info.length, check));
  CURUPIRA_CHECK(check.finish());
  CURUPIRA_CHECK(file->commit());
  return to_.put_target(info.path, part, sha256, info.length);
}

Result<> CopiedTargets::copy_artifact(const IndexArtifact& artifact) {
  const std::string path = artifact.path();
  CURUPIRA_TRY(const bool there, to_.has_target(path, &artifact.sha256));
  CopyCount& count = there ? report_.there : report_.copied;
  ++count.artifacts;
  count.bytes += artifact.size;
  if (there || request_.dry_run) return {};
  observer_.copying(path, report_.copied);
  const fs::path part = tools_.scratch / "part";
  CURUPIRA_CHECK(tools_.files.remove_file(part));
  CURUPIRA_TRY(const auto file, tools_.files.create_file(part, 0600));
  LimitSink limited(*file, artifact.size);
  CURUPIRA_CHECK(fetch_target(from_, path, &artifact.sha256, artifact.size, limited));
  CURUPIRA_CHECK(file->commit());
  if (limited.count() != artifact.size)
    return fail(ErrorCode::tuf_target_swapped, printable(path) + " has " + format_bytes(limited.count()) +
                                                   ", promised are " + format_bytes(artifact.size));
  return to_.put_target(path, part, artifact.sha256, artifact.size);
}

Result<> CopiedTargets::put_bytes(const std::string& path, const Digest& sha256, const std::string& bytes) {
  if (request_.dry_run) return {};
  observer_.copying(path, report_.copied);
  const fs::path part = tools_.scratch / "part";
  CURUPIRA_CHECK(write_file_atomically(tools_.files, part, bytes, 0600));
  return to_.put_target(path, part, sha256, bytes.size());
}

}  // namespace curupira::registry
