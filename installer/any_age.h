#pragma once

#include <memory>
#include <vector>

#include "installer/installer.h"
#include "registry/sources.h"

namespace curupira::installer {

/// The tools of an installation without the policy's rules on what is chosen, which are those on age and on
/// releases that were taken back: for what is installed or locked already, at its version (npm/cli#9277).
class AnyAge {
 public:
  explicit AnyAge(const InstallerTools& tools);
  AnyAge(const AnyAge&) = delete;
  AnyAge& operator=(const AnyAge&) = delete;

  const InstallerTools& tools() const { return tools_; }

 private:
  std::unique_ptr<registry::SourceTools> source_tools_;  ///< nothing where the tools have no such rule
  std::vector<std::unique_ptr<registry::Source>> sources_;
  InstallerTools tools_;
};

}  // namespace curupira::installer
