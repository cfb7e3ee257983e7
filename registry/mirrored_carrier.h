#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "registry/carrier.h"

namespace curupira::registry {

/// A registry and its mirrors, asked in order for each file until one has it. One that cannot be reached is
/// told of once and not asked again. One that gives a target with another digest, or more bytes than allowed,
/// is named in a warning each time, and the next one is asked; whose metadata does not hold is told by the
/// caller (`reject_metadata`), and such a one is asked for no more metadata. An error is only what none of
/// them has.
class MirroredCarrier final : public Carrier {
 public:
  /// At least one. `diagnostics` has to outlive it.
  MirroredCarrier(std::vector<std::unique_ptr<Carrier>> carriers, Diagnostics& diagnostics);

  std::string name() const override { return members_.front().carrier->name(); }
  /// Nothing when all that can be reached have none. Error: carriers_exhausted when none can be reached, or
  /// what they gave was refused, with what each of them said; with one carrier, its own.
  Result<std::optional<std::string>> metadata(const std::string& file_name, std::uint64_t max_bytes) override;
  /// As the one that gave metadata last.
  bool is_carried() const override { return last_ != nullptr && last_->carrier->is_carried(); }
  bool reject_metadata(const Error& why) override;
  /// Errors: carriers_exhausted, with what each of them said; with one carrier, its own; those of the sink.
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override;

 private:
  struct Member {
    std::unique_ptr<Carrier> carrier;
    std::optional<Error> unreachable = {};  ///< why it is not asked any more
    std::optional<Error> rejected = {};     ///< why it is not asked for metadata any more
  };

  /// Takes note of what a member could not do.
  void note(Member& member, const Error& error, const std::string& file);
  Error exhausted(const std::string& file, const std::vector<Error>& reasons) const;

  std::vector<Member> members_;
  Diagnostics& diagnostics_;
  Member* last_ = nullptr;  ///< gave the last metadata
};

}  // namespace curupira::registry
