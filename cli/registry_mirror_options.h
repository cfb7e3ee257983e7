#pragma once

#include <string>
#include <vector>

#include "cli/registry_arguments.h"

namespace CLI {
class App;
}

namespace curupira::cli {

/// What `registry mirror` reads beside the registry's place.
class RegistryMirrorOptions {
 public:
  void add_to(CLI::App& command);
  bool parsed() const;
  RegistryMirrorArguments arguments(RegistryPlaceArguments place) const;

 private:
  CLI::App* command_ = nullptr;
  std::vector<std::string> references_, platforms_;
  std::string lock_, url_;
  bool update_ = false, dry_run_ = false, yes_ = false;
};

}  // namespace curupira::cli
