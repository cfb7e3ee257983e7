// Prints docs/errors.md from the table of errors; test_error_docs.py compares.

#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>

#include "base/error_code.h"

namespace {

struct Range {
  int hundred;  ///< 21 for CUR-21xx
  std::string_view title;
};

constexpr std::array ranges{
    Range{10, "Usage and this machine"},
    Range{11, "Manifest"},
    Range{12, "Settings"},
    Range{13, "Reference and resolution"},
    Range{20, "Network"},
    Range{21, "Artifact"},
    Range{22, "Archive"},
    Range{30, "Launch and sandbox"},
    Range{31, "Probe"},
    Range{40, "Store and installation"},
    Range{41, "Lock file"},
    Range{42, "Generations and verification"},
    Range{43, "Bundles"},
    Range{45, "Policy"},
    Range{46, "Signed metadata of registries"},
    Range{47, "Carriers"},
    Range{48, "Registries"},
    Range{49, "Using, mirroring and serving registries"},
    Range{50, "Extension protocol"},
    Range{90, "Input and output"},
};

constexpr std::string_view introduction =
    "# Errors\n"
    "\n"
    "Each error that `curupira` reports has a code of the form `CUR-2104`: its number never changes its "
    "meaning and is\n"
    "never used for another error. The message says what exactly went wrong, and often gives a more exact "
    "help than the\n"
    "general one below. The exit code is that of the program: 1 an operation failed, 2 configuration or "
    "usage, 130\n"
    "interrupted. The JSON-RPC code is the one that an error has on the wire of the extension protocol.\n"
    "This page is generated from `base/error_codes.def`.\n";

}  // namespace

int main() {
  std::cout << introduction;
  int hundred = 0;
  for (const curupira::ErrorInfo& row : curupira::error_table()) {
    const int number = static_cast<int>(row.code);
    if (number / 100 != hundred) {
      hundred = number / 100;
      const auto range = std::ranges::find(ranges, hundred, &Range::hundred);
      if (range == ranges.end()) {
        std::cerr << "tests/gates/error_docs.cpp has no title for the range " << hundred << "xx\n";
        return 1;
      }
      std::cout << "\n## " << range->title << " (" << hundred << "xx)\n";
    }
    std::cout << "\n### " << curupira::error_name(row.code) << " · " << row.title << "\n\n"
              << "Help: " << row.remedy << "\n\n"
              << "`" << row.name << "`, exit code " << row.exit_code << ", JSON-RPC code " << row.rpc_code
              << "\n";
  }
}
