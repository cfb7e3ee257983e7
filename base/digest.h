#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace curupira {

enum class DigestAlgorithm { sha1, sha256, sha384, sha512 };

std::string_view name_of(DigestAlgorithm algorithm);  ///< "sha256"
std::size_t digest_size(DigestAlgorithm algorithm);   ///< bytes
Result<DigestAlgorithm> parse_digest_algorithm(std::string_view name);

/// The digest of some bytes. A value of this type always has the length of its algorithm.
class Digest {
 public:
  /// Hexadecimal digits of either case. Error: integrity_missing when length or digits are wrong.
  static Result<Digest> from_hex(DigestAlgorithm algorithm, std::string_view hex);
  /// One SRI hash: "sha512-<base64>". Options after `?` are ignored. Error: integrity_missing.
  static Result<Digest> from_sri(std::string_view sri);
  static Result<Digest> from_bytes(DigestAlgorithm algorithm, std::span<const std::byte> bytes);

  DigestAlgorithm algorithm() const { return algorithm_; }
  std::span<const std::byte> bytes() const { return {bytes_.data(), digest_size(algorithm_)}; }
  std::string hex() const;
  std::string sri() const;  ///< "sha512-<base64>"
  /// At least sha256: good enough to vouch for an artifact.
  bool strong() const { return algorithm_ != DigestAlgorithm::sha1; }

  auto operator<=>(const Digest&) const = default;

 private:
  Digest() = default;
  DigestAlgorithm algorithm_ = DigestAlgorithm::sha256;
  std::array<std::byte, 64> bytes_{};
};

/// The strongest hashes of an SRI list ("sha1-… sha512-…"): all of the strongest algorithm that is present.
/// Error: integrity_missing when none can be read.
Result<std::vector<Digest>> parse_integrity(std::string_view list);

/// Computes one digest over bytes that arrive in pieces.
class Hasher {
 public:
  explicit Hasher(DigestAlgorithm algorithm);
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;
  ~Hasher();

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text) { update(std::as_bytes(std::span(text))); }
  /// The digest of all so far; the hasher must not be used after.
  Digest finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest digest_of(DigestAlgorithm algorithm, std::string_view text);

std::string base64_encode(std::span<const std::byte> bytes);
/// Standard alphabet with padding. Error: integrity_missing.
Result<std::vector<std::byte>> base64_decode(std::string_view text);

}  // namespace curupira
