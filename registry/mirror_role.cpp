#include "registry/mirror_role.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/local_file.h"
#include "registry/repository_roles.h"
#include "registry/target_files.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t any_size = std::uint64_t{1} << 40;

fs::path waiting_folder(const RepositoryFolder& folder) {
  return folder.path() / ".mirror";
}

fs::path waiting_page(const RepositoryFolder& folder, const MirrorFile& page) {
  return waiting_folder(folder) / page.sha256.hex();
}

/// Nothing when the registry is no mirror.
Result<std::optional<TargetsRole>> role_of(Repository& repository) {
  auto role = repository.delegated_role(mirror_role);
  if (role) return std::optional(*std::move(role));
  if (role.error().code() == ErrorCode::registry_role) return std::nullopt;
  return fail(std::move(role).error());
}

/// The role as it will be: signed by the key that signs everything that changes daily.
Result<TargetsRole> new_role(Repository& repository) {
  CURUPIRA_TRY(TargetsRole role, repository.delegated_role(search_role));
  role.name = mirror_role;
  return role;
}

Result<> delegate_to(Repository& repository, const TargetsRole& role, Revision& revision) {
  CURUPIRA_TRY(const tuf::Targets* const present, repository.targets());
  tuf::Targets top = *present;
  auto& roles = *top.delegations->roles;
  const auto search = std::ranges::find(roles, search_role, &tuf::DelegatedRole::name);
  roles.insert(search, {.name = role.name,
                        .keys = role.keys,
                        .terminating = true,
                        .paths = {{std::string(mirror_role) + "/*"}}});
  revision.put(repository.top_role(), std::move(top));
  return {};
}

/// The last index stays for those who are reading it.
Result<> remove_old_indexes(RepositoryFolder& folder, const std::string& now, const std::string& before) {
  const fs::path indexes = folder.targets() / mirror_role;
  CURUPIRA_TRY(const auto names, folder.files().list(indexes));
  for (const std::string& name : names)
    if (name != now && name != before) CURUPIRA_CHECK(folder.files().remove_file(indexes / name));
  return {};
}

/// "<sha256>.index.json" of what the role's metadata names.
Result<std::string> index_file_name(const tuf::Targets& content) {
  const auto file = content.targets.find(std::string(mirror_target));
  if (file == content.targets.end()) return std::string();
  const auto sha256 = file->second.hashes.find("sha256");
  return sha256 == file->second.hashes.end() ? std::string() : sha256->second + ".index.json";
}

Result<> check_bytes(const fs::path& path, const MirrorFile& file) {
  const std::string shown = printable(file.path);
  CURUPIRA_TRY(const LocalFile measured, measure_local_file(path, any_size));
  if (measured.size != file.size)
    return fail(ErrorCode::registry_damaged, shown + " has " + std::to_string(measured.size) +
                                                 " bytes, promised are " + std::to_string(file.size));
  if (measured.sha256 == file.sha256) return {};
  return fail(ErrorCode::digest_mismatch, shown + " has the sha256 " + measured.sha256.hex());
}

/// Files of the folder and below that have the name of a page, as paths below the registry's folder.
Result<> find_pages(const RepositoryFolder& folder, const std::string& path,
                    std::vector<std::string>& found) {
  auto names = folder.files().list(folder.path() / path);
  if (!names && names.error().code() == ErrorCode::file_not_found) return {};
  if (!names) return fail(std::move(names).error());
  for (const std::string& name : *names) {
    const std::string below = path + "/" + name;
    CURUPIRA_TRY(const auto status, folder.files().status(folder.path() / below));
    if (status && status->type == FileType::directory)
      CURUPIRA_CHECK(find_pages(folder, below, found));
    else if (name == "index.html" || name == "index.json")
      found.push_back(below);
  }
  return {};
}

}  // namespace

Result<MirrorIndex> read_mirror(Repository& repository) {
  CURUPIRA_TRY(const auto role, role_of(repository));
  if (!role) return MirrorIndex{};
  CURUPIRA_TRY(const auto content, repository.read_published(*role));
  if (!content) return MirrorIndex{};
  const std::string target(mirror_target);
  const auto file = content->targets.find(target);
  if (file == content->targets.end()) return MirrorIndex{};
  CURUPIRA_TRY(const std::string text,
               read_vouched_target(repository.folder(), target, file->second, max_mirror_index_bytes));
  return parse_mirror_index(text);
}

