#include "registry/uv_lock_run.h"

#include <array>
#include <utility>

#include "base/printable.h"
#include "base/process_runner.h"
#include "registry/limits.h"
#include "registry/locked_release.h"
#include "registry/scratch_folder.h"
#include "registry/tool_output.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;

/// One line, so that words are found wherever uv breaks its lines.
std::string flattened(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!space) out.push_back(c);
    if (space && !out.empty() && out.back() != ' ') out.push_back(' ');
  }
  return out;
}

ErrorCode code_for(std::string_view words) {
  using enum ErrorCode;
  // In this order: a refusal also says "not found", a missing wheel also says "no solution".
  static constexpr std::array<std::pair<std::string_view, ErrorCode>, 12> phrases = {{
      {"401 Unauthorized", credentials_refused},
      {"403 Forbidden", credentials_refused},
      {"Wheels are required for", resolution_unsafe},
      {"has no usable wheels", resolution_unsafe},
      {"has no wheels with a matching", resolution_unsafe},
      {"was not found in the package registry", package_not_found},
      {"network was disabled", network_unreachable},
      {"was not found in the provided package locations", package_not_found},
      {"there is no version of", version_not_found},
      {"No solution found", version_not_found},
      {"error sending request", network_unreachable},
      {"Failed to fetch", network_unreachable},
  }};
  for (const auto& [phrase, code] : phrases) {
    if (words.find(phrase) != std::string_view::npos) return code;
  }
  return tool_failed;
}

/// The package that uv says has no wheel.
std::string package_without_wheel(std::string_view words, const std::string& fallback) {
  for (const std::string_view before :
       {"Wheels are required for `", "we only found wheels for `", "Because "}) {
    const std::size_t at = words.find(before);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = words.substr(at + before.size());
    const std::string_view name = rest.substr(0, rest.find_first_of("`=<>!~ "));
    if (is_pip_package_name(name)) return std::string(name);
  }
  return fallback;
}

Error explain(const ProcessOutput& output, const PipReference& package) {
  const std::string words = flattened(output.standard_error);
  const ErrorCode code = code_for(words);
  const std::string said = "uv says:\n" + last_lines(output.standard_error);
  if (code == ErrorCode::resolution_unsafe) {
    return Error(code, package_without_wheel(words, package.name) + " has no wheel for this machine; " + said)
        .with_help(
            "building a package runs foreign code and is not done; ask its author for a wheel, or name "
            "another Python "
            "with UV_PYTHON");
  }
  if (code == ErrorCode::tool_failed)
    return Error(code, "uv ended with " + output.status.to_string() + "; " + said);
  return Error(code, said);
}

/// What uv says when it leaves out everything that is too young.
bool is_about_versions(ErrorCode code) {
  return code == ErrorCode::version_not_found || code == ErrorCode::package_not_found ||
         code == ErrorCode::resolution_unsafe;
}

/// policy_age, with what uv would choose of any age: `pylock`.
Error too_young_of(std::string_view pylock, const PipReference& package, const ReleaseAge& age) {
  const auto release = read_locked_release(pylock, package.name);
  return too_young("pip:" + package.name + (release ? "==" + release->version : ""),
                   release ? release->uploaded : std::nullopt, age);
}

}  // namespace

Result<UvLock> run_uv_lock(const SourceTools& tools, const Environment& environment,
                           const PipReference& package, const UvLockFor& target) {
  const std::string label = to_string(package);
  const auto uv = find_program(environment, "uv");
  if (!uv) {
    return fail(Error(ErrorCode::tool_missing,
                      label + " is a Python package, and uv, which resolves those, is not on PATH")
                    .with_help("install uv (for example `pip install uv`), or put it on PATH"));
  }
  if (tools.http == nullptr)
    return fail(ErrorCode::offline_missing, "the versions that " + label + " stands for");
  CURUPIRA_TRY(auto scratch, ScratchFolder::create(tools.files, tools.home, "uv-"));
  CURUPIRA_CHECK(scratch.write("requirements.in", package.name + package.specifiers + "\n"));
  std::vector<std::string> arguments = {uv->string(),
                                        "pip",
                                        "compile",
                                        "requirements.in",
                                        "--format",
                                        "pylock.toml",
                                        "--no-header",
                                        "--quiet",
                                        "--only-binary",
                                        ":all:",
                                        "--index-strategy",  // a name belongs to the first index that has it
                                        "first-index",
                                        "--python",
                                        target.interpreter.string(),
                                        "--no-python-downloads",
                                        "--no-progress",
                                        "--color",
                                        "never"};
  if (!target.all_platforms_from.empty()) {
    // One version of a package for all, where that is possible: the root has one version in a lock.
    arguments.insert(arguments.end(), {"--universal", "--fork-strategy", "fewest", "--python-version",
                                       target.all_platforms_from});
  }
  const auto run = [&](std::vector<std::string> argv) {
    return tools.processes.run({.argv = std::move(argv),
                                .environment = environment,
                                .cwd = scratch.path(),
                                .time_limit = Limits::uv_time_limit});
  };
  const std::vector<std::string> of_any_age = arguments;
  if (tools.release_age) {
    arguments.insert(arguments.end(), {"--exclude-newer", tools.release_age->latest_text()});
  }
  auto output = run(std::move(arguments));
  if (!output) return fail(std::move(output).error().while_doing("resolving " + label));
  if (!output->status.success()) {
    Error error = explain(*output, package);
    if (tools.release_age && is_about_versions(error.code())) {
      const auto newest = run(of_any_age);
      if (newest && newest->status.success()) {
        error =
            too_young_of(newest->standard_output, package, *tools.release_age).caused_by(std::move(error));
      }
    }
    return fail(std::move(error).while_doing("resolving " + label));
  }
  return UvLock{std::move(output->standard_output), scratch.path()};
}

}  // namespace curupira::registry
