#include "tuf/http_fetcher.h"

#include "base/printable.h"

namespace curupira::tuf {
namespace {

/// The address of `path` below `base`, whether or not that ends with '/'. `path` is encoded.
Result<Url> below(const Url& base, const std::string& path) {
  CURUPIRA_TRY(const Url folder, base.resolve(base.path() + (base.path().ends_with('/') ? "" : "/")));
  return folder.resolve("./" + path);  // "./": a name may have a ':' or begin with '.'
}

std::string encoded_path(const std::string& path) {
  std::string encoded;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    if (start > 0) encoded += '/';
    encoded += percent_encode(std::string_view(path).substr(start, slash - start));
    start = slash + 1;
  }
  return encoded;
}

}  // namespace

Result<std::optional<std::string>> HttpMetadataFetcher::fetch(const std::string& name,
                                                              std::uint64_t max_bytes) {
  CURUPIRA_TRY(Url url, below(base_, name));
  auto text = http_.get_text({.url = std::move(url), .credentials = credentials_}, max_bytes);
  if (text) return std::move(*text);
  Error error = std::move(text).error();
  if (error.code() == ErrorCode::http_not_found) return std::nullopt;
  if (error.code() == ErrorCode::response_too_large)
    return fail(ErrorCode::tuf_metadata_too_large, name + " is larger than " + format_bytes(max_bytes));
  return fail(std::move(error));
}

Result<> HttpTargetFetcher::fetch(const std::string& path, std::uint64_t max_bytes, ByteSink& into) {
  CURUPIRA_TRY(Url url, below(base_, encoded_path(path)));
  auto answer = http_.get({.url = std::move(url), .credentials = credentials_, .max_bytes = max_bytes}, into);
  if (answer) return {};
  if (answer.error().code() == ErrorCode::response_too_large)
    return fail(ErrorCode::tuf_target_swapped,
                printable(path) + " is larger than the " + format_bytes(max_bytes) + " that are promised");
  return fail(std::move(answer).error());
}

}  // namespace curupira::tuf
