#include "registry/browse_page.h"

#include "base/digest.h"

namespace curupira::registry {
namespace {

/// A page that is larger than this is not ours.
constexpr std::uint64_t max_page_bytes = 1u << 20;
/// In every version of it.
constexpr std::string_view own_mark = "<meta name=\"generator\" content=\"curupira registry\">";

std::string source_of(std::string_view text) {
  return "'" + digest_of(DigestAlgorithm::sha256, text).sri() + "'";
}

std::string filled(std::string text, std::string_view mark, std::string_view value) {
  const auto place = text.find(mark);
  return place == std::string::npos ? text : text.replace(place, mark.size(), value);
}

}  // namespace

std::string browse_policy() {
  return "default-src 'none'; script-src " + source_of(browse_script) + "; style-src " +
         source_of(browse_style) + "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
}

std::string browse_page() {
  std::string page = filled(std::string(browse_html), "@policy@", browse_policy());
  page = filled(std::move(page), "@style@", browse_style);
  return filled(std::move(page), "@script@", browse_script);
}

void keep_browse_page(RepositoryFolder& folder, Diagnostics& diagnostics) {
  const std::filesystem::path file = folder.path() / "index.html";
  const std::string page = browse_page();
  const auto there = folder.files().read_file(file, max_page_bytes);
  const bool missing = !there && there.error().code() == ErrorCode::file_not_found;
  const bool old = there && *there != page && there->find(own_mark) != std::string::npos;
  if (!missing && !old) return;
  if (const auto written = write_file_atomically(folder.files(), file, page); !written)
    diagnostics.warn("the page to browse the registry with is not written: " + written.error().summary());
}

}  // namespace curupira::registry
