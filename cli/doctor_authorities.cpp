#include "cli/doctor_authorities.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "base/digest.h"
#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/counted.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using Bytes = std::span<const std::byte>;

constexpr std::uint64_t max_list_bytes = 16u << 20;
constexpr std::string_view begin_line = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view end_line = "-----END CERTIFICATE-----";

/// One value of a DER text (X.690).
struct Element {
  unsigned tag = 0;
  Bytes content;
};

/// Takes the first one off `rest`; nothing when there is none.
std::optional<Element> next(Bytes& rest) {
  if (rest.size() < 2) return std::nullopt;
  const auto at = [&](std::size_t i) { return std::to_integer<std::size_t>(rest[i]); };
  std::size_t length = at(1), header = 2;
  if (length >= 0x80) {
    const std::size_t digits = length - 0x80;
    if (digits < 1 || digits > 4 || rest.size() < 2 + digits) return std::nullopt;
    length = 0;
    for (std::size_t i = 0; i < digits; ++i)
      length = length << 8 | at(2 + i);
    header += digits;
  }
  if (rest.size() - header < length) return std::nullopt;
  const Element element{.tag = static_cast<unsigned>(at(0)), .content = rest.subspan(header, length)};
  rest = rest.subspan(header + length);
  return element;
}

/// "350101000000Z" or "20350101000000Z" (RFC 5280 §4.1.2.5).
std::optional<std::chrono::sys_seconds> time_of(const Element& element) {
  constexpr unsigned utc_time = 0x17, generalized_time = 0x18;
  std::string text(reinterpret_cast<const char*>(element.content.data()), element.content.size());
  if (element.tag == utc_time && text.size() == 13) text.insert(0, text[0] < '5' ? "20" : "19");
  if ((element.tag != utc_time && element.tag != generalized_time) || text.size() != 15) return std::nullopt;
  const auto part = [&](std::size_t from, std::size_t size) { return text.substr(from, size); };
  const auto time = parse_timestamp(part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + "T" + part(8, 2) +
                                    ":" + part(10, 2) + ":" + part(12, 2) + "Z");
  return time ? std::optional(*time) : std::nullopt;
}

/// When a certificate ends: the second time of `validity` (RFC 5280 §4.1).
std::optional<std::chrono::sys_seconds> end_of(Bytes certificate) {
  constexpr unsigned explicit_version = 0xA0;
  auto outer = next(certificate);
  if (!outer) return std::nullopt;
  auto signed_part = next(outer->content);
  if (!signed_part) return std::nullopt;
  Bytes& fields = signed_part->content;
  auto field = next(fields);  // version, or the serial number where there is none
  if (field && field->tag == explicit_version) field = next(fields);
  for (int i = 0; i < 3 && field; ++i)  // signature algorithm, issuer, validity
    field = next(fields);
  if (!field || !next(field->content)) return std::nullopt;
  const auto end = next(field->content);
  return end ? time_of(*end) : std::nullopt;
}

std::string without_line_ends(std::string_view text) {
  std::string result(text);
  std::erase_if(result, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  return result;
}

std::string description(const CertificateList& list) {
  std::string text = counted(list.count, "certificate");
  if (list.expired > 0) text += ", " + std::to_string(list.expired) + " of them expired";
  if (list.first_end) text += "; the first ends " + format_timestamp(*list.first_end).substr(0, 10);
  return text;
}

}  // namespace

CertificateList read_certificates(std::string_view pem, std::chrono::system_clock::time_point now) {
  CertificateList list;
  for (;;) {
    const std::size_t begin = pem.find(begin_line);
    if (begin == std::string_view::npos) return list;
    pem.remove_prefix(begin + begin_line.size());
    const std::size_t end = pem.find(end_line);
    if (end == std::string_view::npos) return list;
    ++list.count;
    const auto der = base64_decode(without_line_ends(pem.substr(0, end)));
    const auto good_until = der ? end_of(*der) : std::nullopt;
    if (good_until && *good_until < now) {
      ++list.expired;
    } else if (good_until) {
      list.first_end = std::min(list.first_end.value_or(*good_until), *good_until);
    }
  }
}

Finding examine_authorities(const TrustedAuthorities& authorities, const ReadOnlyFileSystem& files,
                            std::chrono::system_clock::time_point now, std::string subject) {
  Finding finding{.area = "network",
                  .level = Level::ok,
                  .subject = std::move(subject),
                  .what = "trusted: " + authorities.to_string()};
  const auto problem = [&](const std::string& what) {
    finding.level = Level::problem;
    finding.what += "; " + what;
    finding.remedy = printable(authorities.origin) +
                     " has to name a PEM file with the certificate of the authority that signed the server's";
  };
  std::string pem = authorities.pem;
  if (!authorities.file.empty()) {
    auto text = files.read_file(authorities.file, max_list_bytes);
    if (!text) {
      problem(words_of(text.error()));
      return finding;
    }
    pem += *text;
  }
  if (!authorities.folder.empty()) {
    const auto names = files.list(authorities.folder);
    if (!names)
      problem(words_of(names.error()));
    else
      finding.what += "; " + counted(names->size(), "file") + " in the folder";
  }
  if (pem.empty() && authorities.file.empty()) return finding;
  const CertificateList list = read_certificates(pem, now);
  if (list.count == 0)
    problem("it has no certificate");
  else if (list.expired == list.count)
    problem(description(list));
  else
    finding.what += "; " + description(list);
  return finding;
}

}  // namespace curupira::cli
