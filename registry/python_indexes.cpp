#include "registry/python_indexes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/url.h"
#include "registry/npm_credentials.h"

namespace curupira::registry {

namespace {

constexpr std::array<std::string_view, 4> uv_index_variables = {"UV_DEFAULT_INDEX", "UV_INDEX",
                                                                "UV_INDEX_URL", "UV_EXTRA_INDEX_URL"};

class IndexCredentials final : public CredentialSource {
 public:
  void add(const Url& index, const Secret& user_info) {
    if (!user_info.empty()) entries_.push_back({index.origin(), basic_authorization(user_info)});
  }
  std::optional<Secret> authorization_for(const Url& url) const override {
    const auto entry = std::ranges::find(entries_, url.origin(), &Entry::origin);
    return entry == entries_.end() ? std::nullopt : std::optional(entry->authorization);
  }

 private:
  struct Entry {
    std::string origin;
    Secret authorization;
  };
  std::vector<Entry> entries_;
};

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// "name=https://…" → the name, which `entry` loses; empty when it has none.
std::string take_name(std::string_view& entry) {
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) return {};
  const std::string_view name = entry.substr(0, equals);
  const auto legal = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; };
  if (!std::ranges::all_of(name, legal)) return {};
  entry.remove_prefix(equals + 1);
  return std::string(name);
}

/// The variables' part of a name: "my-index" → "MY_INDEX".
std::string variable_part(std::string name) {
  for (char& c : name) {
    if (!is_letter_or_digit(c)) c = '_';
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

void read_indexes(std::string_view list, const Environment& environment, IndexCredentials& credentials) {
  while (!list.empty()) {
    const std::size_t end = list.find_first_of(" \t\n");
    std::string_view entry = list.substr(0, end);
    list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
    const std::string name = take_name(entry);
    const auto url = Url::parse(entry);
    if (!url) continue;  // uv itself reports what it cannot use
    credentials.add(*url, url->user_info());
    if (name.empty()) continue;
    const std::string prefix = "UV_INDEX_" + variable_part(name);
    const std::string user = environment.get_or(prefix + "_USERNAME", "");
    const std::string password = environment.get_or(prefix + "_PASSWORD", "");
    if (!user.empty() || !password.empty()) credentials.add(*url, Secret(user + ":" + password));
  }
}

}  // namespace

PythonIndexes read_python_indexes(const Environment& environment) {
  PythonIndexes indexes{.environment = environment, .credentials = nullptr};
  const bool uv_knows = std::ranges::any_of(
      uv_index_variables, [&](std::string_view name) { return !environment.get_or(name, "").empty(); });
  if (!uv_knows) {
    if (const auto url = environment.get_or("PIP_INDEX_URL", ""); !url.empty())
      indexes.environment.set("UV_DEFAULT_INDEX", url);
    if (const auto urls = environment.get_or("PIP_EXTRA_INDEX_URL", ""); !urls.empty()) {
      indexes.environment.set("UV_EXTRA_INDEX_URL", urls);
    }
  }
  auto credentials = std::make_shared<IndexCredentials>();
  for (const std::string_view name : uv_index_variables) {
    read_indexes(indexes.environment.get_or(name, ""), environment, *credentials);
  }
  indexes.credentials = std::move(credentials);
  return indexes;
}

}  // namespace curupira::registry
