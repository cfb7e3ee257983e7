#include "cli/registry_arguments.h"

#include <CLI/CLI.hpp>

#include "cli/registry_mirror_options.h"

namespace curupira::cli {
namespace {

using AddCommon = std::function<void(CLI::App&)>;

/// A path option that may be left out: CLI11 writes into strings.
std::optional<std::filesystem::path> path_of(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::filesystem::path>(text);
}

std::optional<std::string> text_of(const CLI::App* command, const char* option, const std::string& text) {
  return command->get_option(option)->count() > 0 ? std::optional(text) : std::nullopt;
}

}  // namespace

/// Everything that the parser writes to.
struct RegistryCommands::State {
  std::string folder, keys, passphrase_file;
  std::vector<std::string> key_files, paths, signed_files, public_keys;
  bool wait = false;
  RegistryInitArguments init;
  std::string scope, summary, reason, name, version, role, key_id, new_key, pattern, publisher;
  bool probe_unsandboxed = false;
  std::int64_t threshold = 1;
  RegistryMirrorOptions mirror;
  RegistryServeArguments serving;
  RegistryPruneArguments pruning;
  RegistryUndelegateArguments undelegating;

  CLI::App* init_command = nullptr;
  CLI::App* publish = nullptr;
  CLI::App* yank = nullptr;
  CLI::App* unyank = nullptr;
  CLI::App* refresh = nullptr;
  CLI::App* keys_list = nullptr;
  CLI::App* keys_new = nullptr;
  CLI::App* keys_add = nullptr;
  CLI::App* keys_rotate = nullptr;
  CLI::App* keys_revoke = nullptr;
  CLI::App* delegate = nullptr;
  CLI::App* sign = nullptr;
  CLI::App* verify = nullptr;
  std::optional<RegistryCopyCommands> copying;
  std::optional<RegistryUseCommands> use;
  CLI::App* serve = nullptr;
  CLI::App* prune = nullptr;
  CLI::App* undelegate = nullptr;

  RegistryPlaceArguments place() const {
    return {.folder = folder,
            .keys = path_of(keys),
            .key_files = {key_files.begin(), key_files.end()},
            .passphrase_file = path_of(passphrase_file),
            .wait = wait};
  }

