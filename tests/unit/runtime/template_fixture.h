#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "runtime/prompt.h"

namespace curupira::runtime {

inline const Item sample_item{
    {"a", "x"}, {"n", "7"}, {"issue-number", "12"}, {"j", R"({"z":{"y":1},"k":[1,2.5,null,true,"é<b>"]})"}};

/// The rendered text, or "error: …".
inline std::string rendered(std::string_view text, const Item& item = sample_item,
                            const templates::TemplateLimits& limits = {}) {
  const auto prompt = Prompt::parse(text, limits);
  if (!prompt) return "error: " + prompt.error().detail();
  const auto result = prompt->render(item, "acme/api", "one");
  return result ? *result : "error: " + result.error().detail();
}

struct RenderCase {
  const char* text;
  const char* expected;
};

inline void PrintTo(const RenderCase& one, std::ostream* out) {
  *out << one.text;
}

}  // namespace curupira::runtime
