#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "base/url.h"
#include "cli/registry_access.h"
#include "cli/registry_command.h"
#include "cli/registry_session.h"
#include "cli/registry_text.h"
#include "manifest/registry_section.h"
#include "registry/carriers.h"
#include "registry/registry_client.h"

namespace curupira::cli {
namespace {

using manifest::root_fingerprint_text;
using registry::FirstRoot;
using registry::RegistryTrust;

class Addition {
 public:
  Addition(const Invocation& invocation, const RegistryAddArguments& arguments, Terminal& terminal)
      : invocation_(invocation),
        arguments_(arguments),
        terminal_(terminal),
        access_(invocation, terminal, false),
        trust_(access_.files(), invocation.home, arguments.name) {}

  Result<int> run() {
    CURUPIRA_CHECK(check_arguments());
    CURUPIRA_TRY(const RegistriesFile settings,
                 read_registries(invocation_, access_.files(), access_.diagnostics()));
    CURUPIRA_CHECK(check_new(settings));
    CURUPIRA_TRY(carrier_, registry::make_carrier(access_.tools(), access_.diagnostics(), settings_.url,
                                                  settings_.mirrors));
    CURUPIRA_TRY(const FirstRoot root, registry::fetch_first_root(*carrier_, settings_.root_fingerprint));
    CURUPIRA_CHECK(confirm(root));
    settings_.root_fingerprint = root.fingerprint;

    CURUPIRA_TRY(auto change, RegistriesChange::begin(invocation_, access_.files(), access_.diagnostics()));
    CURUPIRA_CHECK(check_new(change.before()));
    CURUPIRA_TRY(const bool trusted_before, trust_.exists());
    CURUPIRA_CHECK(trusted_before ? check_trust() : begin_trust(root));
    if (auto written = write_section(change); !written) {
      if (!trusted_before) static_cast<void>(trust_.remove());
      return fail(std::move(written).error());
    }
    CURUPIRA_TRY(const auto state, trust_.state());
    report(state, settings.file);
    return 0;
  }

 private:
  Result<> check_arguments() {
    if (!manifest::is_registry_name(arguments_.name))
      return fail(ErrorCode::registry_name, "found \"" + excerpt(arguments_.name, 80) + "\"");
    settings_.name = arguments_.name;
    settings_.url = anchored(arguments_.url);
    for (const std::string& mirror : arguments_.mirrors)
      settings_.mirrors.push_back(anchored(mirror));
    if (!arguments_.fingerprint) return {};
    settings_.root_fingerprint = manifest::parse_root_fingerprint(*arguments_.fingerprint);
    if (settings_.root_fingerprint) return {};
    return fail(
        Error(ErrorCode::usage, "--root-fingerprint \"" + excerpt(*arguments_.fingerprint, 100) + "\"")
            .with_help("it is sha256: and 64 hexadecimal digits"));
  }

  /// A folder is named from where the user is; the settings name it from anywhere.
  std::string anchored(const std::string& address) const {
    if (address.empty() || address.find("://") != std::string::npos) return address;
    return absolute_path(invocation_, address).string();
  }

  Result<> check_new(const RegistriesFile& settings) const {
    const auto* const known = settings.find(settings_.name);
    if (known == nullptr) return {};
    return fail(ErrorCode::registry_known, printable(settings.file.string()) + ":" +
                                               std::to_string(known->position.line) + ": " + settings_.name +
                                               " is " + registry::shown_address(known->url));
  }

  /// The root that is trusted under this name already has to be this registry's, and the registry to answer.
  Result<> check_trust() {
    const auto found = trust_.first_root();
    if (found != settings_.root_fingerprint)
      return fail(ErrorCode::registry_known,
                  "a registry of the name " + settings_.name + " is trusted here with the root " +
                      (found ? root_fingerprint_text(*found) : std::string("that cannot be read")));
    CURUPIRA_TRY(const auto client,
                 registry::RegistryClient::open(access_.tools(), settings_, access_.diagnostics()));
    return {};
  }

  Result<> begin_trust(const FirstRoot& root) {
    CURUPIRA_CHECK(registry::RegistryClient::begin_trust(access_.tools(), settings_, access_.diagnostics(),
                                                         carrier_, root));
    if (trust_.first_root() == root.fingerprint) return {};
    return check_trust();  // a first use of other settings was faster
  }

  /// Who gave the fingerprint, or trusts the root already, is not asked.
  Result<> confirm(const FirstRoot& root) {
    if (settings_.root_fingerprint || trust_.first_root() == root.fingerprint) return {};
    const std::string shown = registry::shown_address(settings_.url);
    const std::string fingerprint = root_fingerprint_text(root.fingerprint);
    if (!terminal_.can_ask())
      return fail(ErrorCode::root_unconfirmed, shown + " shows a root with the fingerprint\n" + fingerprint);
    terminal_.err()
        << "The registry at " << shown << " shows a root with the fingerprint\n  " << fingerprint
        << "\nOnly its keepers know whether that is the right one: compare it with what they say.\n";
    if (terminal_.ask("Trust it?")) return {};
    return fail(ErrorCode::root_unconfirmed, "nothing was added");
  }

  Result<> write_section(RegistriesChange& change) {
    CURUPIRA_TRY(
        const std::string text,
        manifest::with_registry(change.before().text.value_or(""),
                                {.name = settings_.name,
                                 .url = settings_.url,
                                 .mirrors = settings_.mirrors,
                                 .root_fingerprint = root_fingerprint_text(*settings_.root_fingerprint)}));
    return change.write(text);
  }

  void report(const registry::TrustState& state, const std::filesystem::path& file) {
    for (const auto* const address : addresses()) {
      const auto url = Url::parse(*address);
      if (url && url->user_info().reveal().find(':') != std::string::npos)
        access_.diagnostics().warn("the password in the address of " + registry::shown_address(*address) +
                                   " stands in the settings now; ~/.netrc is a better place");
    }
    const std::string fingerprint = root_fingerprint_text(*settings_.root_fingerprint);
    if (invocation_.common.json) {
      json::Object document = registry_document("add");
      document.set("name", settings_.name);
      document.set("url", registry::shown_address(settings_.url));
      document.set("fingerprint", fingerprint);
      document.set("rootVersion", state.root_version);
      document.set("settings", file.string());
      terminal_.out() << json::write_pretty(document);
      return;
    }
    terminal_.out() << "Added the registry " << settings_.name << ", "
                    << registry::shown_address(settings_.url) << "\nfingerprint  " << fingerprint
                    << "\nroot         version " << state.root_version << "\nsettings     "
                    << printable(file.string()) << "\n`curupira plugins search WORD` finds its packages\n";
  }

  std::vector<const std::string*> addresses() const {
    std::vector<const std::string*> all{&settings_.url};
    for (const std::string& mirror : settings_.mirrors)
      all.push_back(&mirror);
    return all;
  }

  const Invocation& invocation_;
  const RegistryAddArguments& arguments_;
  Terminal& terminal_;
  RegistryAccess access_;
  RegistryTrust trust_;
  std::shared_ptr<registry::Carrier> carrier_;
  manifest::RegistrySettings settings_;
};

}  // namespace

Result<int> registry_add_command(const Invocation& invocation, const RegistryAddArguments& arguments,
                                 Terminal& terminal) {
  auto added = Addition(invocation, arguments, terminal).run();
  if (!added)
    return fail(std::move(added).error().while_doing("adding the registry " + excerpt(arguments.name, 80)));
  return added;
}

}  // namespace curupira::cli
