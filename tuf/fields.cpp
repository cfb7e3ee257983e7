#include "tuf/fields.h"

#include <algorithm>

#include "base/printable.h"
#include "base/timestamp.h"

namespace curupira::tuf {
namespace {

tl::unexpected<Error> wrong(const std::string& place, std::string_view wanted) {
  return fail(ErrorCode::tuf_field, place + " has to be " + std::string(wanted));
}

std::string wanted_number(std::int64_t least) {
  return "a whole number, at least " + std::to_string(least);
}

}  // namespace

Result<Fields> Fields::of(const json::Value& value, std::string where) {
  if (value.as_object() == nullptr) return wrong(where, "an object");
  return Fields(*value.as_object(), std::move(where));
}

std::string Fields::place(std::string_view name) const {
  return where_ + (where_.find(": ") == std::string::npos ? ": " : ".") + excerpt(name, 80);
}

Result<const json::Value*> Fields::required(std::string_view name) {
  const json::Value* const value = optional(name);
  if (value == nullptr) return fail(ErrorCode::tuf_field, place(name) + " is missing");
  return value;
}

const json::Value* Fields::optional(std::string_view name) {
  known_.emplace_back(name);
  return object_.find(name);
}

Result<std::string> Fields::text(std::string_view name) {
  CURUPIRA_TRY(const json::Value* value, required(name));
  if (value->as_string() == nullptr) return wrong(place(name), "a text");
  return *value->as_string();
}

Result<std::optional<std::int64_t>> Fields::optional_number(std::string_view name, std::int64_t least) {
  const json::Value* const value = optional(name);
  if (value == nullptr) return std::nullopt;
  const auto number = value->as_int();
  if (!number || *number < least) return wrong(place(name), wanted_number(least));
  return number;
}

Result<std::int64_t> Fields::number(std::string_view name, std::int64_t least) {
  CURUPIRA_TRY(const auto number, optional_number(name, least));
  if (!number) return fail(ErrorCode::tuf_field, place(name) + " is missing");
  return *number;
}

Result<std::optional<bool>> Fields::optional_flag(std::string_view name) {
  const json::Value* const value = optional(name);
  if (value == nullptr) return std::nullopt;
  if (value->as_bool() == nullptr) return wrong(place(name), "true or false");
  return *value->as_bool();
}

Result<std::chrono::sys_seconds> Fields::time(std::string_view name) {
  CURUPIRA_TRY(const std::string written, text(name));
  const auto time = parse_timestamp(written);
  if (!time || format_timestamp(*time) != written)
    return wrong(place(name), "a time like 2030-01-01T00:00:00Z");
  return *time;
}

Result<std::vector<std::string>> Fields::texts(std::string_view name) {
  CURUPIRA_TRY(const json::Array* values, array(name));
  std::vector<std::string> texts;
  texts.reserve(values->size());
  for (const json::Value& value : *values) {
    if (value.as_string() == nullptr) return wrong(place(name), "a list of texts");
    texts.push_back(*value.as_string());
  }
  return texts;
}

Result<Fields> Fields::object(std::string_view name) {
  CURUPIRA_TRY(const json::Value* value, required(name));
  return of(*value, place(name));
}

Result<const json::Array*> Fields::array(std::string_view name) {
  CURUPIRA_TRY(const json::Value* value, required(name));
  if (value->as_array() == nullptr) return wrong(place(name), "a list");
  return value->as_array();
}

json::Object Fields::rest() const {
  json::Object rest;
  for (const auto& [name, value] : object_)
    if (std::ranges::find(known_, name) == known_.end()) rest.append(name, value);
  return rest;
}

}  // namespace curupira::tuf
