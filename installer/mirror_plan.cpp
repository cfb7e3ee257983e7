#include "installer/mirror_plan.h"

#include <algorithm>
#include <iterator>

#include "base/printable.h"
#include "installer/folder_check.h"
#include "installer/mirror_wanted.h"
#include "installer/policy.h"
#include "registry/limits.h"
#include "registry/mirror_role.h"
#include "registry/npm_mirror.h"
#include "registry/npm_registry.h"
#include "registry/python_index_places.h"
#include "registry/python_indexes.h"
#include "registry/simple_index.h"

namespace curupira::installer {
namespace {

using registry::MirrorFile;
using registry::MirrorIndex;
using registry::MirrorWish;
using registry::RepositoryFolder;
using Platforms = std::vector<manifest::Platform>;

Platforms together(Platforms a, const Platforms& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::ranges::sort(a);
  const auto twice = std::ranges::unique(a);
  a.erase(twice.begin(), twice.end());
  return a;
}

/// Paths of files that are signed and are not there, or are not what was signed. Large files are looked at by
/// their size only: `registry verify` reads them.
Result<std::set<std::string, std::less<>>> broken_files(const RepositoryFolder& folder,
                                                        const MirrorIndex& index) {
  std::set<std::string, std::less<>> broken;
  for (const auto& [path, file] : index.files) {
    if (file.kind == MirrorFile::Kind::page) {
      if (!registry::check_mirror_file(folder, file)) broken.insert(path);
      continue;
    }
    CURUPIRA_TRY(const auto status, folder.files().status(folder.path() / path));
    if (!status || status->type != FileType::regular || status->size != file.size) broken.insert(path);
  }
  return broken;
}

/// What of a packument a mirror writes: the rest may be large.
json::Value narrowed(const json::Value& packument, const std::set<std::string>& versions) {
  const auto pick = [&](std::string_view name, auto wanted) {
    json::Object kept;
    const json::Value* const value = packument.find(name);
    if (value == nullptr || value->as_object() == nullptr) return kept;
    for (const auto& [key, each] : *value->as_object())
      if (wanted(key)) kept.append(key, each);
    return kept;
  };
  const auto mirrored = [&](const std::string& key) { return versions.contains(key); };
  json::Object narrow;
  if (const json::Value* const text = packument.find("description")) narrow.append("description", *text);
  narrow.append("dist-tags", pick("dist-tags", [](const std::string&) { return true; }));
  narrow.append("versions", pick("versions", mirrored));
  narrow.append("time", pick("time", [&](const std::string& key) {
                  return key == "created" || key == "modified" || mirrored(key);
                }));
  return narrow;
}

class Planning {
 public:
  Planning(const InstallerTools& tools, const InstallOptions& options, const RepositoryFolder& folder,
           const MirrorIndex& index, const MirrorRequest& request, Diagnostics& diagnostics,
           InstallObserver& observer)
      : tools_(tools),
        options_(options),
        folder_(folder),
        request_(request),
        diagnostics_(diagnostics),
        wanted_(
            tools, [this](const std::string& path, const Digest& digest) { return has(path, digest); },
            diagnostics, observer) {
    plan_.before = index;
    plan_.index = index;
    if (!request.url.empty()) plan_.index.url = request.url;
  }

  Result<MirrorPlan> run() {
    CURUPIRA_TRY(broken_, broken_files(folder_, plan_.before));
    CURUPIRA_CHECK(resolve());
    plan_.additions = wanted_.take_additions();
    plan_.present = wanted_.present();
    plan_.releases = wanted_.releases();
    CURUPIRA_CHECK(check_additions());
    CURUPIRA_CHECK(ask_npm());
    CURUPIRA_CHECK(ask_python());
    return std::move(plan_);
  }

 private:
  bool has(const std::string& path, const Digest& digest) const {
    const MirrorFile* const file = plan_.before.find(path);
    return file != nullptr && !broken_.contains(path) &&
           (file->integrity == digest.sri() || file->sha256 == digest);
  }

