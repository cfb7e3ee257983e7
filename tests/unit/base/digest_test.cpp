#include "base/digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace curupira {
namespace {

using testing::HasSubstr;

// The digests of "abc": FIPS 180-4, examples.
constexpr std::string_view abc_sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
constexpr std::string_view abc_sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr std::string_view abc_sha384 =
    "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7";
constexpr std::string_view abc_sha512 =
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte b : bytes)
    text += static_cast<char>(b);
  return text;
}

TEST(Digest, OfKnownTextForEveryAlgorithm) {
  EXPECT_EQ(digest_of(DigestAlgorithm::sha1, "abc").hex(), abc_sha1);
  EXPECT_EQ(digest_of(DigestAlgorithm::sha256, "abc").hex(), abc_sha256);
  EXPECT_EQ(digest_of(DigestAlgorithm::sha384, "abc").hex(), abc_sha384);
  EXPECT_EQ(digest_of(DigestAlgorithm::sha512, "abc").hex(), abc_sha512);
}

TEST(Digest, OfPiecesIsThatOfTheWhole) {
  Hasher hasher(DigestAlgorithm::sha256);
  hasher.update("a");
  hasher.update("");
  hasher.update("bc");
  EXPECT_EQ(hasher.finish().hex(), abc_sha256);
}

TEST(Digest, MovedHasherGoesOn) {
  Hasher first(DigestAlgorithm::sha256);
  first.update("ab");
  Hasher second = std::move(first);
  second.update("c");
  EXPECT_EQ(second.finish().hex(), abc_sha256);
}

TEST(Digest, HexOfEitherCase) {
  const auto digest = Digest::from_hex(DigestAlgorithm::sha1, "A9993E364706816ABA3E25717850C26C9CD0D89D");
  ASSERT_TRUE(digest);
  EXPECT_EQ(digest->hex(), abc_sha1);
}

TEST(Digest, HexOfWrongLengthSaysBothLengths) {
  const auto digest = Digest::from_hex(DigestAlgorithm::sha256, abc_sha1);
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().code(), ErrorCode::integrity_missing);
  EXPECT_EQ(digest.error().detail(), "a sha256 digest has 64 hexadecimal digits, found 40");
}

TEST(Digest, HexWithOtherCharactersIsRefused) {
  std::string hex(abc_sha1);
  hex[7] = 'g';
  const auto digest = Digest::from_hex(DigestAlgorithm::sha1, hex);
  ASSERT_FALSE(digest);
  EXPECT_THAT(digest.error().detail(), HasSubstr("not hexadecimal digits"));
}

TEST(Digest, BytesOfWrongLengthAreRefused) {
  EXPECT_FALSE(Digest::from_bytes(DigestAlgorithm::sha256, bytes_of("abc")));
}

TEST(Digest, SriThereAndBack) {
  const Digest digest = digest_of(DigestAlgorithm::sha512, "abc");
  const auto read = Digest::from_sri(digest.sri());
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, digest);
}

TEST(Digest, SriIgnoresOptions) {
  const Digest digest = digest_of(DigestAlgorithm::sha256, "abc");
  const auto read = Digest::from_sri(digest.sri() + "?ct=application/gzip");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, digest);
}

TEST(Digest, SriOfUnknownAlgorithmIsRefused) {
  const auto read = Digest::from_sri("md5-kAFQmDzST7DWlj99KOF/cg==");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().detail(), HasSubstr("\"md5\""));
}

TEST(Digest, SriWithTheDigestOfAnotherAlgorithmIsRefused) {
  const std::string value = base64_encode(digest_of(DigestAlgorithm::sha1, "abc").bytes());
  EXPECT_FALSE(Digest::from_sri("sha512-" + value));
}

TEST(Digest, OnlySha1IsWeak) {
  EXPECT_FALSE(digest_of(DigestAlgorithm::sha1, "").strong());
  EXPECT_TRUE(digest_of(DigestAlgorithm::sha256, "").strong());
}

TEST(Digest, SameBytesOfAnotherAlgorithmAreAnotherDigest) {
  EXPECT_NE(digest_of(DigestAlgorithm::sha256, "abc"), digest_of(DigestAlgorithm::sha384, "abc"));
}

TEST(Integrity, KeepsAllOfTheStrongestAlgorithm) {
  const Digest weak = digest_of(DigestAlgorithm::sha1, "abc");
  const Digest one = digest_of(DigestAlgorithm::sha512, "abc");
  const Digest two = digest_of(DigestAlgorithm::sha512, "def");
  const auto hashes = parse_integrity(" " + weak.sri() + " " + one.sri() + "\n" + two.sri() + " ");
  ASSERT_TRUE(hashes);
  EXPECT_EQ(*hashes, (std::vector{one, two}));
}

TEST(Integrity, OrderOfTheListDoesNotMatter) {
  const Digest strong = digest_of(DigestAlgorithm::sha512, "abc");
  const auto hashes = parse_integrity(strong.sri() + " " + digest_of(DigestAlgorithm::sha1, "abc").sri());
  ASSERT_TRUE(hashes);
  EXPECT_EQ(*hashes, std::vector{strong});
}

TEST(Integrity, UnreadableHashDoesNotSpoilTheOthers) {
  const Digest digest = digest_of(DigestAlgorithm::sha256, "abc");
  const auto hashes = parse_integrity("sha512-short " + digest.sri());
  ASSERT_TRUE(hashes);
  EXPECT_EQ(*hashes, std::vector{digest});
}

TEST(Integrity, NothingReadableIsAnError) {
  for (const std::string_view list : {"", " \n", "md5-AAAA", "sha512-"}) {
    const auto hashes = parse_integrity(list);
    ASSERT_FALSE(hashes) << list;
    EXPECT_EQ(hashes.error().code(), ErrorCode::integrity_missing);
  }
}

TEST(Base64, Rfc4648Vectors) {
  const std::pair<std::string_view, std::string_view> vectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [plain, encoded] : vectors) {
    EXPECT_EQ(base64_encode(bytes_of(plain)), encoded);
    const auto decoded = base64_decode(encoded);
    ASSERT_TRUE(decoded) << encoded;
    EXPECT_EQ(text_of(*decoded), plain);
  }
}

TEST(Base64, RefusesWhatAnotherReaderCouldReadDifferently) {
  for (const std::string_view text :
       {"Zg", "Zg=", "Zg===", "Z===", "====", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "Zm-_", "Zg==Zg=="}) {
    EXPECT_FALSE(base64_decode(text)) << text;
  }
}

}  // namespace
}  // namespace curupira
