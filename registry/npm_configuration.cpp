#include "registry/npm_configuration.h"

#include <algorithm>

#include "base/json.h"
#include "base/printable.h"
#include "base/process_runner.h"
#include "registry/limits.h"
#include "registry/npmrc.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;
using Trust = NpmCredentials::Trust;
using Settings = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view environment_prefix = "npm_config_";

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

/// npm_config_NAME=value as settings. As in npm, names that are no address lose their upper case and
/// underscores.
Settings read_environment(const Environment& environment) {
  Settings settings;
  for (const auto& [name, value] : environment.variables()) {
    if (value.empty() || lower(name.substr(0, environment_prefix.size())) != environment_prefix) continue;
    std::string key = name.substr(environment_prefix.size());
    if (!key.starts_with("//")) {
      key = lower(key);
      for (std::size_t i = 1; i < key.size(); ++i) {
        if (key[i] == '_') key[i] = '-';
      }
    }
    settings.emplace(std::move(key), value);
  }
  return settings;
}

const std::string* find(const Settings& settings, std::string_view key) {
  const auto found = settings.find(key);
  return found == settings.end() ? nullptr : &found->second;
}

fs::path expand_home(const std::string& path, const Environment& environment) {
  const auto home = environment.get("HOME");
  return path.starts_with("~/") && home ? fs::path(*home) / path.substr(2) : fs::path(path);
}

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool is_registry_key(std::string_view key) {
  return key == "registry" || (key.starts_with('@') && key.ends_with(":registry"));
}

/// "//host/path/:certfile" → its two parts.
std::optional<std::pair<std::string, std::string>> split_certificate_key(std::string_view key) {
  const std::size_t colon = key.rfind(':');
  if (!key.starts_with("//") || colon == std::string_view::npos) return std::nullopt;
  const std::string_view member = key.substr(colon + 1);
  if (member != "certfile" && member != "keyfile") return std::nullopt;
  return std::pair(std::string(key.substr(0, colon)), std::string(member));
}

/// "//host/path/:_authToken" → its two parts.
std::optional<std::pair<std::string, std::string>> split_credential_key(std::string_view key) {
  const std::size_t colon = key.rfind(':');
  if (!key.starts_with("//") || colon == std::string_view::npos) return std::nullopt;
  const std::string_view member = key.substr(colon + 1);
  if (member != "_authToken" && member != "_auth" && member != "username" && member != "_password")
    return std::nullopt;
  return std::pair(std::string(key.substr(0, colon)), std::string(member));
}

}  // namespace

/// Collects the layers, the one that wins first.
class NpmConfiguration::Loader {
 public:
  Loader(const SourceTools& tools, Diagnostics& diagnostics)
      : tools_(tools),
        diagnostics_(diagnostics),
        environment_settings_(read_environment(tools.environment)) {}

  Result<NpmConfiguration> load() {
    take(environment_settings_, "the environment", Trust::own);

    const fs::path user_file = user_config();
    const fs::path project_file = tools_.current_folder / ".npmrc";
    if (project_file.lexically_normal() != user_file.lexically_normal()) {
      CURUPIRA_TRY(const Settings project, read(project_file, Trust::project));
      take(project, printable(project_file.string()), Trust::project);
      write_project(project);
    }
    Settings user;
    if (!user_file.empty()) {
      CURUPIRA_TRY(user, read(user_file, Trust::own));
      take(user, printable(user_file.string()), Trust::own);
    }
    if (const fs::path global_file = global_config(user); !global_file.empty()) {
      CURUPIRA_TRY(const Settings global, read(global_file, Trust::own));
      take(global, printable(global_file.string()), Trust::own);
    }
    credentials_->transport().complete(tools_.environment);
    warn_about_unchecked();
    configuration_.credentials_ = std::move(credentials_);
    return std::move(configuration_);
  }

 private:
  fs::path user_config() const {
    if (const auto* named = find(environment_settings_, "userconfig"))
      return expand_home(*named, tools_.environment);
    const auto home = tools_.environment.get("HOME");
    return home && !home->empty() ? fs::path(*home) / ".npmrc" : fs::path();
  }

