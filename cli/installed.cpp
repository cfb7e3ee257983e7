#include "cli/installed.h"

#include <algorithm>
#include <ostream>

#include "base/nearest_name.h"
#include "base/printable.h"

namespace curupira::cli {

manifest::Discovered discover_installed(const Invocation& invocation, const ReadOnlyFileSystem& files,
                                        Diagnostics& diagnostics) {
  const auto folders = manifest::search_path(invocation.home, invocation.environment, invocation.program);
  return manifest::discover(files, folders, diagnostics);
}

void warn_of_broken(Terminal& terminal, const manifest::BrokenExtension& broken) {
  terminal.out().flush();
  terminal.err() << terminal.err_styled(Terminal::Style::yellow,
                                        "warning[" + error_name(broken.error.code()) + "]")
                 << ": " << printable(broken.error.detail()) << '\n'
                 << "  this extension is left out; the others are listed\n"
                 << std::flush;
}

Error not_installed(std::string_view name, const manifest::Discovered& installed) {
  std::vector<std::string> names;
  for (const auto& extension : installed.extensions)
    names.push_back(extension.manifest.name);
  std::string detail = "\"" + std::string(name) + "\"";
  if (const auto near = nearest_name(name, names)) detail += "; did you mean \"" + *near + "\"?";
  return Error(ErrorCode::not_installed, detail);
}

}  // namespace curupira::cli
