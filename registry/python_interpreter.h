#pragma once

#include "base/result.h"
#include "registry/python_target.h"
#include "registry/sources.h"

namespace curupira::registry {

/// The interpreter that extensions of this machine get: what UV_PYTHON names (a path, a program or a
/// version), else python3 on PATH, else the one that uv manages; of a virtual environment its base. It is
/// asked once (`python -c`) and the answer is kept in the home's cache for as long as the program is the same
/// file of the same age. Errors: tool_missing, tool_failed, resolution_unreadable.
Result<PythonTarget> find_python(const SourceTools& tools);

/// Reads what an interpreter printed of itself. Error: resolution_unreadable.
Result<PythonTarget> parse_interpreter_answer(std::string_view text);

/// The program that asks an interpreter, for `python -c`.
std::string_view interpreter_question();

}  // namespace curupira::registry