  /// etc/npmrc below npm's prefix, which by default is the folder above the one that has node.
  fs::path global_config(const Settings& user) const {
    if (const auto* named = find(environment_settings_, "globalconfig"))
      return expand_home(*named, tools_.environment);
    const auto* prefix = find(environment_settings_, "prefix");
    if (prefix == nullptr) prefix = find(user, "prefix");
    if (prefix != nullptr) return expand_home(*prefix, tools_.environment) / "etc" / "npmrc";
    if (const std::string set = tools_.environment.get_or("PREFIX", ""); !set.empty())
      return fs::path(set) / "etc" / "npmrc";
    const auto node = find_program(tools_.environment, "node");
    if (!node) return {};
    std::error_code error;
    const fs::path real = fs::canonical(*node, error);
    return (error ? *node : real).parent_path().parent_path() / "etc" / "npmrc";
  }

  Result<Settings> read(const fs::path& file, Trust trust) {
    if (file == "/dev/null") return Settings{};  // the usual way to have none
    auto text = tools_.files.read_file(file, Limits::max_npmrc_bytes);
    if (!text) {
      if (text.error().code() == ErrorCode::file_not_found) return Settings{};
      return fail(
          std::move(text).error().while_doing("reading npm's configuration " + printable(file.string())));
    }
    Settings settings;
    for (NpmrcSetting& setting : parse_npmrc(*text)) {
      if (trust == Trust::own) {
        setting.key = expand_npmrc(setting.key, tools_.environment);
        setting.value = expand_npmrc(setting.value, tools_.environment);
      }
      if (setting.value.find("${") != std::string::npos ||
          has_control_character(setting.key + (setting.key.starts_with("ca") ? "" : setting.value))) {
        report_unusable(setting, file, trust);
        continue;
      }
      if (setting.key == "ca[]") {
        settings["ca[]"] += setting.value + "\n";
        continue;
      }
      settings[std::move(setting.key)] = std::move(setting.value);  // the last of a file wins
    }
    return settings;
  }

  /// Says which setting is not used and why, never its value: that may be a token (npm/cli#7819).
  void report_unusable(const NpmrcSetting& setting, const fs::path& file, Trust trust) {
    if (!is_registry_key(setting.key) && !split_credential_key(setting.key) &&
        !NpmTransport::is_setting(setting.key))
      return;
    std::string why = "has control characters";
    if (setting.value.find("${") != std::string::npos) {
      why = trust == Trust::own
                ? "names a variable that is not set"
                : "names a variable, and a file of the current folder may not read the environment: put "
                  "the line into your own .npmrc";
    }
    diagnostics_.warn("`" + printable(setting.key) + "` in " + printable(file.string()) +
                      " is not used: it " + why);
  }

  void take(const Settings& settings, const std::string& origin, Trust trust) {
    struct Login {
      std::string token, auth, username, password;
    };
    std::map<std::string, Login> logins;
    for (const auto& [key, value] : settings) {
      if (is_registry_key(key)) {
        take_registry(key, value, origin, trust);
      } else if (NpmTransport::is_setting(key)) {
        take_transport(key, value, origin, trust);
      } else if (const auto certificate = split_certificate_key(key)) {
        take_certificate(*certificate, value, origin, trust);
      } else if (const auto parts = split_credential_key(key)) {
        Login& login = logins[parts->first];
        if (parts->second == "_authToken") login.token = value;
        if (parts->second == "_auth") login.auth = value;
        if (parts->second == "username") login.username = value;
        if (parts->second == "_password") login.password = value;
      } else if (key == "_authToken" || key == "_auth" || key == "_password") {
        diagnostics_.warn("`" + key + "` in " + origin +
                          " is not used: it names no host; write it as //HOST/:" + key);
      }
    }
    for (const auto& [place, login] : logins) {
      if (!login.token.empty()) {
        add_login(place, Secret("Bearer " + login.token), origin, trust);
      } else if (!login.username.empty() && !login.password.empty()) {
        const auto password = base64_decode(login.password);
        if (!password) {
          diagnostics_.warn("`" + printable(place) + ":_password` in " + origin +
                            " is not used: it is not base64");
          continue;
        }
        const Secret user_info(
            login.username + ":" +
            std::string(reinterpret_cast<const char*>(password->data()), password->size()));
        add_login(place, basic_authorization(user_info), origin, trust);
      } else if (!login.auth.empty()) {
        add_login(place, Secret("Basic " + login.auth), origin, trust);
      }
    }
  }

  /// A checkout must not lead our requests over its own proxy, or past the check of certificates.
  bool may_change_transport(const std::string& key, const std::string& origin, Trust trust) {
    if (trust == Trust::own) return true;
    diagnostics_.warn("`" + printable(key) + "` in " + origin +
                      " is not used: how servers are reached is said in your own .npmrc, not by a file of "
                      "the current folder");
    return false;
  }

