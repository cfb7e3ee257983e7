#include "cli/doctor_tools.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <future>

#include "agents/provider.h"
#include "base/printable.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using Interpreter = manifest::ReceiptCommand::Interpreter;

constexpr std::chrono::seconds version_time_limit{10};
constexpr std::uint64_t max_version_bytes = 64u << 10;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// How pyenv, asdf and their like call the folder of their scripts.
bool is_shim(const std::filesystem::path& program) {
  return program.parent_path().filename() == "shims";
}

FoundTool ask(const Tool& tool, ProcessRunner& processes, const Environment& environment) {
  FoundTool found{.path = find_program(environment, tool.name)};
  if (!found.path) return found;
  const auto output = processes.run({.argv = {found.path->string(), "--version"},
                                     .environment = environment,
                                     .cwd = "/",
                                     .time_limit = version_time_limit,
                                     .max_output = max_version_bytes});
  if (!output) {
    found.failure = output.error().summary();
  } else if (!output->status.success()) {
    found.failure = "`" + tool.name + " --version` ended with " + output->status.to_string();
  } else {
    // Some write it on the other stream.
    found.version = version_in(output->standard_output);
    if (found.version.empty()) found.version = version_in(output->standard_error);
    if (found.version.empty()) found.failure = "`" + tool.name + " --version` names no version";
  }
  return found;
}

Finding judge(const Tool& tool, const FoundTool& found) {
  const bool needed = !tool.needed.empty();
  Finding finding{.area = "tools", .level = Level::ok, .subject = tool.name, .what = {}};
  const std::string for_whom = needed ? "; needed by " + joined(tool.needed) : "";
  if (!found.path) {
    finding.level = needed ? Level::problem : Level::note;
    finding.what = "not on PATH; it " + tool.purpose + for_whom;
    if (needed) finding.remedy = "install " + tool.name + ", or put its folder on PATH";
    return finding;
  }
  const std::string place = printable(found.path->string());
  if (!found.failure.empty()) {
    finding.level = needed ? Level::problem : Level::warning;
    finding.what = place + " does not work: " + found.failure + for_whom;
    finding.remedy = "start `" + place + " --version` by hand, and mend what it says";
    return finding;
  }
  finding.what = printable(found.version) + ", " + place + for_whom;
  if (!tool.least.empty() && is_older(found.version, tool.least)) {
    finding.level = needed ? Level::problem : Level::warning;
    finding.what += "; too old: " + tool.least + " or later is needed";
    finding.remedy = "install " + tool.name + " " + tool.least + " or later, and put it first on PATH";
  } else if (is_shim(*found.path) && tool.interpreter) {
    finding.level = Level::note;
    finding.what += "; a shim, which reads files that a sandbox does not show (docs/sandbox.md)";
    finding.remedy = "put the folder of the real " + tool.name + " before the shims on PATH";
  }
  return finding;
}

}  // namespace

std::vector<Tool> known_tools(const manifest::Discovered& installed, const manifest::Settings* settings) {
  Tool node{.name = "node",
            .purpose = "starts extensions in JavaScript",
            .least = "18",
            .needed = {},
            .interpreter = true};
  Tool npm{.name = "npm", .purpose = "resolves the dependencies of npm packages", .least = "7", .needed = {}};
  Tool uv{.name = "uv", .purpose = "resolves and installs Python packages", .least = "0.5", .needed = {}};
  Tool python{.name = "python3", .purpose = "runs extensions in Python", .needed = {}, .interpreter = true};
  Tool git{.name = "git", .purpose = "clones the repositories of the settings", .needed = {}};
  for (const auto& extension : installed.extensions) {
    if (extension.receipt && extension.receipt->command.interpreter == Interpreter::node)
      node.needed.push_back(extension.manifest.name);
  }
  if (settings != nullptr && !settings->repositories.empty()) git.needed.push_back("the settings");
  std::vector<Tool> tools{std::move(node), std::move(npm), std::move(uv), std::move(python), std::move(git)};
  for (const auto& provider : agents::providers()) {
    Tool agent{.name = std::string(provider.executable),
               .purpose = "is the agent " + std::string(provider.name),
               .needed = {},
               .agent = true};
    if (settings != nullptr) {
      for (const auto& profile : settings->profiles)
        if (profile.provider == provider.name) agent.needed.push_back("profile " + profile.name);
    }
    tools.push_back(std::move(agent));
  }
  return tools;
}

std::vector<FoundTool> find_tools(const std::vector<Tool>& tools, ProcessRunner& processes,
                                  const Environment& environment) {
  std::vector<std::future<FoundTool>> asked;
  for (const Tool& tool : tools)
    asked.push_back(std::async(std::launch::async, [&] { return ask(tool, processes, environment); }));
  std::vector<FoundTool> found;
  for (auto& answer : asked)
    found.push_back(answer.get());
  return found;
}

Findings judge_tools(const std::vector<Tool>& tools, const std::vector<FoundTool>& found) {
  Findings findings;
  std::vector<std::string> absent;
  for (std::size_t i = 0; i < tools.size() && i < found.size(); ++i) {
    // An agent that is not there concerns only the profiles that name it, and the settings report those.
    if (tools[i].agent && !found[i].path) {
      absent.push_back(tools[i].name);
      continue;
    }
    findings.push_back(judge(tools[i], found[i]));
  }
  if (!absent.empty())
    findings.push_back({.area = "tools",
                        .level = Level::note,
                        .subject = "agents",
                        .what = "not on PATH: " + joined(absent)});
  return findings;
}

std::string version_in(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_digit(text[begin])) continue;
    std::size_t end = begin;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.'))
      ++end;
    std::string_view number = text.substr(begin, end - begin);
    while (number.ends_with('.'))
      number.remove_suffix(1);
    if (number.find('.') != std::string_view::npos) return std::string(number);
    begin = end;
  }
  return {};
}

bool is_older(std::string_view version, std::string_view than) {
  const auto take = [](std::string_view& text) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    unsigned long number = 0;
    std::from_chars(text.data(), text.data() + dot, number);
    text.remove_prefix(std::min(dot + 1, text.size()));
    return number;
  };
  while (!version.empty() || !than.empty()) {
    const auto left = take(version), right = take(than);
    if (left != right) return left < right;
  }
  return false;
}

}  // namespace curupira::cli
