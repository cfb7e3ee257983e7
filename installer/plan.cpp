#include "installer/plan.h"

#include <algorithm>

#include "base/json.h"
#include "base/printable.h"
#include "manifest/discovery.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

using Action = PlannedExtension::Action;

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

/// True when `installed` is what `prepared` would put there. Where the bytes came from does not count: a
/// mirror, or a wider range that leads to the same version, changes nothing.
bool is_same(const manifest::Receipt& installed, const manifest::Receipt& prepared) {
  const auto content = [](manifest::Receipt receipt) {
    receipt.reference.clear();
    receipt.probed = false;
    receipt.sandbox.clear();
    for (auto& artifact : receipt.artifacts)
      artifact.location.clear();
    return json::write(manifest::to_json(receipt));
  };
  return content(installed) == content(prepared);
}

/// The manifest as it would be read, so that comments and the values that a print-out fills in do not count.
std::string meaning_of(const std::string& text) {
  CollectedDiagnostics ignored;
  const auto parsed = manifest::parse_manifest(text, std::filesystem::path(), ignored);
  return parsed ? manifest::write_manifest(*parsed) : std::string();
}

/// Who put a folder there that has no receipt: another program, from the package that its launch table names.
bool is_of_package(const manifest::Manifest& installed, const manifest::Receipt& prepared) {
  if (const auto* const npx = std::get_if<manifest::NpxLaunch>(&installed.launch))
    return prepared.source == "npm" && npx->package == prepared.package;
  if (const auto* const uvx = std::get_if<manifest::UvxLaunch>(&installed.launch))
    return prepared.source == "pip" && registry::normalize_pip_name(uvx->package) == prepared.package;
  return false;
}

/// "npm:x"; "corp:x" of the registry corp.
std::string origin_text(const std::string& source, const std::string& package) {
  const std::string_view origin = registry::registry_of_source(source).value_or(source);
  return printable(origin) + ":" + printable(package);
}

InstalledBefore installed_before(const manifest::Receipt& receipt,
                                 const manifest::InstalledExtension* described) {
  InstalledBefore before{.version = receipt.version};
  if (!receipt.artifacts.empty()) before.level = manifest::VerificationLevel::publisher_signed;
  for (const auto& artifact : receipt.artifacts) {
    before.level = std::min(before.level, artifact.level);
    before.bytes += artifact.size;
  }
  if (described != nullptr) before.permissions = described->manifest.permissions;
  return before;
}

}  // namespace

const PlannedExtension* InstallPlan::find(std::string_view name) const {
  const auto found = std::ranges::find(extensions, name, &PlannedExtension::name);
  return found == extensions.end() ? nullptr : &*found;
}

bool InstallPlan::changes_something() const {
  return std::any_of(extensions.begin(), extensions.end(),
                     [](const PlannedExtension& extension) { return extension.action != Action::keep; });
}

Result<PlannedExtension> plan_extension(const FileSystem& files, const HomeLayout& home,
                                        const PreparedExtension& prepared, Diagnostics& diagnostics) {
  const manifest::Receipt& receipt = prepared.receipt;
  PlannedExtension planned{.name = receipt.name,
                           .version = receipt.version,
                           .reference = receipt.reference,
                           .source = receipt.source,
                           .launch_type = receipt.launch_type,
                           .artifacts = receipt.artifacts,
                           .permissions = prepared.manifest.permissions,
                           .probed = receipt.probed,
                           .sandbox = receipt.sandbox};
  CollectedDiagnostics ignored;
  const auto discovered = manifest::discover(files, {home.extensions()}, ignored);
  const auto* const named = discovered.find(receipt.name);
  const auto folder = home.extensions() / receipt.name;
  if (named != nullptr && named->folder != folder)
    return fail(ErrorCode::name_taken,
                in_quotes(receipt.name) + " is the extension in " + printable(named->folder.string()));
  CURUPIRA_TRY(const auto status, files.status(folder));
  if (!status) return planned;

  planned.action = Action::replace;
  const auto taken = [&](const std::string& source, const std::string& package) {
    return fail(Error(ErrorCode::name_taken, in_quotes(receipt.name) + " is installed from " +
                                                 origin_text(source, package) + ", and this is " +
                                                 origin_text(receipt.source, receipt.package))
                    .with_help("remove it first: `curupira plugins remove " + receipt.name + "`"));
  };
  const auto receipt_text = files.read_file(folder / manifest::receipt_file_name, max_receipt_bytes);
  if (receipt_text) {
    const auto installed = manifest::parse_receipt(*receipt_text);
    if (!installed) {
      diagnostics.warn("the receipt of the installed " + receipt.name + " cannot be read; it is replaced");
      return planned;
    }
    planned.installed_version = installed->version;
    planned.before = installed_before(*installed, named);
    if (installed->source != receipt.source || installed->package != receipt.package)
      return taken(installed->source, installed->package);
    // The same version that nobody vouches for any more is not an update.
    if (installed->version == receipt.version)
      CURUPIRA_CHECK(require_levels(installed->artifacts, receipt.artifacts));
    planned.before->lowered = level_went_down(installed->artifacts, receipt.artifacts);
    const auto text = files.read_file(folder / manifest::manifest_file_name, manifest::max_manifest_bytes);
    const std::string meaning = meaning_of(prepared.manifest_text);
    if (text && is_same(*installed, receipt) && !meaning.empty() && meaning == meaning_of(*text))
      planned.action = Action::keep;
    return planned;
  }
  if (named == nullptr)
    return fail(ErrorCode::name_taken,
                printable(folder.string()) + " is there, and is no extension of this program");
  planned.installed_version = named->manifest.version;
  if (!is_of_package(named->manifest, receipt))
    return taken("another program", std::string(manifest::launch_type(named->manifest.launch)));
  return planned;
}

}  // namespace curupira::installer
