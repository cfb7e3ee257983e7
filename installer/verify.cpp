#include "installer/verify.h"

#include <algorithm>
#include <optional>

#include "base/file_lock.h"
#include "base/nearest_name.h"
#include "base/printable.h"
#include "installer/generation.h"
#include "installer/limits.h"
#include "installer/lock_check.h"
#include "installer/object_check.h"
#include "manifest/manifest.h"

namespace curupira::installer {
namespace {

using Object = Finding::Object;
using Kind = Difference::Kind;

/// Others may read meanwhile; who wants to change something waits.
Result<std::optional<FileLock>> lock_home(const HomeLayout& home, const FileSystem& files,
                                          InstallObserver& observer) {
  CURUPIRA_TRY(const auto status, files.status(home.root));
  if (!status) return std::optional<FileLock>();
  CURUPIRA_TRY(FileLock lock, FileLock::acquire(home.lock(), FileLock::Mode::shared, [&] {
                 observer.waiting_for_lock("another curupira command");
               }));
  return std::optional(std::move(lock));
}

/// One text that is kept twice: what is in extensions/ has to be what was committed.
class Committed {
 public:
  Committed(const FileSystem& files, Verification& result) : files_(files), result_(result) {}

  Result<> check(Object object, const std::string& name, const std::filesystem::path& file,
                 const std::string& sha256, const std::string& extension) {
    const auto text = files_.read_file(file, max_receipt_bytes);
    Difference difference{Kind::changed, "", "sha256 " + sha256, ""};
    if (text) {
      const std::string found = digest_of(DigestAlgorithm::sha256, *text).hex();
      if (found == sha256) return {};
      difference.found = "sha256 " + found;
    } else {
      difference.kind = text.error().code() == ErrorCode::file_not_found ? Kind::missing : Kind::unreadable;
      if (difference.kind == Kind::unreadable) difference.found = text.error().summary();
    }
    result_.findings.push_back({.object = object,
                                .name = name,
                                .path = file,
                                .difference = std::move(difference),
                                .extensions = {extension}});
    return {};
  }

  Result<> check(const std::filesystem::path& folder, const GenerationExtension& extension,
                 Object manifest_object, Object receipt_object, const std::string& name) {
    CURUPIRA_CHECK(check(manifest_object, name, folder / manifest::manifest_file_name,
                         extension.manifest_sha256, extension.name));
    return check(receipt_object, name, folder / manifest::receipt_file_name, extension.receipt_sha256,
                 extension.name);
  }

 private:
  const FileSystem& files_;
  Verification& result_;
};

Result<std::optional<manifest::Receipt>> receipt_in(const FileSystem& files,
                                                    const std::filesystem::path& folder) {
  const auto text = files.read_file(folder / manifest::receipt_file_name, max_receipt_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::file_not_found) return std::optional<manifest::Receipt>();
    return fail(text.error());
  }
  CURUPIRA_TRY(auto receipt, manifest::parse_receipt(*text));
  return std::optional(std::move(receipt));
}

/// Without a record of what was committed, manifest and receipt have at least to agree.
void check_agreement(const FileSystem& files, const manifest::Receipt& receipt,
                     const std::filesystem::path& folder, Verification& result) {
  CollectedDiagnostics ignored;
  const auto file = folder / manifest::manifest_file_name;
  const auto text = files.read_file(file, manifest::max_manifest_bytes);
  const auto parsed =
      text ? manifest::parse_manifest(*text, file, ignored) : Result<manifest::Manifest>(fail(text.error()));
  std::string found;
  if (!parsed)
    found = parsed.error().summary();
  else if (parsed->name != receipt.name || parsed->version != receipt.version)
    found = printable(parsed->name) + " " + printable(parsed->version);
  if (found.empty()) return;
  result.findings.push_back({.object = Object::manifest,
                             .name = receipt.name,
                             .path = file,
                             .difference = {Kind::changed, "", receipt.name + " " + receipt.version, found},
                             .extensions = {receipt.name}});
}

/// One installed extension: its own files, then what they name.
Result<> verify_one(const HomeLayout& home, FileSystem& files, const std::string& name,
                    const std::optional<Generation>& last, ObjectCheck& objects, Verification& result,
                    const std::optional<std::filesystem::path>& lock_file = std::nullopt) {
  const auto folder = home.extensions() / name;
  const auto* const committed = last ? last->find(name) : nullptr;
  if (committed != nullptr)
    CURUPIRA_CHECK(
        Committed(files, result).check(folder, *committed, Object::manifest, Object::receipt, name));
  auto receipt = receipt_in(files, folder);
  // A damaged receipt names nothing that one could look at: the one that was committed does.
  if ((!receipt || !*receipt) && committed != nullptr)
    receipt = receipt_in(files, kept_extension(home, last->number, name));
  if (!receipt || !*receipt) {
    if (!receipt && committed == nullptr)
      result.findings.push_back({.object = Object::receipt,
                                 .name = name,
                                 .path = folder / manifest::receipt_file_name,
                                 .difference = {Kind::unreadable, "", "a receipt", receipt.error().summary()},
                                 .extensions = {name}});
    return {};
  }
  ++result.extensions;
  if (committed == nullptr) check_agreement(files, **receipt, folder, result);
  if (lock_file) CURUPIRA_CHECK(check_lock(files, *lock_file, **receipt, result));
  return objects.all_of(**receipt);
}

/// All of this program's: in extensions/, or committed and gone from there.
Result<std::vector<std::string>> managed_names(const HomeLayout& home, const FileSystem& files,
                                               const std::optional<Generation>& last) {
  std::vector<std::string> managed;
  if (last)
    for (const auto& extension : last->extensions)
      managed.push_back(extension.name);
  const auto names = files.list(home.extensions());
  if (names) {
    for (const auto& name : *names) {
      CURUPIRA_TRY(const auto status, files.status(home.extensions() / name / manifest::receipt_file_name));
      if (status && manifest::is_readable_extension_name(name)) managed.push_back(name);
    }
  }
  std::sort(managed.begin(), managed.end());
  managed.erase(std::unique(managed.begin(), managed.end()), managed.end());
  return managed;
}

Result<std::optional<Generation>> last_generation(const HomeLayout& home, const FileSystem& files,
                                                  Verification& result) {
  CURUPIRA_TRY(const auto numbers, generation_numbers(files, home));
  if (numbers.empty()) return std::optional<Generation>();
  auto last = read_generation(files, home, numbers.back());
  if (last) return std::optional(std::move(*last));
  result.findings.push_back(
      {.object = Object::generation,
       .name = std::to_string(numbers.back()),
       .path = generation_folder(home, numbers.back()),
       .difference = {Kind::unreadable, "generation.json", "its record", last.error().summary()},
       .extensions = {}});
  return std::optional<Generation>();
}

}  // namespace

