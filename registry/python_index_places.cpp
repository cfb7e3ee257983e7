#include "registry/python_index_places.h"

#include <optional>

#include "base/printable.h"
#include "registry/limits.h"
#include "registry/scratch_folder.h"
#include "registry/tool_output.h"

namespace curupira::registry {

namespace {

constexpr std::size_t max_answer = 64u << 10;
constexpr std::string_view default_option = "--index-url ";
constexpr std::string_view extra_option = "--extra-index-url ";

/// The index options that stand for the variables.
std::string options_of(const Environment& environment) {
  std::string text;
  const auto add = [&](std::string_view option, std::string_view name) {
    std::string list = environment.get_or(name, "");
    std::string_view rest = list;
    while (!rest.empty()) {
      const std::size_t end = rest.find_first_of(" \t\n");
      std::string_view entry = rest.substr(0, end);
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
      // "name=https://…"
      const std::size_t equals = entry.find('=');
      if (equals < entry.find(':')) entry.remove_prefix(equals + 1);
      if (!entry.empty()) text.append(option).append(entry).append("\n");
    }
  };
  add(extra_option, "UV_INDEX");
  add(extra_option, "UV_EXTRA_INDEX_URL");
  add(default_option,
      environment.get_or("UV_DEFAULT_INDEX", "").empty() ? "UV_INDEX_URL" : "UV_DEFAULT_INDEX");
  return text;
}

Result<std::string> ask_uv(const SourceTools& tools, const Environment& environment, const std::string& uv) {
  CURUPIRA_TRY(auto scratch, ScratchFolder::create(tools.files, tools.home, "uv-"));
  CURUPIRA_CHECK(scratch.write("requirements.in", ""));
  CURUPIRA_TRY(auto output,
               tools.processes.run(
                   {.argv = {uv, "pip", "compile", "requirements.in", "--emit-index-url", "--no-header",
                             "--quiet", "--no-python-downloads", "--offline", "--color", "never"},
                    .environment = environment,
                    .cwd = scratch.path(),
                    .time_limit = Limits::python_question_time_limit}));
  if (!output.status.success())
    return fail(ErrorCode::tool_failed, "uv was asked for its indexes and ended with " +
                                            output.status.to_string() + "; it says:\n" +
                                            last_lines(output.standard_error));
  return std::move(output.standard_output);
}

}  // namespace

Result<std::vector<Url>> read_index_options(std::string_view text) {
  std::vector<Url> indexes;
  std::optional<Url> last;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const bool is_default = line.starts_with(default_option);
    if (!is_default && !line.starts_with(extra_option)) continue;
    line.remove_prefix(is_default ? default_option.size() : extra_option.size());
    auto url = Url::parse(line);
    if (!url) return fail(std::move(url).error().while_doing("reading the configured package indexes"));
    if (url->scheme() == "file") continue;  // a folder: its files are in the lock with their digests
    if (is_default) {
      last = *std::move(url);
    } else {
      indexes.push_back(*std::move(url));
    }
  }
  if (last) indexes.push_back(*std::move(last));
  return indexes;
}

Result<IndexPlaces> python_index_places(const SourceTools& tools, const PythonIndexes& indexes) {
  IndexPlaces places{.indexes = {}, .credentials = indexes.credentials};
  const std::string options = options_of(indexes.environment);
  CURUPIRA_TRY(places.indexes, read_index_options(options));
  if (options.starts_with(default_option) ||
      options.find("\n" + std::string(default_option)) != std::string::npos)
    return places;

  const auto file = tools.home.cache() / "python-indexes.txt";
  std::string answer;
  if (const auto uv = find_program(tools.environment, "uv")) {
    CURUPIRA_TRY(answer, ask_uv(tools, indexes.environment, uv->string()));
  } else if (auto cached = tools.files.read_file(file, max_answer)) {
    // Without uv, the configured extra indexes still come first.
    answer = options + *std::move(cached);
  } else {
    return fail(
        Error(ErrorCode::tool_missing,
              "no Python package index is configured, and uv, which knows the default, is not on PATH")
            .with_help("name the index with UV_DEFAULT_INDEX, or install uv"));
  }
  CURUPIRA_TRY(places.indexes, read_index_options(answer));
  if (!places.indexes.empty() && options.empty()) {
    // Without credentials: Url::to_string() leaves them out. A cache that cannot be written costs nothing.
    std::string kept;
    for (std::size_t i = 0; i < places.indexes.size(); ++i)
      kept.append(i + 1 == places.indexes.size() ? default_option : extra_option)
          .append(places.indexes[i].to_string())
          .append("\n");
    if (tools.files.create_folders(tools.home.cache()))
      static_cast<void>(write_file_atomically(tools.files, file, kept));
  }
  return places;
}

}  // namespace curupira::registry
