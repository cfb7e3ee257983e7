#include "installer/rollback.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/digest.h"
#include "base/printable.h"
#include "installer/commit.h"
#include "installer/garbage.h"
#include "installer/home_session.h"
#include "installer/limits.h"
#include "installer/store.h"
#include "manifest/manifest.h"
#include "manifest/receipt.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

/// Brings one state back.
class Return {
 public:
  Return(const HomeLayout& home, FileSystem& files, const std::filesystem::path& staging,
         const Generation& target)
      : home_(home), files_(files), store_(home, files), staging_(staging), target_(target) {}

  /// Extensions that are different now are staged; those that came since go.
  Result<> add_extensions(Changes& changes, std::vector<GenerationChange>& shown) {
    CURUPIRA_TRY(const auto installed, installed_names());
    for (const auto& extension : target_.extensions) {
      CURUPIRA_TRY(auto change, stage(extension));
      if (!change) continue;
      changes.staged.push_back(extension.name);
      shown.push_back(std::move(*change));
    }
    for (const auto& name : installed) {
      if (target_.find(name) != nullptr) continue;
      changes.removed.push_back(name);
      shown.push_back({name, version_of(home_.extensions() / name), {}});
    }
    return {};
  }

  /// The files as they were when the target was the last generation: as it left them, else as the first
  /// command after it that changed them found them.
  Result<> add_files(Changes& changes, const std::vector<Generation>& generations) {
    std::set<std::filesystem::path> done;
    for (const auto& generation : generations) {
      if (generation.number < target_.number) continue;
      for (std::size_t i = 0; i < generation.files.size(); ++i) {
        const auto& path = generation.files[i].path;
        if (!done.insert(path).second) continue;
        CURUPIRA_TRY(auto wanted,
                     generation_file(files_, home_, generation, i, generation.number == target_.number));
        // A project that is not there any more has no lock file to go back.
        CURUPIRA_TRY(const auto folder, files_.status(path.parent_path()));
        if (!folder) continue;
        CURUPIRA_TRY(auto current, read_if_there(path));
        if (current != wanted) changes.files.push_back({path, std::move(current), std::move(wanted)});
      }
    }
    return {};
  }

 private:
  Result<std::optional<std::string>> read_if_there(const std::filesystem::path& path) const {
    auto text = files_.read_file(path, max_receipt_bytes);
    if (text) return std::optional(std::move(*text));
    if (text.error().code() == ErrorCode::file_not_found) return std::optional<std::string>();
    return fail(std::move(text).error());
  }

  /// Of this program: those with a receipt.
  Result<std::vector<std::string>> installed_names() const {
    std::vector<std::string> managed;
    const auto names = files_.list(home_.extensions());
    if (!names) {
      if (names.error().code() == ErrorCode::file_not_found) return managed;
      return fail(names.error());
    }
    for (const auto& name : *names) {
      CURUPIRA_TRY(const auto status, files_.status(home_.extensions() / name / manifest::receipt_file_name));
      if (status && manifest::is_readable_extension_name(name)) managed.push_back(name);
    }
    return managed;
  }

  std::string version_of(const std::filesystem::path& folder) const {
    const auto text = files_.read_file(folder / manifest::receipt_file_name, max_receipt_bytes);
    const auto receipt =
        text ? manifest::parse_receipt(*text) : Result<manifest::Receipt>(fail(text.error()));
    return receipt ? receipt->version : std::string("?");
  }

  Result<std::string> kept_file(const GenerationExtension& extension, std::string_view name,
                                const std::string& sha256) const {
    const auto file = kept_extension(home_, target_.number, extension.name) / name;
    const auto text = files_.read_file(file, max_receipt_bytes);
    if (!text) return fail(ErrorCode::generation_unreadable, text.error().summary());
    const std::string found = digest_of(DigestAlgorithm::sha256, *text).hex();
    if (found != sha256)
      return fail(ErrorCode::generation_unreadable, printable(file.string()) +
                                                        " was changed\nexpected sha256 " + printable(sha256) +
                                                        "  found " + found);
    return *text;
  }

