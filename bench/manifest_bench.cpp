#include <benchmark/benchmark.h>

#include "manifest/manifest.h"

namespace {

constexpr std::string_view text = R"(manifest_version = 1
name = "acme-ext"
version = "1.2.0"
protocol_version = 2
runtime = "node"
kind = "trigger"
trigger_types = ["issues", "pull-requests", "cards"]

[launch]
type = "npx"
package = "@acme/ext"

[package]
source = "npm"
name = "@acme/ext"
version = "1.2.0"
)";

/// What `plugins list` does for each extension.
void parse_manifest(benchmark::State& state) {
  curupira::CollectedDiagnostics diagnostics;
  for (auto _ : state) {
    auto manifest = curupira::manifest::parse_manifest(text, "curupira-extension.toml", diagnostics);
    benchmark::DoNotOptimize(manifest);
  }
}
BENCHMARK(parse_manifest);

}  // namespace
