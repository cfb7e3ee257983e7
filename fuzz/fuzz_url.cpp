#include "base/url.h"
#include "fuzz/fuzz_target.h"

using namespace curupira;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  const auto url = Url::parse(text);
  if (url) {
    const auto again = Url::parse(url->to_string());
    fuzz::require(again.has_value(), "the text of a URL is a URL");
    fuzz::require(again->to_string() == url->to_string(), "the text of a URL stays as it is");
    fuzz::require(again->same_origin(*url), "the text of a URL keeps its origin");
    static_cast<void>(url->file_name());
  }
  static const Url base = *Url::parse("https://user:secret@example.org/a/b?c#d");
  if (const auto resolved = base.resolve(text); resolved && !resolved->user_info().empty()) {
    fuzz::require(resolved->same_origin(base) || resolved->user_info().reveal() != "user:secret",
                  "user information does not go to another origin");
  }
  fuzz::require(percent_decode(percent_encode(text)) == std::string(text), "an escaped text is the text");
  return 0;
}
