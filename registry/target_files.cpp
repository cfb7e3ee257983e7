#include "registry/target_files.h"

#include "base/printable.h"
#include "tuf/target_info.h"

namespace curupira::registry {
namespace {

Result<NewTarget> new_target(const std::string& target, std::string bytes) {
  CURUPIRA_TRY(const auto name, tuf::TargetName::parse(target));
  const Digest digest = digest_of(DigestAlgorithm::sha256, bytes);
  return NewTarget{.target = target,
                   .file = {.length = bytes.size(), .hashes = {{"sha256", digest.hex()}}},
                   .upload = {.path = name.with_digest(digest), .sha256 = digest, .bytes = std::move(bytes)}};
}

}  // namespace

Result<NewTarget> new_package_index(const PackageIndex& index, const PackageBrief& brief) {
  std::string text = write_package_index(index);
  if (text.size() > max_package_index_bytes)
    return fail(ErrorCode::package_index_invalid, "the index of " + printable(index.name.text()) +
                                                      " would be larger than " +
                                                      format_bytes(max_package_index_bytes));
  CURUPIRA_TRY(auto target, new_target(index.name.target(), std::move(text)));
  target.file.custom = custom_of(brief);
  return target;
}

Result<NewTarget> new_search_index(const SearchIndex& index) {
  return new_target(std::string(search_target), write_search_index(index));
}

Result<NewTarget> new_mirror_index(const MirrorIndex& index) {
  return new_target(std::string(mirror_target), write_mirror_index(index));
}

Result<std::string> read_vouched_target(const RepositoryFolder& folder, const std::string& target,
                                        const tuf::TargetFile& file, std::uint64_t max_bytes) {
  CURUPIRA_TRY(const auto name, tuf::TargetName::parse(target));
  CURUPIRA_TRY(const auto info, tuf::target_info(name, file, {}, true));
  if (info.length > max_bytes)
    return fail(ErrorCode::tuf_target_swapped,
                printable(target) + " would be larger than " + format_bytes(max_bytes));
  CURUPIRA_TRY(std::string bytes, folder.read_target(info.path, max_bytes));
  StringSink nowhere(max_bytes);
  tuf::TargetSink sink(nowhere, info);
  CURUPIRA_CHECK(sink.write(std::as_bytes(std::span(bytes))));
  CURUPIRA_CHECK(sink.finish());
  return bytes;
}

Result<PackageIndex> read_package_index(const RepositoryFolder& folder, const PackageName& name,
                                        const tuf::TargetFile& file) {
  CURUPIRA_TRY(const std::string text,
               read_vouched_target(folder, name.target(), file, max_package_index_bytes));
  return parse_package_index(text, name);
}

}  // namespace curupira::registry
