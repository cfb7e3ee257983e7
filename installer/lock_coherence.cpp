#include "installer/lock_coherence.h"

#include <algorithm>
#include <string_view>

#include "base/printable.h"
#include "registry/npm_registry.h"
#include "registry/python_marker.h"
#include "registry/python_version.h"
#include "registry/reference.h"
#include "registry/registry_release.h"
#include "registry/wheel_name.h"

namespace curupira::installer {
namespace {

using manifest::TableReader;

/// "3.11"
bool is_minor_python(std::string_view text) {
  const auto is_number = [](std::string_view part) {
    return !part.empty() && part.size() <= 4 &&
           std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto dot = text.find('.');
  return dot != std::string_view::npos && is_number(text.substr(0, dot)) && is_number(text.substr(dot + 1));
}

Result<> check_tarball(const TableReader& table, const LockedArtifact& artifact) {
  const std::string file = registry::npm_tarball_name(artifact.package, artifact.version);
  if (artifact.file != file)
    return fail(table.wrong("file", "\"" + printable(file) + "\", as package and version say"));
  return {};
}

Result<> check_distribution(const TableReader& table, const LockedArtifact& artifact) {
  const auto version = registry::python_file_version(artifact.file, artifact.package);
  if (!version || !registry::same_python_version(*version, artifact.version))
    return fail(
        table.wrong("file", "a file of " + printable(artifact.package) + " " + printable(artifact.version)));
  if (artifact.digest.algorithm() != DigestAlgorithm::sha256)
    return fail(table.wrong("digest", "a sha256 digest"));
  if (!registry::marker_holds(artifact.marker, {})) return fail(table.wrong("marker", "a marker (PEP 508)"));
  if (!artifact.platforms.empty())
    return fail(table.wrong("platforms", "none: the name of a wheel says where it runs"));
  return {};
}

}  // namespace

Result<> check_coherence(const TableReader& table, const LockedExtension& extension) {
  const bool npm = extension.source.starts_with("npm");
  if (npm && extension.launch != "npx") return fail(table.wrong("launch", "\"npx\", as its source says"));
  if (extension.source == "pip" && extension.launch != "uvx")
    return fail(table.wrong("launch", "\"uvx\", as its source says"));
  const bool python = extension.launch == "uvx";
  if (python ? !is_minor_python(extension.python) : !extension.python.empty())
    return fail(table.wrong("python", python ? "a version, \"3.11\"" : "none: it is no Python package"));
  if (extension.tree && extension.source != "path")
    return fail(table.wrong("tree", "none: its artifacts have theirs"));
  return {};
}

Result<> check_coherence(const TableReader& table, const LockedExtension& extension,
                         const LockedArtifact& artifact) {
  const bool of_release = registry::registry_of_source(extension.source) && artifact.tree &&
                          !registry::is_inner_file(artifact.package, extension.package);
  const auto file = RelativePath::parse(artifact.file);
  if (of_release && artifact.locations.empty() && (!file || file->segments().size() != 1))
    return fail(table.wrong("file", "the name of a file in its registry"));
  const bool distribution = extension.launch == "uvx" && !artifact.tree;
  const bool placed = !artifact.locations.empty();
  if (!distribution && !artifact.marker.empty())
    return fail(table.wrong("marker", "none: it is no Python package"));
  if (placed && extension.launch != "npx")
    return fail(table.wrong("locations", "none: it is no npm package"));
  if (distribution) return check_distribution(table, artifact);
  return placed ? check_tarball(table, artifact) : Result<>();
}

}  // namespace curupira::installer
