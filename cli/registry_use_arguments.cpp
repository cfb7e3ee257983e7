#include "cli/registry_use_arguments.h"

#include <CLI/CLI.hpp>

namespace curupira::cli {

/// Everything that the parser writes to.
struct RegistryUseCommands::State {
  RegistryAddArguments add;
  std::string fingerprint;
  RegistryRemoveArguments remove;
  SearchArguments search;

  CLI::App* add_command = nullptr;
  CLI::App* list_command = nullptr;
  CLI::App* remove_command = nullptr;
  CLI::App* search_command = nullptr;
};

RegistryUseCommands::RegistryUseCommands(CLI::App& registry, CLI::App& plugins,
                                         const std::function<void(CLI::App&)>& add_common)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  CLI::App* const add = state.add_command =
      registry.add_subcommand("add", "Use a registry: trust its root, and name it in the settings");
  add_common(*add);
  add->add_option("NAME", state.add.name, "What you call it: its packages are NAME:PACKAGE")->required();
  add->add_option("URL", state.add.url, "https://…, oci://HOST/PATH, or a folder")->required();
  add->add_option("--root-fingerprint", state.fingerprint,
                  "sha256:… of its first root, from its keepers (default: it is shown, and you are asked)")
      ->type_name("sha256:HEX");
  add->add_option("--mirror", state.add.mirrors, "Where to ask when it does not answer; may be repeated")
      ->type_name("URL")
      ->allow_extra_args(false);

  state.list_command = registry.add_subcommand("list", "Registries of the settings, and what is trusted");
  add_common(*state.list_command);

  CLI::App* const remove = state.remove_command =
      registry.add_subcommand("remove", "Use a registry no more, and forget its root");
  add_common(*remove);
  remove->add_option("NAME", state.remove.name, "What you call it")->required();

  CLI::App* const search = state.search_command =
      plugins.add_subcommand("search", "Find packages in the registries of the settings");
  add_common(*search);
  search->add_option("WORD", state.search.words, "Words that have to be in name, summary or triggers")
      ->required();
  search->add_option("--registry", state.search.registries, "Only in this one; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  search->add_flag("--offline", state.search.offline, "Use no network: only what was read before");
}

RegistryUseCommands::RegistryUseCommands(RegistryUseCommands&&) noexcept = default;
RegistryUseCommands::~RegistryUseCommands() = default;

std::optional<RegistryUseArguments> RegistryUseCommands::chosen() const {
  const State& state = *state_;
  if (state.add_command->parsed()) {
    RegistryAddArguments add = state.add;
    if (state.add_command->get_option("--root-fingerprint")->count() > 0) add.fingerprint = state.fingerprint;
    return add;
  }
  if (state.list_command->parsed()) return RegistryListArguments{};
  if (state.remove_command->parsed()) return state.remove;
  if (state.search_command->parsed()) return state.search;
  return std::nullopt;
}

}  // namespace curupira::cli
