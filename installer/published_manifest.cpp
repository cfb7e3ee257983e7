#include "installer/published_manifest.h"

#include "base/printable.h"
#include "launcher/launch_command.h"
#include "launcher/probe.h"
#include "launcher/sandbox.h"

namespace curupira::installer {

Result<PublishedManifest> parse_published(std::string text, const std::filesystem::path& shown,
                                          Diagnostics& diagnostics) {
  CURUPIRA_TRY(manifest::Manifest parsed, manifest::parse_manifest(text, shown, diagnostics));
  if (!manifest::is_new_extension_name(parsed.name))
    return fail(
        ErrorCode::manifest_field,
        printable(shown.string()) + ": name is \"" + printable(parsed.name) +
            "\", expected lower-case letters, digits, '-' and '_', the first a letter or digit, at most 64");
  return PublishedManifest{.manifest = std::move(parsed), .text = std::move(text)};
}

Result<std::optional<PublishedManifest>> read_published(const FileSystem& files,
                                                        const std::filesystem::path& path,
                                                        const std::filesystem::path& shown,
                                                        Diagnostics& diagnostics) {
  CURUPIRA_TRY(const auto status, files.status(path));
  if (!status) return std::optional<PublishedManifest>();
  if (status->size > manifest::max_manifest_bytes)
    return fail(ErrorCode::manifest_too_large, printable(shown.string()) + ": " + format_bytes(status->size) +
                                                   ", allowed are " +
                                                   format_bytes(manifest::max_manifest_bytes));
  CURUPIRA_TRY(std::string text, files.read_file(path, manifest::max_manifest_bytes));
  CURUPIRA_TRY(PublishedManifest published, parse_published(std::move(text), shown, diagnostics));
  return std::optional(std::move(published));
}

Result<PublishedManifest> probe_published(const InstallRun& run, const InstallerTools& tools,
                                          const InstallOptions& options, const InstalledContent& content,
                                          const manifest::ReceiptCommand& command, const std::string& label,
                                          Diagnostics& diagnostics) {
  if (options.policy != nullptr && options.policy->allow_probe && !options.policy->allow_probe->allowed)
    return fail(ErrorCode::policy_probe, options.policy->place(options.policy->allow_probe->position) +
                                             ": allow_probe = false: " + printable(label) + " has no " +
                                             std::string(manifest::manifest_file_name));
  const auto support = launcher::detect_sandbox(tools.environment);
  if (support.best == launcher::SandboxLevel::none && !options.allow_unsandboxed_probe) {
    std::string detail = label + " has no " + std::string(manifest::manifest_file_name) +
                         " and would have to be started to describe itself";
    for (const auto& reason : support.reasons)
      detail += "\n" + reason;
    return fail(ErrorCode::sandbox_unavailable, std::move(detail));
  }
  const auto sandbox = launcher::make_sandbox(support.best, tools.environment);
  const std::string level(launcher::name_of(support.best));
  run.observer.probing(label, level);
  CURUPIRA_TRY(launcher::LaunchCommand launch,
               launcher::make_command(command, label, content.folder, tools.environment));
  launcher::ProbeRequest request{.command = std::move(launch), .readable = {content.folder}, .scratch = {}};
  CURUPIRA_TRY(request.scratch, run.new_folder("probe-"));
  CURUPIRA_TRY(std::string text, launcher::probe(request, *sandbox, run.files, tools.environment));
  auto published = parse_published(text, "the manifest that the package printed", diagnostics);
  if (!published) {
    if (published.error().code() != ErrorCode::manifest_syntax) return published;
    const std::string start = printable(std::string_view(text).substr(0, 200));
    return fail(
        Error(ErrorCode::probe_output, "it printed: " + start).caused_by(std::move(published).error()));
  }
  published->probed = true;
  published->sandbox = level;
  return published;
}

}  // namespace curupira::installer
