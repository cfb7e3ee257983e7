#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "base/nearest_name.h"

namespace curupira::cli {
namespace {

constexpr const char* about =
    "Finds work for coding agents: installs, verifies and runs Curupira extensions.";
constexpr const char* references_help =
    "What to install: npm:NAME@RANGE, pip:NAME==VERSION, REGISTRY:NAME@RANGE, NAME (when one registry has "
    "it), "
    "path:FOLDER, ./ARCHIVE or https://…#sha256=…";

Result<manifest::LogLevel> parse_log_level(std::string name) {
  using manifest::LogLevel;
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (name == "DEBUG") return LogLevel::debug;
  if (name == "INFO") return LogLevel::info;
  if (name == "WARNING") return LogLevel::warning;
  if (name == "ERROR") return LogLevel::error;
  if (name == "CRITICAL") return LogLevel::critical;
  return fail(ErrorCode::usage,
              "--log-level \"" + name + "\"; the levels are DEBUG, INFO, WARNING, ERROR and CRITICAL");
}

/// Everything that the parser writes to; it must outlive the parse.
struct Parsed {
  CommonArguments common;
  std::string config;
  std::string level;
  InstallArguments install;
  ListArguments list;
  InfoArguments info;
  RemoveArguments remove;
  RollbackArguments rollback;
  VerifyArguments verify;
  CachePruneArguments prune;
  LockArguments lock;
  std::string platform;
  std::string network;
  SyncArguments sync;
  BundleCreateArguments bundle_create;
  BundleInspectArguments bundle_inspect;
  BundleInstallArguments bundle_install;
  std::string bundle_lock, bundle_since;
  UpdateArguments update;
  RunArguments run;
  DoctorArguments doctor;
  PolicyTestArguments policy_test;
  std::uint32_t size = 0;
};

/// The options of every command: given to each so that they work before and after its name; the later one
/// wins.
void add_common(CLI::App& app, Parsed& parsed, bool with_json) {
  app.add_option("--config", parsed.config, "Settings file (default: settings.toml in the home of curupira)")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--log-level", parsed.level, "DEBUG, INFO, WARNING, ERROR or CRITICAL")
      ->type_name("LEVEL")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  if (with_json) app.add_flag("--json", parsed.common.json, "Print JSON (docs/json.md) instead of text");
}

struct Commands {
  CLI::App* plugins = nullptr;
  CLI::App* install = nullptr;
  CLI::App* list = nullptr;
  CLI::App* info = nullptr;
  CLI::App* remove = nullptr;
  CLI::App* rollback = nullptr;
  CLI::App* verify = nullptr;
  CLI::App* cache_verify = nullptr;
  CLI::App* cache_info = nullptr;
  CLI::App* cache_prune = nullptr;
  CLI::App* lock = nullptr;
  CLI::App* sync = nullptr;
  CLI::App* bundle_create = nullptr;
  CLI::App* bundle_inspect = nullptr;
  CLI::App* bundle_install = nullptr;
  CLI::App* outdated = nullptr;
  CLI::App* update = nullptr;
  CLI::App* validate = nullptr;
  CLI::App* run = nullptr;
  CLI::App* tui = nullptr;
  CLI::App* policy_test = nullptr;
  CLI::App* doctor = nullptr;
  CLI::App* doctor_network = nullptr;
};

void add_bundle_commands(Commands& commands, Parsed& parsed) {
  auto* bundle = commands.plugins->add_subcommand(
      "bundle", "Carry the extensions of a lock file, with all that they need, in one file");
  bundle->require_subcommand(1);
  auto* create = commands.bundle_create =
      bundle->add_subcommand("create", "Write one; what the store lacks is fetched");
  add_common(*create, parsed, true);
  create->add_option("-o,--output", parsed.bundle_create.output, "The file to write")
      ->type_name("FILE")
      ->required();
  create->add_option("--lock", parsed.bundle_lock, "The lock file (default: beside the settings)")
      ->type_name("FILE");
  create
      ->add_option("--platform", parsed.bundle_create.platforms,
                   "Only for this platform; may be repeated (default: all of the lock file)")
      ->type_name("PLATFORM")
      ->allow_extra_args(false);
  create->add_option("--since", parsed.bundle_since, "Leave out what this earlier bundle had")
      ->type_name("BUNDLE");
  create->add_flag("--offline", parsed.bundle_create.offline, "Use no network: only what the store has");

  auto* inspect = commands.bundle_inspect =
      bundle->add_subcommand("inspect", "Read all of one, and say what is in it; changes nothing");
  add_common(*inspect, parsed, true);
  inspect->add_option("FILE", parsed.bundle_inspect.file, "The bundle")->required();

  auto* install = commands.bundle_install =
      bundle->add_subcommand("install", "Install what is in one; needs no network");
  add_common(*install, parsed, true);
  install->add_option("FILE", parsed.bundle_install.file, "The bundle")->required();
  install
      ->add_option("--digest", parsed.bundle_install.digest,
                   "Only if it is the bundle of which `bundle create` printed this digest")
      ->type_name("sha256:HEX");
  install->add_flag("--yes,-y", parsed.bundle_install.yes, "Do not ask");
  install->add_flag("--dry-run", parsed.bundle_install.dry_run, "Show the plan and change nothing");
}

Commands add_commands(CLI::App& app, Parsed& parsed) {
  Commands commands;
  commands.plugins = app.add_subcommand("plugins", "Install, list, describe and remove extensions");
  commands.plugins->require_subcommand(1);
  add_common(*commands.plugins, parsed, false);

  auto* install = commands.install =
      commands.plugins->add_subcommand("install", "Install extensions, verified");
  add_common(*install, parsed, true);
  install->add_option("REFERENCE", parsed.install.references, references_help)->required();
  install->add_flag("--yes,-y", parsed.install.yes, "Do not ask");
  install->add_flag("--dry-run", parsed.install.dry_run, "Show the plan and change nothing");
  install
      ->add_option("--network", parsed.network,
                   "prefer-cache: take what the lock file and the store have, before asking anybody")
      ->type_name("HOW")
      ->check(CLI::IsMember({"default", "prefer-cache"}));
  install->add_flag("--probe-unsandboxed", parsed.install.probe_unsandboxed,
                    "Start a package without a manifest file even where no sandbox is available");

  auto* list = commands.list =
      commands.plugins->add_subcommand("list", "List triggers and agents; starts nothing");
  add_common(*list, parsed, true);
  list->add_flag("--strict", parsed.list.strict, "Exit 1 when a manifest is broken");

  auto* info = commands.info =
      commands.plugins->add_subcommand("info", "Describe one extension; starts nothing");
  add_common(*info, parsed, true);
  info->add_option("NAME", parsed.info.name, "The extension")->required();

  auto* remove = commands.remove = commands.plugins->add_subcommand("remove", "Remove extensions");
  remove->alias("uninstall");
  add_common(*remove, parsed, true);
  remove->add_option("NAME", parsed.remove.names, "The extensions")->required();
  remove->add_flag("--force", parsed.remove.force, "Wait for the commands that run the extension");

  auto* rollback = commands.rollback =
      commands.plugins->add_subcommand("rollback", "Go back to an earlier generation; needs no network");
  add_common(*rollback, parsed, true);
  rollback->add_option("N", parsed.rollback.generation, "Its number (default: the one before the last)");
  rollback->add_flag("--list", parsed.rollback.list, "Show the generations that are kept");

  auto* verify = commands.verify = commands.plugins->add_subcommand(
      "verify", "Compare every file of extensions with what was installed; needs no network");
  add_common(*verify, parsed, true);
  verify->add_option("NAME", parsed.verify.names, "The extensions (default: all)");
  verify->add_flag("--repair", parsed.verify.repair, "Make anew what is damaged, and only that");
  verify->add_flag("--explain", parsed.verify.explain,
                   "Show what was signed by whom, and how to check it by hand");

  auto* cache = app.add_subcommand("cache", "What the store holds, and making room");
  cache->require_subcommand(1);
  commands.cache_info = cache->add_subcommand("info", "Sizes, and who uses what");
  add_common(*commands.cache_info, parsed, true);
  commands.cache_verify = cache->add_subcommand("verify", "Compare all of the store with its digests");
  add_common(*commands.cache_verify, parsed, true);
  auto* prune = commands.cache_prune =
      cache->add_subcommand("prune", "Remove what nothing that is installed, locked, running or kept uses");
  add_common(*prune, parsed, true);
  prune
      ->add_option("--max-size", parsed.prune.max_bytes,
                   "Let older generations go until the store is this small (500MB, 2GB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false));
  prune
      ->add_option("--max-age", parsed.prune.max_age_days,
                   "Let generations and cached answers go that are older")
      ->type_name("DAYS")
      ->check(CLI::Range(0u, 36500u));
  prune
      ->add_option("--keep-generations", parsed.prune.keep_generations,
                   "Keep the last N; 1 is what is installed")
      ->type_name("N")
      ->check(CLI::Range(1u, 1000u));
  prune->add_flag("--dry-run", parsed.prune.dry_run, "Show what would go, and remove nothing");

  auto* lock = commands.lock = commands.plugins->add_subcommand(
      "lock", "Write curupira.lock: exactly which bytes the extensions of the settings are");
  add_common(*lock, parsed, true);
  lock->add_option("--platform", parsed.platform, "Resolve as another platform would (linux-x86_64)")
      ->type_name("PLATFORM");

  auto* sync = commands.sync =
      commands.plugins->add_subcommand("sync", "Install exactly what curupira.lock says");
  add_common(*sync, parsed, true);
  sync->add_flag("--frozen", parsed.sync.frozen, "Never change the lock file: it has to be complete");
  sync->add_flag("--offline", parsed.sync.offline, "Use no network: everything has to be in the store");
  sync->add_flag("--yes,-y", parsed.sync.yes, "Do not ask before adding what the lock file lacks");
  sync->add_flag("--dry-run", parsed.sync.dry_run, "Show the plan and change nothing");

  add_bundle_commands(commands, parsed);

  commands.outdated =
      commands.plugins->add_subcommand("outdated", "Show what is newer within the references' ranges");
  add_common(*commands.outdated, parsed, true);

  auto* update = commands.update = commands.plugins->add_subcommand(
      "update", "Bring extensions to the newest version that their references allow");
  add_common(*update, parsed, true);
  update->add_option("NAME", parsed.update.names, "The extensions (default: all)");
  update->add_flag("--yes,-y", parsed.update.yes, "Do not ask");
  update->add_flag("--accept-changes", parsed.update.accept_changes,
                   "Accept permissions that were added and verification levels that went down");
  update->add_flag("--dry-run", parsed.update.dry_run, "Show the plan and change nothing");

  commands.validate =
      app.add_subcommand("validate", "Check the settings, with the extensions that they name");
  add_common(*commands.validate, parsed, true);

  auto* run = commands.run =
      app.add_subcommand("run", "Find work and start agents (this version: --dry-run)");
  add_common(*run, parsed, true);
  run->add_flag("--dry-run", parsed.run.dry_run, "Show the tasks that would start, and change nothing");
  run->add_flag("--watch", parsed.run.watch, "Go on until interrupted");
  run->add_option("--size", parsed.size, "Start at most N tasks")
      ->type_name("N")
      ->check(CLI::Range(1u, 4294967295u));

  auto* policy = app.add_subcommand("policy", "What [policy] of the settings allows");
  policy->require_subcommand(1);
  add_common(*policy, parsed, false);
  auto* policy_test = commands.policy_test =
      policy->add_subcommand("test", "Explain which rules decide on a reference; installs nothing");
  add_common(*policy_test, parsed, true);
  policy_test->add_option("REFERENCE", parsed.policy_test.references, references_help)->required();
  policy_test->add_flag("--resolve", parsed.policy_test.resolve,
                        "Also fetch and examine it, for the rules on what it is");

  commands.tui = app.add_subcommand("tui", "Full-screen view");
  add_common(*commands.tui, parsed, false);

  commands.doctor = app.add_subcommand("doctor", "Say what does not work here, and what to do");
  add_common(*commands.doctor, parsed, true);
  commands.doctor_network = commands.doctor->add_subcommand(
      "network", "Only the network: which proxy, certificates and login count for an address");
  add_common(*commands.doctor_network, parsed, true);
  commands.doctor_network->add_option("URL", parsed.doctor.urls,
                                      "Addresses (default: the configured registries and indexes)");
  return commands;
}

/// What is wrong with a command line whose words are no command: CLI11 only says that one is missing.
std::optional<std::string> unknown_command(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) return std::nullopt;
    if (word == "--config" || word == "--log-level") ++i;  // with its value
    if (word.starts_with('-')) continue;
    std::vector<std::string> names;
    for (const CLI::App* command : commands)
      names.push_back(command->get_name());
    const auto found = std::ranges::find_if(commands, [&](const CLI::App* c) { return c->check_name(word); });
    if (found != commands.end()) {
      at = *found;
      continue;
    }
    const std::string parent = at == &app ? "curupira" : "`" + at->get_name() + "`";
    std::string text = "\"" + word + "\" is no command of " + parent;
    for (const CLI::App* group : commands)
      if (!group->get_subcommands([&](const CLI::App* c) { return c->check_name(word); }).empty())
        return text + "; did you mean \"" + group->get_name() + " " + word + "\"?";
    if (const auto near = nearest_name(word, names)) return text + "; did you mean \"" + *near + "\"?";
    text += "; there are ";
    for (const auto& name : names)
      text += (&name == &names.front() ? "" : ", ") + name;
    return text;
  }
  return std::nullopt;
}

/// The command that the words name, as far as they do: "curupira plugins sync".
std::string named_command(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  std::string name = app.get_name();
  for (int i = 1; i < argc; ++i) {
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    const auto found =
        std::ranges::find_if(commands, [&](const CLI::App* command) { return command->check_name(argv[i]); });
    if (found == commands.end()) continue;
    at = *found;
    name += " " + at->get_name();
  }
  return name;
}

Result<Arguments> chosen(const CLI::App& app, const Commands& commands, const RegistryCommands& registry,
                         const Parsed& parsed) {
  if (auto arguments = registry.chosen()) return Arguments{parsed.common, *std::move(arguments)};
  if (commands.install->parsed()) {
    InstallArguments install = parsed.install;
    install.prefer_cache = parsed.network == "prefer-cache";
    return Arguments{parsed.common, install};
  }
  if (commands.list->parsed()) return Arguments{parsed.common, parsed.list};
  if (commands.info->parsed()) return Arguments{parsed.common, parsed.info};
  if (commands.remove->parsed()) return Arguments{parsed.common, parsed.remove};
  if (commands.rollback->parsed()) return Arguments{parsed.common, parsed.rollback};
  if (commands.verify->parsed()) return Arguments{parsed.common, parsed.verify};
  if (commands.cache_verify->parsed()) return Arguments{parsed.common, CacheVerifyArguments{}};
  if (commands.cache_info->parsed()) return Arguments{parsed.common, CacheInfoArguments{}};
  if (commands.cache_prune->parsed()) return Arguments{parsed.common, parsed.prune};
  if (commands.lock->parsed()) {
    LockArguments lock = parsed.lock;
    if (!parsed.platform.empty()) lock.platform = parsed.platform;
    return Arguments{parsed.common, lock};
  }
  if (commands.sync->parsed()) return Arguments{parsed.common, parsed.sync};
  if (commands.bundle_create->parsed()) {
    BundleCreateArguments create = parsed.bundle_create;
    if (!parsed.bundle_lock.empty()) create.lock = parsed.bundle_lock;
    if (!parsed.bundle_since.empty()) create.since = parsed.bundle_since;
    return Arguments{parsed.common, create};
  }
  if (commands.bundle_inspect->parsed()) return Arguments{parsed.common, parsed.bundle_inspect};
  if (commands.bundle_install->parsed()) return Arguments{parsed.common, parsed.bundle_install};
  if (commands.outdated->parsed()) return Arguments{parsed.common, OutdatedArguments{}};
  if (commands.update->parsed()) return Arguments{parsed.common, parsed.update};
  if (commands.validate->parsed()) return Arguments{parsed.common, ValidateArguments{}};
  if (commands.run->parsed()) {
    RunArguments run = parsed.run;
    if (commands.run->get_option("--size")->count() > 0) run.size = parsed.size;
    return Arguments{parsed.common, run};
  }
  if (commands.tui->parsed()) return Arguments{parsed.common, TuiArguments{}};
  if (commands.policy_test->parsed()) return Arguments{parsed.common, parsed.policy_test};
  if (commands.doctor->parsed()) {
    DoctorArguments doctor = parsed.doctor;
    doctor.network_only = commands.doctor_network->parsed();
    return Arguments{parsed.common, doctor};
  }
  return fail(ErrorCode::usage, "no command was given\n\n" + app.help());
}

}  // namespace