  Result<> resolve() {
    std::map<std::string, std::pair<registry::Reference, Platforms>> references;
    const auto add = [&](const registry::Reference& reference, const Platforms& platforms) {
      references.insert_or_assign(registry::to_string(reference), std::pair(reference, platforms));
    };
    for (const registry::Reference& reference : request_.references)
      add(reference, request_.platforms);
    if (request_.lock) {
      CURUPIRA_TRY(const LockFile lock, read_lock());
      const Platforms platforms = request_.platforms_named ? request_.platforms : lock.platforms;
      for (const LockedExtension& entry : lock.extensions) {
        const auto of_npm = [](const LockedArtifact& locked) { return !locked.locations.empty(); };
        if (std::ranges::any_of(entry.artifacts, of_npm)) CURUPIRA_CHECK(check_url());
        CURUPIRA_CHECK(wanted_.add(entry, platforms));
        const auto reference = registry::parse_reference(entry.reference);
        const bool of_registry = reference && (std::holds_alternative<registry::NpmReference>(*reference) ||
                                               std::holds_alternative<registry::PipReference>(*reference));
        if (request_.update && of_registry) add(*reference, platforms);
      }
    } else if (request_.update && references.empty()) {
      for (const auto& [text, wish] : plan_.before.wishes) {
        CURUPIRA_TRY(const auto reference, registry::parse_reference(text));
        add(reference, wish.platforms);
      }
    }
    for (const auto& [text, asked] : references)
      CURUPIRA_CHECK(resolve(text, asked.first, asked.second));
    return {};
  }

  Result<> resolve(const std::string& text, const registry::Reference& reference,
                   const Platforms& platforms) {
    const auto known = plan_.before.wishes.find(text);
    const Platforms all =
        known == plan_.before.wishes.end() ? platforms : together(known->second.platforms, platforms);
    const bool same = known != plan_.before.wishes.end() && known->second.platforms == all;
    if (same && !request_.update && broken_.empty()) return {};
    if (options_.policy != nullptr)
      CURUPIRA_CHECK(check_references(*options_.policy, std::span(&reference, 1), tools_.current_folder));
    if (std::holds_alternative<registry::NpmReference>(reference)) CURUPIRA_CHECK(check_url());
    if (std::holds_alternative<registry::RegistryReference>(reference)) {
      CURUPIRA_CHECK(wanted_.add(reference, all));
      return {};  // the copy itself says what it has
    }
    auto resolved = wanted_.add(reference, all);
    if (!resolved && known != plan_.before.wishes.end() && is_nothing_new(resolved.error())) {
      // One that was taken back keeps none of the others from being brought up to date.
      diagnostics_.warn(printable(text) + " stays as it is: " + resolved.error().summary());
      if (const auto* const pip = std::get_if<registry::PipReference>(&reference))
        looked_at_.insert(pip->name);
      return {};
    }
    if (!resolved) return fail(std::move(resolved).error());
    std::string version = *std::move(resolved);
    plan_.index.wishes.insert_or_assign(
        text, MirrorWish{.reference = text, .platforms = all, .version = std::move(version)});
    return {};
  }

  static bool is_nothing_new(const Error& error) {
    return error.code() == ErrorCode::version_not_found || error.code() == ErrorCode::package_not_found;
  }

  Result<> check_url() const {
    if (!plan_.index.url.empty()) return {};
    return fail(
        Error(ErrorCode::usage, "npm's clients want absolute addresses of tarballs")
            .with_help("say where the folder will be served: --url https://mirror.example.org/; it is "
                       "kept, and need not be said again"));
  }

  Result<LockFile> read_lock() const {
    const auto& file = *request_.lock;
    const auto text = tools_.files.read_file(file, max_lock_bytes);
    if (!text && text.error().code() == ErrorCode::file_not_found)
      return fail(ErrorCode::lock_missing, printable(file.string()));
    if (!text) return fail(text.error());
    CURUPIRA_TRY(LockFile lock, parse_lock(*text, file));
    if (request_.platforms_named)
      for (const auto& platform : request_.platforms)
        if (!lock.has(platform))
          return fail(ErrorCode::lock_platform, printable(file.string()) + " is not for " + platform.text());
    return lock;
  }

