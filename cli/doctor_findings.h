#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace curupira::cli {

/// What `curupira doctor` found out about one thing.
struct Finding {
  enum class Level {
    ok,
    note,     ///< worth knowing, nothing to do
    warning,  ///< something does not work, or will not, that nothing here needs now
    problem,  ///< something does not work that is needed: exit code 1
  };

  std::string area;  ///< "network", "sandbox", "file-system", "store", "tools", "extensions", "settings"
  Level level = Level::ok;
  std::string subject;      ///< what it is about: a URL, a tool, an extension, a folder
  std::string what;         ///< what was found; several lines where a program's words are among them
  std::string remedy = {};  ///< what to do; empty when there is nothing to do
};
using Findings = std::vector<Finding>;

void append(Findings& to, Findings more);

std::string_view name_of(Finding::Level level);  ///< "ok", "note", "warning", "problem"

/// What an error says, with its causes, on one line for each; its help is the remedy.
std::string words_of(const Error& error);

}  // namespace curupira::cli