Result<Arguments> parse_arguments(int argc, const char* const* argv) {
  CLI::App app(about, "curupira");
  app.set_version_flag("--version", std::string("curupira " CURUPIRA_VERSION), "Show the version");
  app.failure_message(CLI::FailureMessage::simple);
  Parsed parsed;
  add_common(app, parsed, false);
  const Commands commands = add_commands(app, parsed);
  const RegistryCommands registry(app, [&](CLI::App& command) { add_common(command, parsed, true); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Arguments{parsed.common, ShowText{app.help()}};
  } catch (const CLI::CallForAllHelp&) {
    return Arguments{parsed.common, ShowText{app.help("", CLI::AppFormatMode::All)}};
  } catch (const CLI::CallForVersion&) {
    return Arguments{parsed.common, ShowText{"curupira " CURUPIRA_VERSION "\n"}};
  } catch (const CLI::ParseError& error) {
    return fail(Error(ErrorCode::usage, unknown_command(app, argc, argv).value_or(error.what()))
                    .with_help("`" + named_command(app, argc, argv) + " --help` lists what there is"));
  }
  if (!parsed.config.empty()) parsed.common.config = parsed.config;
  if (!parsed.level.empty()) {
    CURUPIRA_TRY(parsed.common.log_level, parse_log_level(parsed.level));
  }
  return chosen(app, commands, registry, parsed);
}

}  // namespace curupira::cli
