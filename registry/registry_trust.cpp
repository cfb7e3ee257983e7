#include "registry/registry_trust.h"

#include "base/printable.h"
#include "base/timestamp.h"
#include "base/url.h"
#include "manifest/registry_settings.h"
#include "registry/carrier_fetcher.h"
#include "tuf/client.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_root_file = "first-root";
constexpr std::string_view last_update_file = "last-update";
constexpr std::string_view targets_folder = "targets";
constexpr std::string_view staged_prefix = ".new-";
/// Longer than a command works on it.
constexpr std::chrono::hours staged_for{24};
constexpr std::uint64_t max_note_bytes = 100;
constexpr std::size_t max_file_name_bytes = 240;

/// The first line of a small file of ours.
std::optional<std::string> note(const FileSystem& files, const fs::path& file) {
  auto text = files.read_file(file, max_note_bytes);
  return text ? std::optional(text->substr(0, text->find('\n'))) : std::nullopt;
}

}  // namespace

Result<FirstRoot> fetch_first_root(Carrier& carrier, const std::optional<Digest>& expected) {
  const std::string name = tuf::metadata_file_name(tuf::root_role, 1);
  while (true) {
    CURUPIRA_TRY(auto file, CarrierFetcher(carrier).fetch(name, tuf::Limits().max_root_bytes));
    if (!file)
      return fail(Error(ErrorCode::carrier_file_missing, name + " of " + carrier.name())
                      .with_help("check the registry's address: no registry is there"));
    const Digest found = digest_of(DigestAlgorithm::sha256, *file);
    if (!expected || found == *expected) return FirstRoot{.file = *std::move(file), .fingerprint = found};
    Error error(ErrorCode::root_fingerprint, "expected " + manifest::root_fingerprint_text(*expected) +
                                                 "\nfound    " + manifest::root_fingerprint_text(found));
    if (!carrier.reject_metadata(error)) return fail(std::move(error));
  }
}

void tidy_trust(FileSystem& files, const HomeLayout& home, std::chrono::system_clock::time_point now) {
  const auto names = files.list(home.trust());
  if (!names) return;
  for (const std::string& name : *names) {
    if (!name.starts_with(staged_prefix)) continue;
    const auto status = files.status(home.trust() / name);
    if (status && *status && now - (*status)->modified > staged_for)
      static_cast<void>(files.remove_tree(home.trust() / name));
  }
}

RegistryTrust::RegistryTrust(FileSystem& files, const HomeLayout& home, const std::string& name)
    : RegistryTrust(files, name, home.trust() / name) {}

Result<bool> RegistryTrust::exists() const {
  CURUPIRA_TRY(const auto status, files_.status(folder_));
  if (!status) return false;
  if (status->type == FileType::directory) return true;
  return fail(Error(ErrorCode::tuf_trust_damaged, printable(folder_.string()) + " is no folder")
                  .with_help("`curupira registry remove " + name_ + "` forgets it"));
}

Result<> RegistryTrust::establish(const FirstRoot& root,
                                  const std::function<Result<>(const RegistryTrust&)>& try_out) {
  const fs::path parent = folder_.parent_path();
  CURUPIRA_CHECK(files_.create_folders(parent));
  CURUPIRA_TRY(const fs::path staged, files_.create_temporary_folder(parent, staged_prefix));
  const RegistryTrust trial(files_, name_, staged);
  const auto establish_in = [&]() -> Result<> {
    CURUPIRA_CHECK(tuf::pin_root(files_, staged, root.file));
    CURUPIRA_CHECK(write_file_atomically(files_, staged / first_root_file,
                                         manifest::root_fingerprint_text(root.fingerprint) + "\n"));
    CURUPIRA_CHECK(try_out(trial));
    // A folder that has something in it stays: somebody else was faster.
    if (auto renamed = files_.rename(staged, folder_); !renamed) {
      CURUPIRA_TRY(const bool there, exists());
      if (!there) return renamed;
      return files_.remove_tree(staged);
    }
    return files_.sync_folder(parent);
  };
  auto established = establish_in();
  if (!established) static_cast<void>(files_.remove_tree(staged));
  return established;
}

Result<> RegistryTrust::remove() {
  CURUPIRA_TRY(const auto status, files_.status(folder_));
  if (status && status->type == FileType::symlink) return files_.remove_file(folder_);
  return files_.remove_tree(folder_);
}

std::optional<Digest> RegistryTrust::first_root() const {
  const auto text = note(files_, folder_ / first_root_file);
  return text ? manifest::parse_root_fingerprint(*text) : std::nullopt;
}

std::optional<std::chrono::sys_seconds> RegistryTrust::last_update() const {
  const auto text = note(files_, folder_ / last_update_file);
  if (!text) return std::nullopt;
  const auto time = parse_timestamp(*text);
  return time ? std::optional(*time) : std::nullopt;
}

Result<> RegistryTrust::write_last_update(std::chrono::sys_seconds time) const {
  return write_file_atomically(files_, folder_ / last_update_file, format_timestamp(time) + "\n");
}

fs::path RegistryTrust::target_file(const std::string& target) const {
  std::string name = percent_encode(target);
  if (name.size() > max_file_name_bytes) name = digest_of(DigestAlgorithm::sha256, target).hex();
  return folder_ / targets_folder / name;
}

std::optional<std::string> RegistryTrust::kept_target(const std::string& target,
                                                      std::uint64_t max_bytes) const {
  auto text = files_.read_file(target_file(target), max_bytes);
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

Result<> RegistryTrust::keep_target(const std::string& target, std::string_view bytes) const {
  CURUPIRA_CHECK(files_.create_folders(folder_ / targets_folder));
  CURUPIRA_TRY(const auto names, files_.list(folder_ / targets_folder));
  for (const std::string& name : names)
    if (name.starts_with(atomic_write_prefix))
      CURUPIRA_CHECK(files_.remove_file(folder_ / targets_folder / name));
  return write_file_atomically(files_, target_file(target), bytes);
}

Result<TrustState> RegistryTrust::state() const {
  const tuf::Limits limits;
  const tuf::TrustStore store(files_, folder_);
  CURUPIRA_TRY(const auto root, store.read(tuf::root_role, limits.max_root_bytes));
  if (!root) return fail(ErrorCode::tuf_trust_damaged, printable(folder_.string()) + " has no root.json");
  auto trusted = tuf::TrustedSet::begin(*root, {}, limits);
  if (!trusted)
    return fail(Error(ErrorCode::tuf_trust_damaged, printable((folder_ / "root.json").string()))
                    .caused_by(std::move(trusted).error()));
  TrustState state{.first_root = first_root(),
                   .root_version = trusted->root().common.version,
                   .last_update = last_update()};
  const auto timestamp = store.read(tuf::timestamp_role, limits.max_timestamp_bytes);
  if (timestamp && *timestamp && trusted->recall_timestamp(**timestamp))
    state.timestamp_expires = trusted->timestamp()->common.expires;
  return state;
}

}  // namespace curupira::registry
