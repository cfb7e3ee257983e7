#include "cli/registry_text.h"

#include <ostream>

#include "base/printable.h"

namespace curupira::cli {
namespace {

using RootState = registry::RevisionOutcome::RootState;

std::string name_of(RootState state) {
  switch (state) {
    case RootState::none:
      return "unchanged";
    case RootState::published:
      return "published";
    case RootState::needs_signatures:
      return "needs-signatures";
    case RootState::needs_online_keys:
      return "needs-online-keys";
  }
  return "unchanged";
}

}  // namespace

json::Object registry_document(const std::string& command) {
  json::Object document;
  document.set("schema", "curupira.registry." + command + ".v1");
  return document;
}

json::Object revision_to_json(const registry::RevisionOutcome& revision) {
  json::Object object;
  object.set("visible", revision.visible);
  object.set("snapshot", revision.snapshot);
  object.set("root", name_of(revision.root));
  object.set("written", json::Array(revision.written.begin(), revision.written.end()));
  return object;
}

void print_what_waits(Terminal& terminal, const registry::RevisionOutcome& revision,
                      const std::string& folder) {
  const std::string shown = printable(folder);
  if (!revision.visible)
    terminal.out() << "Clients see it after `curupira registry refresh " << shown
                   << "` where the online key is\n";
  switch (revision.root) {
    case RootState::none:
      break;
    case RootState::published:
      terminal.out() << "The new root is published\n";
      break;
    case RootState::needs_signatures:
      terminal.out() << "The new root waits for more signatures: `curupira registry sign " << shown
                     << " --key FILE` adds one\n";
      break;
    case RootState::needs_online_keys:
      terminal.out() << "The new root has its signatures, and waits for `curupira registry refresh " << shown
                     << "` where the new keys are\n";
      break;
  }
}

}  // namespace curupira::cli
