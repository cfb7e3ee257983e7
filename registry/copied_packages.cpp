#include "registry/copied_packages.h"

#include "base/json.h"
#include "base/printable.h"

namespace curupira::registry {
namespace {

constexpr std::uint64_t max_file_bytes = 4u << 20;
constexpr std::size_t shown_names = 10;

std::string list_of(const std::set<std::string>& names) {
  std::string list;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count > shown_names) return list + ", …";
    list += (list.empty() ? "" : ", ") + excerpt(name, 100);
  }
  return list;
}

}  // namespace

Result<std::optional<std::set<std::string>>> read_copied_packages(Carrier& carrier) {
  CURUPIRA_TRY(const auto text, carrier.metadata(std::string(copied_packages_file), max_file_bytes));
  if (!text) return std::nullopt;
  std::set<std::string> names;
  const auto root = json::parse(*text, {.max_bytes = max_file_bytes, .max_depth = 4});
  const json::Value* const packages = root ? root->find("packages") : nullptr;
  if (packages == nullptr) return names;
  if (packages->as_string() != nullptr && *packages->as_string() == "all") return std::nullopt;
  if (packages->as_array() == nullptr) return names;
  for (const json::Value& each : *packages->as_array())
    if (each.as_string() != nullptr) names.insert(*each.as_string());
  return names;
}

Result<> write_copied_packages(WritableCarrier& carrier, const std::optional<std::set<std::string>>& names) {
  json::Object object;
  object.set("format", 1);
  if (names)
    object.set("packages", json::Array(names->begin(), names->end()));
  else
    object.set("packages", "all");
  return carrier.put_metadata(std::string(copied_packages_file), json::write(std::move(object)));
}

Error missing_target(Carrier& carrier, const std::string& path) {
  Error error(ErrorCode::carrier_file_missing, carrier.name() + " does not have " + printable(path));
  const auto names = read_copied_packages(carrier);
  if (!names || !*names) return error;
  return std::move(error).with_help("it is a copy with some packages only: " + list_of(**names) +
                                    "; `curupira registry copy` with --package brings more there");
}

}  // namespace curupira::registry
