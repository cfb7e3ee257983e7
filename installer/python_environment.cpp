#include "installer/python_environment.h"

#include <algorithm>
#include <map>

#include "base/printable.h"
#include "installer/archive_rules.h"
#include "installer/linked_folder.h"
#include "installer/package_trees.h"
#include "installer/wheel_layout.h"
#include "manifest/manifest.h"
#include "registry/reference.h"
#include "registry/wheel_name.h"

namespace curupira::installer {
namespace {

constexpr std::string_view installer_name = "curupira\n";

std::string environment_digest(const registry::PythonTarget& python, std::span<const std::string> trees) {
  std::vector<std::string> lines(trees.begin(), trees.end());
  std::ranges::sort(lines);
  Hasher hasher(DigestAlgorithm::sha256);
  // The environment refers to its interpreter: another one makes another environment.
  hasher.update("curupira venv 2\n" + python.executable.string() + "\n" + python.version + "\n");
  for (const auto& line : lines)
    hasher.update(line + "\n");
  return hasher.finish().hex();
}

/// A virtual environment while it is filled.
class Venv {
 public:
  /// `place`: where it will be.
  Venv(const InstallRun& run, const std::filesystem::path& staged, const std::filesystem::path& place,
       const registry::PythonTarget& python)
      : run_(run), folder_(run, staged), python_path_((place / "bin" / "python").string()), python_(python) {}

  Result<> make_frame() {
    const std::string& minor = python_.minor;
    CURUPIRA_CHECK(
        own("pyvenv.cfg", "home = " + python_.executable.parent_path().string() +
                              "\ninclude-system-site-packages = false\nversion = " + python_.version + "\n"));
    if (!python_.executable.empty()) {  // else it is of a platform without one here, and only looked into
      CURUPIRA_CHECK(link("bin/python", python_.executable.string()));
      CURUPIRA_CHECK(link("bin/python3", "python"));
      CURUPIRA_CHECK(link("bin/python" + minor, "python"));
    }
    const std::string packages = "lib/python" + minor + "/site-packages";
    CURUPIRA_TRY(const RelativePath path, RelativePath::parse(packages));
    CURUPIRA_CHECK(names_.add(path, TreeNames::Kind::folder));
    CURUPIRA_CHECK(folder_.make_folders(packages));
    return python_.library_folder == "lib" ? Result<>() : link(python_.library_folder, "lib");
  }

  Result<> add(const std::string& package, const std::string& tree, const TreeListing& listing,
               const WheelLayout& layout) {
    package_ = package;
    record_.clear();
    const auto source = run_.store.tree(tree);
    for (const PlacedFile& file : layout.files) {
      const TreeEntry& entry = *listing.find(file.source.text());
      CURUPIRA_CHECK(file.how == PlacedFile::How::script ? add_script(source, entry, file.path)
                                                         : add_link(source, entry, file.path));
    }
    for (const ScriptEntry& script : layout.scripts)
      CURUPIRA_CHECK(add_own("bin/" + script.name, script_text(script, python_path_), true));
    CURUPIRA_CHECK(add_own(layout.info_folder + "/INSTALLER", std::string(installer_name), false));
    const std::string path = layout.info_folder + "/RECORD";
    CURUPIRA_TRY(const bool added, claim(path, ""));
    return added ? folder_.write_file(path, record_text(path)) : Result<>();
  }

  Result<> seal() { return folder_.seal(); }

 private:
  struct Owner {
    std::string package;
    std::string sha256;
  };

  /// False when it is there already with these very contents: two parts of a namespace may bring the same
  /// file.
  Result<bool> claim(const std::string& path, const std::string& sha256) {
    const auto owner = owners_.find(path);
    if (owner != owners_.end() && !sha256.empty() && owner->second.sha256 == sha256) return false;
    const auto parsed = RelativePath::parse(path);
    const auto added = parsed ? names_.add(*parsed, TreeNames::Kind::file) : fail(parsed.error());
    if (!added)
      return fail(Error(ErrorCode::wheel_conflict,
                        printable(path) + " of " + printable(package_) + " is also of " +
                            (owner == owners_.end() ? "another package" : printable(owner->second.package)))
                      .caused_by(added.error()));
    owners_.emplace(path, Owner{package_, sha256});
    return true;
  }

  Result<> own(const std::string& path, const std::string& text) {
    CURUPIRA_CHECK(claim(path, ""));
    return folder_.write_file(path, text);
  }
  Result<> link(const std::string& path, const std::string& target) {
    CURUPIRA_CHECK(claim(path, ""));
    return folder_.symbolic_link(target, path);
  }

  Result<> add_own(const std::string& path, const std::string& text, bool executable) {
    const Digest digest = digest_of(DigestAlgorithm::sha256, text);
    record_.emplace(path, record_line(from_site(path), digest, text.size()));
    CURUPIRA_TRY(const bool added, claim(path, digest.hex()));
    return added ? folder_.write_file(path, text, executable) : Result<>();
  }

  Result<> add_link(const std::filesystem::path& source, const TreeEntry& entry, const std::string& path) {
    CURUPIRA_TRY(const Digest digest, Digest::from_hex(DigestAlgorithm::sha256, entry.sha256));
    record_.emplace(path, record_line(from_site(path), digest, entry.size));
    CURUPIRA_TRY(const bool added, claim(path, entry.sha256));
    return added ? folder_.link_file(entry.path.below(source), path, entry) : Result<>();
  }

