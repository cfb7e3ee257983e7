#include "registry/registry_clients.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/nearest_name.h"
#include "base/printable.h"

namespace curupira::registry {
namespace {

constexpr std::array<std::string_view, 3> other_sources{"npm", "pip", "path"};

std::vector<std::string> names_of(const SourceTools& tools) {
  std::vector<std::string> names;
  if (tools.registries != nullptr)
    for (const auto& settings : *tools.registries)
      names.push_back(settings.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

Result<> check_registry_known(const SourceTools& tools, const std::string& name) {
  std::vector<std::string> names = names_of(tools);
  if (std::ranges::find(names, name) != names.end()) return {};
  Error error(ErrorCode::registry_unknown, "\"" + printable(name) + "\"");
  names.insert(names.end(), other_sources.begin(), other_sources.end());
  if (const auto near = nearest_name(name, names))
    return fail(std::move(error).with_help(
        "did you mean " + *near + ":? `curupira registry list` shows the registries that are set up"));
  return fail(
      std::move(error).with_help("packages come from npm:, pip:, path: and from registries: `curupira "
                                 "registry list` shows those, `curupira registry add " +
                                 printable(name) + " URL` adds one"));
}

void RegistryClients::offer(const std::string& name, std::shared_ptr<Carrier> carrier) {
  clients_.erase(name);
  offered_[name] = std::move(carrier);
}

Result<std::shared_ptr<RegistryClient>> RegistryClients::open(const std::string& name) {
  if (const auto known = clients_.find(name); known != clients_.end()) return known->second;
  CURUPIRA_CHECK(check_registry_known(tools_, name));
  const auto settings = std::ranges::find(*tools_.registries, name, &manifest::RegistrySettings::name);
  const auto offered = offered_.find(name);
  CURUPIRA_TRY(auto client, offered == offered_.end()
                                ? RegistryClient::open(tools_, *settings, diagnostics_)
                                : RegistryClient::open(tools_, *settings, diagnostics_, offered->second));
  return clients_.emplace(name, std::shared_ptr<RegistryClient>(std::move(client))).first->second;
}

Result<RegistryReference> find_bare_package(const SourceTools& tools, std::string_view text) {
  const auto word = bare_package(text, {});
  if (!word || tools.registry_clients == nullptr)
    return fail(ErrorCode::reference_syntax, "\"" + printable(text) + "\" is no package of a registry");
  const std::vector<std::string> names = names_of(tools);
  std::vector<std::string> having;
  for (const std::string& name : names) {
    CURUPIRA_TRY(const auto client, tools.registry_clients->open(name));
    const auto found = client->find(word->package);
    if (found)
      having.push_back(name);
    else if (found.error().code() != ErrorCode::package_unlisted)
      return fail(found.error());
  }
  const std::string shown = printable(word->package.text());
  if (having.size() == 1) {
    RegistryReference reference = *word;
    reference.registry = having.front();
    return reference;
  }
  if (having.empty())
    return fail(Error(ErrorCode::package_unlisted, shown + " is in none of the registries " + listed(names))
                    .with_help("`curupira plugins search WORD` shows what the registries have; a package of "
                               "another source is written npm:" +
                               shown + " or pip:" + shown));
  return fail(Error(ErrorCode::package_ambiguous, shown + " is in " + listed(having))
                  .with_help("say which one: " + having.front() + ":" + printable(text)));
}

}  // namespace curupira::registry