  void take_transport(const std::string& key, const std::string& value, const std::string& origin,
                      Trust trust) {
    if (!may_change_transport(key, origin, trust)) return;
    const std::string used = key == "cafile" ? absolute(value) : value;
    if (!credentials_->transport().set(key, used, origin))
      diagnostics_.warn("`" + key + "` in " + origin + " is not used: its value means nothing");
  }

  void take_certificate(const std::pair<std::string, std::string>& key, const std::string& value,
                        const std::string& origin, Trust trust) {
    if (!may_change_transport(key.first + ":" + key.second, origin, trust)) return;
    if (!credentials_->transport().set_certificate(key.first, key.second, absolute(value), origin))
      diagnostics_.warn("`" + printable(key.first) + "` in " + origin +
                        " is not used: it is not //HOST/PATH/");
  }

  std::string absolute(const std::string& file) const {
    return (tools_.current_folder / expand_home(file, tools_.environment)).lexically_normal().string();
  }

  /// Said at every command: it is never what one wants to forget.
  void warn_about_unchecked() {
    const NpmTransport& transport = credentials_->transport();
    if (!transport.unchecked_by()) return;
    diagnostics_.warn("`strict-ssl=false` in " + *transport.unchecked_by() +
                      (transport.has_registry()
                           ? ": the certificates of the npm registries that are named are not checked, so "
                             "that anybody on the way can read your token; `cafile` is the safe way"
                           : " is not used: it counts only for registries that the configuration names"));
  }

  void take_registry(const std::string& key, const std::string& value, const std::string& origin,
                     Trust trust) {
    const bool wins = configuration_.registries_.emplace(key, Named{value, origin}).second;
    if (trust == Trust::own) {
      if (const auto url = parse_registry_url(value, origin)) credentials_->add_registry(*url);
    } else if (wins) {
      diagnostics_.note("`" + printable(key) + "` is taken from " + origin);
    }
  }

  void add_login(const std::string& place, Secret authorization, const std::string& origin, Trust trust) {
    if (!credentials_->add(place, std::move(authorization), trust, origin)) {
      diagnostics_.warn("`" + printable(place) + "` in " + origin + " is not used: it is not //HOST/PATH/");
    }
  }

  /// Quoted as JSON, which npm's reader takes back exactly. Nothing in it is replaced: there is no ${ left.
  void write_project(const Settings& project) {
    for (const auto& [key, value] : project) {
      if (!is_registry_key(key) && !split_credential_key(key)) continue;
      configuration_.project_settings_ += key + "=";
      json::append_string(configuration_.project_settings_, value);
      configuration_.project_settings_ += "\n";
    }
  }

  const SourceTools& tools_;
  Diagnostics& diagnostics_;
  const Settings environment_settings_;
  NpmConfiguration configuration_;
  std::shared_ptr<NpmCredentials> credentials_ = std::make_shared<NpmCredentials>();
};

Result<NpmConfiguration> NpmConfiguration::load(const SourceTools& tools, Diagnostics& diagnostics) {
  return Loader(tools, diagnostics).load();
}

Result<std::optional<Url>> NpmConfiguration::registry_for(std::string_view package) const {
  auto named = registries_.end();
  if (package.starts_with('@'))
    named = registries_.find(std::string(package.substr(0, package.find('/'))) + ":registry");
  if (named == registries_.end()) named = registries_.find("registry");
  if (named == registries_.end()) return std::optional<Url>();
  CURUPIRA_TRY(Url url, parse_registry_url(named->second.url, named->second.origin));
  return std::optional(std::move(url));
}

std::vector<NpmConfiguration::NamedRegistry> NpmConfiguration::registries() const {
  std::vector<NamedRegistry> all;
  for (const auto& [key, named] : registries_)
    all.push_back({key, named.origin, parse_registry_url(named.url, named.origin)});
  return all;
}

std::string NpmConfiguration::logical_source(std::string_view package) const {
  if (!package.starts_with('@')) return "npm";
  const std::string scope(package.substr(0, package.find('/')));
  return registries_.contains(scope + ":registry") ? "npm:" + scope : "npm";
}

Result<Url> parse_registry_url(std::string_view text, const std::string& origin) {
  auto url = Url::parse(std::string(text) + (text.ends_with('/') ? "" : "/"));
  if (url && url->scheme() == "file")
    url = fail(ErrorCode::url_invalid, "a registry is an http or https address");
  if (!url) return fail(std::move(url).error().while_doing("reading the npm registry in " + origin));
  return url;
}

}  // namespace curupira::registry
