#include "registry/docker_config.h"

#include "base/digest.h"
#include "base/json.h"
#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {
namespace {

namespace fs = std::filesystem;

/// "https://host/v1/", as old versions wrote it, is "host".
std::string without_scheme(std::string_view key) {
  const std::size_t scheme = key.find("://");
  if (scheme == std::string_view::npos) return std::string(key);
  key.remove_prefix(scheme + 3);
  return std::string(key.substr(0, key.find('/')));
}

std::string text_member(const json::Value& object, std::string_view name) {
  const std::string* const text = object.find_string(name);
  return text != nullptr ? *text : std::string();
}

std::optional<RegistryLogin> read_login(const json::Value& entry, const std::string& origin) {
  RegistryLogin login{.user = text_member(entry, "username"),
                      .secret = Secret(text_member(entry, "password")),
                      .origin = origin};
  if (const auto bytes = base64_decode(text_member(entry, "auth")); bytes && !bytes->empty()) {
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string_view password = text.substr(colon + 1);
    password = password.substr(0, password.find_last_not_of('\0') + 1);
    login.user = text.substr(0, colon);
    login.secret = Secret(std::string(password));
  }
  if (std::string token = text_member(entry, "identitytoken"); !token.empty()) {
    login.secret = Secret(std::move(token));
    login.is_identity_token = true;
  }
  if (login.secret.empty()) return std::nullopt;
  return login;
}

}  // namespace

Secret RegistryLogin::user_info() const {
  return is_identity_token ? Secret() : Secret(user + ":" + secret.reveal());
}

DockerConfig DockerConfig::load(const Environment& environment, const ReadOnlyFileSystem& files,
                                Diagnostics& diagnostics) {
  fs::path folder = environment.get_or("DOCKER_CONFIG", "");
  if (folder.empty()) {
    const std::string home = environment.get_or("HOME", "");
    if (home.empty()) return {};
    folder = fs::path(home) / ".docker";
  }
  const fs::path file = folder / "config.json";
  const std::string shown = printable(file.native());
  const auto text = files.read_file(file, Limits::max_docker_config_bytes);
  if (!text) {
    if (text.error().code() != ErrorCode::file_not_found)
      diagnostics.warn("the logins of Docker are not used: " + text.error().detail());
    return {};
  }
  auto config = parse(*text, shown);
  if (config) return *std::move(config);
  diagnostics.warn("the logins of Docker are not used: " + shown + " is no JSON object");
  return {};
}

Result<DockerConfig> DockerConfig::parse(std::string_view text, const std::string& origin) {
  CURUPIRA_TRY(const json::Value root, json::parse(text, {.max_bytes = Limits::max_docker_config_bytes}));
  if (root.as_object() == nullptr) return fail(ErrorCode::json_invalid, origin + " is no object");
  DockerConfig config;
  const auto members = [&](std::string_view name) {
    const json::Value* const value = root.find(name);
    return value != nullptr ? value->as_object() : nullptr;
  };
  if (const json::Object* const auths = members("auths")) {
    for (const auto& [key, entry] : *auths) {
      if (auto login = read_login(entry, origin)) config.auths_[without_scheme(key)] = *std::move(login);
    }
  }
  if (const json::Object* const helpers = members("credHelpers")) {
    for (const auto& [key, helper] : *helpers) {
      if (helper.as_string() != nullptr) config.helpers_[without_scheme(key)] = *helper.as_string();
    }
  }
  config.store_ = text_member(root, "credsStore");
  return config;
}

std::optional<RegistryLogin> DockerConfig::login_for(const SourceTools& tools, const std::string& authority,
                                                     const std::string& path,
                                                     Diagnostics& diagnostics) const {
  const auto own = helpers_.find(authority);
  const std::string& helper = own != helpers_.end() ? own->second : store_;
  if (!helper.empty()) {
    if (auto login = ask_credential_helper(tools, helper, authority, diagnostics)) return login;
  }
  return login_in_file(authority, path);
}

std::optional<RegistryLogin> DockerConfig::login_in_file(const std::string& authority,
                                                         const std::string& path) const {
  std::string key = authority + "/" + path;
  while (true) {
    if (const auto found = auths_.find(key); found != auths_.end()) return found->second;
    const std::size_t slash = key.rfind('/');
    if (slash == std::string::npos) return std::nullopt;
    key.resize(slash);
  }
}

std::optional<RegistryLogin> ask_credential_helper(const SourceTools& tools, const std::string& helper,
                                                   const std::string& authority, Diagnostics& diagnostics) {
  const std::string program = "docker-credential-" + helper;
  const std::string shown = printable(program);
  const auto useless = [&](const std::string& reason) {
    diagnostics.warn(shown + " gives no login for " + authority + ": " + reason);
    return std::nullopt;
  };
  if (helper.find('/') != std::string::npos) return useless("its name is a path");
  const auto output = tools.processes.run({.argv = {program, "get"},
                                           .environment = tools.environment,
                                           .time_limit = Limits::keyring_time_limit,
                                           .max_output = Limits::max_keyring_bytes,
                                           .input = authority});
  if (!output) return useless(output.error().summary());
  // Helpers say on standard output what is wrong, in these words when it is only that they have none.
  if (!output->status.success()) {
    if (output->standard_output.starts_with("credentials not found")) return std::nullopt;
    return useless("it ended with " + output->status.to_string());
  }
  const auto answer = json::parse(output->standard_output, {.max_bytes = Limits::max_keyring_bytes});
  if (!answer) return useless("its answer is no JSON");
  RegistryLogin login{.user = text_member(*answer, "Username"),
                      .secret = Secret(text_member(*answer, "Secret")),
                      .origin = shown};
  login.is_identity_token = login.user == "<token>";
  if (login.secret.empty()) return useless("its answer has no secret");
  return login;
}

}  // namespace curupira::registry
