#include "runtime/poll_result.h"

#include <array>
#include <set>
#include <string_view>

#include "base/printable.h"

namespace curupira::runtime {
namespace {

constexpr std::size_t shown_key_bytes = 100;
/// The host's own variables in prompts.
constexpr std::array<std::string_view, 2> reserved_keys{"repository", "automation"};

tl::unexpected<Error> broken(std::string text) {
  return fail(ErrorCode::extension_protocol, std::move(text));
}

std::string shown(std::string_view key) {
  return "\"" + printable(key.substr(0, shown_key_bytes)) + (key.size() > shown_key_bytes ? "…\"" : "\"");
}

Result<> check_key(std::string_view key, const std::string& place) {
  if (key.empty()) return broken(place + ".key is empty; a key names a placeholder of prompts");
  for (const std::string_view part : {"}", "${"}) {
    if (key.find(part) != std::string_view::npos) {
      return broken(place + ".key " + shown(key) + " holds \"" + std::string(part) +
                    "\", so that no placeholder can name it");
    }
  }
  for (const auto reserved : reserved_keys) {
    if (key == reserved) {
      return broken(place + ".key is \"" + std::string(reserved) +
                    "\", which the host itself gives to prompts");
    }
  }
  return {};
}

Result<Pair> parse_pair(const json::Value& value, const std::string& place) {
  const auto* object = value.as_object();
  if (object == nullptr) {
    return broken(place + " is of type " + std::string(value.type_name()) +
                  "; expected an object {key, value}");
  }
  for (const auto& [name, member] : *object) {
    if (name != "key" && name != "value") {
      return broken(place + " has the unknown member " + shown(name) + "; expected `key` and `value`");
    }
    if (member.as_string() == nullptr) {
      return broken(place + "." + name + " is of type " + std::string(member.type_name()) +
                    "; expected a string");
    }
  }
  const auto* key = object->find("key");
  const auto* text = object->find("value");
  if (key == nullptr) return broken(place + " has no `key`");
  if (text == nullptr) return broken(place + " has no `value`");
  CURUPIRA_CHECK(check_key(*key->as_string(), place));
  return Pair{*key->as_string(), *text->as_string()};
}

}  // namespace

Result<std::optional<Item>> parse_poll_result(const json::Value& result) {
  const auto* object = result.as_object();
  if (object == nullptr) {
    return broken("the result is of type " + std::string(result.type_name()) +
                  "; expected an object with `values`");
  }
  for (const auto& member : *object) {
    if (member.first != "values") {
      return broken("the result has the unknown member " + shown(member.first) + "; expected only `values`");
    }
  }
  const auto* values = object->find("values");
  if (values == nullptr) return broken("the result has no `values`; nothing found is {\"values\": null}");
  if (values->is_null()) return std::optional<Item>();
  const auto* array = values->as_array();
  if (array == nullptr) {
    return broken("`values` is of type " + std::string(values->type_name()) +
                  "; expected null or a list of pairs");
  }
  Item item;
  std::set<std::string> keys;
  for (std::size_t n = 0; n < array->size(); ++n) {
    const std::string place = "values[" + std::to_string(n) + "]";
    CURUPIRA_TRY(Pair pair, parse_pair((*array)[n], place));
    if (!keys.insert(pair.key).second)
      return broken(place + ".key " + shown(pair.key) + " appears a second time");
    item.push_back(std::move(pair));
  }
  return std::optional<Item>(std::move(item));
}

json::Value to_json(const Item& item) {
  json::Array pairs;
  for (const auto& [key, value] : item) {
    json::Object pair;
    pair.set("key", key);
    pair.set("value", value);
    pairs.emplace_back(std::move(pair));
  }
  return pairs;
}

}  // namespace curupira::runtime
