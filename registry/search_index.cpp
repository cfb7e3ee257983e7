#include "registry/search_index.h"

#include "base/json.h"
#include "base/printable.h"

namespace curupira::registry {
namespace {

constexpr int max_depth = 8;

tl::unexpected<Error> invalid(std::string why) {
  return fail(ErrorCode::search_index_invalid, std::move(why));
}

Result<FoundPackage> read_package(const json::Value& value, const std::string& where) {
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, where));
  CURUPIRA_TRY(const std::string text, fields.text("name"));
  CURUPIRA_TRY(auto name, PackageName::parse(text));
  CURUPIRA_TRY(auto brief, read_brief(fields));
  CURUPIRA_TRY(std::string role, fields.text("role"));
  return FoundPackage{.name = std::move(name), .brief = std::move(brief), .role = std::move(role)};
}

Result<SearchIndex> read(std::string_view text) {
  CURUPIRA_TRY(const json::Value value, json::parse(text, {.max_bytes = max_search_index_bytes,
                                                           .max_depth = max_depth,
                                                           .whole_numbers_only = true}));
  CURUPIRA_TRY(auto fields, tuf::Fields::of(value, "the search index"));
  CURUPIRA_TRY(const std::int64_t format, fields.number("format", 1));
  if (format != SearchIndex::format)
    return invalid("it has format " + std::to_string(format) + ", this program reads " +
                   std::to_string(SearchIndex::format));
  SearchIndex index;
  CURUPIRA_TRY(const auto roles, fields.object("roles"));
  for (const auto& [role, number] : roles.members()) {
    const auto version = number.as_int();
    if (!version || *version < 1) return invalid(roles.place(excerpt(role, 60)) + " is no version");
    index.roles.emplace(role, *version);
  }
  CURUPIRA_TRY(const json::Array* const listed, fields.array("packages"));
  index.packages.reserve(listed->size());
  for (const json::Value& each : *listed) {
    const std::string where = "packages[" + std::to_string(index.packages.size()) + "]";
    CURUPIRA_TRY(FoundPackage package, read_package(each, where));
    if (!index.packages.empty() && index.packages.back().name >= package.name)
      return invalid(where + " is out of order");
    index.packages.push_back(std::move(package));
  }
  return index;
}

}  // namespace

Result<SearchIndex> parse_search_index(std::string_view text) {
  auto index = read(text);
  if (!index && index.error().code() != ErrorCode::search_index_invalid)
    return invalid(index.error().detail());
  return index;
}

std::string write_search_index(const SearchIndex& index) {
  json::Array packages;
  packages.reserve(index.packages.size());
  for (const FoundPackage& package : index.packages) {
    json::Object object = members_of(package.brief);
    object.append("name", package.name.text());
    object.append("role", package.role);
    packages.emplace_back(std::move(object));
  }
  json::Object roles;
  for (const auto& [role, version] : index.roles)
    roles.append(role, version);
  json::Object whole;
  whole.append("format", SearchIndex::format);
  whole.append("packages", std::move(packages));
  whole.append("roles", std::move(roles));
  return json::write(whole);
}

}  // namespace curupira::registry
