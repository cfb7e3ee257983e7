#include "cli/doctor_extensions.h"

#include "base/printable.h"
#include "launcher/launch_command.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;

std::string remedy_of_broken(const manifest::BrokenExtension& broken) {
  return broken.error.help() + "; or remove the folder " + printable(broken.file.parent_path().string());
}

}  // namespace

Findings examine_extensions(const manifest::Discovered& installed, const HomeLayout& home,
                            const Environment& environment) {
  Findings findings;
  std::size_t ready = 0;
  for (const auto& extension : installed.extensions) {
    const auto command = launcher::make_command(extension, home, environment);
    if (command) {
      ++ready;
      continue;
    }
    findings.push_back({.area = "extensions",
                        .level = Level::problem,
                        .subject = extension.manifest.name,
                        .what = "it cannot start: " + words_of(command.error()),
                        .remedy = command.error().help()});
  }
  for (const auto& broken : installed.broken) {
    findings.push_back({.area = "extensions",
                        .level = Level::problem,
                        .subject = broken.file.parent_path().filename().string(),
                        .what = words_of(broken.error),
                        .remedy = remedy_of_broken(broken)});
  }
  if (ready == 0 && findings.empty())
    return {
        {.area = "extensions", .level = Level::note, .subject = "installed", .what = "none is installed"}};
  if (ready > 0) {
    findings.insert(
        findings.begin(),
        {.area = "extensions",
         .level = Level::ok,
         .subject = "installed",
         .what = std::to_string(ready) + (ready == 1 ? " extension" : " extensions") +
                 (findings.empty() ? "" : " of " + std::to_string(ready + findings.size())) + " can start"});
  }
  return findings;
}

}  // namespace curupira::cli