  void add_folder(CLI::App& command) {
    command.add_option("DIR", folder, "The registry's folder")->required();
    command
        .add_option("--keys", keys, "Folder of its keys, and of what was seen of it last (default: DIR.keys)")
        ->type_name("FOLDER");
  }
  void add_signing(CLI::App& command) {
    command.add_option("--key", key_files, "A private key that signs; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    add_passphrase(command);
    command.add_flag("--wait", wait, "Wait for another command that changes the registry");
  }
  void add_passphrase(CLI::App& command) {
    command
        .add_option("--passphrase-file", passphrase_file,
                    "First line of it: the keys' passphrase (or in CURUPIRA_KEY_PASSPHRASE)")
        ->type_name("FILE");
  }
  void add_public_key(CLI::App& command, const char* help) {
    command.add_option("--public-key", public_keys, help)->type_name("FILE")->allow_extra_args(false);
  }
  void add_threshold(CLI::App& command) {
    command.add_option("--threshold", threshold, "How many of its keys have to sign from now on")
        ->type_name("N")
        ->check(CLI::Range(1, 50));
  }
  CLI::App* add(CLI::App& parent, const AddCommon& add_common, const char* word, const char* help) {
    CLI::App* const command = parent.add_subcommand(word, help);
    add_common(*command);
    return command;
  }

  void add_packages(CLI::App& registry, const AddCommon& add_common) {
    publish = add(registry, add_common, "publish", "Publish extensions, checked as an installation would");
    add_folder(*publish);
    publish->add_option("PATH", paths, "Folders or archives of extensions")->required();
    publish->add_option("--scope", scope, "Publish them as @SCOPE/NAME")->type_name("SCOPE");
    publish->add_option("--summary", summary, "One line for those who search")->type_name("TEXT");
    publish->add_flag("--probe-unsandboxed", probe_unsandboxed,
                      "Start a package without a manifest file even where no sandbox is available");
    add_signing(*publish);

    yank = add(registry, add_common, "yank",
               "Take a version back: who has it locked keeps it, others do not get it");
    unyank = add(registry, add_common, "unyank", "Let a version that was taken back count again");
    for (CLI::App* const command : {yank, unyank}) {
      add_folder(*command);
      command->add_option("NAME", name, "The package")->required();
      command->add_option("VERSION", version, "Its version")->required();
      add_signing(*command);
    }
    yank->add_option("--reason", reason, "Why, for those who use it")->type_name("TEXT")->required();
  }

  void add_mirror(CLI::App& registry, const AddCommon& add_common) {
    CLI::App* const command = add(registry, add_common, "mirror",
                                  "Mirror packages of npm and Python, and archives, for closed networks");
    add_folder(*command);
    mirror.add_to(*command);
    add_signing(*command);
  }

  void add_keys(CLI::App& registry, const AddCommon& add_common) {
    CLI::App* const group = registry.add_subcommand("keys", "Who signs what");
    group->require_subcommand(1);
    keys_list = add(*group, add_common, "list", "Roles, their keys, and until when they have signed");
    add_folder(*keys_list);
    keys_new = add(*group, add_common, "new", "Make a key: FILE, and FILE with the ending .pub");
    keys_new->add_option("FILE", new_key, "The private key's file, ending .pem")->required();
    add_passphrase(*keys_new);
    keys_add = add(*group, add_common, "add", "Let one more key sign for a role");
    keys_rotate = add(*group, add_common, "rotate", "Put a new key in the place of one");
    keys_revoke = add(*group, add_common, "revoke", "Let a key's signatures count no more");
    for (CLI::App* const command : {keys_add, keys_rotate, keys_revoke}) {
      add_folder(*command);
      command->add_option("ROLE", role, "root, targets, online, or a publisher")->required();
      add_signing(*command);
    }
    add_public_key(*keys_add,
                   "A key whose private half somebody else has; may be repeated (default: a new key)");
    add_public_key(*keys_rotate, "The new key, when somebody else has its private half");
    keys_rotate->add_option("KEY", key_id,
                            "The beginning of the old key's id, or its FILE.pub (default: the only key)");
    keys_revoke->add_option("KEY", key_id, "The beginning of the key's id, or its FILE.pub")->required();
    add_threshold(*keys_add);
    add_threshold(*keys_revoke);
  }

  void add_others(CLI::App& registry, const AddCommon& add_common) {
    refresh = add(registry, add_common, "refresh",
                  "Sign anew what expires, show what publishers signed, rebuild the search index");
    delegate = add(registry, add_common, "delegate", "Let a publisher's key alone sign some names");
    sign = add(registry, add_common, "sign", "Add a signature to the root that waits");
    verify =
        add(registry, add_common, "verify", "Walk all metadata and files as clients do; changes nothing");
    for (CLI::App* const command : {refresh, delegate, sign, verify})
      add_folder(*command);
    sign->get_option("DIR")->description("The registry's folder, or a root in a file: 2.root.json");
    sign->add_option("--signed", signed_files, "A root that came back from a holder; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false);
    for (CLI::App* const command : {refresh, delegate, sign})
      add_signing(*command);
    delegate->add_option("PATTERN", pattern, "Names of packages: '@acme/*', 'acme-*'")->required();
    delegate->add_option("--name", publisher, "What the publisher is called (default: after the pattern)")
        ->type_name("NAME");
    add_public_key(*delegate, "The publisher's key; or --key, when its private half is here");

    undelegate = add(registry, add_common, "undelegate", "Take names back from a publisher");
    add_folder(*undelegate);
    undelegate
        ->add_option("NAMES", undelegating.what, "A pattern as it was delegated, or the publisher's name")
        ->required();
    undelegate->add_flag("--with-packages", undelegating.with_packages,
                         "Also when packages have such names: clients lose them");
    add_signing(*undelegate);

    prune = add(registry, add_common, "prune", "Remove files that no metadata names any more");
    add_folder(*prune);
    prune->add_option("--keep-days", pruning.keep_days, "Keep what was replaced since (default: 30)")
        ->type_name("N")
        ->check(CLI::Range(0, 36500));
    prune->add_flag("--dry-run", pruning.dry_run, "Only say what would be removed");
    prune->add_flag("--wait", wait, "Wait for another command that changes the registry");

    serve =
        add(registry, add_common, "serve", "Serve the folder over HTTP, to read, with a page to browse it");
    serve->add_option("DIR", folder, "The registry's folder")->required();
    serve->add_option("--port", serving.port, "Where it listens (default: a free one, which is printed)")
        ->type_name("N");
    serve->add_option("--address", serving.address, "At which address of this machine (default: 127.0.0.1)")
        ->type_name("IP");
  }

  std::optional<RegistryArguments> chosen_keys() const {
    using Change = RegistryKeysChangeArguments::Change;
    RegistryKeysChangeArguments change{
        .place = place(), .role = role, .public_keys = {public_keys.begin(), public_keys.end()}};
    if (keys_list->parsed()) return RegistryKeysListArguments{place()};
    if (keys_new->parsed())
      return RegistryKeysNewArguments{.file = new_key, .passphrase_file = path_of(passphrase_file)};
    if (keys_add->parsed()) {
      if (keys_add->get_option("--threshold")->count() > 0) change.threshold = threshold;
      return change;
    }
    if (keys_rotate->parsed()) {
      change.change = Change::rotate;
      change.key_id = text_of(keys_rotate, "KEY", key_id);
      return change;
    }
    if (keys_revoke->parsed()) {
      change.change = Change::revoke;
      change.key_id = key_id;
      if (keys_revoke->get_option("--threshold")->count() > 0) change.threshold = threshold;
      return change;
    }
    return std::nullopt;
  }
};

RegistryCommands::RegistryCommands(CLI::App& app, const AddCommon& add_common)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  CLI::App* const registry = app.add_subcommand("registry", "Use registries of extensions, or keep one");
  registry->require_subcommand(1);
  state.init_command =
      state.add(*registry, add_common, "init", "Make a registry without packages, and its keys");
  state.add_folder(*state.init_command);
  state.add_passphrase(*state.init_command);
  state.init_command->add_option("--root-keys", state.init.root_keys, "How many root keys there are")
      ->type_name("N")
      ->check(CLI::Range(1, 50));
  state.init_command
      ->add_option("--root-threshold", state.init.root_threshold, "How many of them have to sign a new root")
      ->type_name("M")
      ->check(CLI::Range(1, 50));
  state.init_command
      ->add_option("--bits", state.init.bits,
                   "Spread the packages over 2^B files of metadata (default: " +
                       std::to_string(registry::default_bin_bits) + ")")
      ->type_name("B")
      ->check(CLI::Range(1, 16));
  state.add_packages(*registry, add_common);
  state.add_mirror(*registry, add_common);
  state.add_keys(*registry, add_common);
  state.add_others(*registry, add_common);
  state.copying.emplace(*registry, add_common);
  state.use.emplace(*registry, *app.get_subcommand("plugins"), add_common);
}

RegistryCommands::RegistryCommands(RegistryCommands&&) noexcept = default;
RegistryCommands::~RegistryCommands() = default;

std::optional<RegistryArguments> RegistryCommands::chosen() const {
  const State& state = *state_;
  if (auto use = state.use->chosen()) return *std::move(use);
  if (state.init_command->parsed()) {
    RegistryInitArguments init = state.init;
    init.place = state.place();
    return init;
  }
  if (state.publish->parsed())
    return RegistryPublishArguments{.place = state.place(),
                                    .paths = {state.paths.begin(), state.paths.end()},
                                    .scope = text_of(state.publish, "--scope", state.scope),
                                    .summary = text_of(state.publish, "--summary", state.summary),
                                    .probe_unsandboxed = state.probe_unsandboxed};
  if (state.yank->parsed())
    return RegistryYankArguments{
        .place = state.place(), .name = state.name, .version = state.version, .reason = state.reason};
  if (state.unyank->parsed())
    return RegistryYankArguments{.place = state.place(), .name = state.name, .version = state.version};
  if (state.refresh->parsed()) return RegistryRefreshArguments{state.place()};
  if (state.delegate->parsed())
    return RegistryDelegateArguments{
        .place = state.place(),
        .pattern = state.pattern,
        .name = text_of(state.delegate, "--name", state.publisher),
        .public_key = path_of(state.public_keys.empty() ? "" : state.public_keys.back())};
  if (state.sign->parsed())
    return RegistrySignArguments{.place = state.place(),
                                 .signed_files = {state.signed_files.begin(), state.signed_files.end()}};
  if (state.verify->parsed()) return RegistryVerifyArguments{state.place()};
  if (state.prune->parsed()) {
    RegistryPruneArguments pruning = state.pruning;
    pruning.place = state.place();
    return pruning;
  }
  if (state.undelegate->parsed()) {
    RegistryUndelegateArguments undelegating = state.undelegating;
    undelegating.place = state.place();
    return undelegating;
  }
  if (state.serve->parsed()) {
    RegistryServeArguments serving = state.serving;
    serving.folder = state.folder;
    return serving;
  }
  if (state.mirror.parsed()) return state.mirror.arguments(state.place());
  if (auto copying = state.copying->chosen()) return copying;
  return state.chosen_keys();
}

}  // namespace curupira::cli
