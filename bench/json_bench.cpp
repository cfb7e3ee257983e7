#include <benchmark/benchmark.h>

#include <string>

#include "base/json.h"

namespace {

/// The shape of a registry's answer for a package with many versions.
std::string packument(int versions) {
  std::string text = R"({"name":"acme","dist-tags":{"latest":"1.0.0"},"versions":{)";
  for (int i = 0; i < versions; ++i) {
    if (i > 0) text += ',';
    const std::string version = "1.0." + std::to_string(i);
    text +=
        '"' + version + R"(":{"name":"acme","version":")" + version +
        R"(","dist":{"integrity":"sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==","tarball":"https://registry.example.org/acme.tgz"}})";
  }
  return text + "}}";
}

void parse_packument(benchmark::State& state) {
  const std::string text = packument(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    auto value = curupira::json::parse(text);
    benchmark::DoNotOptimize(value);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parse_packument)->Arg(100)->Arg(2000);

}  // namespace
