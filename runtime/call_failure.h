#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "runtime/extension_session.h"

namespace curupira::runtime {

/// What is known of a call that failed, beside the failure itself.
struct CallContext {
  std::string_view method;
  const ExtensionIdentity& identity;
  std::string_view stderr_tail = {};
  const std::vector<std::string>& withheld;     ///< variables that the extension was not given
  std::optional<std::int64_t> reply_code = {};  ///< of an error that the extension answered with
};

/// The error as users see it (spec/protocol.md §2): what happened, then JSON-RPC code, method, the
/// extension's name and version, its last words on stderr, and the variables that it was not given.
Error describe_failure(Error failure, const CallContext& context);

/// "GITHUB_TOKEN, HF_HOME and 12 more": those that `text` names first.
std::string list_withheld(const std::vector<std::string>& withheld, std::string_view text);

}  // namespace curupira::runtime
