#include "cli/progress.h"

#include <ostream>

#include "base/printable.h"

namespace curupira::cli {

using namespace std::chrono_literals;

InstallProgress::InstallProgress(Terminal& terminal, const Clock& clock)
    : terminal_(terminal), clock_(clock), started_(clock.steady_now()), drawn_(started_) {}

InstallProgress::~InstallProgress() {
  clear();
}

bool InstallProgress::visible() const {
  return clock_.steady_now() - started_ >= 500ms;
}

void InstallProgress::show(std::string text) {
  if (!visible()) return;
  const std::string line = printable(text);
  if (terminal_.progress_visible()) {
    terminal_.err() << "\r\x1b[K" << line << std::flush;
    line_open_ = true;
  } else {
    terminal_.err() << line << '\n';
  }
}

void InstallProgress::clear() {
  if (line_open_) terminal_.err() << "\r\x1b[K" << std::flush;
  line_open_ = false;
}

void InstallProgress::waiting_for_lock(std::string_view holder) {
  // Always said: without it the program seems to hang.
  clear();
  terminal_.err() << "waiting for " << printable(holder) << '\n' << std::flush;
}

void InstallProgress::resolving(std::string_view reference) {
  show("resolving " + std::string(reference));
}

void InstallProgress::fetching(std::size_t artifacts, std::size_t already_in_store) {
  fetch_ = "fetching " + std::to_string(artifacts) + (artifacts == 1 ? " file" : " files");
  if (already_in_store > 0) fetch_ += " (" + std::to_string(already_in_store) + " already there)";
  show(fetch_);
}

void InstallProgress::fetched_bytes(std::uint64_t received, std::uint64_t expected) {
  const auto now = clock_.steady_now();
  const auto pause = terminal_.progress_visible() ? 100ms : 5000ms;
  if (now - drawn_ < pause) return;
  drawn_ = now;
  show(fetch_ + ": " + format_bytes(received) + (expected > 0 ? " of " + format_bytes(expected) : ""));
}

void InstallProgress::unpacking(std::string_view artifact) {
  show("unpacking " + std::string(artifact));
}

void InstallProgress::assembling(std::string_view reference) {
  show("assembling " + std::string(reference));
}

void InstallProgress::probing(std::string_view reference, std::string_view sandbox) {
  show("asking " + std::string(reference) + " for its manifest (sandbox: " + std::string(sandbox) + ")");
}

}  // namespace curupira::cli
