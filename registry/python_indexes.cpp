#include "registry/python_indexes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/netrc.h"
#include "base/url.h"
#include "registry/keyring.h"
#include "registry/npm_credentials.h"
#include "registry/pip_configuration.h"
#include "registry/uv_configuration.h"

namespace curupira::registry {

namespace {

constexpr std::array<std::string_view, 4> uv_index_variables = {"UV_DEFAULT_INDEX", "UV_INDEX",
                                                                "UV_INDEX_URL", "UV_EXTRA_INDEX_URL"};

class IndexCredentials final : public CredentialSource {
 public:
  /// The first password of an origin counts.
  void add(const Url& index, Secret user_info) {
    entries_.push_back({index.origin(), basic_authorization(user_info)});
  }
  void add_origin(const Url& index) { origins_.push_back(index.origin()); }
  void set_transport(TransportOptions transport, std::optional<ClientCertificate> certificate) {
    transport_ = std::move(transport);
    certificate_ = std::move(certificate);
  }

  std::optional<Secret> authorization_for(const Url& url) const override {
    const auto entry = std::ranges::find(entries_, url.origin(), &Entry::origin);
    return entry == entries_.end() ? std::nullopt : std::optional(entry->authorization);
  }
  TransportOptions transport_for(const Url& url) const override {
    TransportOptions transport = transport_;
    if (std::ranges::find(origins_, url.origin()) != origins_.end())
      transport.client_certificate = certificate_;
    return transport;
  }

 private:
  struct Entry {
    std::string origin;
    Secret authorization;
  };
  std::vector<Entry> entries_;
  std::vector<std::string> origins_;
  TransportOptions transport_;
  std::optional<ClientCertificate> certificate_;
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

void add_list(std::string_view list, std::vector<UvConfiguration::Index>& indexes) {
  while (!list.empty()) {
    const std::size_t end = list.find_first_of(" \t\r\n");
    std::string_view entry = list.substr(0, end);
    list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
    if (entry.empty()) continue;
    std::string name = take_name(entry);
    indexes.push_back({std::move(name), std::string(entry)});
  }
}

/// pip separates by line breaks in files; uv's variables by spaces.
std::string on_one_line(std::string list) {
  std::ranges::replace(list, '\n', ' ');
  return list;
}

/// Finds what opens an index: the most specific first.
class Passwords {
 public:
  Passwords(const SourceTools& tools, Netrc netrc, bool keyring)
      : tools_(tools), netrc_(std::move(netrc)), keyring_(keyring) {}

  std::optional<Secret> find(const Url& index, const std::string& name) const {
    const Environment& environment = tools_.environment;
    std::string user;
    if (!name.empty()) {
      const std::string prefix = "UV_INDEX_" + variable_part(name);
      user = environment.get_or(prefix + "_USERNAME", "");
      const std::string password = environment.get_or(prefix + "_PASSWORD", "");
      if (!password.empty()) return Secret(user + ":" + password);
    }
    const std::string& login = index.user_info().reveal();
    const std::size_t colon = login.find(':');
    if (user.empty() && colon != std::string::npos && colon + 1 < login.size()) return index.user_info();
    if (user.empty()) user = login.substr(0, colon);
    // The user named this address, so that its scheme is no matter.
    if (auto stored = netrc_.user_info_for(index, user, true)) return stored;
    if (user.empty()) return std::nullopt;
    if (keyring_) {
      if (const auto password = ask_keyring(tools_, index, user))
        return Secret(user + ":" + password->reveal());
    }
    return Secret(user + ":");  // a token in place of a name
  }

 private:
  const SourceTools& tools_;
  Netrc netrc_;
  bool keyring_;
};

/// pip's ways of reaching servers, for uv by its variables and for us.
TransportOptions take_transport(const PipConfiguration& pip, Environment& environment) {
  TransportOptions transport;
  if (const std::string file = pip.get("cert"); !file.empty()) {
    environment.set("SSL_CERT_FILE", file);
    transport.authorities =
        TrustedAuthorities{.file = file, .origin = pip.origin_of("cert"), .exclusive = true};
  }
  if (std::string proxy = pip.get("proxy"); !proxy.empty()) {
    if (proxy.find("://") == std::string::npos) proxy = "http://" + proxy;
    for (const char* name : {"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"})
      environment.set(name, proxy);
    transport.proxies = std::make_shared<const ProxyRules>(environment);
  }
  return transport;
}

}  // namespace

PythonIndexes read_python_indexes(const SourceTools& tools, Diagnostics* diagnostics) {
  CollectedDiagnostics unheard;
  Diagnostics& heard = diagnostics != nullptr ? *diagnostics : unheard;
  PythonIndexes result{.environment = tools.environment, .credentials = nullptr};
  const auto pip = PipConfiguration::load(tools.environment, tools.files, heard);
  const auto uv = UvConfiguration::load(tools.environment, tools.files);

  const auto named_by = [&](const std::string& who) {
    result.named_by += (result.named_by.empty() ? "" : ", ") + who;
  };
  for (const std::string_view name : uv_index_variables)
    if (!tools.environment.get_or(name, "").empty()) named_by(std::string(name));
  if (!uv.indexes.empty()) named_by("uv.toml");
  if (result.named_by.empty()) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> of_pip = {
        {{"index-url", "UV_DEFAULT_INDEX"}, {"extra-index-url", "UV_EXTRA_INDEX_URL"}}};
    for (const auto& [setting, variable] : of_pip) {
      const std::string urls = pip.get(setting);
      if (urls.empty()) continue;
      result.environment.set(std::string(variable), on_one_line(urls));
      named_by(pip.origin_of(setting));
    }
  }
  auto credentials = std::make_shared<IndexCredentials>();
  TransportOptions transport = take_transport(pip, result.environment);
  std::optional<ClientCertificate> certificate;
  if (const std::string file = pip.get("client-cert"); !file.empty()) {
    certificate = ClientCertificate{.certificate_file = file, .origin = pip.origin_of("client-cert")};
    result.environment.set("SSL_CLIENT_CERT", file);
  }
  credentials->set_transport(std::move(transport), std::move(certificate));

  const bool keyring = uv.keyring || pip.get("keyring-provider") == "subprocess" ||
                       tools.environment.get_or("UV_KEYRING_PROVIDER", "") == "subprocess";
  if (keyring) result.environment.set("UV_KEYRING_PROVIDER", "subprocess");

  std::vector<UvConfiguration::Index> indexes;
  for (const std::string_view name : uv_index_variables)
    add_list(result.environment.get_or(name, ""), indexes);
  indexes.insert(indexes.end(), uv.indexes.begin(), uv.indexes.end());
  // Its warnings are those of the HTTP client, which reads the same file.
  const Passwords passwords(tools, Netrc::load(tools.environment, tools.files, unheard), keyring);
  for (const auto& [name, text] : indexes) {
    const auto url = Url::parse(text);
    if (!url) continue;  // uv itself reports what it cannot use
    credentials->add_origin(*url);
    if (auto user_info = passwords.find(*url, name)) credentials->add(*url, *std::move(user_info));
  }
  result.credentials = std::move(credentials);
  return result;
}

}  // namespace curupira::registry
