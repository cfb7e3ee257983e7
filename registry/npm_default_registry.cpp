#include "registry/npm_default_registry.h"

#include <chrono>
#include <optional>

#include "base/json.h"
#include "base/printable.h"
#include "registry/limits.h"
#include "registry/npm_configuration.h"
#include "registry/tool_output.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t max_cache_bytes = 16u << 10;

/// Which npm this is: its real path and when that file was last changed.
struct NpmIdentity {
  std::string path;
  std::int64_t changed;  ///< nanoseconds of the file clock
};

NpmIdentity identify(const fs::path& npm) {
  std::error_code error;
  fs::path real = fs::canonical(npm, error);
  if (error) real = npm;
  const auto changed = fs::last_write_time(real, error).time_since_epoch();
  return {real.string(), error ? 0 : std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count()};
}

std::optional<Url> read_cache(const SourceTools& tools, const fs::path& file, const NpmIdentity& npm) {
  const auto text = tools.files.read_file(file, max_cache_bytes);
  if (!text) return std::nullopt;
  const auto cached = json::parse(*text);
  if (!cached) return std::nullopt;
  const std::string* path = cached->find_string("npm");
  const std::string* registry = cached->find_string("registry");
  const json::Value* changed = cached->find("changed");
  if (!path || !registry || !changed || *path != npm.path || changed->as_int() != npm.changed)
    return std::nullopt;
  const auto url = parse_registry_url(*registry, printable(file.string()));
  return url ? std::optional(*url) : std::nullopt;
}

void write_cache(const SourceTools& tools, const fs::path& file, const NpmIdentity& npm,
                 const Url& registry) {
  json::Object cached;
  cached.set("npm", npm.path);
  cached.set("changed", npm.changed);
  cached.set("registry", registry.to_string());
  // A cache that cannot be written costs time at the next command, nothing else.
  static_cast<void>(write_file_atomically(tools.files, file, json::write_pretty(std::move(cached))));
}

}  // namespace

Result<Url> npm_default_registry(const SourceTools& tools) {
  const auto npm = find_program(tools.environment, "npm");
  if (!npm) {
    return fail(Error(ErrorCode::tool_missing,
                      "no npm registry is configured, and npm, which knows the default, is not on PATH")
                    .with_help("install npm, or name a registry in ~/.npmrc: registry=https://…"));
  }
  const fs::path file = tools.home.cache() / "npm-registry.json";
  const NpmIdentity identity = identify(*npm);
  if (auto cached = read_cache(tools, file, identity)) return *std::move(cached);

  CURUPIRA_CHECK(tools.files.create_folders(tools.home.cache()));
  // --global: without the .npmrc of whatever project the home stands in
  auto output = tools.processes.run({.argv = {npm->string(), "config", "get", "registry", "--global"},
                                     .environment = tools.environment,
                                     .cwd = tools.home.cache(),
                                     .time_limit = Limits::npm_question_time_limit});
  if (!output) return fail(std::move(output).error().while_doing("asking npm for its default registry"));
  std::string answer = output->standard_output;
  while (!answer.empty() && (answer.back() == '\n' || answer.back() == '\r' || answer.back() == ' '))
    answer.pop_back();
  if (!output->status.success() || answer.empty()) {
    return fail(ErrorCode::tool_failed, "`npm config get registry` ended with " + output->status.to_string() +
                                            "\n" + last_lines(output->standard_error));
  }
  CURUPIRA_TRY(Url url, parse_registry_url(answer, "the answer of `npm config get registry`"));
  write_cache(tools, file, identity, url);
  return url;
}

}  // namespace curupira::registry
