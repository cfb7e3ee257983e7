#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "manifest/receipt.h"

namespace curupira::installer {

/// What an extension's command starts in: a tree of the store, or an environment made of several.
struct InstalledContent {
  manifest::ReceiptContent content;
  std::filesystem::path folder;    ///< absolute, in the store
  std::vector<std::string> trees;  ///< every tree of the store behind it, sorted (hexadecimal sha256)
};

}  // namespace curupira::installer
