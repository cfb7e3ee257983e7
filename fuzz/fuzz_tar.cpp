#include <algorithm>
#include <array>

#include "base/tar_reader.h"
#include "fuzz/fuzz_target.h"
#include "installer/archive_rules.h"

using namespace curupira;
using namespace curupira::installer;

namespace {

class Memory final : public ByteStream {
 public:
  explicit Memory(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<std::byte> buffer) override {
    const std::size_t count = std::min(buffer.size(), text_.size());
    const auto bytes = std::as_bytes(std::span(text_)).first(count);
    std::copy(bytes.begin(), bytes.end(), buffer.begin());
    text_.remove_prefix(count);
    return count;
  }
  std::size_t left() const { return text_.size(); }

 private:
  std::string_view text_;
};

}  // namespace

/// A tar without the compression, which hides it from mutations: refused, or read to its last byte, and what
/// the rules accept is below the tree's root.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Memory stream(fuzz::text_of(data, size));
  TarReader reader(stream);
  ArchiveRules rules({}, size, 1);
  std::size_t contents = 0;
  while (true) {
    const auto entry = reader.next();
    if (!entry) return 0;
    if (!*entry) break;
    const auto accepted = rules.check(**entry);
    if (accepted && *accepted) {
      const std::string& path = (*accepted)->path.text();
      fuzz::require(!path.starts_with('/') && ("/" + path + "/").find("/../") == std::string::npos,
                    "a path stays");
    }
    std::array<std::byte, 1024> buffer{};
    while (true) {
      const auto count = reader.read(buffer);
      if (!count) return 0;
      if (*count == 0) break;
      contents += *count;
    }
  }
  fuzz::require(stream.left() == 0, "an archive that is accepted was read to its end");
  fuzz::require(contents <= size, "nothing came from nowhere");
  return 0;
}
