#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "registry/carrier.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The carrier at an address: "https://HOST/PATH", "oci://HOST[:PORT]/PATH", a folder (also "file:///PATH"),
/// a file whose name ends with ".bundle"; "http://…" on loopback hosts only. Nothing is asked yet. `tools`
/// and `diagnostics` have to outlive it. Errors: carrier_address; offline_missing for what is not on this
/// machine, without an HTTP client.
Result<std::unique_ptr<Carrier>> make_carrier(const SourceTools& tools, Diagnostics& diagnostics,
                                              const std::string& address);
/// Likewise, with mirrors that are asked in their order after it.
Result<std::unique_ptr<Carrier>> make_carrier(const SourceTools& tools, Diagnostics& diagnostics,
                                              const std::string& address,
                                              const std::vector<std::string>& mirrors);
/// An address for messages: without credentials, and safe to print.
std::string shown_address(const std::string& address);

/// One to publish to. Error: carrier_read_only for a web server.
Result<std::unique_ptr<WritableCarrier>> make_writable_carrier(const SourceTools& tools,
                                                               Diagnostics& diagnostics,
                                                               const std::string& address);

}  // namespace curupira::registry
