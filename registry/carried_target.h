#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/byte_sink.h"
#include "base/digest.h"
#include "base/relative_path.h"
#include "base/result.h"

namespace curupira::registry {

/// A target file as a carrier is asked for it.
struct CarriedTarget {
  RelativePath path;
  std::optional<Digest> sha256;  ///< nothing when nobody can say

  /// `sha256`, when null, is read from the name: "<64 hexadecimal digits>." Error: carrier_file_missing for a
  /// path that leaves its folder or is none; the reason is its cause.
  static Result<CarriedTarget> parse(const std::string& path, const Digest* sha256);
  /// The path with each segment escaped, for a URL.
  std::string url_path() const;
};

/// Receives what is only looked at on its way, and keeps nothing.
class Nowhere final : public ByteSink {
 public:
  Result<> write(std::span<const std::byte>) override { return {}; }
  Result<> restart() override { return {}; }
};

/// Bounds and digests a target on its way to its receiver.
class TargetCheck final : public ByteSink {
 public:
  /// All have to outlive it. `carrier`: its name, for messages.
  TargetCheck(const CarriedTarget& target, const std::string& carrier, std::uint64_t max_bytes,
              ByteSink& receiver)
      : target_(target), carrier_(carrier), max_bytes_(max_bytes), receiver_(receiver) {}

  /// Error: response_too_large.
  Result<> write(std::span<const std::byte> bytes) override;
  Result<> restart() override;
  /// After the last byte. Error: digest_mismatch.
  Result<> finish();

 private:
  const CarriedTarget& target_;
  const std::string& carrier_;
  std::uint64_t max_bytes_;
  ByteSink& receiver_;
  std::uint64_t count_ = 0;
  Hasher hasher_{DigestAlgorithm::sha256};
};

/// "PATH of CARRIER", for messages.
std::string describe_target(const CarriedTarget& target, const std::string& carrier);

}  // namespace curupira::registry
