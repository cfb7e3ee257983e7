#include <vector>

#include "fuzz/fuzz_target.h"
#include "runtime/frame.h"

using namespace curupira;

namespace {

constexpr std::uint32_t limit = 4096;

/// The bodies that come out, and the error's code at the end, when `bytes` are fed in pieces of `piece`
/// bytes.
std::vector<std::string> decoded(std::string_view bytes, std::size_t piece) {
  runtime::FrameDecoder decoder(limit);
  std::vector<std::string> bodies;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    decoder.feed(bytes.substr(at, piece));
    while (true) {
      auto body = decoder.next();
      if (!body) {
        bodies.push_back("error " + std::to_string(static_cast<int>(body.error().code())));
        return bodies;
      }
      if (!*body) break;
      fuzz::require((*body)->size() <= limit, "a body is within the limit");
      bodies.push_back(**std::move(body));
    }
  }
  return bodies;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = fuzz::text_of(data, size);
  if (bytes.empty()) return 0;
  const auto whole = decoded(bytes, bytes.size());
  fuzz::require(whole == decoded(bytes, 1), "pieces make no difference");
  const auto frame = runtime::encode_frame(bytes, limit);
  if (frame) fuzz::require(decoded(*frame, 3).at(0) == bytes, "a frame gives its body back");
  return 0;
}
