#include "fuzz/fuzz_target.h"
#include "installer/lock_file.h"

using namespace curupira;

// Any bytes are read or refused; what was written is read and written again byte for byte.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = installer::parse_lock(fuzz::text_of(data, size), "curupira.lock");
  if (!read) return 0;
  const std::string written = installer::write_lock(*read);
  const auto again = installer::parse_lock(written, "curupira.lock");
  fuzz::require(again.has_value(), "a written lock file can be read");
  fuzz::require(installer::write_lock(*again) == written, "it is the same lock file");
  return 0;
}
