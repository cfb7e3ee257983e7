#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "base/http_client.h"
#include "base/result.h"
#include "base/url.h"

namespace curupira::registry {

/// One file of a package, as its index lists it.
struct IndexFile {
  std::string name;
  Url url;
  std::vector<Digest> digests;             ///< strong ones; empty when the index gives none
  std::optional<std::uint64_t> size = {};  ///< bytes
  std::optional<std::string> yanked = {};  ///< why it was withdrawn; empty text when no reason is given

  const Digest* digest(DigestAlgorithm algorithm) const;
};

/// Reads a package's page of a simple index: PEP 691 (JSON) when it begins like that, else PEP 503 (HTML).
/// Links are taken relative to `page`; those that are no http(s) URL or no file name are passed over.
/// Error: registry_unreadable.
Result<std::vector<IndexFile>> read_simple_page(std::string_view text, const Url& page);

/// Where packages are looked up, in the order in which the resolver asks.
struct IndexPlaces {
  std::vector<Url> indexes;  ///< "https://index.example.org/simple"
  std::shared_ptr<const CredentialSource> credentials = {};
};

/// The files of each package, in the order of `packages`; requests of an index run at once. The first index
/// that has a package answers for it: only "not found" goes on to the next one, never a refusal or a failure
/// (design.md §4). `http` is null offline. Errors: offline_missing, package_not_found, credentials_refused,
/// registry_unreadable, those of the network.
Result<std::vector<std::vector<IndexFile>>> list_python_files(HttpClient* http, const IndexPlaces& places,
                                                              std::span<const std::string> packages);

}  // namespace curupira::registry
