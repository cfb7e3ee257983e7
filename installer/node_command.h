#pragma once

#include <filesystem>
#include <string>

#include "base/file_system.h"
#include "base/relative_path.h"
#include "base/result.h"
#include "manifest/receipt.h"

namespace curupira::installer {

/// How the program `entry` of a node package starts: by node, as its "#!" line says; a program that says
/// another interpreter, or is machine code, by itself. `command` is its name in messages. Errors:
/// bin_not_found when there is no such file.
Result<manifest::ReceiptCommand> make_node_command(const FileSystem& files,
                                                   const std::filesystem::path& content,
                                                   const RelativePath& entry, const std::string& command);

}  // namespace curupira::installer
