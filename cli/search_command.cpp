#include <algorithm>
#include <ostream>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "cli/policy_file.h"
#include "cli/registry_access.h"
#include "cli/registry_command.h"
#include "cli/report.h"
#include "registry/registry_client.h"

namespace curupira::cli {
namespace {

struct Found {
  std::string registry;
  registry::FoundPackage package;
  std::string reference() const { return registry + ":" + package.name.text(); }
};

struct Failed {
  std::string registry;
  Error error;
};

Result<std::vector<const manifest::RegistrySettings*>> asked_registries(const RegistriesFile& settings,
                                                                        const SearchArguments& arguments) {
  std::vector<const manifest::RegistrySettings*> asked;
  if (settings.registries.empty())
    return fail(Error(ErrorCode::registry_unknown, "there is none in " + printable(settings.file.string()))
                    .with_help("`curupira registry add NAME URL` adds one"));
  for (const auto& each : settings.registries)
    if (arguments.registries.empty()) asked.push_back(&each);
  for (const std::string& name : arguments.registries) {
    const auto* const found = settings.find(name);
    if (found == nullptr) return fail(ErrorCode::registry_unknown, "\"" + excerpt(name, 80) + "\"");
    if (std::ranges::find(asked, found) == asked.end()) asked.push_back(found);
  }
  return asked;
}

void print_json(Terminal& terminal, const std::vector<Found>& found, const std::vector<Failed>& failed) {
  json::Array packages, failures;
  for (const Found& each : found) {
    const auto& brief = each.package.brief;
    json::Object object;
    object.set("registry", each.registry);
    object.set("name", each.package.name.text());
    object.set("reference", each.reference());
    if (brief.latest) object.set("version", *brief.latest);
    object.set("summary", brief.summary);
    object.set("triggers", json::Array(brief.triggers.begin(), brief.triggers.end()));
    object.set("yanked", json::Array(brief.yanked.begin(), brief.yanked.end()));
    packages.emplace_back(std::move(object));
  }
  for (const Failed& each : failed) {
    json::Object object;
    object.set("registry", each.registry);
    object.set("error", error_to_json(each.error));
    failures.emplace_back(std::move(object));
  }
  json::Object document;
  document.set("schema", "curupira.plugins.search.v1");
  document.set("packages", std::move(packages));
  document.set("failed", std::move(failures));
  terminal.out() << json::write_pretty(document);
}

/// A row each, in columns: what `plugins install` takes, the version, the summary.
void print_table(Terminal& terminal, const std::vector<Found>& found) {
  std::size_t reference_width = 0, version_width = 0;
  const auto version_of = [](const Found& each) {
    return printable(each.package.brief.latest.value_or("-"));
  };
  for (const Found& each : found) {
    reference_width = std::max(reference_width, each.reference().size());
    version_width = std::max(version_width, version_of(each).size());
  }
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
  };
  for (const Found& each : found) {
    const bool gone = !each.package.brief.latest;
    const std::string summary =
        gone ? "(all versions were taken back)" : printable(each.package.brief.summary);
    const std::string row =
        padded(each.reference(), reference_width) + "  " +
        (summary.empty() ? version_of(each) : padded(version_of(each), version_width) + "  " + summary);
    terminal.out() << row << '\n';
  }
}

}  // namespace

Result<int> search_command(const Invocation& invocation, const SearchArguments& arguments,
                           Terminal& terminal) {
  RegistryAccess access(invocation, terminal, arguments.offline);
  CURUPIRA_TRY(const RegistriesFile settings,
               read_registries(invocation, access.files(), access.diagnostics()));
  CURUPIRA_TRY(const auto asked, asked_registries(settings, arguments));
  CURUPIRA_TRY(const auto policy, read_policy(invocation, access.files(), access.diagnostics()));
  access.keep_to(policy);

  std::vector<Found> found;
  std::vector<Failed> failed;
  for (const auto* const each : asked) {
    const auto search = [&]() -> Result<std::vector<registry::FoundPackage>> {
      CURUPIRA_TRY(const auto client,
                   registry::RegistryClient::open(access.tools(), *each, access.diagnostics()));
      return client->search(arguments.words);
    };
    auto packages = search();
    if (!packages) {
      failed.push_back({each->name, std::move(packages).error()});
      continue;
    }
    for (auto& package : *packages)
      found.push_back({each->name, std::move(package)});
  }
  if (failed.size() == asked.size() && failed.size() == 1) return fail(std::move(failed.front().error));
  if (invocation.common.json)
    print_json(terminal, found, failed);
  else
    print_table(terminal, found);
  for (const Failed& each : failed)
    print_error(terminal, each.error);
  if (found.empty() && failed.empty() && !invocation.common.json)
    terminal.err() << "Nothing has all of these words\n";
  return failed.empty() ? 0 : 1;
}

}  // namespace curupira::cli
