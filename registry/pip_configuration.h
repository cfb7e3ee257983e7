#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/file_system.h"

namespace curupira::registry {

/// What pip is configured for, as far as it concerns where packages come from: PIP_… variables, then
/// pip.conf of PIP_CONFIG_FILE, of the user, of the machine; a section [install] before [global]. A virtual
/// environment's file does not count: extensions belong to the user.
struct PipConfiguration {
  struct Setting {
    std::string value;
    std::string origin;  ///< "PIP_CERT", "cert in /home/me/.config/pip/pip.conf"
  };
  /// Names as in files: "index-url". A list has its parts separated by line breaks or spaces.
  std::map<std::string, Setting, std::less<>> settings;

  /// The value; empty when it is not set.
  std::string get(std::string_view name) const;
  std::string origin_of(std::string_view name) const;

  static PipConfiguration load(const Environment& environment, const ReadOnlyFileSystem& files,
                               Diagnostics& diagnostics);
};

/// The files in the order in which they count, whether they exist or not.
std::vector<std::filesystem::path> pip_configuration_files(const Environment& environment);

/// One `name = value` of a pip.conf, with its section, in the order of the file. What is none is left out.
struct PipConfigLine {
  std::string section, name, value;
};
std::vector<PipConfigLine> parse_pip_config(std::string_view text);

}  // namespace curupira::registry
