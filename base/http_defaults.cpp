#include "base/http_defaults.h"

namespace curupira {

HttpDefaults HttpDefaults::from(const Environment& environment, Diagnostics* diagnostics) {
  CollectedDiagnostics unheard;
  const auto files = make_posix_file_system();
  return {.proxies = ProxyRules(environment),
          .authorities = TrustedAuthorities::from(environment),
          .client_certificate = ClientCertificate::from(environment),
          .netrc = Netrc::load(environment, *files, diagnostics != nullptr ? *diagnostics : unheard)};
}

}  // namespace curupira
