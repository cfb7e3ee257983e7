#include "base/http_transport.h"

#include "base/printable.h"

namespace curupira {

TrustedAuthorities TrustedAuthorities::from(const Environment& environment) {
  TrustedAuthorities authorities{.file = environment.get_or("SSL_CERT_FILE", ""),
                                 .folder = environment.get_or("SSL_CERT_DIR", "")};
  if (!authorities.file.empty()) authorities.origin = "SSL_CERT_FILE";
  if (!authorities.folder.empty())
    authorities.origin += authorities.file.empty() ? "SSL_CERT_DIR" : " and SSL_CERT_DIR";
  return authorities;
}

std::string TrustedAuthorities::to_string() const {
  if (empty()) return "the list of this machine";
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : " and ") + part; };
  if (!file.empty()) add("the file " + printable(file));
  if (!folder.empty()) add("the folder " + printable(folder));
  if (!pem.empty()) add("the certificates");
  return text + " (" + printable(origin) + ")";
}

ClientCertificate ClientCertificate::from(const Environment& environment) {
  ClientCertificate certificate{.certificate_file = environment.get_or("CURUPIRA_CLIENT_CERT", ""),
                                .key_file = environment.get_or("CURUPIRA_CLIENT_KEY", "")};
  if (!certificate.certificate_file.empty()) certificate.origin = "CURUPIRA_CLIENT_CERT";
  return certificate;
}

}  // namespace curupira
