#pragma once

#include <filesystem>
#include <vector>

#include "base/environment.h"

namespace curupira::launcher {

/// What a program needs readable to start, beyond the system's folders: its file, the links on the way to it,
/// and for an interpreter with a prefix of its own (pyenv, nvm, uv, conda) the prefix's libraries. A script
/// leads to the program of its `#!` line (through `env`, looked up on PATH), a venv to its base Python
/// (`home` in pyvenv.cfg). Never data that is not executable, never a whole home folder: of `~/bin/node` only
/// the file. Reads files, starts nothing; what does not exist is left out.
std::vector<std::filesystem::path> interpreter_folders(const std::filesystem::path& program,
                                                       const Environment& environment);

}  // namespace curupira::launcher
