#include "fuzz/fuzz_target.h"
#include "serve/byte_range.h"
#include "serve/request.h"
#include "serve/served_path.h"

using namespace curupira;

/// Any bytes as what a client sends: what is taken names a file below the folder that is served, and nothing
/// else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto length = serve::head_length(text);
  if (!length) return 0;
  fuzz::require(*length <= text.size(), "the head is part of what came");
  const auto parsed = serve::parse_request(text.substr(0, *length));
  if (parsed.refusal != 0) return 0;
  fuzz::require(parsed.request.target.starts_with('/'), "a target is a path");
  if (const auto path = serve::served_path(parsed.request.target)) {
    const std::string beneath = "/" + path->path + "/";
    for (const char* const never : {"/../", "/./", "/."})
      fuzz::require(beneath.find(never) == std::string::npos, "no segment leads away or is hidden");
    fuzz::require(!path->path.starts_with('/') && path->path.find('\0') == std::string::npos,
                  "it is a path below");
    fuzz::require(path->path.empty() || path->path == "index.html" ||
                      serve::served_path(serve::url_path(*path)) == path,
                  "its address leads back to it");
  }
  constexpr std::uint64_t file_size = 1000;
  if (parsed.request.range) {
    const auto answer = serve::parse_range(*parsed.request.range, file_size);
    fuzz::require(answer.kind != serve::RangeAnswer::Kind::part ||
                      (answer.range.length > 0 && answer.range.first < file_size &&
                       answer.range.length <= file_size - answer.range.first),
                  "a part lies in the file");
  }
  if (parsed.request.if_none_match)
    static_cast<void>(serve::matches_tag(*parsed.request.if_none_match, "\"tag\""));
  return 0;
}
