#include "base/printable.h"
#include "fuzz/fuzz_target.h"
#include "runtime/rpc_client.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto reply = runtime::parse_reply(fuzz::text_of(data, size), 1, 1u << 20);
  if (!reply) {
    fuzz::require(reply.error().code() == ErrorCode::extension_protocol, "a bad answer breaks the protocol");
    fuzz::require(printable(reply.error().detail(), true) == reply.error().detail(), "an error is printable");
  }
  return 0;
}
