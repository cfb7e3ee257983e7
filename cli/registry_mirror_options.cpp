#include "cli/registry_mirror_options.h"

#include <CLI/CLI.hpp>

namespace curupira::cli {

void RegistryMirrorOptions::add_to(CLI::App& command) {
  command_ = &command;
  command.add_option("REF", references_,
                     "npm:NAME@RANGE, pip:NAME==VERSION, or an archive's address with #sha256=…");
  command.add_option("--lock", lock_, "All that this lock file names")->type_name("FILE");
  command.add_flag("--update", update_,
                   "Add newer versions that the references allow (without REF: of all that was asked for)");
  command
      .add_option("--platform", platforms_,
                  "For which platforms; may be repeated (default: [lock] platforms, else this one)")
      ->type_name("PLATFORM")
      ->allow_extra_args(false);
  command.add_option("--url", url_, "Where the folder will be served; it is kept")->type_name("URL");
  command.add_flag("--dry-run", dry_run_, "Show what would be added, change nothing");
  command.add_flag("-y,--yes", yes_, "Do not ask");
}

bool RegistryMirrorOptions::parsed() const {
  return command_->parsed();
}

RegistryMirrorArguments RegistryMirrorOptions::arguments(RegistryPlaceArguments place) const {
  RegistryMirrorArguments arguments{.place = std::move(place),
                                    .references = references_,
                                    .update = update_,
                                    .platforms = platforms_,
                                    .dry_run = dry_run_,
                                    .yes = yes_};
  if (!lock_.empty()) arguments.lock = lock_;
  if (!url_.empty()) arguments.url = url_;
  return arguments;
}

}  // namespace curupira::cli
