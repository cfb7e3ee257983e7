#pragma once

#include <string>

#include "base/clock.h"
#include "cli/terminal.h"
#include "installer/install_observer.h"

namespace curupira::cli {

/// Progress of an installation on stderr: one line that is rewritten on a terminal, plain lines elsewhere,
/// and nothing during the first half second (design.md §6).
class InstallProgress final : public installer::InstallObserver {
 public:
  InstallProgress(Terminal& terminal, const Clock& clock);
  ~InstallProgress() override;

  void waiting_for_lock(std::string_view holder) override;
  void resolving(std::string_view reference) override;
  void fetching(std::size_t artifacts, std::size_t already_in_store) override;
  void fetched_bytes(std::uint64_t received, std::uint64_t expected) override;
  void unpacking(std::string_view artifact) override;
  void assembling(std::string_view reference) override;
  void probing(std::string_view reference, std::string_view sandbox) override;

  /// Takes the line away, so that other text can follow.
  void clear();

 private:
  bool visible() const;
  void show(std::string text);

  Terminal& terminal_;
  const Clock& clock_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point drawn_;
  std::string fetch_;
  bool line_open_ = false;
};

}  // namespace curupira::cli
