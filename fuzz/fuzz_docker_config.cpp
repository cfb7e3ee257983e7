#include "fuzz/fuzz_target.h"
#include "registry/docker_config.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto config = registry::DockerConfig::parse(fuzz::text_of(data, size), "config.json");
  if (!config) return 0;
  for (const char* authority : {"example.org", "example.org:5000"}) {
    const auto login = config->login_in_file(authority, "team/plugins");
    fuzz::require(!login || !login->secret.empty(), "a login has a secret");
  }
  return 0;
}
