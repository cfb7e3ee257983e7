#include <ostream>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "installer/rollback.h"

namespace curupira::cli {
namespace {

using installer::Generation;
using installer::GenerationChange;

std::string change_text(const GenerationChange& change) {
  const std::string name = printable(change.name);
  if (change.from.empty()) return "+ " + name + " " + printable(change.to);
  if (change.to.empty()) return "- " + name + " " + printable(change.from);
  return "~ " + name + " " + printable(change.from) + " -> " + printable(change.to);
}

json::Array changes_to_json(const std::vector<GenerationChange>& changes) {
  json::Array array;
  for (const auto& change : changes) {
    json::Object object;
    object.set("name", change.name);
    if (!change.from.empty()) object.set("from", change.from);
    if (!change.to.empty()) object.set("to", change.to);
    array.emplace_back(std::move(object));
  }
  return array;
}

json::Array files_to_json(const std::vector<std::filesystem::path>& files) {
  json::Array array;
  for (const auto& file : files)
    array.emplace_back(file.string());
  return array;
}

std::vector<std::filesystem::path> paths_of(const Generation& generation) {
  std::vector<std::filesystem::path> paths;
  for (const auto& file : generation.files)
    paths.push_back(file.path);
  return paths;
}

Result<int> list_generations(const Invocation& invocation, const FileSystem& files, Terminal& terminal) {
  CURUPIRA_TRY(const auto generations, installer::read_generations(files, invocation.home));
  json::Array array;
  for (std::size_t i = 0; i < generations.size(); ++i) {
    const Generation& generation = generations[i];
    // Of the oldest that is kept it is not known any more what it changed.
    const auto changes =
        i == 0 ? std::vector<GenerationChange>() : installer::changes_between(generations[i - 1], generation);
    const bool installed = i + 1 == generations.size();
    if (invocation.common.json) {
      json::Object object;
      object.set("number", generation.number);
      object.set("time", generation.time);
      object.set("command", generation.command);
      object.set("installed", installed);
      object.set("changes", changes_to_json(changes));
      object.set("files", files_to_json(paths_of(generation)));
      array.emplace_back(std::move(object));
      continue;
    }
    auto& out = terminal.out();
    out << generation.number << "  " << printable(generation.time) << "  "
        << (generation.command.empty() ? "before the first change" : printable(generation.command))
        << (installed ? "  (installed)" : "") << '\n';
    for (const auto& change : changes)
      out << "    " << change_text(change) << '\n';
    for (const auto& file : generation.files)
      out << "    changed " << printable(file.path.string()) << '\n';
  }
  if (invocation.common.json) {
    json::Object document;
    document.set("schema", "curupira.plugins.generations.v1");
    document.set("generations", std::move(array));
    terminal.out() << json::write_pretty(document);
  } else if (generations.empty()) {
    terminal.out() << "no generation is kept: nothing was changed in this home yet\n";
  }
  return 0;
}

}  // namespace

Result<int> rollback_command(const Invocation& invocation, const RollbackArguments& arguments,
                             Terminal& terminal) {
  const auto files = make_posix_file_system();
  if (arguments.list) return list_generations(invocation, *files, terminal);
  const SystemClock clock;
  InstallProgress progress(terminal, clock);
  CURUPIRA_TRY(const auto rollback,
               installer::roll_back(invocation.home, *files, arguments.generation, progress));
  if (invocation.common.json) {
    json::Object document;
    document.set("schema", "curupira.plugins.rollback.v1");
    document.set("from", rollback.from);
    document.set("to", rollback.to);
    if (rollback.recorded) document.set("recorded", *rollback.recorded);
    document.set("changes", changes_to_json(rollback.changes));
    document.set("files", files_to_json(rollback.files));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  auto& out = terminal.out();
  if (!rollback.recorded) {
    out << "Everything is as generation " << rollback.to << " has it: no change\n";
    return 0;
  }
  out << "Rolled back to generation " << rollback.to << ", which is now generation " << *rollback.recorded
      << '\n';
  for (const auto& change : rollback.changes)
    out << "    " << change_text(change) << '\n';
  for (const auto& file : rollback.files)
    out << "    changed " << printable(file.string()) << '\n';
  out << "`curupira plugins rollback` undoes it\n";
  return 0;
}

}  // namespace curupira::cli
