#include "registry/npm_lock_run.h"

#include "base/json.h"
#include "base/process_runner.h"
#include "registry/limits.h"
#include "registry/scratch_folder.h"
#include "registry/tool_output.h"

namespace curupira::registry {

namespace {

/// "E404" of the line "npm error code E404" (npm 9 and older: "npm ERR! code E404").
std::string error_word(std::string_view text) {
  for (const std::string_view mark : {"npm error code ", "npm ERR! code "}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = text.substr(at + mark.size());
    return std::string(rest.substr(0, rest.find_first_of(" \r\n")));
  }
  return {};
}

ErrorCode code_for(const std::string& word) {
  if (word == "E404") return ErrorCode::package_not_found;
  if (word == "E401" || word == "E403" || word == "ENEEDAUTH" || word == "EOTP")
    return ErrorCode::credentials_refused;
  if (word == "ETARGET") return ErrorCode::version_not_found;
  if (word == "ENOTFOUND" || word == "ECONNREFUSED" || word == "ECONNRESET" || word == "ETIMEDOUT" ||
      word == "EAI_AGAIN" || word == "ERR_SOCKET_TIMEOUT") {
    return ErrorCode::network_unreachable;
  }
  if (word == "EALLOWGIT" || word == "EALLOWREMOTE" || word == "EALLOWFILE" || word == "EALLOWDIRECTORY") {
    return ErrorCode::resolution_unsafe;
  }
  return ErrorCode::tool_failed;
}

/// npm names the address that refused; what to do about it, it says for publishers.
Error explain(const ProcessOutput& output) {
  const std::string word = error_word(output.standard_error);
  const ErrorCode code = code_for(word);
  Error error(code,
              "npm ended with " + output.status.to_string() + ":\n" + last_lines(output.standard_error));
  if (code == ErrorCode::credentials_refused) {
    return std::move(error).with_help(
        "the registry of one of the dependencies wants credentials: `npm login --registry URL`, or write "
        "//HOST/PATH/:_authToken=… into ~/.npmrc; no other registry was asked");
  }
  if (code == ErrorCode::package_not_found) {
    return std::move(error).with_help(
        "where the dependency belongs to another registry, bind its scope in ~/.npmrc: "
        "@SCOPE:registry=https://…; a registry may also answer so when it wants credentials");
  }
  return error;
}

std::vector<std::string> npm_arguments(const std::string& npm) {
  return {npm,
          "install",
          "--package-lock-only",
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--omit=dev",
          "--omit-lockfile-registry-resolved=false",
          "--package-lock=true",
          "--lockfile-version=3",
          "--install-strategy=hoisted",
          "--global=false",
          "--dry-run=false",
          "--no-progress",
          "--no-update-notifier",
          "--loglevel=error"};
}

}  // namespace

Result<std::string> run_npm_lock(const SourceTools& tools, const NpmConfiguration& configuration,
                                 const std::string& package, const std::string& version) {
  const std::string label = package + "@" + version;
  const auto npm = find_program(tools.environment, "npm");
  if (!npm) {
    return fail(
        Error(ErrorCode::tool_missing, "npm:" + label +
                                           " depends on other packages, and npm, which resolves them, "
                                           "is not on PATH")
            .with_help("install Node.js with npm, or put npm on PATH"));
  }
  CURUPIRA_TRY(auto scratch, ScratchFolder::create(tools.files, tools.home, "npm-"));
  json::Object dependencies, project;
  dependencies.set(package, version);
  project.set("private", true);
  project.set("dependencies", std::move(dependencies));
  CURUPIRA_CHECK(scratch.write("package.json", json::write_pretty(std::move(project))));
  // npm reads the environment, the user's file and the machine's itself; the current folder's file it would
  // not see here.
  if (!configuration.project_settings().empty()) {
    CURUPIRA_CHECK(scratch.write(".npmrc", configuration.project_settings()));
  }
  std::vector<std::string> arguments = npm_arguments(npm->string());
  if (tools.release_age) arguments.push_back("--before=" + tools.release_age->latest_text());
  auto output = tools.processes.run({.argv = std::move(arguments),
                                     .environment = tools.environment,
                                     .cwd = scratch.path(),
                                     .time_limit = Limits::npm_time_limit});
  if (!output)
    return fail(std::move(output).error().while_doing("resolving the dependencies of npm:" + label));
  if (!output->status.success()) {
    return fail(explain(*output).while_doing("resolving the dependencies of npm:" + label));
  }
  auto lock = tools.files.read_file(scratch.path() / "package-lock.json", Limits::max_package_lock_bytes);
  if (!lock) {
    return fail(
        Error(ErrorCode::tool_failed, "npm wrote no package-lock.json").caused_by(std::move(lock).error()));
  }
  return lock;
}

}  // namespace curupira::registry
