#include "registry/carrier.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::registry {
namespace {

constexpr std::size_t max_name_bytes = 255;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~%").find(c) != std::string_view::npos;
}

}  // namespace

bool Carrier::reject_metadata(const Error&) {
  return false;
}

Result<> WritableCarrier::begin(const LockRequest&) {
  return {};
}

Result<> check_metadata_name(std::string_view file_name) {
  const bool good = file_name.size() <= max_name_bytes && file_name.ends_with(".json") &&
                    std::string_view(".-%").find(file_name.front()) == std::string_view::npos &&
                    std::ranges::all_of(file_name, is_name_character);
  if (good) return {};
  return fail(ErrorCode::carrier_file_missing, "\"" + excerpt(file_name) + "\" is no name of metadata");
}

bool has_version(std::string_view file_name) {
  const std::size_t dot = file_name.find('.');
  return dot != std::string_view::npos && dot > 0 &&
         std::ranges::all_of(file_name.substr(0, dot), is_digit) &&
         file_name.find('.', dot + 1) != std::string_view::npos;
}

}  // namespace curupira::registry
