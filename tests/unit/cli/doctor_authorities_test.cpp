#include "cli/doctor_authorities.h"

#include <gtest/gtest.h>

#include "base/timestamp.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/cli/doctor_fixture.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;
using test::says;

const std::chrono::sys_seconds now = parse_timestamp("2026-01-01T00:00:00Z").value();

/// Version 1, ended on 2001-01-01 (UTCTime).
const std::string ended =
    "-----BEGIN CERTIFICATE-----\n"
    "MIH/MIGmAgEBMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMMAXgwHhcNMDAwMTAxMDAw\n"
    "MDAwWhcNMDEwMTAxMDAwMDAwWjAMMQowCAYDVQQDDAF4MFkwEwYHKoZIzj0CAQYI\n"
    "KoZIzj0DAQcDQgAEyfViHTrV52TxFYpwVWNFyXhT0l4jy5+Ig8icXUSaU+wymmzG\n"
    "JQsj9RyMv5GDgm+XM2s6lrXHxb86YQxi2FlF0jAKBggqhkjOPQQDAgNIADBFAiBw\n"
    "cWPE5J3WTdByPIwUOWSaJb3L8Sz2DItxiISv9nBG+QIhAO3ODAZHznUa/QASEIr8\n"
    "DFUFEyfWrtyFsCcL3cJSdicA\n"
    "-----END CERTIFICATE-----\n";
/// Version 1, ends on 2060-01-01 (GeneralizedTime).
const std::string far =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBATCBqAIBAjAKBggqhkjOPQQDAjAMMQowCAYDVQQDDAF5MCAXDTIwMDEwMTAw\n"
    "MDAwMFoYDzIwNjAwMTAxMDAwMDAwWjAMMQowCAYDVQQDDAF5MFkwEwYHKoZIzj0C\n"
    "AQYIKoZIzj0DAQcDQgAEyfViHTrV52TxFYpwVWNFyXhT0l4jy5+Ig8icXUSaU+wy\n"
    "mmzGJQsj9RyMv5GDgm+XM2s6lrXHxb86YQxi2FlF0jAKBggqhkjOPQQDAgNIADBF\n"
    "AiEAlFv2dQ1CVzlpmBB7Z32iXH+XEHVz03zO2zFbhv2RoOECIFCYK72SiNEhP63d\n"
    "G3CPxzhNT/zurC5VMlAl0p3iykYC\n"
    "-----END CERTIFICATE-----\n";
/// Version 3, ends on 2051-07-23.
const std::string version_3 =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBcDCCARWgAwIBAgIUWPsBfcB5quDzASUBxrU7t++3c3owCgYIKoZIzj0EAwIw\n"
    "DDEKMAgGA1UEAwwBeDAgFw0yNjEyMDEwODQ3MDlaGA8yMDUxMDcyMzA4NDcwOVow\n"
    "DDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMn1Yh061edk\n"
    "8RWKcFVjRcl4U9JeI8ufiIPInF1EmlPsMppsxiULI/UcjL+Rg4JvlzNrOpa1x8W/\n"
    "OmEMYthZRdKjUzBRMB0GA1UdDgQWBBSucYPf+jXgGbIj2BPdhhHIOfXD4zAfBgNV\n"
    "HSMEGDAWgBSucYPf+jXgGbIj2BPdhhHIOfXD4zAPBgNVHRMBAf8EBTADAQH/MAoG\n"
    "CCqGSM49BAMCA0kAMEYCIQCuSdki1vqGB5gVQII31LXGVtkFZ9m1zozSoMnc2IBN\n"
    "XgIhAMAePgqa+03x624dC5AXWCxVH/QO1ollRXpC8Mog3UGy\n"
    "-----END CERTIFICATE-----\n";

TEST(Certificates, CountedWithTheirEnds) {
  const auto list = read_certificates("# a comment\n" + ended + far + version_3, now);
  EXPECT_EQ(list.count, 3u);
  EXPECT_EQ(list.expired, 1u);
  EXPECT_EQ(format_timestamp(*list.first_end), "2051-07-23T08:47:09Z");
}

TEST(Certificates, NoneInOtherText) {
  EXPECT_EQ(read_certificates("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", now).count,
            0u);
}

TEST(Certificates, WhatIsCutOffAnywhereDoesNoHarm) {
  const std::string end = "\n-----END CERTIFICATE-----\n";
  for (std::size_t size = 0; size < far.size(); ++size) {
    const std::string cut = far.substr(0, size);
    EXPECT_LE(read_certificates(cut, now).count, 1u) << size;
    EXPECT_LE(read_certificates(cut + end, now).count, 1u) << size;
  }
}

class Authorities : public testing::Test {
 protected:
  Finding examine(const std::string& pem) {
    const TrustedAuthorities authorities{.file = folder.write("ca.pem", pem).string(),
                                         .origin = "SSL_CERT_FILE"};
    return examine_authorities(authorities, *files, now, "https://example.org/");
  }
  curupira::test::TemporaryFolder folder;
  std::unique_ptr<FileSystem> files = make_posix_file_system();
};

TEST_F(Authorities, AGoodFileSaysWhoNamesItAndHowManyItHas) {
  const Finding finding = examine(far);
  EXPECT_EQ(finding.level, Level::ok);
  EXPECT_TRUE(says(finding, "SSL_CERT_FILE"));
  EXPECT_TRUE(says(finding, "1 certificate; the first ends 2060-01-01"));
}

TEST_F(Authorities, OnlyExpiredOnesAreAProblem) {
  EXPECT_EQ(examine(ended).level, Level::problem);
  EXPECT_EQ(examine(ended + far).level, Level::ok);
}

TEST_F(Authorities, AFileWithoutOneIsAProblem) {
  const Finding finding = examine("nothing here\n");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "has no certificate"));
  EXPECT_TRUE(says(finding, "SSL_CERT_FILE has to name a PEM file"));
}

TEST_F(Authorities, AFileThatIsNotThereIsNamed) {
  const TrustedAuthorities authorities{.file = "/does/not/exist.pem", .origin = "SSL_CERT_FILE"};
  const Finding finding = examine_authorities(authorities, *files, now, "https://example.org/");
  EXPECT_EQ(finding.level, Level::problem);
  EXPECT_TRUE(says(finding, "/does/not/exist.pem"));
}

TEST_F(Authorities, TheMachinesOwnListIsNotRead) {
  EXPECT_TRUE(says(examine_authorities({}, *files, now, "https://example.org/"), "the list of this machine"));
}

}  // namespace
}  // namespace curupira::cli
