#pragma once

#include <optional>
#include <string>

#include "registry/carrier.h"
#include "tuf/fetcher.h"

namespace curupira::registry {

/// A registry's metadata as its carrier has it. The carrier has to outlive the fetcher.
class CarrierFetcher final : public tuf::MetadataFetcher {
 public:
  explicit CarrierFetcher(Carrier& carrier) : carrier_(carrier) {}
  Result<std::optional<std::string>> fetch(const std::string& name, std::uint64_t max_bytes) override;

 private:
  Carrier& carrier_;
};

/// Writes a target's file into the sink. Its digest was said by verified metadata: a carrier that has
/// something else gives way to the next one. Errors: tuf_target_swapped; those of the carrier and of the
/// sink.
Result<> fetch_target(Carrier& carrier, const std::string& path, const Digest* sha256,
                      std::uint64_t max_bytes, ByteSink& sink);

}  // namespace curupira::registry
