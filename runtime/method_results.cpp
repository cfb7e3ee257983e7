#include "runtime/method_results.h"

#include <set>

#include "base/printable.h"

namespace curupira::runtime {
namespace {

constexpr std::size_t shown_bytes = 100;

tl::unexpected<Error> broken(std::string text) {
  return fail(ErrorCode::extension_protocol, std::move(text));
}

std::string shown(const json::Value* value) {
  if (value == nullptr) return "missing";
  const std::string text = json::write(*value);
  return "\"" + printable(text.substr(0, shown_bytes)) + (text.size() > shown_bytes ? "…\"" : "\"");
}

Result<> expect_object(const json::Value& result) {
  if (result.as_object() != nullptr) return {};
  return broken("the result is of type " + std::string(result.type_name()) + "; expected an object");
}

/// A list of strings; nothing when it is absent or null.
Result<std::optional<std::vector<std::string>>> parse_names(const json::Value* value,
                                                            const std::string& place) {
  if (value == nullptr || value->is_null()) return std::optional<std::vector<std::string>>();
  const auto* array = value->as_array();
  if (array == nullptr) {
    return broken(place + " is of type " + std::string(value->type_name()) + "; expected a list of strings");
  }
  std::vector<std::string> names;
  for (const auto& one : *array) {
    if (one.as_string() == nullptr) {
      return broken(place + " holds a value of type " + std::string(one.type_name()) + "; expected strings");
    }
    names.push_back(*one.as_string());
  }
  return std::optional(std::move(names));
}

Result<TriggerDescription> parse_trigger(const json::Value& value, const std::string& place) {
  const auto* name = value.find_string("trigger_type");
  if (name == nullptr) {
    return broken(place + ".trigger_type is " + shown(value.find("trigger_type")) + "; expected a string");
  }
  if (name->empty() || name->find('/') != std::string::npos) {
    return broken(place + ".trigger_type is \"" + printable(name->substr(0, shown_bytes)) +
                  "\"; expected a local name without \"/\"");
  }
  CURUPIRA_TRY(auto fields, parse_names(value.find("prompt_fields"), place + ".prompt_fields"));
  return TriggerDescription{*name, std::move(fields)};
}

}  // namespace

Result<> check_initialize_result(const json::Value& result) {
  CURUPIRA_CHECK(expect_object(result));
  const auto* version = result.find("protocol_version");
  const auto number = version == nullptr ? std::nullopt : version->as_int();
  if (!number) {
    return broken("`protocol_version` is " + shown(version) + "; expected the number " +
                  std::to_string(supported_protocol_version));
  }
  if (*number != supported_protocol_version) {
    return fail(ErrorCode::extension_version, "it speaks protocol version " + std::to_string(*number) +
                                                  "; this program speaks version " +
                                                  std::to_string(supported_protocol_version));
  }
  return {};
}

Result<std::vector<TriggerDescription>> parse_describe_result(const json::Value& result) {
  CURUPIRA_CHECK(expect_object(result));
  const auto* triggers = result.find("triggers");
  if (triggers == nullptr || triggers->as_array() == nullptr) {
    return broken("`triggers` is " + shown(triggers) + "; expected a list");
  }
  if (triggers->as_array()->empty()) return broken("`triggers` is empty; an extension has at least one");
  std::vector<TriggerDescription> all;
  std::set<std::string> names;
  for (const auto& one : *triggers->as_array()) {
    const std::string place = "triggers[" + std::to_string(all.size()) + "]";
    CURUPIRA_TRY(TriggerDescription trigger, parse_trigger(one, place));
    if (!names.insert(trigger.trigger_type).second) {
      return broken(place + ".trigger_type \"" + printable(trigger.trigger_type.substr(0, shown_bytes)) +
                    "\" appears a second time");
    }
    all.push_back(std::move(trigger));
  }
  return all;
}

Result<TriggerSchema> parse_schema_result(const json::Value& result) {
  CURUPIRA_CHECK(expect_object(result));
  const auto* schema = result.find("schema");
  if (schema == nullptr) return broken("the result has no `schema`");
  CURUPIRA_TRY(auto fields, parse_names(result.find("prompt_fields"), "`prompt_fields`"));
  return TriggerSchema{*schema, fields ? *std::move(fields) : std::vector<std::string>()};
}

Result<ValidationOutcome> parse_validate_result(const json::Value& result) {
  CURUPIRA_CHECK(expect_object(result));
  const auto* ok = result.find("ok");
  if (ok == nullptr || ok->as_bool() == nullptr)
    return broken("`ok` is " + shown(ok) + "; expected true or false");
  ValidationOutcome outcome;
  outcome.ok = *ok->as_bool();
  if (const auto* configuration = result.find("configuration");
      configuration != nullptr && !configuration->is_null()) {
    if (configuration->as_object() == nullptr) {
      return broken("`configuration` is of type " + std::string(configuration->type_name()) +
                    "; expected an object");
    }
    outcome.configuration = *configuration;
  }
  if (const auto* error = result.find("error"); error != nullptr && !error->is_null()) {
    if (error->as_string() == nullptr) {
      return broken("`error` is of type " + std::string(error->type_name()) + "; expected a string");
    }
    outcome.error = *error->as_string();
  }
  return outcome;
}

}  // namespace curupira::runtime
