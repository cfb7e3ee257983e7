#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "manifest/settings.h"
#include "manifest/table_reader.h"

namespace curupira::manifest {

/// Letters, digits, '_' and '-', at least one: aliases of repositories and plugins, names of automations.
bool is_alias(std::string_view name);
/// [A-Za-z_][A-Za-z0-9_]*
bool is_variable_name(std::string_view name);

/// A key of `table` that may not be called so.
Error settings_name_error(const TableReader& table, TextPosition position, std::string_view name,
                          std::string_view expected);

/// "~" and "~/…" are of `home`; a relative path is of `folder`.
std::filesystem::path resolve_path(const std::string& text, const std::filesystem::path& folder,
                                   const std::filesystem::path& home);

// Each reads one table of the document into `settings`, in the order of the file.
Result<> read_repositories(TableReader& root, const std::filesystem::path& home, Settings& settings);
Result<> read_agents(TableReader& root, Settings& settings);
Result<> read_plugins(TableReader& root, Settings& settings);
/// After the other three: automations name what those define.
Result<> read_automations(TableReader& root, Settings& settings);

}  // namespace curupira::manifest