  Result<> check_additions() {
    for (MirrorAddition& addition : plan_.additions) {
      const MirrorFile* const known = plan_.before.find(addition.file.path);
      if (known != nullptr && !has_one_of(*known, addition.artifact.proof.any_of))
        return fail(Error(ErrorCode::digest_mismatch, printable(addition.file.path) + " is mirrored with " +
                                                          known->integrity + ", its registry has " +
                                                          addition.artifact.proof.any_of.front().sri())
                        .with_help("a published version never changes: ask the registry's keepers; the "
                                   "mirror stays as it is"));
      if (addition.file.kind == MirrorFile::Kind::tarball) CURUPIRA_CHECK(check_url());
      addition.file.integrity = addition.artifact.proof.any_of.front().sri();
      const auto path = folder_.path() / addition.file.path;
      for (const Digest& digest : addition.artifact.proof.any_of) {
        const auto there = digest_of_file(path, digest.algorithm());
        if (!digest.strong() || !there || *there != digest) continue;
        addition.at_hand = true;
        addition.artifact.location = path;
      }
    }
    return {};
  }

  static bool has_one_of(const MirrorFile& file, const std::vector<Digest>& digests) {
    return std::ranges::any_of(digests, [&](const Digest& digest) {
      return file.integrity == digest.sri() || file.sha256 == digest;
    });
  }

  /// Versions of an npm package that the mirror will have.
  std::set<std::string> versions_of(const std::string& package) const {
    std::set<std::string> versions;
    for (const auto& [path, file] : plan_.index.files)
      if (file.kind == MirrorFile::Kind::tarball && file.package == package) versions.insert(file.version);
    for (const MirrorAddition& addition : plan_.additions)
      if (addition.file.kind == MirrorFile::Kind::tarball && addition.file.package == package)
        versions.insert(addition.file.version);
    return versions;
  }

  std::set<std::string> packages_of(MirrorFile::Kind kind, bool added) const {
    std::set<std::string> packages;
    if (added) {
      for (const MirrorAddition& addition : plan_.additions)
        if (addition.file.kind == kind) packages.insert(addition.file.package);
    } else {
      for (const auto& [path, file] : plan_.before.files)
        if (file.kind == kind) packages.insert(file.package);
    }
    return packages;
  }

  bool page_is_right(const std::string& path) const {
    return plan_.before.find(path) != nullptr && !broken_.contains(path);
  }

  Result<> ask_npm() {
    plan_.npm_pages = packages_of(MirrorFile::Kind::tarball, true);
    std::set<std::string> asked = plan_.npm_pages;
    const bool moved = plan_.index.url != plan_.before.url;
    for (const std::string& package : packages_of(MirrorFile::Kind::tarball, false)) {
      CURUPIRA_TRY(const std::string page, registry::npm_page_path(package));
      const bool right = page_is_right(page);
      if (!right) asked.insert(package);
      if (moved || !right) plan_.npm_pages.insert(package);
    }
    if (request_.update) asked.insert(wanted_.npm_packages().begin(), wanted_.npm_packages().end());
    CURUPIRA_CHECK(ask_registries({asked.begin(), asked.end()}));
    return try_packuments();
  }

  /// Some at a time: the full form has the times, and can be large.
  Result<> ask_registries(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    CURUPIRA_TRY(const auto configuration,
                 registry::NpmConfiguration::load(*tools_.source_tools, diagnostics_));
    registry::NpmRegistry registry(*tools_.source_tools, configuration);
    constexpr std::size_t at_once = registry::Limits::full_packuments_at_once;
    for (std::size_t at = 0; at < names.size(); at += at_once) {
      const auto some = std::span(names).subspan(at, std::min(at_once, names.size() - at));
      CURUPIRA_TRY(const auto packuments, registry.packuments(some, registry::PackumentForm::full));
      for (std::size_t i = 0; i < some.size(); ++i)
        plan_.packuments.emplace(some[i], narrowed(packuments[i].document(), versions_of(some[i])));
    }
    return {};
  }

