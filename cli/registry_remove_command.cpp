#include <ostream>

#include "base/printable.h"
#include "cli/counted.h"
#include "cli/lock_settings.h"
#include "cli/registry_access.h"
#include "cli/registry_command.h"
#include "cli/registry_text.h"
#include "installer/lock_file.h"
#include "manifest/registry_section.h"
#include "registry/registry_trust.h"

namespace curupira::cli {
namespace {

/// What of the lock file beside the settings comes from the registry. A lock file that cannot be read is
/// another command's to complain about.
std::vector<std::string> locked_from(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                     const std::string& registry) {
  std::vector<std::string> names;
  const auto path = lock_path(invocation);
  const auto text = files.read_file(path, installer::max_lock_bytes);
  const auto lock = text ? installer::parse_lock(*text, path) : fail(text.error());
  if (!lock) return names;
  for (const auto& extension : lock->extensions)
    if (extension.source == "curupira:" + registry) names.push_back(extension.name);
  return names;
}

}  // namespace

Result<int> registry_remove_command(const Invocation& invocation, const RegistryRemoveArguments& arguments,
                                    Terminal& terminal) {
  const std::string& name = arguments.name;
  if (!manifest::is_registry_name(name))
    return fail(ErrorCode::registry_name, "found \"" + excerpt(name, 80) + "\"");
  RegistryAccess access(invocation, terminal, true);
  FileSystem& files = access.files();
  CURUPIRA_TRY(auto change, RegistriesChange::begin(invocation, files, access.diagnostics()));
  const RegistriesFile& settings = change.before();
  registry::RegistryTrust trust(files, invocation.home, name);
  CURUPIRA_TRY(const auto kept, files.status(trust.folder()));
  const bool named = settings.find(name) != nullptr;
  if (!named && !kept) return fail(ErrorCode::registry_unknown, name);
  if (named) {
    CURUPIRA_TRY(const std::string text, manifest::without_registry(settings.text.value_or(""), name));
    CURUPIRA_CHECK(change.write(text));
  }
  CURUPIRA_CHECK(trust.remove());

  const auto locked = locked_from(invocation, files, name);
  for (const std::string& extension : locked)
    access.diagnostics().warn(
        "the extension " + printable(extension) +
        " of the lock file comes from it: what is installed stays, and cannot be updated");
  if (invocation.common.json) {
    json::Object document = registry_document("remove");
    document.set("name", name);
    document.set("settings", settings.file.string());
    document.set("sectionRemoved", named);
    document.set("trustRemoved", kept.has_value());
    document.set("locked", json::Array(locked.begin(), locked.end()));
    terminal.out() << json::write_pretty(document);
    return 0;
  }
  terminal.out() << "Removed the registry " << name;
  if (named) terminal.out() << " from " << printable(settings.file.string());
  terminal.out() << (kept ? "; its root is not trusted any more\n" : "\n");
  return 0;
}

}  // namespace curupira::cli
