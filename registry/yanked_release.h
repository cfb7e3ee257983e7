#pragma once

#include <span>
#include <string>

#include "base/diagnostics.h"
#include "base/result.h"
#include "registry/pylock.h"
#include "registry/simple_index.h"
#include "registry/sources.h"

namespace curupira::registry {

/// Says that a release which was chosen has been taken back by its author ("yanked", PEP 592), and why. That
/// is the case when one of the wheels that the resolver names is. `listed`: what the index has of the
/// package. Error: policy_yanked, when the tools say that those are not to be chosen.
Result<> check_yanked(const SourceTools& tools, const PylockPackage& chosen,
                      std::span<const IndexFile> listed, Diagnostics& diagnostics);

/// The same for a release that is locked already: that is no question of choosing, so it is only said.
void report_yanked(const std::string& package, const std::string& version, const IndexFile& file,
                   Diagnostics& diagnostics);

}  // namespace curupira::registry
