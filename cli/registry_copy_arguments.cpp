#include "cli/registry_copy_arguments.h"

#include <CLI/CLI.hpp>

namespace curupira::cli {

/// Everything that the parser writes to.
struct RegistryCopyCommands::State {
  RegistryCopyArguments given;
  std::string fingerprint;
  CLI::App* push = nullptr;
  CLI::App* pull = nullptr;
  CLI::App* copy = nullptr;
};

RegistryCopyCommands::RegistryCopyCommands(CLI::App& registry,
                                           const std::function<void(CLI::App&)>& add_common)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  RegistryCopyArguments& given = state.given;
  state.push = registry.add_subcommand("push", "Copy your registry to where it is served: an OCI registry");
  state.pull = registry.add_subcommand("pull", "Copy a registry from an OCI registry to a folder");
  state.copy = registry.add_subcommand("copy", "Copy a registry as it is, from anywhere to anywhere");
  for (CLI::App* const command : {state.push, state.pull, state.copy})
    add_common(*command);
  state.push->add_option("DIR", given.from, "The registry's folder")->required();
  state.push->add_option("ADDRESS", given.to, "oci://HOST/PATH")->required();
  state.pull->add_option("ADDRESS", given.from, "oci://HOST/PATH")->required();
  state.pull->add_option("DIR", given.to, "The folder of the copy")->required();
  const char* const places = "A folder, https://HOST/PATH, oci://HOST/PATH, or a file ending .bundle";
  state.copy->add_option("FROM", given.from, places)->required();
  state.copy->add_option("TO", given.to, "A folder, oci://HOST/PATH, or a file ending .bundle")->required();
  for (CLI::App* const command : {state.pull, state.copy})
    command
        ->add_option("--root-fingerprint", state.fingerprint,
                     "Of the registry's first root; a copy that is there knows it")
        ->type_name("sha256:HEX");
  for (CLI::App* const command : {state.push, state.pull, state.copy}) {
    command->add_option("--package", given.packages, "Leave out the files of all others; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command->add_flag("--dry-run", given.dry_run, "Only say what would be copied");
    command->add_flag("--wait", given.wait, "Wait for another command that changes the copy");
  }
}

RegistryCopyCommands::RegistryCopyCommands(RegistryCopyCommands&&) noexcept = default;
RegistryCopyCommands::~RegistryCopyCommands() = default;

std::optional<RegistryCopyArguments> RegistryCopyCommands::chosen() const {
  using Word = RegistryCopyArguments::Word;
  RegistryCopyArguments given = state_->given;
  if (state_->push->parsed())
    given.word = Word::push;
  else if (state_->pull->parsed())
    given.word = Word::pull;
  else if (!state_->copy->parsed())
    return std::nullopt;
  if (!state_->fingerprint.empty()) given.root_fingerprint = state_->fingerprint;
  return given;
}

}  // namespace curupira::cli
