#pragma once

#include "base/json.h"
#include "cli/terminal.h"
#include "installer/proof_explanation.h"
#include "manifest/receipt.h"

namespace curupira::cli {

/// `plugins verify --explain`: what was signed, by which key, and the commands that check it by hand.
void print_proofs(Terminal& terminal, const manifest::Receipt& receipt,
                  const std::vector<installer::ProofExplanation>& proofs);
json::Value proofs_to_json(const manifest::Receipt& receipt,
                           const std::vector<installer::ProofExplanation>& proofs);

}  // namespace curupira::cli
