#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/file_system.h"
#include "base/http_transport.h"
#include "cli/doctor_findings.h"

namespace curupira::cli {

/// The certificates in a PEM text.
struct CertificateList {
  std::size_t count = 0;
  std::size_t expired = 0;                            ///< at the time that was given
  std::optional<std::chrono::sys_seconds> first_end;  ///< of those that are still good; nothing when none is
};

/// Looks at how long each is good, at nothing else: whether they are what they say, TLS finds out.
CertificateList read_certificates(std::string_view pem, std::chrono::system_clock::time_point now);

/// Whose signatures count for `subject`: which file, who names it, how many certificates it has. A file that
/// cannot be read, or has no certificate that is still good, is a problem.
Finding examine_authorities(const TrustedAuthorities& authorities, const ReadOnlyFileSystem& files,
                            std::chrono::system_clock::time_point now, std::string subject);

}  // namespace curupira::cli
