#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/terminal.h"
#include "installer/install_plan.h"
#include "manifest/policy.h"
#include "registry/release_age.h"

namespace curupira::cli {

/// A rule of the policy that speaks of a reference.
struct PolicyRuleText {
  enum class Effect { allows, refuses, applies };  ///< `applies`: it is decided when the package is known
  Effect effect = Effect::applies;
  std::string rule;  ///< as in the file: `allow "npm:@acme/*"`
  int line = 0;
  std::string found;  ///< what it means here; may be empty
};

/// What `policy test` says of one reference.
struct PolicyDecision {
  std::string reference;
  std::vector<PolicyRuleText> rules;
  std::optional<Error> refusal;                               ///< 45xx
  std::optional<installer::PlannedExtension> extension = {};  ///< with --resolve, when it is allowed
};

/// The rules for `name`, the reference without version.
PolicyDecision decide(const manifest::Policy& policy, std::string reference, const std::string& name,
                      const std::optional<registry::ReleaseAge>& age);

void print_decisions(Terminal& terminal, const manifest::Policy& policy,
                     const std::vector<PolicyDecision>& decisions);

/// docs/json.md, `policy test`.
json::Value decisions_to_json(const manifest::Policy& policy, const std::vector<PolicyDecision>& decisions);

}  // namespace curupira::cli
