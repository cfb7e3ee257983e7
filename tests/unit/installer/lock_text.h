#pragma once

#include <string>

namespace curupira::installer::test {

/// A lock file with an npm closure, an archive and a folder.
inline std::string lock_text() {
  const std::string tree(64, 'a'), other(64, 'b');
  const std::string sha512 = "sha512-" + std::string(85, 'A') + "A==";
  const std::string sha256 = "sha256-" + std::string(42, 'A') + "A=";
  return "# The team's own words.\n"
         "\n"
         "lock_version = 1\n"
         "platforms = [\"darwin-arm64\", \"linux-x86_64\"]\n"
         "\n"
         "[[extension]]\n"
         "name = \"acme\"\n"
         "version = \"1.2.7\"\n"
         "reference = \"npm:@acme/ext@^1.2\"\n"
         "source = \"npm:@acme\"\n"
         "package = \"@acme/ext\"\n"
         "launch = \"npx\"\n"
         "level = \"digest\"\n"
         "manifest = \"" +
         sha256 +
         "\"\n"
         "permissions = [\"network\", \"say \\\"hi\\\"\"]\n"
         "\n"
         "[[extension.artifact]]\n"
         "package = \"@acme/ext\"\n"
         "version = \"1.2.7\"\n"
         "file = \"ext-1.2.7.tgz\"\n"
         "size = 123\n"
         "digest = \"" +
         sha512 +
         "\"\n"
         "tree = \"" +
         tree +
         "\"\n"
         "level = \"digest\"\n"
         "locations = [\"node_modules/@acme/ext\"]\n"
         "\n"
         "[[extension.artifact]]\n"
         "package = \"native\"\n"
         "version = \"2.0.0\"\n"
         "file = \"native-2.0.0.tgz\"\n"
         "size = 5\n"
         "digest = \"" +
         sha512 +
         "\"\n"
         "tree = \"" +
         other +
         "\"\n"
         "level = \"registry-signed\"\n"
         "locations = [\"node_modules/native\", \"node_modules/x/node_modules/native\"]\n"
         "platforms = [\"linux-x86_64\"]\n"
         "\n"
         "[[extension]]\n"
         "name = \"folder\"\n"
         "version = \"1.0.0\"\n"
         "reference = \"path:../folder\"\n"
         "source = \"path\"\n"
         "package = \"folder\"\n"
         "launch = \"executable\"\n"
         "level = \"digest\"\n"
         "manifest = \"" +
         sha256 +
         "\"\n"
         "permissions = []\n"
         "tree = \"" +
         tree + "\"\n";
}

}  // namespace curupira::installer::test
