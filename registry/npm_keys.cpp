#include "registry/npm_keys.h"

#include <algorithm>
#include <chrono>

#include "base/byte_sink.h"
#include "base/digest.h"
#include "base/json.h"
#include "base/printable.h"
#include "base/timestamp.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

json::Value to_json(const std::vector<NpmKey>& keys) {
  json::Array array;
  for (const NpmKey& key : keys) {
    json::Object object;
    object.set("expires", key.expires ? json::Value(*key.expires) : json::Value());
    object.set("keyid", key.id);
    object.set("scheme", key.scheme);
    object.set("key", key.key);
    array.emplace_back(std::move(object));
  }
  return array;
}

/// Registries that have no keys answer so, each in its own way.
bool does_not_know_the_question(int status) {
  return status == 400 || status == 404 || status == 405 || status == 410 || status == 501;
}

Result<std::vector<NpmKey>> read_keys(const json::Value& root) {
  const auto unreadable = [](const std::string& why) {
    return fail(ErrorCode::registry_unreadable, "its keys cannot be read: " + why);
  };
  const json::Value* const keys = root.find("keys");
  if (keys == nullptr || keys->as_array() == nullptr) return unreadable("there is no list of keys");
  if (keys->as_array()->size() > Limits::max_registry_keys)
    return unreadable(std::to_string(keys->as_array()->size()) + " keys, the limit is " +
                      std::to_string(Limits::max_registry_keys));
  std::vector<NpmKey> read;
  for (const json::Value& entry : *keys->as_array()) {
    const std::string* const id = entry.find_string("keyid");
    const std::string* const key = entry.find_string("key");
    const std::string* const scheme = entry.find_string("scheme");
    const json::Value* const expires = entry.find("expires");
    if (id == nullptr || key == nullptr || scheme == nullptr)
      return unreadable("one has not all of keyid, scheme and key");
    if (expires != nullptr && !expires->is_null() && expires->as_string() == nullptr)
      return unreadable("the expiry of " + excerpt(*id, 100) + " is no text");
    const bool has_expiry = expires != nullptr && !expires->is_null();
    read.push_back({.id = *id,
                    .scheme = *scheme,
                    .key = *key,
                    .expires = has_expiry ? std::optional(*expires->as_string()) : std::nullopt});
  }
  return read;
}

}  // namespace

Result<std::vector<NpmKey>> parse_npm_keys(std::string_view text) {
  auto root = json::parse(text, {.max_bytes = Limits::max_registry_keys_bytes});
  if (!root)
    return fail(
        Error(ErrorCode::registry_unreadable, "its keys are not JSON").caused_by(std::move(root).error()));
  return read_keys(*root);
}

const NpmKey* NpmKeySet::find(std::string_view id) const {
  const auto found = std::ranges::find(keys, id, &NpmKey::id);
  return found == keys.end() ? nullptr : &*found;
}

Result<const NpmKeySet*> NpmKeys::of(const Url& registry) {
  const std::string address = registry.to_string();
  if (const auto known = sets_.find(address); known != sets_.end()) return &known->second;
  auto cached = kept(registry);
  if (!cached) return again(registry);
  return &sets_.insert_or_assign(address, *std::move(cached)).first->second;
}

Result<const NpmKeySet*> NpmKeys::again(const Url& registry) {
  const std::string address = registry.to_string();
  if (asked_.contains(address)) return &sets_.at(address);
  if (tools_.http == nullptr) return fail(ErrorCode::offline_missing, "the keys of " + address);
  CURUPIRA_TRY(Url url, registry.resolve("./-/npm/v1/keys"));
  StringSink text(Limits::max_registry_keys_bytes);
  HttpTransfer transfer{.request = {.url = std::move(url),
                                    .headers = {{"Accept", "application/json"}},
                                    .credentials = credentials_.get(),
                                    .max_bytes = Limits::max_registry_keys_bytes},
                        .body = &text};
  tools_.http->perform({&transfer, 1});
  NpmKeySet set;
  if (transfer.outcome) {
    auto keys = parse_npm_keys(text.text());
    if (!keys) return fail(std::move(keys).error().while_doing("asking " + address + " for its keys"));
    set.keys = *std::move(keys);
  } else if (!does_not_know_the_question(transfer.status)) {
    return fail(std::move(transfer.outcome).error().while_doing("asking " + address + " for its keys"));
  }
  if (tools_.clock != nullptr)
    set.obtained = format_timestamp(std::chrono::floor<std::chrono::seconds>(tools_.clock->now()));
  if (!set.keys.empty()) keep(registry, set);
  asked_[address] = true;
  return &sets_.insert_or_assign(address, std::move(set)).first->second;
}

std::filesystem::path NpmKeys::cache_file(const Url& registry) const {
  return tools_.home.cache() / "npm-keys" /
         (digest_of(DigestAlgorithm::sha256, registry.to_string()).hex() + ".json");
}

std::optional<NpmKeySet> NpmKeys::kept(const Url& registry) const {
  if (tools_.clock == nullptr) return std::nullopt;
  const auto text = tools_.files.read_file(cache_file(registry), Limits::max_registry_keys_bytes);
  if (!text) return std::nullopt;
  const auto root = json::parse(*text);
  if (!root) return std::nullopt;
  const std::string* const address = root->find_string("registry");
  const std::string* const obtained = root->find_string("obtained");
  if (address == nullptr || obtained == nullptr || *address != registry.to_string()) return std::nullopt;
  const auto time = parse_timestamp(*obtained);
  auto keys = read_keys(*root);
  if (!time || !keys || keys->empty()) return std::nullopt;
  const auto age = tools_.clock->now() - *time;
  if (age < std::chrono::seconds(0) || age > Limits::keys_kept_for) return std::nullopt;
  return NpmKeySet{.keys = *std::move(keys), .obtained = *obtained};
}

void NpmKeys::keep(const Url& registry, const NpmKeySet& keys) const {
  if (tools_.clock == nullptr) return;
  json::Object root;
  root.set("registry", registry.to_string());
  root.set("obtained", keys.obtained);
  root.set("keys", to_json(keys.keys));
  // A cache that cannot be written costs a request at the next command, nothing else.
  const auto file = cache_file(registry);
  if (tools_.files.create_folders(file.parent_path()))
    static_cast<void>(write_file_atomically(tools_.files, file, json::write_pretty(std::move(root))));
}

}  // namespace curupira::registry
