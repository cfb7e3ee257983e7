#include "installer/any_age.h"

namespace curupira::installer {
namespace {

std::unique_ptr<registry::SourceTools> without_rule(const InstallerTools& tools) {
  if (tools.source_tools == nullptr) return nullptr;
  auto source_tools = std::make_unique<registry::SourceTools>(*tools.source_tools);
  source_tools->release_age.reset();
  source_tools->is_locked = true;
  return source_tools;
}

}  // namespace

AnyAge::AnyAge(const InstallerTools& tools)
    : source_tools_(without_rule(tools)),
      sources_(source_tools_ ? registry::make_sources(*source_tools_)
                             : std::vector<std::unique_ptr<registry::Source>>()),
      tools_{.home = tools.home,
             .environment = tools.environment,
             .files = tools.files,
             .http = tools.http,
             .processes = tools.processes,
             .sources = source_tools_ ? sources_ : tools.sources,
             .platform = tools.platform,
             .current_folder = tools.current_folder,
             .source_tools = source_tools_ ? source_tools_.get() : tools.source_tools} {}

}  // namespace curupira::installer
