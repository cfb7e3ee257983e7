#include "registry/repository_prune.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>

#include "base/printable.h"
#include "registry/target_files.h"
#include "tuf/metadata_parser.h"
#include "tuf/target_info.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

constexpr tuf::Limits limits{};
constexpr std::size_t sha256_digits = 64;

/// The version of "7.snapshot.json"; nothing for names of another form.
std::optional<std::int64_t> version_of(const std::string& name) {
  std::int64_t version = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), version);
  const bool fits = error == std::errc{} && version > 0 && *end == '.' && name.ends_with(".json");
  return fits ? std::optional(version) : std::nullopt;
}

bool has_digest(const std::string& name) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return name.size() > sha256_digits && name[sha256_digits] == '.' &&
         std::ranges::all_of(name.substr(0, sha256_digits), is_hex);
}

/// Finds what is needed, and then takes away the rest.
class Prune {
 public:
  Prune(Repository& repository, const PruneRequest& request)
      : repository_(repository),
        request_(request),
        oldest_kept_(repository.tools().clock.now() - request.keep) {}

  Result<PruneOutcome> run() {
    CURUPIRA_TRY(names_, files().list(folder().metadata()));
    std::ranges::sort(names_);
    CURUPIRA_CHECK(need_present());
    CURUPIRA_CHECK(need_recent());
    CURUPIRA_CHECK(need_pending());
    CURUPIRA_CHECK(take_metadata());
    for (const fs::path& below : {fs::path("packages"), fs::path("artifacts"), fs::path("search")})
      CURUPIRA_CHECK(take_targets("targets" / below));
    return std::move(outcome_);
  }

 private:
  RepositoryFolder& folder() { return repository_.folder(); }
  FileSystem& files() { return repository_.folder().files(); }

  Result<> need_present() {
    needed_.insert("metadata/" + tuf::metadata_file_name(tuf::timestamp_role));
    if (auto needed = need_snapshot(repository_.timestamp().snapshot.version); !needed)
      return fail(
          Error(ErrorCode::registry_damaged, needed.error().detail())
              .with_help("`curupira registry verify DIR` names all that is wrong; nothing was removed"));
    return {};
  }

  /// Snapshots that somebody may still work with. One that cannot be read is of no use to anybody.
  Result<> need_recent() {
    std::map<std::int64_t, std::string> snapshots;
    for (const std::string& name : names_)
      if (const auto version = version_of(name);
          version && name == tuf::metadata_file_name("snapshot", *version))
        snapshots.emplace(*version, name);
    for (auto each = snapshots.begin(); each != snapshots.end(); ++each) {
      const auto next = std::next(each);
      if (next == snapshots.end()) break;
      CURUPIRA_TRY(const bool old, is_old(folder().metadata() / next->second));
      if (!old) static_cast<void>(need_snapshot(each->first));
    }
    return {};
  }

  Result<> need_pending() {
    CURUPIRA_TRY(const auto waiting, pending_files(folder()));
    for (const PendingFile& file : waiting) {
      const auto text = folder().read_pending(file.name, limits.max_targets_bytes);
      if (text && *text) static_cast<void>(need_targets(**text));
    }
    return {};
  }

  Result<std::string> read(const std::string& name, std::uint64_t max_bytes) {
    CURUPIRA_TRY(auto text, folder().read_metadata(name, max_bytes));
    if (!text) return fail(ErrorCode::tuf_metadata_missing, printable(name) + " is not there");
    return *std::move(text);
  }

  Result<> need_snapshot(std::int64_t version) {
    const std::string name = tuf::metadata_file_name(tuf::snapshot_role, version);
    CURUPIRA_TRY(const std::string text, read(name, limits.max_snapshot_bytes));
    CURUPIRA_TRY(const tuf::Document document, tuf::parse_document(text, limits));
    CURUPIRA_TRY(const tuf::Snapshot snapshot, tuf::read_snapshot(document.content));
    needed_.insert("metadata/" + name);
    // Clients follow the delegations: what is listed and not delegated any more has to stay, its packages
    // need not.
    for (const auto& [listed, file] : snapshot.meta)
      needed_.insert("metadata/" + tuf::metadata_file_name(role_of(listed), file.version));
    CURUPIRA_TRY(const auto top, need_role(snapshot, tuf::targets_role));
    if (!top.delegations || !top.delegations->roles) return {};
    for (const tuf::DelegatedRole& role : *top.delegations->roles) {
      CURUPIRA_TRY(const auto content, need_role(snapshot, role.name));
      if (!content.delegations || !content.delegations->succinct_roles) continue;
      const tuf::SuccinctRoles& bins = *content.delegations->succinct_roles;
      for (const auto& [listed, file] : snapshot.meta)
        if (listed.starts_with(bins.name_prefix + "-")) CURUPIRA_CHECK(need_role(snapshot, role_of(listed)));
    }
    return {};
  }

