#include "cli/doctor_servers.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/npm_configuration.h"
#include "registry/npm_default_registry.h"
#include "registry/python_index_places.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using Kind = ExaminedServer::Kind;

void report(Findings& findings, Level level, std::string subject, const Error& error) {
  findings.push_back({.area = "network",
                      .level = level,
                      .subject = std::move(subject),
                      .what = error.code() == ErrorCode::tool_missing ? error.detail() : words_of(error),
                      .remedy = error.help()});
}

/// A tool that is not here to say its default leaves nothing broken.
Level level_of(const Error& error) {
  return error.code() == ErrorCode::tool_missing ? Level::note : Level::problem;
}

class Servers {
 public:
  Servers(const registry::SourceTools& tools, Findings& findings) : tools_(tools), findings_(findings) {}

  void add_npm() {
    CollectedDiagnostics warnings;
    auto configuration = registry::NpmConfiguration::load(tools_, warnings);
    report_warnings("npm", warnings);
    if (!configuration) return report(findings_, Level::problem, "npm", configuration.error());
    npm_credentials_ = configuration->credentials();
    bool general = false;
    for (const auto& named : configuration->registries()) {
      general = general || named.key == "registry";
      if (named.url)
        add_registry(*named.url, named.key + " in " + named.origin);
      else
        report(findings_, Level::problem, named.key, named.url.error());
    }
    if (general) return;
    const auto standard = registry::npm_default_registry(tools_);
    if (standard)
      add_registry(*standard, "npm, as its default", true);
    else
      report(findings_, level_of(standard.error()), "npm", standard.error());
  }

  void add_python() {
    CollectedDiagnostics warnings;
    const auto indexes = registry::read_python_indexes(tools_, &warnings);
    report_warnings("uv and pip", warnings);
    const auto places = registry::python_index_places(tools_, indexes);
    if (!places) return report(findings_, level_of(places.error()), "uv", places.error());
    for (const Url& url : places->indexes) {
      ExaminedServer server{.kind = Kind::python_index,
                            .url = url,
                            .named_by = indexes.named_by.empty() ? "uv, as its default" : indexes.named_by,
                            .credentials = places->credentials,
                            .standard = indexes.named_by.empty()};
      const bool sent = !url.user_info().empty() ||
                        (server.credentials && server.credentials->authorization_for(url).has_value());
      if (sent) server.credential = "this index";
      all_.push_back(std::move(server));
    }
  }

  /// Those that are on the web, and their mirrors.
  void add_registries() {
    if (tools_.registries == nullptr) return;
    for (const auto& registry : *tools_.registries) {
      std::vector<std::string> addresses{registry.url};
      addresses.insert(addresses.end(), registry.mirrors.begin(), registry.mirrors.end());
      for (const std::string& address : addresses) {
        if (!address.starts_with("https://") && !address.starts_with("http://")) continue;
        const auto url = Url::parse(address.ends_with('/') ? address : address + "/");
        const std::string where = "[registries." + registry.name + "]";
        if (!url)
          report(findings_, Level::problem, where, url.error());
        else
          all_.push_back({.kind = Kind::registry, .url = *url, .named_by = where});
      }
    }
  }

  /// What the user asks about: a registry or index of the configuration, or whatever it is.
  void keep_only(const std::vector<std::string>& urls) {
    std::vector<ExaminedServer> chosen;
    for (const std::string& text : urls) {
      const auto url = Url::parse(text);
      if (!url || url->scheme() == "file") {
        report(findings_, Level::problem, printable(text),
               url ? Error(ErrorCode::url_invalid, "it is a file") : url.error());
        continue;
      }
      chosen.push_back(server_of(*url));
    }
    all_ = std::move(chosen);
  }

  std::vector<ExaminedServer> take() { return std::move(all_); }

 private:
  void report_warnings(const std::string& subject, const CollectedDiagnostics& warnings) {
    for (const Diagnostic& warning : warnings.all)
      findings_.push_back({.area = "network",
                           .level = warning.kind == Diagnostic::Kind::warning ? Level::warning : Level::note,
                           .subject = subject,
                           .what = warning.text});
  }

  void add_registry(const Url& url, std::string named_by, bool standard = false) {
    const auto same = [&](const ExaminedServer& server) { return server.url.to_string() == url.to_string(); };
    if (const auto known = std::ranges::find_if(all_, same); known != all_.end()) {
      known->named_by += ", " + named_by;
      return;
    }
    all_.push_back({.kind = Kind::npm_registry,
                    .url = url,
                    .named_by = std::move(named_by),
                    .credentials = npm_credentials_,
                    .standard = standard,
                    .credential = npm_credentials_->explain(url)});
  }

  ExaminedServer server_of(const Url& url) const {
    const std::string text = url.to_string();
    for (const ExaminedServer& server : all_) {
      const std::string known = server.url.to_string();
      if (text != known && text + "/" != known) continue;
      ExaminedServer asked = server;
      asked.standard = false;
      return asked;
    }
    ExaminedServer server{.kind = Kind::other, .url = url, .named_by = "the command line"};
    // Below a registry or an index, what is configured for it counts.
    for (const ExaminedServer& known : all_) {
      if (!known.credentials || !known.credentials->authorization_for(url)) continue;
      server.credentials = known.credentials;
      server.credential = known.credential.value_or(known.named_by);
      break;
    }
    if (!url.user_info().empty()) server.credential = "the address itself";
    return server;
  }

  const registry::SourceTools& tools_;
  Findings& findings_;
  std::shared_ptr<const registry::NpmCredentials> npm_credentials_;
  std::vector<ExaminedServer> all_;
};

}  // namespace

std::vector<ExaminedServer> examined_servers(const registry::SourceTools& tools,
                                             const std::vector<std::string>& urls, Findings& findings) {
  Servers servers(tools, findings);
  servers.add_npm();
  servers.add_python();
  servers.add_registries();
  if (!urls.empty()) {
    // Questions about one address are answered without complaints about others.
    findings.clear();
    servers.keep_only(urls);
  }
  return servers.take();
}

}  // namespace curupira::cli
