#include "launcher/launch_command.h"

#include <unistd.h>

#include <system_error>
#include <variant>

#include "base/printable.h"
#include "base/process_runner.h"

namespace curupira::launcher {

namespace fs = std::filesystem;
using manifest::ReceiptCommand;

namespace {

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

bool is_regular(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

Result<fs::path> program_on_path(std::string_view extension, std::string_view program,
                                 const Environment& environment) {
  if (program.empty() || program.find('/') != std::string_view::npos)
    return fail(ErrorCode::launch_program_missing, "extension " + in_quotes(extension) + " names " +
                                                       in_quotes(program) + " as a program on PATH");
  if (auto found = find_program(environment, program)) return *std::move(found);
  const std::string path = environment.get_or("PATH", "");
  return fail(Error(ErrorCode::tool_missing,
                    "extension " + in_quotes(extension) + " is started by " + in_quotes(program) +
                        (path.empty() ? ", and PATH is empty" : ", which is not on PATH: " + printable(path)))
                  .with_help("install " + in_quotes(program) + ", or put its folder on PATH"));
}

/// A program or script that must be a file; `executable` when it is started by itself.
Result<> check_file(std::string_view extension, const fs::path& file, bool executable) {
  const std::string place = printable(file.string());
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    const bool dangling = fs::is_symlink(fs::symlink_status(file, ignored));
    return fail(Error(ErrorCode::launch_program_missing,
                      "extension " + in_quotes(extension) + ": " + place +
                          (dangling ? " is a link to a file that does not exist" : " does not exist"))
                    .with_help("install the extension again"));
  }
  if (!is_regular(file))
    return fail(ErrorCode::launch_program_missing,
                "extension " + in_quotes(extension) + ": " + place + " is not a file");
  if (executable && ::access(file.c_str(), X_OK) != 0)
    return fail(Error(ErrorCode::launch_program_missing,
                      "extension " + in_quotes(extension) + ": " + place + " is not executable")
                    .with_help("its author has to publish it with the executable bit"));
  return {};
}

Result<fs::path> entry_of(const ReceiptCommand& command, std::string_view extension, const fs::path& content,
                          bool executable) {
  if (!command.entry)
    return fail(Error(ErrorCode::launch_program_missing,
                      "the receipt of extension " + in_quotes(extension) + " names no file to start")
                    .with_help("install the extension again"));
  const fs::path file = command.entry->below(content);
  CURUPIRA_CHECK(check_file(extension, file, executable));
  return file;
}

/// An `executable` launch that another program installed: spec/protocol.md §4.
Result<LaunchCommand> foreign_executable(const manifest::ExecutableLaunch& launch,
                                         const manifest::InstalledExtension& extension,
                                         const Environment& environment) {
  const std::string& name = extension.manifest.name;
  fs::path program = launch.program;
  if (launch.program.find('/') == std::string::npos) {
    CURUPIRA_TRY(program, program_on_path(name, launch.program, environment));
  } else {
    if (program.is_relative()) program = (extension.folder / program).lexically_normal();
    CURUPIRA_CHECK(check_file(name, program, true));
  }
  LaunchCommand command{.argv = {program.string()}, .cwd = extension.folder};
  command.argv.insert(command.argv.end(), launch.args.begin(), launch.args.end());
  return command;
}

std::string install_hint(const manifest::Launch& launch) {
  const auto versioned = [](const std::string& name, const std::optional<std::string>& version,
                            std::string_view mark) {
    return printable(name + (version ? std::string(mark) + *version : ""));
  };
  if (const auto* npx = std::get_if<manifest::NpxLaunch>(&launch))
    return "`curupira plugins install npm:" + versioned(npx->package, npx->version, "@") + "`";
  if (const auto* uvx = std::get_if<manifest::UvxLaunch>(&launch))
    return "`curupira plugins install pip:" + versioned(uvx->package, uvx->version, "==") + "`";
  return "`curupira plugins install path:FOLDER` with the folder of its manifest";
}

}  // namespace

fs::path content_folder(const HomeLayout& home, const manifest::ReceiptContent& content) {
  const bool tree = content.kind == manifest::ReceiptContent::Kind::tree;
  return (tree ? home.trees() : home.environments()) / content.digest;
}

Result<LaunchCommand> make_command(const ReceiptCommand& command, std::string_view extension,
                                   const fs::path& content_folder, const Environment& environment) {
  LaunchCommand result;
  switch (command.interpreter) {
    case ReceiptCommand::Interpreter::node: {
      CURUPIRA_TRY(const fs::path node, program_on_path(extension, "node", environment));
      CURUPIRA_TRY(const fs::path script, entry_of(command, extension, content_folder, false));
      result.argv = {node.string(), script.string()};
      break;
    }
    case ReceiptCommand::Interpreter::venv_python: {
      const fs::path python = content_folder / "bin" / "python";
      CURUPIRA_CHECK(check_file(extension, python, true));
      CURUPIRA_TRY(const fs::path script, entry_of(command, extension, content_folder, false));
      // -B: a user who may write everywhere would leave __pycache__ folders in the store.
      result.argv = {python.string(), "-B", script.string()};
      break;
    }
    case ReceiptCommand::Interpreter::none: {
      fs::path program;
      if (command.path_program) {
        CURUPIRA_TRY(program, program_on_path(extension, *command.path_program, environment));
      } else {
        CURUPIRA_TRY(program, entry_of(command, extension, content_folder, true));
      }
      result.argv = {program.string()};
      break;
    }
  }
  result.argv.insert(result.argv.end(), command.args.begin(), command.args.end());
  if (command.in_content_folder) result.cwd = content_folder;
  return result;
}

Result<LaunchCommand> make_command(const manifest::InstalledExtension& extension, const HomeLayout& home,
                                   const Environment& environment) {
  const std::string& name = extension.manifest.name;
  if (extension.receipt)
    return make_command(extension.receipt->command, name, content_folder(home, extension.receipt->content),
                        environment);
  const manifest::Launch& launch = extension.manifest.launch;
  if (const auto* executable = std::get_if<manifest::ExecutableLaunch>(&launch))
    return foreign_executable(*executable, extension, environment);
  return fail(Error(ErrorCode::not_managed,
                    "extension " + in_quotes(name) + " in " + printable(extension.folder.string()) +
                        " has launch type \"" + std::string(manifest::launch_type(launch)) +
                        "\" and no receipt, so no verified copy of it is in the store")
                  .with_help("install it with " + install_hint(launch)));
}

}  // namespace curupira::launcher
