#include <charconv>
#include <chrono>
#include <ostream>

#include "base/printable.h"
#include "cli/bundle_text.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/lock_settings.h"
#include "cli/locked_change.h"
#include "cli/report.h"
#include "installer/bundle_create.h"
#include "installer/bundle_install.h"
#include "registry/oci_manifest.h"

namespace curupira::cli {
namespace {

/// Seconds since 1970 (reproducible-builds.org): what a build calls its time.
Result<std::optional<std::chrono::sys_seconds>> source_date_epoch(const Environment& environment) {
  const std::string text = environment.get_or("SOURCE_DATE_EPOCH", "");
  if (text.empty()) return std::optional<std::chrono::sys_seconds>();
  std::uint32_t seconds = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size())
    return fail(ErrorCode::usage, "SOURCE_DATE_EPOCH is \"" + printable(text) +
                                      "\", expected seconds since 1970, at most 4294967295");
  return std::optional(std::chrono::sys_seconds(std::chrono::seconds(seconds)));
}

std::filesystem::path below(const Invocation& invocation, const std::filesystem::path& path) {
  return (invocation.current_folder / path).lexically_normal();
}

json::Object document(const std::string& command) {
  json::Object object;
  object.set("schema", "curupira.plugins.bundle-" + command + ".v1");
  return object;
}

Result<> check_digest(const installer::Bundle& bundle, const std::optional<std::string>& expected) {
  const std::string found = registry::oci_digest(bundle.digest());
  if (!expected || *expected == found) return {};
  return fail(ErrorCode::bundle_digest, "expected " + printable(*expected) + "  found " + found);
}

}  // namespace

Result<int> bundle_create_command(const Invocation& invocation, const BundleCreateArguments& arguments,
                                  Terminal& terminal) {
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, diagnostics));
  CURUPIRA_TRY(auto platform, platform_of(std::nullopt));
  const Installation installation(invocation, *files, settings, std::move(platform), arguments.offline,
                                  diagnostics);
  InstallProgress progress(terminal, installation.clock());
  installer::BundleRequest request{.install = installation.options(),
                                   .output = below(invocation, arguments.output)};
  if (arguments.lock) request.install.lock = installer::LockPlace{.file = below(invocation, *arguments.lock)};
  if (arguments.since) request.since = below(invocation, *arguments.since);
  for (const auto& name : arguments.platforms) {
    CURUPIRA_TRY(auto named, platform_of(name));
    request.platforms.push_back(std::move(named));
  }
  CURUPIRA_TRY(request.created, source_date_epoch(invocation.environment));
  const auto bundle = installer::create_bundle(installation.tools(), request, diagnostics, progress);
  progress.clear();
  if (!bundle) return fail(bundle.error());
  if (invocation.common.json) {
    json::Object object = document("create");
    object.set("file", request.output.string());
    object.set("bundle", bundle_to_json(*bundle));
    terminal.out() << json::write_pretty(std::move(object));
    return 0;
  }
  terminal.out() << "Wrote " << printable(arguments.output.string()) << ": " << bundle_summary(*bundle)
                 << ", for " << bundle_platforms(*bundle) << "\ndigest "
                 << registry::oci_digest(bundle->digest()) << '\n';
  return 0;
}

Result<int> bundle_inspect_command(const Invocation& invocation, const BundleInspectArguments& arguments,
                                   Terminal& terminal) {
  CURUPIRA_TRY(const auto bundle, installer::Bundle::open(below(invocation, arguments.file)));
  if (invocation.common.json) {
    json::Object object = document("inspect");
    object.set("bundle", bundle_to_json(bundle));
    terminal.out() << json::write_pretty(std::move(object));
  } else {
    print_bundle(terminal, bundle);
  }
  return 0;
}

Result<int> bundle_install_command(const Invocation& invocation, const BundleInstallArguments& arguments,
                                   Terminal& terminal) {
  CURUPIRA_TRY(const auto bundle, installer::Bundle::open(below(invocation, arguments.file)));
  CURUPIRA_CHECK(check_digest(bundle, arguments.digest));
  const auto files = make_posix_file_system();
  PrintedDiagnostics diagnostics(terminal, invocation.common.log_level == manifest::LogLevel::debug);
  CURUPIRA_TRY(const auto settings, settings_in_use(invocation, *files, diagnostics));
  CURUPIRA_TRY(auto platform, platform_of(std::nullopt));
  const Installation installation(invocation, *files, settings, std::move(platform), true, diagnostics);
  InstallProgress progress(terminal, installation.clock());
  auto prepared =
      installer::prepare_bundle(installation.tools(), bundle, installation.options(), diagnostics, progress);
  progress.clear();
  if (!prepared) return fail(std::move(prepared).error());
  return carry_out(
      invocation,
      {.schema = "curupira.plugins.bundle-install.v1", .yes = arguments.yes, .dry_run = arguments.dry_run},
      *std::move(prepared), progress, terminal);
}

}  // namespace curupira::cli
