#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace curupira::cli {

/// Copying a registry from one place to another.
struct RegistryCopyArguments {
  enum class Word { push, pull, copy };
  Word word = Word::copy;
  std::string from;  ///< addresses of carriers
  std::string to;
  std::optional<std::string> root_fingerprint = {};
  std::vector<std::string> packages = {};  ///< none: all
  bool dry_run = false;
  bool wait = false;
};

/// `registry push`, `pull` and `copy` on the command line.
class RegistryCopyCommands {
 public:
  RegistryCopyCommands(CLI::App& registry, const std::function<void(CLI::App&)>& add_common);
  RegistryCopyCommands(RegistryCopyCommands&&) noexcept;
  ~RegistryCopyCommands();
  /// What was asked for; nothing when it was another command.
  std::optional<RegistryCopyArguments> chosen() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curupira::cli
