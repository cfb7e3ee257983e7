#include "installer/python_environment.h"

#include <algorithm>

#include "base/printable.h"
#include "manifest/manifest.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

std::string environment_digest(const std::filesystem::path& interpreter,
                               std::span<const VerifiedArtifact> wheels) {
  std::vector<std::string> lines;
  for (const auto& wheel : wheels)
    lines.push_back(wheel.artifact().file_name + "\t" + wheel.digest().sri() + "\n");
  std::sort(lines.begin(), lines.end());
  Hasher hasher(DigestAlgorithm::sha256);
  // The environment refers to its interpreter: another one makes another environment.
  std::error_code problem;
  const auto real = std::filesystem::canonical(interpreter, problem);
  hasher.update("curupira venv 1\n" + interpreter.string() + "\n" + real.string() + "\n");
  for (const auto& line : lines)
    hasher.update(line);
  return hasher.finish().hex();
}

Result<> run_uv(ProcessRunner& processes, const Environment& environment, std::vector<std::string> arguments,
                const std::filesystem::path& folder) {
  ProcessRequest request;
  request.argv = {"uv", "--no-config", "--offline", "--no-python-downloads", "--cache-dir", folder / "cache"};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  // Nothing of the user's configuration may bring an index, a source or another interpreter in.
  request.environment = environment.only({"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL"});
  request.cwd = folder;
  request.time_limit = std::chrono::minutes(10);
  auto output = processes.run(request);
  if (!output) {
    if (output.error().code() == ErrorCode::tool_missing)
      return fail(Error(ErrorCode::tool_missing, "uv, which pip: packages need")
                      .with_help("install uv, or put it on PATH"));
    return fail(std::move(output).error());
  }
  if (!output->status.success())
    return fail(ErrorCode::tool_failed, "uv " + arguments[0] + ": " + output->status.to_string() + "\n" +
                                            printable(output->standard_error, true));
  return {};
}

Result<> link_wheel(const InstallRun& run, const VerifiedArtifact& wheel,
                    const std::filesystem::path& folder) {
  const std::string& name = wheel.artifact().file_name;
  const auto path = RelativePath::parse(name);
  if (!path || path->segments().size() != 1 || !name.ends_with(".whl"))
    return fail(ErrorCode::resolution_unsafe, "\"" + printable(name) + "\" is no name of a wheel");
  if (run.files.hard_link(wheel.file(), folder / name)) return {};
  CURUPIRA_TRY(const std::string bytes, run.files.read_file(wheel.file(), wheel.size()));
  CURUPIRA_TRY(const auto file, run.files.create_file(folder / name, 0444));
  CURUPIRA_CHECK(file->write(std::as_bytes(std::span(bytes))));
  return file->commit();
}

}  // namespace

Result<InstalledContent> assemble_python_environment(const InstallRun& run, ProcessRunner& processes,
                                                     const Environment& environment,
                                                     const registry::PythonClosure& closure,
                                                     std::span<const VerifiedArtifact> wheels) {
  InstalledContent result;
  result.content = {.kind = manifest::ReceiptContent::Kind::venv,
                    .digest = environment_digest(closure.interpreter, wheels)};
  result.folder = run.store.environment(result.content.digest);
  CURUPIRA_TRY(const bool there, run.store.has_environment(result.content.digest));
  if (there) return result;
  CURUPIRA_TRY(const auto folder, run.new_folder("venv-"));
  const auto wheel_folder = folder / "wheels";
  const auto venv = folder / "venv";
  CURUPIRA_CHECK(run.files.create_folders(wheel_folder));
  for (const auto& wheel : wheels)
    CURUPIRA_CHECK(link_wheel(run, wheel, wheel_folder));
  CURUPIRA_CHECK(write_file_atomically(run.files, folder / "requirements.txt", closure.requirements));
  CURUPIRA_CHECK(run_uv(processes, environment,
                        {"venv", "--relocatable", "--no-project", "--python", closure.interpreter, venv},
                        folder));
  CURUPIRA_CHECK(run_uv(processes, environment,
                        {"pip", "install", "--python", venv / "bin" / "python", "--no-index", "--find-links",
                         wheel_folder, "--require-hashes", "--only-binary", ":all:", "--link-mode",
                         "hardlink", "-r", folder / "requirements.txt"},
                        folder));
  CURUPIRA_CHECK(run.session.keep_environment(venv, result.content.digest));
  return result;
}

std::vector<std::string> parse_console_scripts(std::string_view entry_points) {
  const auto trim = [](std::string_view text) {
    const auto start = text.find_first_not_of(" \t\r");
    if (start == std::string_view::npos) return std::string_view();
    return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
  };
  std::vector<std::string> scripts;
  bool inside = false;
  while (!entry_points.empty()) {
    const auto end = entry_points.find('\n');
    const auto line = trim(entry_points.substr(0, end));
    entry_points = end == std::string_view::npos ? std::string_view() : entry_points.substr(end + 1);
    if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
    if (line.starts_with('[')) {
      inside = line == "[console_scripts]";
    } else if (const auto equals = line.find('='); inside && equals != std::string_view::npos) {
      scripts.emplace_back(trim(line.substr(0, equals)));
    }
  }
  std::sort(scripts.begin(), scripts.end());
  return scripts;
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
        found.console_scripts = parse_console_scripts(*text);
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
