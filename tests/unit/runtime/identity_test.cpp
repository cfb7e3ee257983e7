#include "runtime/identity.h"

#include <gtest/gtest.h>

namespace curupira::runtime {
namespace {

using namespace std::string_literals;

struct Vector {
  const char* what;
  Item item;
  const char* hash;
};

// The hashes are Python's: sha256(json.dumps([{"key": k, "value": v}, …], ensure_ascii=False,
// separators=(",", ":"))).
const Vector vectors[] = {
    {"no fields", {}, "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"},
    {"one field", {{"title", "T1"}}, "166e1eb6ce4459bf2b7e1b9949f2c922ca613dd2db2718a3c5194af444c7b265"},
    {"two fields",
     {{"a", "1"}, {"b", "2"}},
     "0a67b0b06bff20e937400ee1e3371276100f49e98c2a06fa81cff576b02a3dd2"},
    {"the same in another order",
     {{"b", "2"}, {"a", "1"}},
     "18b28269f45501752d5834cf222806c35b31f8e71e0c1cee925ea089bd7c0df5"},
    {"equal values",
     {{"same", "x"}, {"same2", "x"}},
     "71d389f8e4b3653c94f6e339f30b5cf70bbff3458755e6802c9b281fe2c4eb97"},
    {"an empty value", {{"k", ""}}, "93a828b32ffb40586f5954fa661069da3a62580dccb3a1724c42d9c59fbfc1c3"},
    {"non-ASCII as UTF-8",
     {{"é", "日本語 🦊"}},
     "d61996053474ed68a65235ebc068645a46eaa194b05488c1be4bbe66e687dc18"},
    {"quotes and backslashes; a slash as it is",
     {{"q", "\"\\/"}},
     "a3984a5411c884e530352418e21497ba934db1e0165d6ab2e7c46672b3d3f04b"},
    {"short escapes",
     {{"c", "\b\f\n\r\t"}},
     "694e6e2eb9a68cd568aaf9d26d4ab55a7c57a292a4cc531463a8fed6d1d6a1d6"},
    {"other control characters, DEL as it is",
     {{"c", "\x00\x01\x1f\x7f"s}},
     "ec1a848236329c8d726441f380b3e7eaf762685fd825df3030acc81bb471ea81"},
    {"line separators as they are",
     {{"u", "\u0085\u2028\u2029"}},
     "43251870cb51f8e7fe9c4d44b7dc5c9f33b624a2d8fc2498d7829948f2952671"},
    {"markup as it is",
     {{"h", "<b>&'</b>"}},
     "949a22afe45d3ee06c4875f20912424b3ebde0ce9d72de8156f2ecc78fb99268"},
};

class IdentityVectors : public testing::TestWithParam<Vector> {};

TEST_P(IdentityVectors, HashAsPythonDoes) {
  EXPECT_EQ(identity_hash(GetParam().item), GetParam().hash);
}

INSTANTIATE_TEST_SUITE_P(Identity, IdentityVectors, testing::ValuesIn(vectors), [](const auto& parameter) {
  std::string name;
  for (const char c : std::string(parameter.param.what)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  }
  return name;
});

TEST(TaskKey, HasAutomationForgeTriggerAndHash) {
  EXPECT_EQ(task_key("one", "acme/api", "acme/items", {{"title", "T1"}}),
            "one:acme/api:acme/items:166e1eb6ce4459bf2b7e1b9949f2c922ca613dd2db2718a3c5194af444c7b265");
}

}  // namespace
}  // namespace curupira::runtime
