#include "registry/python_lock.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "base/printable.h"
#include "registry/pylock.h"
#include "registry/python_index_places.h"
#include "registry/python_indexes.h"
#include "registry/python_interpreter.h"
#include "registry/python_marker.h"
#include "registry/python_version.h"
#include "registry/simple_index.h"
#include "registry/uv_lock_run.h"
#include "registry/wheel_name.h"
#include "registry/yanked_release.h"

namespace curupira::registry {

namespace {

/// Newer than any that is there: whether a wheel fits a machine's own C library is seen on that machine.
constexpr LibcVersion any_glibc = {2, 80};
/// That many minor versions from the lock's own one on: a machine that a bundle comes to may have any of
/// them.
constexpr unsigned considered_pythons = 8;
constexpr std::string_view no_build =
    "building a package runs foreign code and is not done; ask its author for a wheel";

using Files = std::map<std::string, PythonFile>;

Result<> add_file(Files& files, const std::string& package, PythonFile file) {
  const auto [place, added] = files.emplace(file.name, file);
  if (added) return {};
  if (place->second.sha256 != file.sha256)
    return fail(ErrorCode::registry_unreadable, "the index gives two digests for " + file.name + " of " +
                                                    package + ": " + place->second.sha256.hex() + " and " +
                                                    file.sha256.hex());
  if (!place->second.size) place->second.size = file.size;
  return {};
}

Result<LockedPythonPackage> locked(const PylockPackage& package, const std::vector<IndexFile>& listed) {
  Files files;
  for (const LockedWheel& wheel : package.wheels) {
    const auto sha256 = std::ranges::find(wheel.digests, DigestAlgorithm::sha256, &Digest::algorithm);
    if (sha256 == wheel.digests.end())
      return fail(ErrorCode::integrity_missing,
                  "a lock needs sha256, which the index does not give for " + wheel.file_name);
    CURUPIRA_CHECK(
        add_file(files, package.name, {.name = wheel.file_name, .sha256 = *sha256, .size = wheel.size}));
  }
  for (const IndexFile& file : listed) {
    const auto of = python_file_version(file.name, package.name);
    const Digest* sha256 = file.digest(DigestAlgorithm::sha256);
    if (!of || sha256 == nullptr || !same_python_version(*of, package.version)) continue;
    CURUPIRA_CHECK(add_file(files, package.name, {.name = file.name, .sha256 = *sha256, .size = file.size}));
  }
  LockedPythonPackage result{
      .name = package.name, .version = package.version, .marker = package.marker, .files = {}};
  for (auto& [name, file] : files)
    result.files.push_back(std::move(file));
  return result;
}

/// The pages of those that come from an index; nothing for wheels of a local folder.
Result<std::map<std::string, std::vector<IndexFile>>> pages_of(const SourceTools& tools,
                                                               const PythonIndexes& indexes,
                                                               const std::vector<PylockPackage>& packages) {
  std::set<std::string> names;
  for (const PylockPackage& package : packages)
    if (std::holds_alternative<Url>(package.wheels.front().location)) names.insert(package.name);
  std::map<std::string, std::vector<IndexFile>> pages;
  if (names.empty()) return pages;
  CURUPIRA_TRY(const IndexPlaces places, python_index_places(tools, indexes));
  const std::vector<std::string> asked(names.begin(), names.end());
  CURUPIRA_TRY(auto answers, list_python_files(tools.http, places, asked));
  for (std::size_t i = 0; i < asked.size(); ++i)
    pages.emplace(asked[i], std::move(answers[i]));
  return pages;
}

Result<> check_platforms(const PythonLock& lock, std::span<const manifest::Platform> platforms) {
  for (const manifest::Platform& platform : platforms) {
    CURUPIRA_TRY(const PythonTarget python, assumed_python(platform, lock.python, any_glibc));
    if (auto wheels = choose_wheels(lock, python); !wheels)
      return fail(std::move(wheels).error().while_doing("locking " + lock.root + " for " + platform.text()));
  }
  return {};
}

/// Where the file is, when it is still the one that was locked.
Result<Url> place_of(const ChosenWheel& wheel, const std::vector<IndexFile>& listed,
                     Diagnostics* diagnostics) {
  const auto found = std::ranges::find(listed, wheel.file.name, &IndexFile::name);
  if (found == listed.end())
    return fail(Error(ErrorCode::version_not_found, "the index no longer has " + wheel.file.name)
                    .with_help("lock the extension again, or name the index that has it"));
  const Digest* sha256 = found->digest(DigestAlgorithm::sha256);
  if (sha256 != nullptr && *sha256 != wheel.file.sha256)
    return fail(
        Error(ErrorCode::digest_mismatch, wheel.file.name + ": the lock says sha256 " +
                                              wheel.file.sha256.hex() + ", the index says " + sha256->hex())
            .with_help("the index has another file under the name of the one that was locked; nothing "
                       "was installed"));
  if (diagnostics != nullptr) report_yanked(wheel.package, wheel.version, *found, *diagnostics);
  return found->url;
}

}  // namespace

Result<PythonLock> lock_python(const SourceTools& tools, const PipReference& package,
                               std::span<const manifest::Platform> platforms, Diagnostics& diagnostics,
                               const std::string& python) {
  CURUPIRA_TRY(const PythonTarget interpreter, find_python(tools));
  PythonLock lock{.root = package.name,
                  .version = {},
                  .python = python.empty() ? interpreter.minor : python,
                  .packages = {}};
  const PythonIndexes indexes = read_python_indexes(tools);
  CURUPIRA_TRY(const UvLock answer,
               run_uv_lock(tools, indexes.environment, package,
                           {.interpreter = interpreter.executable, .all_platforms_from = lock.python}));
  auto packages = read_pylock(answer.pylock, answer.folder);
  if (!packages) return fail(std::move(packages).error().while_doing("locking " + to_string(package)));
  CURUPIRA_TRY(const auto pages, pages_of(tools, indexes, *packages));
  for (const PylockPackage& entry : *packages) {
    const auto page = pages.find(entry.name);
    const std::vector<IndexFile> listed = page == pages.end() ? std::vector<IndexFile>() : page->second;
    CURUPIRA_CHECK(check_yanked(tools, entry, listed, diagnostics));
    CURUPIRA_TRY(auto added, locked(entry, listed));
    lock.packages.push_back(std::move(added));
  }
  const auto roots = std::ranges::count(lock.packages, lock.root, &LockedPythonPackage::name);
  if (roots != 1)
    return fail(ErrorCode::resolution_unreadable,
                "uv's answer has " + std::to_string(roots) + " versions of " + lock.root + ", expected one");
  lock.version = std::ranges::find(lock.packages, lock.root, &LockedPythonPackage::name)->version;
  CURUPIRA_CHECK(check_platforms(lock, platforms));
  return lock;
}

Result<std::vector<ChosenWheel>> choose_wheels(const PythonLock& lock, const PythonTarget& python) {
  if (compare_python_versions(python.minor, lock.python) < 0)
    return fail(Error(ErrorCode::version_not_found, "the lock of " + printable(lock.root) +
                                                        " is for Python " + printable(lock.python) +
                                                        " and newer, this one is " + python.version)
                    .with_help("name a newer Python with UV_PYTHON, or lock again with this one"));
  const TagOrder order(python.tags);
  std::map<std::string, ChosenWheel> chosen;
  for (const LockedPythonPackage& package : lock.packages) {
    auto belongs = marker_holds(package.marker, python.markers);
    if (!belongs)
      return fail(std::move(belongs).error().while_doing("reading the lock of " + printable(package.name)));
    if (!*belongs) continue;
    std::vector<std::string> names;
    for (const PythonFile& file : package.files)
      names.push_back(file.name);
    const auto best = order.best(names);
    if (!best)
      return fail(Error(ErrorCode::resolution_unsafe,
                        printable(package.name) + " " + printable(package.version) +
                            " has no wheel for Python " + python.version + " on " +
                            python.markers.at("sys_platform") + " " + python.markers.at("platform_machine"))
                      .with_help(std::string(no_build)));
    const bool added =
        chosen.emplace(package.name, ChosenWheel{package.name, package.version, package.files[*best]}).second;
    if (!added)
      return fail(ErrorCode::resolution_unreadable,
                  "two versions of " + printable(package.name) + " belong to the closure");
  }
  if (!lock.root.empty() && !chosen.contains(lock.root))
    return fail(ErrorCode::resolution_unreadable,
                "the lock of " + printable(lock.root) + " does not have it");
  std::vector<ChosenWheel> wheels;
  for (auto& [name, wheel] : chosen)
    wheels.push_back(std::move(wheel));
  return wheels;
}

Result<std::vector<ChosenWheel>> fitting_wheels(const PythonLock& lock,
                                                std::span<const manifest::Platform> platforms) {
  const auto dot = lock.python.find('.');
  const unsigned first =
      dot == std::string::npos
          ? 0
          : static_cast<unsigned>(std::strtoul(lock.python.c_str() + dot + 1, nullptr, 10));
  std::map<std::string, ChosenWheel> fitting;
  for (const manifest::Platform& platform : platforms) {
    for (unsigned minor = first; minor < first + considered_pythons; ++minor) {
      const std::string version = lock.python.substr(0, dot) + '.' + std::to_string(minor);
      CURUPIRA_TRY(const PythonTarget python, assumed_python(platform, version, any_glibc));
      if (minor == first) CURUPIRA_CHECK(choose_wheels(lock, python));
      const TagOrder order(python.tags);
      for (const LockedPythonPackage& package : lock.packages) {
        const auto belongs = marker_holds(package.marker, python.markers);
        if (!belongs || !*belongs) continue;
        for (const PythonFile& file : package.files) {
          const auto wheel = WheelName::parse(file.name);
          if (wheel && order.rank(*wheel))
            fitting.emplace(file.name, ChosenWheel{package.name, package.version, file});
        }
      }
    }
  }
  std::vector<ChosenWheel> wheels;
  for (auto& [name, wheel] : fitting)
    wheels.push_back(std::move(wheel));
  return wheels;
}

Result<std::vector<Artifact>> locate_wheels(const SourceTools& tools, std::span<const ChosenWheel> wheels,
                                            const std::function<bool(const Digest&)>& at_hand,
                                            Diagnostics* diagnostics) {
  std::vector<std::string> missing;
  for (const ChosenWheel& wheel : wheels)
    if (!at_hand(wheel.file.sha256) && std::ranges::find(missing, wheel.package) == missing.end())
      missing.push_back(wheel.package);
  std::vector<std::vector<IndexFile>> pages;
  std::shared_ptr<const CredentialSource> credentials;
  if (!missing.empty()) {
    if (tools.http == nullptr)
      return fail(ErrorCode::offline_missing,
                  std::ranges::find(wheels, missing[0], &ChosenWheel::package)->file.name);
    CURUPIRA_TRY(const IndexPlaces places, python_index_places(tools, read_python_indexes(tools)));
    credentials = places.credentials;
    CURUPIRA_TRY(pages, list_python_files(tools.http, places, missing));
  }
  std::vector<Artifact> artifacts;
  for (const ChosenWheel& wheel : wheels) {
    Artifact artifact{.package = wheel.package,
                      .version = wheel.version,
                      .file_name = wheel.file.name,
                      .location = std::filesystem::path(wheel.file.name),
                      .credentials = credentials,
                      .proof = {.any_of = {wheel.file.sha256}, .size = wheel.file.size}};
    const auto asked = std::ranges::find(missing, wheel.package);
    if (asked != missing.end() && !at_hand(wheel.file.sha256)) {
      const auto& page = pages[static_cast<std::size_t>(asked - missing.begin())];
      CURUPIRA_TRY(artifact.location, place_of(wheel, page, diagnostics));
    }
    artifacts.push_back(std::move(artifact));
  }
  return artifacts;
}

Result<Resolution> resolve_locked(const SourceTools& tools, const Reference& reference,
                                  const PythonLock& lock, const PythonTarget& python,
                                  const std::function<bool(const Digest&)>& at_hand,
                                  Diagnostics* diagnostics) {
  CURUPIRA_TRY(const std::vector<ChosenWheel> wheels, choose_wheels(lock, python));
  CURUPIRA_TRY(auto artifacts, locate_wheels(tools, wheels, at_hand, diagnostics));
  return Resolution{.reference = reference,
                    .package = lock.root,
                    .version = lock.version,
                    .artifacts = std::move(artifacts),
                    .content = PythonClosure{.root = lock.root, .python = python}};
}

}  // namespace curupira::registry
