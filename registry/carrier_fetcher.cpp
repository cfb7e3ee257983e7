#include "registry/carrier_fetcher.h"

namespace curupira::registry {

Result<std::optional<std::string>> CarrierFetcher::fetch(const std::string& name, std::uint64_t max_bytes) {
  auto file = carrier_.metadata(name, max_bytes);
  if (file || file.error().code() != ErrorCode::response_too_large) return file;
  return fail(Error(ErrorCode::tuf_metadata_too_large, name).caused_by(std::move(file).error()));
}

Result<> fetch_target(Carrier& carrier, const std::string& path, const Digest* sha256,
                      std::uint64_t max_bytes, ByteSink& sink) {
  auto done = carrier.target(path, sha256, max_bytes, sink);
  if (done) return done;
  const ErrorCode code = done.error().code();
  if (code != ErrorCode::response_too_large && code != ErrorCode::digest_mismatch) return done;
  return fail(Error(ErrorCode::tuf_target_swapped, done.error().detail()));
}

}  // namespace curupira::registry
