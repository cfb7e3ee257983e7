#include "tuf/target_info.h"

#include "base/printable.h"
#include "tuf/file_hashes.h"

namespace curupira::tuf {
namespace {

std::vector<Hasher> hashers_for(const TargetInfo& target) {
  std::vector<Hasher> hashers;
  for (const Digest& digest : target.digests)
    hashers.emplace_back(digest.algorithm());
  return hashers;
}

tl::unexpected<Error> swapped(const TargetInfo& target, const std::string& how) {
  return fail(ErrorCode::tuf_target_swapped, printable(target.name.text()) + how);
}

}  // namespace

Result<TargetInfo> target_info(const TargetName& name, const TargetFile& file, std::string role,
                               bool consistent_snapshots) {
  CURUPIRA_TRY(std::vector<Digest> digests, known_digests(file.hashes, printable(name.text())));
  std::string path = consistent_snapshots ? name.with_digest(digests.front()) : name.text();
  return TargetInfo{.name = name,
                    .length = file.length,
                    .digests = std::move(digests),
                    .custom = file.custom,
                    .role = std::move(role),
                    .path = std::move(path)};
}

TargetSink::TargetSink(ByteSink& next, const TargetInfo& target)
    : next_(next), target_(target), hashers_(hashers_for(target)) {}

Result<> TargetSink::write(std::span<const std::byte> bytes) {
  count_ += bytes.size();
  if (count_ > target_.length)
    return swapped(target_, " is longer than the " + format_bytes(target_.length) + " that are promised");
  for (Hasher& hasher : hashers_)
    hasher.update(bytes);
  return next_.write(bytes);
}

Result<> TargetSink::restart() {
  count_ = 0;
  hashers_ = hashers_for(target_);
  return next_.restart();
}

Result<> TargetSink::finish() {
  if (count_ != target_.length)
    return swapped(target_,
                   ": promised are " + format_bytes(target_.length) + ", there are " + format_bytes(count_));
  for (std::size_t i = 0; i < hashers_.size(); ++i) {
    const Digest& expected = target_.digests[i];
    const Digest found = hashers_[i].finish();
    if (found != expected)
      return swapped(target_, "\npromised " + std::string(name_of(expected.algorithm())) + " " +
                                  expected.hex() + "\nfound    " + found.hex());
  }
  return {};
}

Result<> download(TargetFetcher& fetcher, const TargetInfo& target, ByteSink& into) {
  TargetSink sink(into, target);
  if (auto fetched = fetcher.fetch(target.path, target.length, sink); !fetched) {
    if (fetched.error().code() != ErrorCode::http_not_found) return fetched;
    return fail(
        Error(ErrorCode::tuf_metadata_missing, "the target " + printable(target.path) + " is not there")
            .caused_by(std::move(fetched).error()));
  }
  return sink.finish();
}

}  // namespace curupira::tuf
