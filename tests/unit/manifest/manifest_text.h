#pragma once

#include <string>
#include <string_view>

#include "manifest/manifest.h"

namespace curupira::manifest::test {

inline constexpr std::string_view file_name = "ext/curupira-extension.toml";

/// The fields of a valid manifest, one a line; each can be replaced or left out.
struct ManifestText {
  std::string manifest_version = "manifest_version = 1\n";
  std::string name = "name = \"acme\"\n";
  std::string version = "version = \"1.2.3\"\n";
  std::string protocol_version = "protocol_version = 2\n";
  std::string runtime = "runtime = \"node\"\n";
  std::string kind = "kind = \"trigger\"\n";
  std::string trigger_types = "trigger_types = [\"items\"]\n";
  std::string launch = "[launch]\ntype = \"npx\"\npackage = \"@acme/ext\"\n";
  std::string rest = {};

  std::string text() const {
    return manifest_version + name + version + protocol_version + runtime + kind + trigger_types + launch +
           rest;
  }
};

inline Result<Manifest> parse(std::string_view text, Diagnostics& diagnostics) {
  return parse_manifest(text, file_name, diagnostics);
}

inline Result<Manifest> parse(std::string_view text) {
  CollectedDiagnostics ignored;
  return parse(text, ignored);
}

}  // namespace curupira::manifest::test
