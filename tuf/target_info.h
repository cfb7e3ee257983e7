#pragma once

#include <string>
#include <vector>

#include "base/byte_sink.h"
#include "tuf/fetcher.h"
#include "tuf/metadata.h"
#include "tuf/target_name.h"

namespace curupira::tuf {

/// What the verified metadata says of one target.
struct TargetInfo {
  TargetName name;
  std::uint64_t length = 0;     ///< bytes
  std::vector<Digest> digests;  ///< those that this program can check, at least one; all have to match
  std::optional<json::Object> custom = {};  ///< opaque to TUF
  std::string role;                         ///< which vouches for it
  std::vector<std::string> way = {};  ///< the roles through which the search came to it: "targets" … `role`
  std::string path;  ///< of the file in the repository: with its digest when snapshots are consistent
};

/// Error: tuf_hash_unknown, tuf_field.
Result<TargetInfo> target_info(const TargetName& name, const TargetFile& file, std::string role,
                               bool consistent_snapshots);

/// Passes on the target's bytes; they count only when `finish` succeeded. Errors: tuf_target_swapped.
class TargetSink final : public ByteSink {
 public:
  TargetSink(ByteSink& next, const TargetInfo& target);
  Result<> write(std::span<const std::byte> bytes) override;
  Result<> restart() override;
  Result<> finish();

 private:
  ByteSink& next_;
  const TargetInfo& target_;
  std::uint64_t count_ = 0;
  std::vector<Hasher> hashers_;
};

/// Fetches the target through a TargetSink. Errors: tuf_target_swapped, tuf_metadata_missing when the
/// repository does not have the file; the fetcher's.
Result<> download(TargetFetcher& fetcher, const TargetInfo& target, ByteSink& into);

}  // namespace curupira::tuf
