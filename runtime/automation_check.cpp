#include "runtime/automation_check.h"

#include "runtime/automation_examination.h"

namespace curupira::runtime {

std::vector<Error> check_automations(const RuntimeInputs& inputs, Diagnostics& diagnostics) {
  AutomationExamination examination(inputs, diagnostics);
  std::vector<Error> errors;
  for (const auto& automation : inputs.settings.automations)
    examination.examine(automation, errors);
  return errors;
}

}  // namespace curupira::runtime
