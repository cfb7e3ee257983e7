#include "installer/package_trees.h"

#include <array>
#include <fstream>

#include "base/printable.h"
#include "base/semver.h"
#include "installer/bin_resolution.h"
#include "installer/unpack.h"

namespace curupira::installer {
namespace {

Result<std::string> unpack_once(const InstallRun& run, const VerifiedArtifact& artifact,
                                const std::string& how, const UnpackRules& rules) {
  const std::string key =
      std::string(name_of(artifact.digest().algorithm())) + "-" + artifact.digest().hex() + "-" + how;
  CURUPIRA_TRY(const auto known, run.store.unpacked(key));
  if (known) return *known;
  run.observer.unpacking(artifact.artifact().file_name);
  CURUPIRA_TRY(const auto folder, run.new_folder("tree-"));
  CURUPIRA_TRY(const TreeListing listing, unpack(artifact, rules, run.archive_limits, folder));
  CURUPIRA_TRY(std::string tree, run.session.keep_tree(folder, listing));
  CURUPIRA_CHECK(run.session.remember_unpacked(key, tree));
  return tree;
}

Result<PackageJson> read_package_json(const FileSystem& files, const std::filesystem::path& folder,
                                      std::string_view file_name) {
  const std::string where = "package.json of " + printable(file_name);
  const auto text = files.read_file(folder / "package.json", max_package_json_bytes);
  if (!text) return fail(ErrorCode::identity_mismatch, where + ": " + text.error().summary());
  return parse_package_json(*text, where);
}

bool same_version(const std::string& a, const std::string& b) {
  const auto left = SemVer::parse(a);
  const auto right = SemVer::parse(b);
  return left && right ? *left == *right : a == b;
}

}  // namespace

Result<std::string> tree_of_archive(const InstallRun& run, const VerifiedArtifact& artifact, int strip,
                                    const std::optional<RelativePath>& program) {
  UnpackRules rules{.strip = strip};
  std::string how = "strip" + std::to_string(strip);
  if (program) {
    how += "-program-" + digest_of(DigestAlgorithm::sha256, program->text()).hex().substr(0, 16);
    rules.at_the_end = [&](TreeWriter& writer, const std::filesystem::path&) -> Result<> {
      CURUPIRA_TRY(const bool there, writer.make_executable(*program));
      if (there) return {};
      return fail(ErrorCode::archive_program_missing,
                  "\"" + printable(program->text()) + "\", after taking " + std::to_string(strip) +
                      " leading folders off the paths of " + printable(artifact.artifact().file_name));
    };
  }
  return unpack_once(run, artifact, how, rules);
}

Result<std::string> tree_of_npm_tarball(const InstallRun& run, const VerifiedArtifact& artifact,
                                        const std::string& name, const std::string& version) {
  UnpackRules rules{.strip = 1};
  rules.at_the_end = [&](TreeWriter& writer, const std::filesystem::path& folder) -> Result<> {
    CURUPIRA_TRY(const PackageJson package,
                 read_package_json(run.files, folder, artifact.artifact().file_name));
    for (const auto& [command, text] : package.bins) {
      const auto path = bin_path(command, text);
      if (path)
        CURUPIRA_CHECK(writer.make_executable(*path));  // one that is not there matters when it is started
    }
    return {};
  };
  CURUPIRA_TRY(std::string tree, unpack_once(run, artifact, "npm", rules));
  CURUPIRA_TRY(const PackageJson package,
               read_package_json(run.files, run.store.tree(tree), artifact.artifact().file_name));
  if (package.name != name || !same_version(package.version, version))
    return fail(ErrorCode::identity_mismatch, printable(artifact.artifact().file_name) +
                                                  ": its package.json says " + printable(package.name) + "@" +
                                                  printable(package.version) + ", resolved was " +
                                                  printable(name) + "@" + printable(version));
  return tree;
}

Result<std::string> tree_of_wheel(const InstallRun& run, const VerifiedArtifact& artifact) {
  return unpack_once(run, artifact, "wheel", {});
}

Result<std::string> tree_of_program(const InstallRun& run, const VerifiedArtifact& artifact,
                                    const RelativePath& program) {
  CURUPIRA_TRY(const auto folder, run.new_folder("tree-"));
  CURUPIRA_TRY(TreeWriter writer, TreeWriter::open(folder));
  CURUPIRA_CHECK(writer.begin_file(program, true));
  std::ifstream stream(artifact.file(), std::ios::binary);
  std::array<char, 65536> buffer{};
  while (stream) {
    stream.read(buffer.data(), buffer.size());
    CURUPIRA_CHECK(
        writer.write(std::as_bytes(std::span(buffer).first(static_cast<std::size_t>(stream.gcount())))));
  }
  if (!stream.eof()) return fail(ErrorCode::file_failed, artifact.file().string() + " cannot be read");
  CURUPIRA_CHECK(writer.end_file());
  CURUPIRA_TRY(const TreeListing listing, writer.finish());
  return run.session.keep_tree(folder, listing);
}

}  // namespace curupira::installer
