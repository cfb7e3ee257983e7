#pragma once

#include <optional>
#include <string>

#include "base/secret.h"
#include "base/url.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The password of `user` for an index, asked of the program `keyring` as pip and uv ask it: for the address,
/// then for the host. Nothing when there is no such program, or it knows none.
std::optional<Secret> ask_keyring(const SourceTools& tools, const Url& index, const std::string& user);

}  // namespace curupira::registry
