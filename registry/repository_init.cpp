#include "registry/repository_init.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/browse_page.h"
#include "registry/repository_roles.h"
#include "registry/revision.h"
#include "registry/target_files.h"
#include "tuf/client.h"
#include "tuf/delegation_match.h"
#include "tuf/metadata_writer.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

constexpr int max_root_keys = 50;

/// The registry as it is being made.
class Init {
 public:
  Init(const RepositoryTools& tools, const RepositoryPlace& place, const InitRequest& request)
      : tools_(tools),
        place_(place),
        request_(request),
        folder_(tools.files, place.folder),
        now_(std::chrono::floor<std::chrono::seconds>(tools.clock.now())) {}

  Result<InitOutcome> run() {
    CURUPIRA_TRY(const RepositoryLock lock, lock_folder());
    CURUPIRA_CHECK(make_keys());
    // What is there was never seen by a client, and may be of other keys.
    CURUPIRA_CHECK(tools_.files.remove_tree(folder_.metadata()));
    CURUPIRA_CHECK(folder_.tidy());
    CURUPIRA_CHECK(folder_.create());
    CURUPIRA_CHECK(add("root", tuf::content_of(root()), {.key_ids = root_ids_, .threshold = threshold()}, 1));
    CURUPIRA_CHECK(add_targets());
    const tuf::RoleKeys online{.key_ids = {online_}};
    CURUPIRA_CHECK(add("snapshot", tuf::content_of(snapshot_), online, 1));
    const std::string& snapshot = metadata_.back().second;
    tuf::Timestamp timestamp{.common = common("timestamp")};
    timestamp.snapshot = {
        .version = 1,
        .length = snapshot.size(),
        .hashes = tuf::Hashes{{"sha256", digest_of(DigestAlgorithm::sha256, snapshot).hex()}}};
    CURUPIRA_TRY(const std::string last,
                 sign_metadata(tools_.keys, tuf::content_of(timestamp), "timestamp", {&online}));
    CURUPIRA_CHECK(tuf::pin_root(tools_.files, place_.keys / "trust", metadata_.front().second));
    CURUPIRA_CHECK(folder_.write_metadata(metadata_));
    CURUPIRA_CHECK(folder_.write_timestamp(last));
    keep_browse_page(folder_, tools_.diagnostics);
    CURUPIRA_TRY(outcome_.fingerprint, root_fingerprint(folder_));
    return std::move(outcome_);
  }

 private:
  std::int64_t threshold() const { return request_.root_threshold; }

  Result<RepositoryLock> lock_folder() {
    if (request_.root_threshold < 1 || request_.root_keys < request_.root_threshold ||
        request_.root_keys > max_root_keys)
      return fail(ErrorCode::registry_threshold,
                  std::to_string(request_.root_threshold) + " of " + std::to_string(request_.root_keys) +
                      " root keys; at most there are " + std::to_string(max_root_keys));
    CURUPIRA_CHECK(check_free(tools_.files, folder_));
    CURUPIRA_CHECK(tools_.files.create_folders(folder_.path()));
    return RepositoryLock::take(folder_, {.who = "registry init"});
  }

  Result<> make_keys() {
    CURUPIRA_TRY(const auto there, tools_.files.status(place_.keys));
    CURUPIRA_CHECK(tools_.files.create_folders(place_.keys / "trust"));
    if (!there) CURUPIRA_CHECK(tools_.files.set_mode(place_.keys, 0700));
    for (int i = 1; i <= request_.root_keys; ++i) {
      CURUPIRA_TRY(std::string id, key("root-" + std::to_string(i)));
      root_ids_.push_back(std::move(id));
    }
    CURUPIRA_TRY(targets_, key("targets"));
    CURUPIRA_TRY(online_, key("online"));
    return {};
  }

  /// The id of the key of this name; made when there is none.
  Result<std::string> key(const std::string& name) {
    const fs::path file = place_.keys / (name + ".pem");
    CURUPIRA_TRY(const auto there, tools_.files.status(file));
    if (!there) outcome_.keys_made.push_back(file);
    CURUPIRA_TRY(tuf::Key key, there ? tools_.keys.use_file(file) : tools_.keys.make(file));
    std::string id = key.id();
    keys_.insert_or_assign(id, std::move(key));
    return id;
  }

  tuf::Common common(std::string_view role) const { return {.expires = now_ + Lifetimes().of(role)}; }

  tuf::KeyTable table(const std::string& id) const { return {{id, keys_.find(id)->second}}; }