  /// What starts has to be there; that all of it is whole is what `verify` tells.
  Result<> check_content(const manifest::Receipt& receipt) const {
    std::string missing;
    const bool tree = receipt.content.kind == manifest::ReceiptContent::Kind::tree;
    CURUPIRA_TRY(const bool there, tree ? store_.has_tree(receipt.content.digest)
                                        : store_.has_environment(receipt.content.digest));
    if (there) return {};
    const auto path = tree ? store_.tree(receipt.content.digest) : store_.environment(receipt.content.digest);
    const auto parsed = registry::parse_reference(receipt.reference);
    const std::string reference =
        parsed ? registry::to_string(registry::pinned(*parsed, receipt.version)) : receipt.reference;
    return fail(Error(ErrorCode::object_missing, printable(path.string()) + ", which " + receipt.name + " " +
                                                     printable(receipt.version) + " needs")
                    .with_help("`curupira plugins install " + printable(reference) +
                               "` brings it; nothing was changed"));
  }

  Result<std::optional<GenerationChange>> stage(const GenerationExtension& extension) {
    CURUPIRA_TRY(const std::string manifest_text,
                 kept_file(extension, manifest::manifest_file_name, extension.manifest_sha256));
    CURUPIRA_TRY(const std::string receipt_text,
                 kept_file(extension, manifest::receipt_file_name, extension.receipt_sha256));
    CURUPIRA_TRY(const manifest::Receipt receipt, manifest::parse_receipt(receipt_text));
    const auto place = home_.extensions() / extension.name;
    CURUPIRA_TRY(const auto status, files_.status(place));
    GenerationChange change{extension.name, {}, extension.version};
    if (status) {
      CURUPIRA_TRY(const auto current_receipt, read_if_there(place / manifest::receipt_file_name));
      CURUPIRA_TRY(const auto current_manifest, read_if_there(place / manifest::manifest_file_name));
      if (!current_receipt)
        return fail(ErrorCode::name_taken,
                    printable(place.string()) + " is there, and is no extension of this program");
      if (current_receipt == receipt_text && current_manifest == manifest_text)
        return std::optional<GenerationChange>();
      change.from = version_of(place);
    }
    CURUPIRA_CHECK(check_content(receipt));
    const auto folder = staging_ / extension.name;
    CURUPIRA_CHECK(files_.create_folders(folder));
    CURUPIRA_CHECK(write_file_atomically(files_, folder / manifest::manifest_file_name, manifest_text));
    CURUPIRA_CHECK(write_file_atomically(files_, folder / manifest::receipt_file_name, receipt_text));
    CURUPIRA_CHECK(files_.set_mode(folder, 0755));
    return std::optional(std::move(change));
  }

  const HomeLayout& home_;
  FileSystem& files_;
  Store store_;
  const std::filesystem::path& staging_;
  const Generation& target_;
};

std::string known_numbers(const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return "none is kept yet";
  if (numbers.size() == 1) return "only " + std::to_string(numbers.front()) + " is kept, which is installed";
  return "kept are " + std::to_string(numbers.front()) + " to " + std::to_string(numbers.back());
}

}  // namespace

Result<Rollback> roll_back(const HomeLayout& home, FileSystem& files, std::optional<std::uint64_t> number,
                           InstallObserver& observer) {
  CURUPIRA_TRY(HomeSession session, HomeSession::open(home, files, observer));
  CURUPIRA_TRY(const auto numbers, generation_numbers(files, home));
  if (!number && numbers.size() > 1) number = numbers[numbers.size() - 2];
  if (!number || std::find(numbers.begin(), numbers.end(), *number) == numbers.end())
    return fail(
        ErrorCode::generation_missing,
        (number ? "generation " + std::to_string(*number) + "; " : std::string()) + known_numbers(numbers));
  CURUPIRA_TRY(const Generation target, read_generation(files, home, *number));
  CURUPIRA_TRY(const auto generations, read_generations(files, home));

  Rollback result{.from = numbers.back(), .to = *number, .recorded = {}, .changes = {}, .files = {}};
  Changes changes{.command = "rollback to " + std::to_string(*number)};
  Return back(home, files, session.staging(), target);
  CURUPIRA_CHECK(back.add_extensions(changes, result.changes));
  CURUPIRA_CHECK(back.add_files(changes, generations));
  for (const auto& file : changes.files)
    result.files.push_back(file.path);
  if (changes.staged.empty() && changes.removed.empty() && changes.files.empty()) return result;

  auto committed = commit_changes(files, home, session.staging(), changes);
  if (!committed) {
    if (committed.error().pending) session.leave_staging();
    return fail(std::move(committed).error().error);
  }
  result.recorded = numbers.back() + 1;
  for (const auto& change : result.changes)
    if (!change.to.empty()) observer.committed(change.name, change.to);
  static_cast<void>(collect_garbage(Store(home, files)));
  return result;
}

}  // namespace curupira::installer
