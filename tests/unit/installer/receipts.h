#pragma once

#include <string>

#include "manifest/receipt.h"

namespace curupira::installer::test {

/// A receipt whose content is the tree `content` of the store.
inline manifest::Receipt receipt_of(const std::string& name,
                                    const std::string& content = std::string(64, 'a')) {
  return {.name = name,
          .version = "1.0.0",
          .reference = "path:/somewhere",
          .source = "path",
          .package = name,
          .launch_type = "executable",
          .artifacts = {},
          .content = {.kind = manifest::ReceiptContent::Kind::tree, .digest = content},
          .command = {.path_program = "sh"},
          .trees = {content}};
}

}  // namespace curupira::installer::test
