#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "registry/python_requirement.h"

namespace curupira::installer {

/// What a wheel's METADATA says it is.
struct WheelIdentity {
  std::string name;
  std::string version;
};
/// Error: wheel_invalid.
Result<WheelIdentity> parse_wheel_identity(std::string_view metadata);

/// What a wheel's METADATA says that it needs. Lines that are no requirement are passed over.
struct WheelNeeds {
  std::vector<registry::PythonRequirement> packages;  ///< Requires-Dist
  std::string python;                                 ///< Requires-Python: ">=3.9"; empty for any
};
WheelNeeds parse_wheel_needs(std::string_view metadata);

/// What a wheel's WHEEL says of its root: whether it is pure Python. Error: wheel_invalid, also for a format
/// of another major version than 1.
Result<bool> parse_root_is_purelib(std::string_view wheel);

/// The files of a RECORD with their digests; nothing for the few that have none.
using WheelRecord = std::map<std::string, std::optional<Digest>, std::less<>>;
/// Errors: wheel_invalid; integrity_weak for a digest below sha256.
Result<WheelRecord> parse_wheel_record(std::string_view text);
/// A line of a RECORD: "bin/x,sha256=…,12", or "…/RECORD,," without a digest.
std::string record_line(std::string_view path, const std::optional<Digest>& digest, std::uint64_t size);

/// "name = package.module:object.attribute [extra]" of [console_scripts] or [gui_scripts].
struct ScriptEntry {
  std::string name;
  std::string module;
  std::string attribute;

  auto operator<=>(const ScriptEntry&) const = default;
};
/// The scripts of an entry_points.txt, sorted by name; extras do not matter here: the closure has what they
/// need, or the script fails when it is started. Error: wheel_invalid for a name that is no file name, or
/// what is no dotted name.
Result<std::vector<ScriptEntry>> parse_script_entries(std::string_view entry_points);

/// The Python program that starts an entry point; `python` is the absolute path of the environment's.
std::string script_text(const ScriptEntry& entry, const std::string& python);
/// The first line, or lines, that start `python` when the file is started itself: "#!" where the system takes
/// it, else a shell that does it; with -B, so that no bytecode is written into the environment.
std::string script_head(const std::string& python);

}  // namespace curupira::installer