  static std::string role_of(const std::string& listed) {
    return listed.substr(0, listed.size() - std::string_view(".json").size());
  }

  Result<tuf::Targets> need_role(const tuf::Snapshot& snapshot, std::string_view role) {
    const tuf::MetaFile* const announced = snapshot.find(role);
    if (announced == nullptr) return tuf::Targets{};  // a publisher without packages
    const std::string name = tuf::metadata_file_name(role, announced->version);
    if (const auto known = delegations_.find(name); known != delegations_.end()) return known->second;
    CURUPIRA_TRY(const std::string text, read(name, limits.max_targets_bytes));
    CURUPIRA_TRY(tuf::Targets content, need_targets(text));
    content.targets.clear();
    return delegations_.emplace(name, std::move(content)).first->second;
  }

  Result<tuf::Targets> need_targets(const std::string& text) {
    CURUPIRA_TRY(const tuf::Document document, tuf::parse_document(text, limits));
    CURUPIRA_TRY(tuf::Targets content, tuf::read_targets(document.content));
    for (const auto& [target, file] : content.targets) {
      CURUPIRA_TRY(const auto name, tuf::TargetName::parse(target));
      CURUPIRA_TRY(const auto info, tuf::target_info(name, file, {}, true));
      const auto package = PackageName::of_target(target);
      if (!needed_.insert("targets/" + info.path).second || !package) continue;
      CURUPIRA_TRY(const PackageIndex index, read_package_index(folder(), *package, file));
      for (const auto& [version, release] : index.versions)
        for (const IndexArtifact& artifact : release.artifacts)
          needed_.insert("targets/" + artifact.path());
    }
    return content;
  }

  Result<bool> is_old(const fs::path& path) {
    CURUPIRA_TRY(const auto status, files().status(path));
    return status && status->modified < oldest_kept_;
  }

  Result<> take_metadata() {
    for (const std::string& name : names_) {
      const auto version = version_of(name);
      const bool is_root = version && name == tuf::metadata_file_name(tuf::root_role, *version);
      if (version && !is_root) CURUPIRA_CHECK(take("metadata/" + name));
    }
    return {};
  }

  Result<> take_targets(const fs::path& below) {
    const auto names = files().list(folder().path() / below);
    if (!names && names.error().code() == ErrorCode::file_not_found) return {};
    if (!names) return fail(names.error());
    for (const std::string& name : *names) {
      CURUPIRA_TRY(const auto status, files().status(folder().path() / below / name));
      if (status && status->type == FileType::directory)
        CURUPIRA_CHECK(take_targets(below / name));
      else if (has_digest(name))
        CURUPIRA_CHECK(take((below / name).string()));
    }
    return {};
  }

  /// What a publisher is just writing, or a mirror, is not needed yet, and is new.
  Result<> take(const std::string& path) {
    if (needed_.contains(path)) return {};
    const fs::path file = folder().path() / path;
    CURUPIRA_TRY(const auto status, files().status(file));
    if (!status || status->type != FileType::regular || status->modified >= oldest_kept_) return {};
    if (!request_.dry_run) CURUPIRA_CHECK(files().remove_file(file));
    outcome_.removed.push_back(path);
    outcome_.bytes += status->size;
    return {};
  }

  Repository& repository_;
  const PruneRequest& request_;
  std::chrono::system_clock::time_point oldest_kept_;
  std::vector<std::string> names_;
  std::set<std::string, std::less<>> needed_;                     // paths below the folder
  std::map<std::string, tuf::Targets, std::less<>> delegations_;  // of files that were read, by their names
  PruneOutcome outcome_;
};

}  // namespace

Result<PruneOutcome> prune(Repository& repository, const PruneRequest& request) {
  return Prune(repository, request).run();
}

}  // namespace curupira::registry