  /// Before anything is fetched it is known that every page can be written. Some change without a new file: a
  /// version was deprecated, or a tag moved.
  Result<> try_packuments() {
    for (const auto& [package, upstream] : plan_.packuments) {
      CURUPIRA_TRY(const std::string page, registry::npm_page_path(package));
      std::string text;
      json::Value before;
      if (page_is_right(page)) {
        CURUPIRA_TRY(text,
                     folder_.files().read_file(folder_.path() / page, registry::Limits::max_packument_bytes));
        CURUPIRA_TRY(before, json::parse(text));
      }
      registry::MirroredPackage mirrored{.name = package,
                                         .base = plan_.index.url,
                                         .before = text.empty() ? nullptr : &before,
                                         .upstream = &upstream};
      for (const auto& [path, file] : plan_.index.files)
        if (file.kind == MirrorFile::Kind::tarball && file.package == package)
          mirrored.tarballs.insert_or_assign(file.version, &file);
      for (const MirrorAddition& addition : plan_.additions)
        if (addition.file.kind == MirrorFile::Kind::tarball && addition.file.package == package)
          mirrored.tarballs.insert_or_assign(addition.file.version, &addition.file);
      CURUPIRA_TRY(const std::string now, registry::mirrored_packument(mirrored));
      if (plan_.npm_pages.contains(package) || now == text) continue;
      plan_.npm_pages.insert(package);
      ++plan_.refreshed;
    }
    return {};
  }

  Result<> ask_python() {
    plan_.python_pages = packages_of(MirrorFile::Kind::wheel, true);
    std::set<std::string> asked = plan_.python_pages;
    for (const std::string& package : packages_of(MirrorFile::Kind::wheel, false)) {
      CURUPIRA_TRY(const std::string folder, registry::python_folder(package));
      if (!page_is_right(folder + "index.html") || !page_is_right(folder + "index.json"))
        plan_.python_pages.insert(package);
    }
    if (request_.update) asked.insert(wanted_.python_packages().begin(), wanted_.python_packages().end());
    for (const std::string& package : looked_at_)
      if (packages_of(MirrorFile::Kind::wheel, false).contains(package)) asked.insert(package);
    if (asked.empty()) return {};
    const std::vector<std::string> names(asked.begin(), asked.end());
    CURUPIRA_TRY(const auto places,
                 registry::python_index_places(*tools_.source_tools,
                                               registry::read_python_indexes(*tools_.source_tools)));
    CURUPIRA_TRY(const auto pages, registry::list_python_files(tools_.http, places, names));
    for (const auto& page : pages)
      for (const registry::IndexFile& file : page)
        plan_.withdrawn.insert_or_assign(file.name, file.yanked);
    return find_changed_pages(names);
  }

  /// Of packages without a new file: a version was withdrawn, or is no more.
  Result<> find_changed_pages(const std::vector<std::string>& names) {
    for (const std::string& package : names) {
      if (plan_.python_pages.contains(package)) continue;
      CURUPIRA_TRY(const std::string folder, registry::python_folder(package));
      CURUPIRA_TRY(const std::string text, folder_.files().read_file(folder_.path() / folder / "index.json",
                                                                     registry::Limits::max_index_page_bytes));
      CURUPIRA_TRY(const auto wheels, registry::read_mirrored_wheels(text));
      const bool changed = std::ranges::any_of(wheels, [&](const registry::MirroredWheel& wheel) {
        const auto said = plan_.withdrawn.find(wheel.file_name);
        return said != plan_.withdrawn.end() && said->second != wheel.yanked;
      });
      if (!changed) continue;
      plan_.python_pages.insert(package);
      ++plan_.refreshed;
    }
    return {};
  }

  const InstallerTools& tools_;
  const InstallOptions& options_;
  const RepositoryFolder& folder_;
  const MirrorRequest& request_;
  Diagnostics& diagnostics_;
  MirrorPlan plan_;
  std::set<std::string, std::less<>> broken_;
  MirrorWanted wanted_;
  std::set<std::string> looked_at_;  // Python packages of which no version can be chosen any more
};

}  // namespace

bool MirrorPlan::changes_something() const {
  return !additions.empty() || !npm_pages.empty() || !python_pages.empty() || index != before;
}

Result<MirrorPlan> plan_mirror(const InstallerTools& tools, const InstallOptions& options,
                               const RepositoryFolder& folder, const MirrorIndex& index,
                               const MirrorRequest& request, Diagnostics& diagnostics,
                               InstallObserver& observer) {
  return Planning(tools, options, folder, index, request, diagnostics, observer).run();
}

}  // namespace curupira::installer