  Result<> add_script(const std::filesystem::path& source, const TreeEntry& entry, const std::string& path) {
    CURUPIRA_TRY(std::string text, run_.files.read_file(entry.path.below(source), entry.size));
    if (text.starts_with("#!python")) {
      const auto end = text.find('\n');
      text = script_head(python_path_) + (end == std::string::npos ? std::string() : text.substr(end + 1));
    } else if (entry.kind == TreeEntry::Kind::executable) {
      return add_link(source, entry, path);
    }
    return add_own(path, text, true);
  }

  std::string site() const { return "lib/python" + python_.minor + "/site-packages/"; }
  std::string from_site(const std::string& path) const {
    return path.starts_with(site()) ? path.substr(site().size()) : "../../../" + path;
  }

  std::string record_text(const std::string& own_path) const {
    std::string text;
    for (const auto& [path, line] : record_)
      text += line;
    return text + record_line(from_site(own_path), std::nullopt, 0);
  }

  const InstallRun& run_;
  LinkedFolder folder_;
  std::string python_path_;
  const registry::PythonTarget& python_;
  std::string package_ = "the environment itself";
  TreeNames names_;
  std::map<std::string, Owner, std::less<>> owners_;
  std::map<std::string, std::string> record_;  // of the wheel at hand: path → line
};

Result<std::vector<std::string>> trees_of(const InstallRun& run, std::span<const VerifiedArtifact> wheels) {
  std::vector<std::string> trees;
  for (const VerifiedArtifact& wheel : wheels) {
    const std::string& name = wheel.artifact().file_name;
    if (!registry::WheelName::parse(name))
      return fail(ErrorCode::resolution_unsafe, "\"" + printable(name) + "\" is no name of a wheel");
    CURUPIRA_TRY(std::string tree, tree_of_wheel(run, wheel));
    trees.push_back(std::move(tree));
  }
  return trees;
}

std::vector<std::string> names_of(std::string_view entry_points) {
  std::vector<std::string> names;
  if (const auto scripts = parse_script_entries(entry_points))
    for (const ScriptEntry& script : *scripts)
      names.push_back(script.name);
  return names;
}

}  // namespace

Result<InstalledContent> assemble_python_environment(const InstallRun& run,
                                                     const registry::PythonClosure& closure,
                                                     std::span<const VerifiedArtifact> wheels) {
  CURUPIRA_TRY(const std::vector<std::string> trees, trees_of(run, wheels));
  InstalledContent result;
  result.content = {.kind = manifest::ReceiptContent::Kind::venv,
                    .digest = environment_digest(closure.python, trees)};
  result.folder = run.store.environment(result.content.digest);
  result.trees = trees;
  std::ranges::sort(result.trees);
  const auto rest = std::ranges::unique(result.trees);
  result.trees.erase(rest.begin(), rest.end());
  CURUPIRA_TRY(const bool there, run.store.has_environment(result.content.digest));
  if (there) return result;

  CURUPIRA_TRY(const auto folder, run.new_folder("venv-"));
  Venv venv(run, folder, result.folder, closure.python);
  CURUPIRA_CHECK(venv.make_frame());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const registry::Artifact& artifact = wheels[i].artifact();
    const std::string doing = "installing " + printable(artifact.file_name);
    CURUPIRA_TRY(const TreeListing listing, run.store.listing(trees[i]));
    auto layout = lay_out_wheel(run.files, run.store.tree(trees[i]), listing, artifact, closure.python.minor);
    if (!layout) return fail(std::move(layout).error().while_doing(doing));
    if (auto added = venv.add(artifact.package, trees[i], listing, *layout); !added)
      return fail(std::move(added).error().while_doing(doing));
  }
  CURUPIRA_CHECK(venv.seal());
  CURUPIRA_CHECK(run.session.keep_environment(folder, result.content.digest));
  return result;
}

Result<PythonDistribution> find_distribution(const FileSystem& files,
                                             const std::filesystem::path& environment,
                                             const std::string& name) {
  CURUPIRA_TRY(const auto versions, files.list(environment / "lib"));
  for (const auto& version : versions) {
    const auto relative = std::filesystem::path("lib") / version / "site-packages";
    const auto site = environment / relative;
    const auto entries = files.list(site);
    if (!entries) continue;
    for (const auto& entry : *entries) {
      constexpr std::string_view suffix = ".dist-info";
      const auto dash = entry.find('-');
      if (!entry.ends_with(suffix) || dash == std::string::npos) continue;
      const std::string distribution = entry.substr(0, dash);
      if (registry::normalize_pip_name(distribution) != name) continue;
      PythonDistribution found{.site_packages = relative, .folder = entry, .console_scripts = {}};
      if (const auto text = files.read_file(site / entry / "entry_points.txt", max_entry_points_bytes))
        found.console_scripts = names_of(*text);
      std::string module = name;
      std::replace(module.begin(), module.end(), '-', '_');
      for (const auto& place : {site / entry, site / module, site / distribution}) {
        CURUPIRA_TRY(const auto status, files.status(place / manifest::manifest_file_name));
        if (status && status->type == FileType::regular) {
          found.manifest_file = place / manifest::manifest_file_name;
          break;
        }
      }
      return found;
    }
  }
  return fail(ErrorCode::identity_mismatch, "the environment has no distribution " + printable(name));
}

}  // namespace curupira::installer
