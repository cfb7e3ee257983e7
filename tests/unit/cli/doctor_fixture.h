#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/doctor_findings.h"

namespace curupira::cli::test {

/// The first finding about `subject`; the test fails when there is none.
inline Finding about(const Findings& findings, std::string_view subject) {
  const auto found = std::ranges::find(findings, subject, &Finding::subject);
  if (found == findings.end()) {
    ADD_FAILURE() << "nothing about " << subject;
    return {};
  }
  return *found;
}

inline bool says(const Finding& finding, std::string_view words) {
  return (finding.what + "\n" + finding.remedy).find(words) != std::string::npos;
}

}  // namespace curupira::cli::test
