#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/home_layout.h"
#include "base/json.h"
#include "base/result.h"
#include "manifest/discovery.h"
#include "manifest/settings.h"
#include "runtime/extension_session.h"

namespace curupira::runtime {

/// What the runtime works with: settings, what is installed, and the process environment.
struct RuntimeInputs {
  const manifest::Settings& settings;
  const manifest::Discovered& installed;
  const HomeLayout& home;
  const Environment& environment;
  SessionLimits limits = {};
};

/// `validate`: asks each automation's extension whether it accepts the automation, and checks the fields that
/// its prompt names. One persistent process for each extension. All errors of all automations, in the order
/// of the file.
std::vector<Error> check_automations(const RuntimeInputs& inputs, Diagnostics& diagnostics);

/// A task that `run` would start now.
struct PreviewedTask {
  std::string key;
  std::string prompt;  ///< rendered
};

/// What `run --dry-run` shows.
struct Preview {
  std::vector<PreviewedTask> tasks;  ///< each identity once, in the order in which they would start
  std::vector<Error> errors;         ///< an extension that fails hides no other
};

/// `run --dry-run`: polls every automation, in the order of the file, with preview = true, until its
/// extension has nothing more or `batch_size` is reached. Nothing is reserved, stored, cloned or started but
/// the extensions.
Preview preview_tasks(const RuntimeInputs& inputs, Diagnostics& diagnostics);

}  // namespace curupira::runtime
