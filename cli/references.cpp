#include "cli/references.h"

#include <optional>

#include "registry/registry_clients.h"

namespace curupira::cli {

Result<std::vector<registry::Reference>> read_references(const std::vector<std::string>& texts,
                                                         const registry::SourceTools& tools) {
  std::vector<registry::Reference> references;
  std::vector<std::size_t> bare;  // asked for when all the others are known to be right
  for (const auto& text : texts) {
    auto reference = registry::parse_reference(text);
    const bool is_bare = !reference && reference.error().code() == ErrorCode::reference_syntax &&
                         registry::bare_package(text, {}) && tools.registries != nullptr &&
                         !tools.registries->empty();
    if (!reference && !is_bare) return fail(std::move(reference).error());
    if (is_bare) bare.push_back(references.size());
    references.push_back(is_bare ? registry::Reference(*registry::bare_package(text, {}))
                                 : *std::move(reference));
    const auto* const package = std::get_if<registry::RegistryReference>(&references.back());
    if (package != nullptr && !is_bare)
      CURUPIRA_CHECK(registry::check_registry_known(tools, package->registry));
  }
  for (const std::size_t place : bare) {
    CURUPIRA_TRY(references[place], registry::find_bare_package(tools, texts[place]));
  }
  return references;
}

}  // namespace curupira::cli
