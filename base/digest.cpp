#include "base/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <new>

#include "base/printable.h"

namespace curupira {
namespace {

constexpr std::string_view base64_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view hex_digits = "0123456789abcdef";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int base64_value(char c) {
  const auto at = base64_alphabet.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

const EVP_MD* evp_of(DigestAlgorithm algorithm) {
  switch (algorithm) {
    case DigestAlgorithm::sha1:
      return EVP_sha1();
    case DigestAlgorithm::sha256:
      return EVP_sha256();
    case DigestAlgorithm::sha384:
      return EVP_sha384();
    case DigestAlgorithm::sha512:
      return EVP_sha512();
  }
  return EVP_sha256();
}

std::string wrong_length(DigestAlgorithm algorithm, std::size_t expected, std::size_t found,
                         std::string_view unit) {
  return "a " + std::string(name_of(algorithm)) + " digest has " + std::to_string(expected) + " " +
         std::string(unit) + ", found " + std::to_string(found);
}

}  // namespace

std::string_view name_of(DigestAlgorithm algorithm) {
  switch (algorithm) {
    case DigestAlgorithm::sha1:
      return "sha1";
    case DigestAlgorithm::sha256:
      return "sha256";
    case DigestAlgorithm::sha384:
      return "sha384";
    case DigestAlgorithm::sha512:
      return "sha512";
  }
  return "unknown";
}

std::size_t digest_size(DigestAlgorithm algorithm) {
  switch (algorithm) {
    case DigestAlgorithm::sha1:
      return 20;
    case DigestAlgorithm::sha256:
      return 32;
    case DigestAlgorithm::sha384:
      return 48;
    case DigestAlgorithm::sha512:
      return 64;
  }
  return 0;
}

Result<DigestAlgorithm> parse_digest_algorithm(std::string_view name) {
  for (auto algorithm :
       {DigestAlgorithm::sha1, DigestAlgorithm::sha256, DigestAlgorithm::sha384, DigestAlgorithm::sha512}) {
    if (name == name_of(algorithm)) return algorithm;
  }
  return fail(ErrorCode::integrity_missing, "unknown digest algorithm \"" + excerpt(name, 40) +
                                                "\"; known are sha1, sha256, sha384, sha512");
}

Result<Digest> Digest::from_bytes(DigestAlgorithm algorithm, std::span<const std::byte> bytes) {
  if (bytes.size() != digest_size(algorithm)) {
    return fail(ErrorCode::integrity_missing,
                wrong_length(algorithm, digest_size(algorithm), bytes.size(), "bytes"));
  }
  Digest digest;
  digest.algorithm_ = algorithm;
  std::ranges::copy(bytes, digest.bytes_.begin());
  return digest;
}

Result<Digest> Digest::from_hex(DigestAlgorithm algorithm, std::string_view hex) {
  const std::size_t expected = 2 * digest_size(algorithm);
  if (hex.size() != expected) {
    return fail(ErrorCode::integrity_missing,
                wrong_length(algorithm, expected, hex.size(), "hexadecimal digits"));
  }
  Digest digest;
  digest.algorithm_ = algorithm;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = hex_value(hex[i]);
    const int low = hex_value(hex[i + 1]);
    if (high < 0 || low < 0) {
      return fail(ErrorCode::integrity_missing, "not hexadecimal digits: \"" + excerpt(hex) + "\"");
    }
    digest.bytes_[i / 2] = static_cast<std::byte>(high * 16 + low);
  }
  return digest;
}

Result<Digest> Digest::from_sri(std::string_view sri) {
  const auto hyphen = sri.find('-');
  if (hyphen == std::string_view::npos) {
    return fail(ErrorCode::integrity_missing, "not of the form ALGORITHM-BASE64: \"" + excerpt(sri) + "\"");
  }
  CURUPIRA_TRY(const auto algorithm, parse_digest_algorithm(sri.substr(0, hyphen)));
  const auto value = sri.substr(hyphen + 1);
  CURUPIRA_TRY(const auto bytes, base64_decode(value.substr(0, value.find('?'))));
  return from_bytes(algorithm, bytes);
}

std::string Digest::hex() const {
  std::string text;
  text.reserve(2 * bytes().size());
  for (const std::byte b : bytes()) {
    text += hex_digits[std::to_integer<std::size_t>(b >> 4)];
    text += hex_digits[std::to_integer<std::size_t>(b & std::byte{0x0f})];
  }
  return text;
}

std::string Digest::sri() const {
  return std::string(name_of(algorithm_)) + "-" + base64_encode(bytes());
}

Result<std::vector<Digest>> parse_integrity(std::string_view list) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<Digest> strongest;
  std::string reason = "the list of hashes is empty";
  for (std::size_t at = list.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = std::min(list.find_first_of(blanks, at), list.size());
    // A hash that cannot be read does not vouch, but it does not spoil the others either (SRI §3.3).
    if (auto digest = Digest::from_sri(list.substr(at, end - at)); !digest) {
      reason = digest.error().detail();
    } else {
      if (!strongest.empty() && digest->algorithm() > strongest.front().algorithm()) strongest.clear();
      if (strongest.empty() || digest->algorithm() == strongest.front().algorithm()) {
        strongest.push_back(*std::move(digest));
      }
    }
    at = list.find_first_not_of(blanks, end);
  }
  if (strongest.empty()) return fail(ErrorCode::integrity_missing, reason);
  return strongest;
}

struct Hasher::State {
  explicit State(DigestAlgorithm a) : algorithm(a), context(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    // It fails only when there is no memory, or when OpenSSL was configured without the algorithm.
    if (!context || EVP_DigestInit_ex(context.get(), evp_of(a), nullptr) != 1) throw std::bad_alloc();
  }
  DigestAlgorithm algorithm;
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context;
};

Hasher::Hasher(DigestAlgorithm algorithm) : state_(std::make_unique<State>(algorithm)) {}
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;
Hasher::~Hasher() = default;

void Hasher::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

Digest Hasher::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
  unsigned int length = 0;
  EVP_DigestFinal_ex(state_->context.get(), value.data(), &length);
  return *Digest::from_bytes(state_->algorithm, std::as_bytes(std::span(value)).first(length));
}

Digest digest_of(DigestAlgorithm algorithm, std::string_view text) {
  Hasher hasher(algorithm);
  hasher.update(text);
  return hasher.finish();
}

std::string base64_encode(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? base64_alphabet[(group >> (18 - 6 * k)) & 0x3fu] : '=';
    }
  }
  return text;
}

Result<std::vector<std::byte>> base64_decode(std::string_view text) {
  const auto invalid = [&] {
    return fail(ErrorCode::integrity_missing, "not base64 with padding: \"" + excerpt(text) + "\"");
  };
  if (text.size() % 4 != 0) return invalid();
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t missing = i + 4 == text.size() ? padding : 0;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int value = k < 4 - missing ? base64_value(text[i + k]) : 0;
      if (value < 0) return invalid();
      group = (group << 6) | static_cast<std::uint32_t>(value);
    }
    // Bits that the padding leaves over have to be zero, or two texts would stand for the same bytes.
    if ((group & ((1u << (8 * missing)) - 1)) != 0) return invalid();
    for (std::size_t k = 0; k < 3 - missing; ++k) {
      bytes.push_back(static_cast<std::byte>((group >> (16 - 8 * k)) & 0xffu));
    }
  }
  return bytes;
}

}  // namespace curupira
