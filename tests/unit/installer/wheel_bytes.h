#pragma once

#include <map>
#include <string>

#include "installer/wheel_metadata.h"
#include "tests/unit/installer/archive_bytes.h"

namespace curupira::installer::test {

/// A wheel with what every wheel has; `files` add to that, or replace it. RECORD is right unless it is given.
inline std::string wheel_of(const std::string& name, const std::string& version,
                            std::map<std::string, std::string> files,
                            const std::map<std::string, unsigned>& modes = {}) {
  const std::string info = name + "-" + version + ".dist-info/";
  files.emplace(info + "METADATA",
                "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n\nName: y\n");
  files.emplace(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
  std::string record;
  for (const auto& [path, text] : files)
    record += record_line(path, digest_of(DigestAlgorithm::sha256, text), text.size());
  files.emplace(info + "RECORD", record + info + "RECORD,,\n");
  std::vector<ZipEntry> entries;
  for (const auto& [path, text] : files) {
    const auto mode = modes.find(path);
    entries.push_back({.name = path, .contents = text, .mode = mode == modes.end() ? 0100644 : mode->second});
  }
  return zip_of(entries);
}

}  // namespace curupira::installer::test
