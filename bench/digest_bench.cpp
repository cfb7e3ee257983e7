#include <benchmark/benchmark.h>

#include <string>

#include "base/digest.h"

namespace {

/// What every fetched and unpacked byte goes through.
void hash(benchmark::State& state) {
  const std::string bytes(1 << 20, 'x');
  const auto algorithm =
      state.range(0) == 256 ? curupira::DigestAlgorithm::sha256 : curupira::DigestAlgorithm::sha512;
  for (auto _ : state) {
    auto digest = curupira::digest_of(algorithm, bytes);
    benchmark::DoNotOptimize(digest);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}
BENCHMARK(hash)->Arg(256)->Arg(512);

}  // namespace
