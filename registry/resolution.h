#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/digest.h"
#include "base/http_client.h"
#include "base/relative_path.h"
#include "base/url.h"
#include "registry/package_index.h"
#include "registry/python_target.h"
#include "registry/reference.h"
#include "registry/registry_proof.h"
#include "registry/registry_signature.h"

namespace curupira::registry {

class RegistryClient;

/// A curupira registry's word for a file, and whose signatures count for it now.
struct Vouching {
  RegistryProof proof;
  TrustedKeys trusted;
};

/// What has to be shown before bytes are believed: at least one digest matches, the size where it is known,
/// and all signatures, or the word of a curupira registry, hold for that digest. Without those nobody vouches
/// for the digest but who named it.
struct Proof {
  std::vector<Digest> any_of;                      ///< never empty, never only weak ones
  std::optional<std::uint64_t> size = {};          ///< bytes
  std::vector<RegistrySignature> signatures = {};  ///< of the registry (npm)
  std::shared_ptr<const Vouching> vouched = {};    ///< null: no curupira registry vouches

  /// More vouches than the digest.
  bool is_signed() const { return !signatures.empty() || vouched != nullptr; }
};

/// A file of a curupira registry, which brings it.
struct RegistryFile {
  std::shared_ptr<RegistryClient> registry;
  IndexArtifact file;
};

/// Where a file comes from.
using FileLocation = std::variant<Url, std::filesystem::path, RegistryFile>;

/// A file that has to be fetched, and what proves it.
struct Artifact {
  std::string package;    ///< name in its ecosystem, or a file name
  std::string version;    ///< empty when it has none
  std::string file_name;  ///< "x-1.2.3.tgz"; a wheel's name matters
  FileLocation location;
  std::shared_ptr<const CredentialSource> credentials = {};
  Proof proof;
};

/// A folder on this machine that is taken as it is (path:). There is nothing to prove: the user points at it.
struct LocalFolder {
  std::filesystem::path folder;
};

/// Where an npm package stands in the environment.
struct NodePackage {
  RelativePath location;  ///< "node_modules/@acme/x", "node_modules/a/node_modules/b"
  std::string name;
  std::string version;
  std::size_t artifact;  ///< index into Resolution::artifacts
};

/// An npm closure: every package that this platform needs.
struct NodeClosure {
  std::string root;                   ///< the package asked for
  std::vector<NodePackage> packages;  ///< sorted by location
};

/// A Python closure: wheels for this interpreter, all of them among the artifacts.
struct PythonClosure {
  std::string root;     ///< normalised name of the package asked for
  PythonTarget python;  ///< that the wheels were chosen for
};

/// One archive with an extension in it.
struct ArchiveContent {
  std::size_t artifact = 0;
};

/// A release of a curupira registry: its first artifact is the archive, the others are what its launch table
/// names by an address, for whatever platform.
struct ReleaseContent {
  std::optional<Digest> manifest =
      {};  ///< sha256 of the manifest as the registry shows it; where it was asked
};

/// Where the file is looked for, for messages: an address without credentials, a path, a registry's file.
std::string location_text(const Artifact& artifact);

/// Exactly what a reference means today (design.md §2, step 2). Everything after this needs no resolver.
struct Resolution {
  Reference reference;
  std::string package;  ///< the package asked for; empty for path and archive, where the manifest says it
  std::string version;  ///< exact; empty for path and archive
  /// npm: "npm:@scope" when the package's scope is bound to a registry of its own, "npm" when it is not.
  std::string registry = {};
  std::vector<Artifact> artifacts;
  std::variant<NodeClosure, PythonClosure, ArchiveContent, LocalFolder, ReleaseContent> content;
};

}  // namespace curupira::registry
