#pragma once

#include <filesystem>

#include "base/environment.h"
#include "base/result.h"

namespace curupira {

/// Where things are in a home (design.md §3). Paths only; nothing is created.
///
///   settings.toml  home.lock
///   extensions/<name>/curupira-extension.toml, receipt.json
///   generations/<n>/              earlier states, for rollback
///   store/v1/blobs/<algo>/<hex>   store/v1/trees/<sha256>/   store/v1/environments/<digest>/
///   store/v1/proofs/<algo>-<hex>.json   what proved a blob
///   trust/<registry>/             root, metadata and highest time of a registry
///   running/<name>.<pid>          one a command that runs the extension, locked while it lives
///   staging/                      work of a command under way; the next one tidies up
///
///   cache/                        answers that may be asked again
///
///   log/
struct HomeLayout {
  std::filesystem::path root;

  /// $CURUPIRA_HOME, else $HOME/.curupira. Error: home_unusable when neither is set or absolute.
  static Result<HomeLayout> from(const Environment& environment);

  std::filesystem::path settings() const { return root / "settings.toml"; }
  std::filesystem::path lock() const { return root / "home.lock"; }
  std::filesystem::path extensions() const { return root / "extensions"; }
  std::filesystem::path generations() const { return root / "generations"; }
  std::filesystem::path store() const { return root / "store" / "v1"; }
  std::filesystem::path blobs() const { return store() / "blobs"; }
  std::filesystem::path trees() const { return store() / "trees"; }
  std::filesystem::path environments() const { return store() / "environments"; }
  std::filesystem::path proofs() const { return store() / "proofs"; }
  std::filesystem::path trust() const { return root / "trust"; }
  std::filesystem::path running() const { return root / "running"; }
  std::filesystem::path staging() const { return root / "staging"; }
  std::filesystem::path cache() const { return root / "cache"; }
  std::filesystem::path log() const { return root / "log"; }
};

}  // namespace curupira