Result<> check_mirror_keys(Repository& repository) {
  CURUPIRA_TRY(const auto role, role_of(repository));
  CURUPIRA_TRY(const TargetsRole online, new_role(repository));
  const auto check = [&](const TargetsRole& each) -> Result<> {
    if (repository.tools().keys.can_sign(each.keys)) return {};
    return fail(ErrorCode::registry_key_missing, describe_keys(each.name, each.keys));
  };
  CURUPIRA_CHECK(check(role ? *role : online));
  if (!role) CURUPIRA_CHECK(check(repository.top_role()));
  return check({.name = std::string(tuf::timestamp_role),
                .keys = repository.root().role(tuf::timestamp_role),
                .table = {}});
}

Result<RevisionOutcome> publish_mirror(Repository& repository, MirrorIndex index,
                                       std::span<const MirrorPage> pages) {
  RepositoryFolder& folder = repository.folder();
  CURUPIRA_CHECK(folder.files().create_folders(waiting_folder(folder)));
  for (const MirrorPage& page : pages) {
    MirrorFile file{.path = page.path,
                    .package = page.package,
                    .sha256 = digest_of(DigestAlgorithm::sha256, page.bytes),
                    .size = page.bytes.size()};
    CURUPIRA_CHECK(write_file_atomically(folder.files(), waiting_page(folder, file), page.bytes));
    index.files.insert_or_assign(page.path, std::move(file));
  }
  CURUPIRA_TRY(auto role, role_of(repository));
  Revision revision(repository);
  tuf::Targets content;
  std::string before;
  if (role) {
    CURUPIRA_TRY(auto published, repository.read_published(*role));
    if (published) content = *std::move(published);
    CURUPIRA_TRY(before, index_file_name(content));
  } else {
    CURUPIRA_TRY(role, new_role(repository));
    CURUPIRA_CHECK(delegate_to(repository, *role, revision));
  }
  CURUPIRA_TRY(const NewTarget target, new_mirror_index(index));
  content.targets = {{target.target, target.file}};
  revision.upload(target.upload);
  CURUPIRA_TRY(const std::string now, index_file_name(content));
  revision.put(*role, std::move(content));
  CURUPIRA_TRY(RevisionOutcome outcome, revision.commit());
  CURUPIRA_CHECK(finish_pages(folder, index));
  CURUPIRA_CHECK(remove_old_indexes(folder, now, before));
  return outcome;
}

Result<> finish_pages(RepositoryFolder& folder, const MirrorIndex& index) {
  FileSystem& files = folder.files();
  const fs::path waiting = waiting_folder(folder);
  CURUPIRA_TRY(const auto there, files.status(waiting));
  if (!there) return {};
  for (const auto& [path, file] : index.files) {
    if (file.kind != MirrorFile::Kind::page) continue;
    const fs::path page = waiting_page(folder, file);
    CURUPIRA_TRY(const auto status, files.status(page));
    if (!status || !check_bytes(page, file)) continue;
    // A copy: two pages of the same bytes wait under one name.
    CURUPIRA_CHECK(folder.put_beside({.path = path, .sha256 = file.sha256, .source = page}));
  }
  return files.remove_tree(waiting);
}

Result<std::vector<std::string>> unsigned_pages(const RepositoryFolder& folder, const MirrorIndex& index) {
  std::vector<std::string> found;
  for (const char* const top : {"npm", "simple"})
    CURUPIRA_CHECK(find_pages(folder, top, found));
  std::erase_if(found, [&](const std::string& path) { return index.find(path) != nullptr; });
  std::ranges::sort(found);
  return found;
}

Result<> check_mirror_file(const RepositoryFolder& folder, const MirrorFile& file) {
  const fs::path path = folder.path() / file.path;
  CURUPIRA_TRY(const auto status, folder.files().status(path));
  const bool right = status && status->type == FileType::regular && check_bytes(path, file);
  if (right) return {};
  if (file.kind == MirrorFile::Kind::page && check_bytes(waiting_page(folder, file), file)) return {};
  const std::string shown = printable(file.path);
  if (!status) return fail(ErrorCode::registry_damaged, shown + " is not there");
  if (status->type != FileType::regular)
    return fail(ErrorCode::registry_damaged, shown + " is not a regular file");
  return check_bytes(path, file);
}

}  // namespace curupira::registry
