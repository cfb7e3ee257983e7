#pragma once

#include <chrono>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "cli/terminal.h"
#include "registry/registry_copy.h"

namespace curupira::cli {

/// One line on a terminal, and nothing elsewhere.
class CopyProgress final : public registry::CopyObserver {
 public:
  CopyProgress(Terminal& terminal, const Clock& clock);
  ~CopyProgress() override;
  void copying(const std::string& file, const registry::CopyCount& so_far) override;
  void clear();

 private:
  Terminal& terminal_;
  const Clock& clock_;
  std::chrono::steady_clock::time_point drawn_;
  bool open_ = false;
};

bool copies_nothing(const registry::CopyReport& report);
/// "3 metadata files, 1 index and 2 artifacts (48 kB)".
std::string copy_text(const registry::CopyCount& count);
/// Sets snapshot, expires, copied, there, roles, sameRoles, expired, packages.
void add_copy_report(json::Object& object, const registry::CopyReport& report);

}  // namespace curupira::cli
