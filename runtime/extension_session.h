#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/json.h"
#include "base/result.h"
#include "launcher/launch_command.h"

namespace curupira::runtime {

/// How long calls may take; a budget begins when the call does, the first one at exec.
struct SessionLimits {
  std::chrono::milliseconds start{30'000};
  std::chrono::milliseconds describe{10'000};
  std::chrono::milliseconds schema{10'000};
  std::chrono::milliseconds validate{10'000};
  std::chrono::milliseconds poll{60'000};
  std::chrono::milliseconds lifecycle{30'000};
  std::chrono::milliseconds shutdown_step{2'000};
  std::uint32_t max_frame_bytes = 16u << 20;
};

/// A trigger, as `describe` lists it.
struct TriggerDescription {
  std::string trigger_type;  ///< local
  std::optional<std::vector<std::string>> prompt_fields = {};
};

/// What a trigger takes and gives.
struct TriggerSchema {
  json::Value schema;
  std::vector<std::string> prompt_fields;
};

/// What an extension answers to an automation.
struct ValidationOutcome {
  bool ok = false;
  std::optional<json::Value> configuration = {};  ///< normalised, defaults applied
  std::string error = {};
};

/// A field of an item.
struct Pair {
  std::string key;
  std::string value;
  bool operator==(const Pair&) const = default;
};
using Item = std::vector<Pair>;

/// Who an extension says it is, for messages.
struct ExtensionIdentity {
  std::string name;
  std::string version;
};

/// One extension process that speaks protocol 2, one request at a time (spec/protocol.md §1, §2). Every
/// failure carries code, method, the extension's name and version and the last lines of its stderr; after a
/// transport or protocol failure the session is over and its process tree gone.
class ExtensionSession {
 public:
  /// Starts the process and initializes. `withheld` are the names of variables that the environment does not
  /// pass on; errors list them, since an extension may have failed for want of one.
  static Result<ExtensionSession> start(const launcher::LaunchCommand& command,
                                        const Environment& environment, ExtensionIdentity identity,
                                        const SessionLimits& limits = {},
                                        std::vector<std::string> withheld = {});
  ExtensionSession(ExtensionSession&&) noexcept;
  ExtensionSession& operator=(ExtensionSession&&) noexcept;
  ~ExtensionSession();  ///< shuts down in steps when that was not done

  int pid() const;
  const ExtensionIdentity& identity() const;
  /// False after a transport or protocol failure or `shut_down`.
  bool alive() const;
  Result<std::vector<TriggerDescription>> describe();
  Result<TriggerSchema> schema(std::string_view trigger);
  Result<ValidationOutcome> validate(std::string_view trigger, const json::Value& configuration);
  /// Nothing when there is no item.
  Result<std::optional<Item>> poll(std::string_view trigger, const json::Value& automation, bool preview,
                                   std::uint32_t limit);
  Result<> on_started(std::string_view trigger, const Item& item);
  Result<> on_finished(std::string_view trigger, const Item& item);
  /// `shutdown` request, then closing stdin, SIGTERM and SIGKILL to the whole tree, each step bounded.
  void shut_down();

 private:
  struct State;
  explicit ExtensionSession(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace curupira::runtime
