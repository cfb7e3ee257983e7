#include <algorithm>
#include <ostream>

#include "base/clock.h"
#include "base/file_system.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/counted.h"
#include "cli/progress.h"
#include "installer/cache.h"

namespace curupira::cli {
namespace {

using installer::StoreAmount;

json::Object amount_to_json(const StoreAmount& amount) {
  json::Object object;
  object.set("count", static_cast<std::uint64_t>(amount.count));
  object.set("bytes", amount.bytes);
  return object;
}

template <class Items>
json::Array texts_to_json(const Items& items) {
  json::Array array;
  for (const auto& item : items)
    array.emplace_back(std::filesystem::path(item).string());
  return array;
}

void print_unreadable(Terminal& terminal, const std::vector<std::filesystem::path>& files) {
  terminal.out().flush();
  for (const auto& file : files)
    terminal.err() << terminal.err_styled(Terminal::Style::yellow, "warning") << ": "
                   << printable(file.string())
                   << " cannot be read; what it needs is not known, so nothing of the store is removed\n";
}

struct Line {
  std::string_view label;
  std::string_view member;
  const StoreAmount& amount;
};

void print_lines(Terminal& terminal, std::string_view title, const std::vector<Line>& lines) {
  terminal.out() << title << '\n';
  for (const auto& line : lines) {
    const std::string count = std::to_string(line.amount.count);
    terminal.out() << "  " << line.label << std::string(26 - line.label.size(), ' ')
                   << std::string(7 - std::min<std::size_t>(count.size(), 6), ' ') << count << "  "
                   << format_bytes(line.amount.bytes) << '\n';
  }
}

}  // namespace

Result<int> cache_info_command(const Invocation& invocation, Terminal& terminal) {
  const auto files = make_posix_file_system();
  CURUPIRA_TRY(const auto info, installer::cache_info(invocation.home, *files));
  const std::vector<Line> kinds{{"artifacts as fetched", "blobs", info.blobs},
                                {"unpacked packages", "trees", info.trees},
                                {"environments", "environments", info.environments}};
  const std::vector<Line> users{{"installed extensions", "extensions", info.extensions},
                                {"lock files only", "locks", info.locks},
                                {"running commands only", "running", info.running},
                                {"rollback only", "generations", info.generations},
                                {"nothing", "unused", info.unused}};
  if (invocation.common.json) {
    json::Object document, by_kind, by_use, counts;
    for (const auto& line : kinds)
      by_kind.set(std::string(line.member), amount_to_json(line.amount));
    for (const auto& line : users)
      by_use.set(std::string(line.member), amount_to_json(line.amount));
    counts.set("extensions", static_cast<std::uint64_t>(info.installed));
    counts.set("generations", static_cast<std::uint64_t>(info.kept_generations));
    counts.set("locks", static_cast<std::uint64_t>(info.seen_locks));
    counts.set("running", static_cast<std::uint64_t>(info.running_commands));
    document.set("schema", "curupira.cache.info.v1");
    document.set("folder", invocation.home.store().string());
    document.set("bytes", info.total());
    document.set("kinds", std::move(by_kind));
    document.set("usedBy", std::move(by_use));
    document.set("users", std::move(counts));
    document.set("answerBytes", info.answers);
    document.set("partialDownloads", amount_to_json(info.partial));
    document.set("unreadable", texts_to_json(info.unreadable));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  terminal.out() << printable(invocation.home.store().string()) << ": " << format_bytes(info.total()) << '\n';
  print_lines(terminal, "what is there", kinds);
  print_lines(terminal, "who uses it", users);
  terminal.out() << "answers of registries: " << format_bytes(info.answers) << '\n'
                 << "downloads that broke off: " << info.partial.count << ", "
                 << format_bytes(info.partial.bytes) << '\n'
                 << counted(info.installed, "extension") << ", "
                 << counted(info.kept_generations, "generation") << ", "
                 << counted(info.seen_locks, "lock file") << " seen, "
                 << counted(info.running_commands, "command") << " running\n";
  print_unreadable(terminal, info.unreadable);
  return 0;
}

Result<int> cache_prune_command(const Invocation& invocation, const CachePruneArguments& arguments,
                                Terminal& terminal) {
  const auto files = make_posix_file_system();
  const SystemClock clock;
  InstallProgress progress(terminal, clock);
  installer::PruneOptions options{.max_bytes = arguments.max_bytes, .dry_run = arguments.dry_run};
  if (arguments.max_age_days) options.max_age = std::chrono::hours(24) * *arguments.max_age_days;
  if (arguments.keep_generations) options.keep_generations = *arguments.keep_generations;
  CURUPIRA_TRY(const auto pruned,
               installer::prune_cache(invocation.home, *files, options, clock.now(), progress));
  const bool fits = !options.max_bytes || pruned.left_bytes <= *options.max_bytes;
  if (invocation.common.json) {
    json::Array generations;
    for (const auto number : pruned.generations)
      generations.emplace_back(number);
    json::Object document;
    document.set("schema", "curupira.cache.prune.v1");
    document.set("dryRun", arguments.dry_run);
    document.set("generations", std::move(generations));
    document.set("lockRecords", texts_to_json(pruned.lock_records));
    document.set("objects", texts_to_json(pruned.objects));
    document.set("answers", static_cast<std::uint64_t>(pruned.answers));
    document.set("partialDownloads", static_cast<std::uint64_t>(pruned.partial));
    document.set("freedBytes", pruned.freed_bytes);
    document.set("leftBytes", pruned.left_bytes);
    document.set("withinBudget", fits);
    document.set("unreadable", texts_to_json(pruned.unreadable));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  auto& out = terminal.out();
  for (const auto number : pruned.generations)
    out << "- generation " << number << '\n';
  for (const auto& record : pruned.lock_records)
    out << "- record of a lock file that is gone: " << printable(record.string()) << '\n';
  for (const auto& object : pruned.objects)
    out << "- " << printable(object) << '\n';
  if (pruned.answers > 0) out << "- " << counted(pruned.answers, "answer") << " of registries\n";
  if (pruned.partial > 0) out << "- " << counted(pruned.partial, "download") << " that broke off\n";
  out << format_bytes(pruned.freed_bytes) << (arguments.dry_run ? " would be freed, " : " freed, ")
      << format_bytes(pruned.left_bytes) << (arguments.dry_run ? " would be left\n" : " left\n");
  if (!fits)
    out << "that is more than " << format_bytes(*options.max_bytes)
        << ": what is left is in use by what is installed, locked or running\n";
  print_unreadable(terminal, pruned.unreadable);
  return 0;
}

}  // namespace curupira::cli
