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
    "What to install: npm:NAME@RANGE, pip:NAME==VERSION, path:FOLDER, ./ARCHIVE or https://…#sha256=…";

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
  RunArguments run;
  DoctorArguments doctor;
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
  CLI::App* validate = nullptr;
  CLI::App* run = nullptr;
  CLI::App* tui = nullptr;
  CLI::App* doctor = nullptr;
  CLI::App* doctor_network = nullptr;
};

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
    if (const auto near = nearest_name(word, names)) return text + "; did you mean \"" + *near + "\"?";
    text += "; there are ";
    for (const auto& name : names)
      text += (&name == &names.front() ? "" : ", ") + name;
    return text;
  }
  return std::nullopt;
}

Result<Arguments> chosen(const CLI::App& app, const Commands& commands, const Parsed& parsed) {
  if (commands.install->parsed()) return Arguments{parsed.common, parsed.install};
  if (commands.list->parsed()) return Arguments{parsed.common, parsed.list};
  if (commands.info->parsed()) return Arguments{parsed.common, parsed.info};
  if (commands.remove->parsed()) return Arguments{parsed.common, parsed.remove};
  if (commands.validate->parsed()) return Arguments{parsed.common, ValidateArguments{}};
  if (commands.run->parsed()) {
    RunArguments run = parsed.run;
    if (commands.run->get_option("--size")->count() > 0) run.size = parsed.size;
    return Arguments{parsed.common, run};
  }
  if (commands.tui->parsed()) return Arguments{parsed.common, TuiArguments{}};
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Arguments{parsed.common, ShowText{app.help()}};
  } catch (const CLI::CallForAllHelp&) {
    return Arguments{parsed.common, ShowText{app.help("", CLI::AppFormatMode::All)}};
  } catch (const CLI::CallForVersion&) {
    return Arguments{parsed.common, ShowText{"curupira " CURUPIRA_VERSION "\n"}};
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::usage, unknown_command(app, argc, argv).value_or(error.what()));
  }
  if (!parsed.config.empty()) parsed.common.config = parsed.config;
  if (!parsed.level.empty()) {
    CURUPIRA_TRY(parsed.common.log_level, parse_log_level(parsed.level));
  }
  return chosen(app, commands, parsed);
}

}  // namespace curupira::cli
