#include <string>

#include "base/netrc.h"
#include "fuzz/fuzz_target.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  std::size_t unknown = 0;
  const Netrc netrc = Netrc::parse(text, &unknown);
  const auto login = netrc.user_info_for(Url::parse("https://a.example.org/").value(), "", true);
  fuzz::require(!login || login->reveal().find(':') != std::string::npos,
                "a login has a name and a password");
  fuzz::require(!login || !netrc.empty(), "an empty file has no login");
  fuzz::require(unknown <= size, "no more words than bytes");
  return 0;
}