  tuf::Root root() const {
    tuf::Root root{.common = common("root"), .consistent_snapshot = true, .keys = keys_};
    root.roles["root"] = {.key_ids = root_ids_, .threshold = threshold()};
    root.roles["targets"] = {.key_ids = {targets_}};
    root.roles["snapshot"] = root.roles["timestamp"] = {.key_ids = {online_}};
    return root;
  }

  Result<> add(const std::string& role, json::Object content, const tuf::RoleKeys& keys,
               std::int64_t version) {
    CURUPIRA_TRY(std::string bytes, sign_metadata(tools_.keys, std::move(content), role, {&keys}));
    metadata_.emplace_back(tuf::metadata_file_name(role, version), std::move(bytes));
    if (role != tuf::root_role && role != tuf::snapshot_role)
      snapshot_.meta[tuf::listed_file_name(role)] = {.version = version};
    return {};
  }

  Result<> add_targets() {
    snapshot_.common = common("snapshot");
    const tuf::RoleKeys offline{.key_ids = {targets_}};
    const tuf::RoleKeys online{.key_ids = {online_}};
    tuf::Targets top{.common = common("targets")};
    top.delegations = tuf::Delegations{.keys = table(online_)};
    top.delegations->keys.insert(*keys_.find(targets_));
    top.delegations->roles = std::vector<tuf::DelegatedRole>{
        {.name = std::string(search_role), .keys = online, .terminating = true, .paths = {{"search/*"}}},
        {.name = std::string(bins_role),
         .keys = offline,
         .terminating = true,
         .paths = {{"packages/*", "packages/*/*"}}}};
    CURUPIRA_CHECK(add("targets", tuf::content_of(top), offline, 1));

    tuf::Targets bins{.common = common(bins_role)};
    bins.delegations = tuf::Delegations{.keys = table(online_)};
    bins.delegations->succinct_roles = tuf::SuccinctRoles{
        .keys = online, .bit_length = request_.bin_bits, .name_prefix = std::string(bins_role)};
    CURUPIRA_CHECK(add(std::string(bins_role), tuf::content_of(bins), offline, 1));
    for (std::uint32_t bin = 0; bin < 1u << request_.bin_bits; ++bin) {
      const std::string name = tuf::bin_name(*bins.delegations->succinct_roles, bin);
      CURUPIRA_CHECK(add(name, tuf::content_of(tuf::Targets{.common = common(name)}), online, 1));
    }
    return add_search(online);
  }

  Result<> add_search(const tuf::RoleKeys& online) {
    SearchIndex index;
    for (const auto& [name, file] : snapshot_.meta)
      if (name.starts_with(std::string(bins_role) + "-"))
        index.roles.emplace(name.substr(0, name.size() - std::string_view(".json").size()), file.version);
    tuf::Targets search{.common = common(search_role)};
    CURUPIRA_TRY(const NewTarget target, new_search_index(index));
    CURUPIRA_CHECK(folder_.put(target.upload));
    search.targets.emplace(target.target, target.file);
    return add(std::string(search_role), tuf::content_of(search), online, 1);
  }

  const RepositoryTools& tools_;
  const RepositoryPlace& place_;
  const InitRequest& request_;
  RepositoryFolder folder_;
  std::chrono::sys_seconds now_;
  InitOutcome outcome_;
  tuf::KeyTable keys_;
  std::vector<std::string> root_ids_;
  std::string targets_;
  std::string online_;
  tuf::Snapshot snapshot_;
  std::vector<RepositoryFolder::NamedBytes> metadata_;
};

}  // namespace

Result<> check_free(FileSystem& files, const RepositoryFolder& folder) {
  const auto names = files.list(folder.path());
  if (!names && names.error().code() == ErrorCode::file_not_found) return {};
  if (!names) return fail(names.error());
  CURUPIRA_TRY(const bool finished, folder.has_metadata(tuf::metadata_file_name(tuf::timestamp_role)));
  const std::string shown = printable(folder.path().string());
  if (finished) return fail(ErrorCode::registry_exists, shown + " is a registry");
  const auto is_ours = [](const std::string& name) {
    return name == "metadata" || name == "metadata-pending" || name == "targets" || name == "index.html" ||
           name == ".staging" || name == ".lock" || name == ".lock-holder";
  };
  const auto other = std::ranges::find_if_not(*names, is_ours);
  if (other == names->end()) return {};
  return fail(ErrorCode::registry_exists, shown + " has " + printable(*other));
}

Result<InitOutcome> init_repository(const RepositoryTools& tools, const RepositoryPlace& place,
                                    const InitRequest& request) {
  if (request.bin_bits < 1 || request.bin_bits > max_bin_bits)
    return fail(ErrorCode::usage, "--bits is 1 to " + std::to_string(max_bin_bits));
  return Init(tools, place, request).run();
}

}  // namespace curupira::registry