std::string_view name_of(Object object) {
  switch (object) {
    case Object::blob:
      return "blob";
    case Object::proof:
      return "proof";
    case Object::tree:
      return "tree";
    case Object::environment:
      return "environment";
    case Object::manifest:
      return "manifest";
    case Object::receipt:
      return "receipt";
    case Object::lock:
      return "lock file";
    case Object::generation:
      break;
  }
  return "generation";
}

Result<Verification> verify_extensions(const HomeLayout& home, FileSystem& files,
                                       const std::vector<std::string>& names, InstallObserver& observer,
                                       const std::optional<std::filesystem::path>& lock_file) {
  CURUPIRA_TRY(const auto lock, lock_home(home, files, observer));
  return verify_extensions_locked(home, files, names, lock_file);
}

Result<Verification> verify_extensions_locked(const HomeLayout& home, FileSystem& files,
                                              const std::vector<std::string>& names,
                                              const std::optional<std::filesystem::path>& lock_file) {
  Verification result;
  CURUPIRA_TRY(const auto last, last_generation(home, files, result));
  CURUPIRA_TRY(const auto managed, managed_names(home, files, last));
  for (const auto& name : names) {
    if (std::find(managed.begin(), managed.end(), name) != managed.end()) continue;
    Error error(ErrorCode::not_installed, "\"" + printable(name) + "\", by this program");
    const auto near = nearest_name(name, managed);
    return fail(near ? std::move(error).with_help("did you mean \"" + *near + "\"?") : std::move(error));
  }
  const Store store(home, files);
  ObjectCheck objects(store, result);
  for (const auto& name : names.empty() ? managed : names)
    CURUPIRA_CHECK(verify_one(home, files, name, last, objects, result, lock_file));
  result.files = objects.files();
  return result;
}

Result<Verification> verify_store(const HomeLayout& home, FileSystem& files, InstallObserver& observer) {
  Verification result;
  CURUPIRA_TRY(const auto lock, lock_home(home, files, observer));
  CURUPIRA_TRY(const auto last, last_generation(home, files, result));
  CURUPIRA_TRY(const auto managed, managed_names(home, files, last));
  const Store store(home, files);
  ObjectCheck objects(store, result);
  for (const auto& name : managed)
    CURUPIRA_CHECK(verify_one(home, files, name, last, objects, result));
  CURUPIRA_TRY(const auto generations, read_generations(files, home));
  for (const auto& generation : generations) {
    for (const auto& extension : generation.extensions) {
      const auto folder = kept_extension(home, generation.number, extension.name);
      CURUPIRA_CHECK(Committed(files, result)
                         .check(folder, extension, Object::generation, Object::generation,
                                std::to_string(generation.number)));
      const auto receipt = receipt_in(files, folder);
      if (receipt && *receipt) CURUPIRA_CHECK(objects.all_of(**receipt));
    }
  }
  for (const auto algorithm : {DigestAlgorithm::sha256, DigestAlgorithm::sha384, DigestAlgorithm::sha512}) {
    const auto blobs = files.list(home.blobs() / name_of(algorithm));
    if (!blobs) continue;
    for (const auto& name : *blobs)
      if (const auto digest = Digest::from_hex(algorithm, name)) CURUPIRA_CHECK(objects.blob(*digest, ""));
  }
  if (const auto trees = files.list(home.trees()))
    for (const auto& name : *trees)
      if (Digest::from_hex(DigestAlgorithm::sha256, name)) CURUPIRA_CHECK(objects.tree(name, ""));
  result.files = objects.files();
  return result;
}

}  // namespace curupira::installer
