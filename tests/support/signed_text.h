#pragma once

#include <string_view>

/// One text and signatures of it in every scheme, made by another implementation (Python's cryptography). The
/// private keys are of these tests only.
namespace curupira::test {

inline constexpr std::string_view signed_text = "signed text";

inline constexpr std::string_view rsa_key =
    "-----BEGIN PUBLIC KEY-----\n"
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEArE6Vu4GSCnlJeb2fpoAE\n"
    "PrqiWaDP0udhz/1I8h/tHpeccb09VVCAlaKGCIuRck1HLyM6lVgChJOo6AlkJ4zC\n"
    "gSPnKZRLb3ThmuLfzRy1Tld7jeosOlT02U7PdyCf58dyfQxF1mJoTUY7sZRlOl25\n"
    "dqqvXfNlPG7of2JnVZ9AeusV9NauDPrmjiPKWFJWG7BVj/a5s/LOtaacGQcDmjwn\n"
    "SKkgON1xr0wHUJAVsCVeLLo2zc7JXlkgoHF/PbCetxRdCZOJ+CuNpAupcF/ZxjWl\n"
    "3IqGXfvd6/py5fEkQfmv3nt3oPf2CxGH+JrgGsp7WvxqxcGKNaPRI1qt8NIua0Q4\n"
    "dQIDAQAB\n"
    "-----END PUBLIC KEY-----\n";
inline constexpr std::string_view small_rsa_key =
    "-----BEGIN PUBLIC KEY-----\n"
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDAiAR27cfHDdE413z5rSZGzvl2\n"
    "ao+Hb+10IHGL6R95MWlUb1I186DypatLcwz34IF4YYabxhX9PDzuk094m9d6gZDX\n"
    "ziLDl/RgYYGdUJmzxkL87CJUgDWoIFKfcoJ23PLhFfIqtenyiVrZ+/4IFzMHAk4+\n"
    "A4eS6pstCUL+mE9wYwIDAQAB\n"
    "-----END PUBLIC KEY-----\n";
inline constexpr std::string_view ed25519_key =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAK+nPrVajU+9zvKd+Gf6zIKQxQbIFFJIKGVzL+Q632cc=\n"
    "-----END PUBLIC KEY-----\n";
inline constexpr std::string_view ecdsa_key =
    "-----BEGIN PUBLIC KEY-----\n"
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyNnhyfe7PTQiWw21FLA3lEkIpKpH\n"
    "lQReZF/xxOZtloKXeYfQbTLfocCB5Tyw92Fi/XkXPZV6djmdCrf/hj+B1Q==\n"
    "-----END PUBLIC KEY-----\n";
inline constexpr std::string_view p384_key =
    "-----BEGIN PUBLIC KEY-----\n"
    "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEAJ+DSJwZ6x6aCBjQJOplJK82xxibxeoo\n"
    "dh2V8ZsHRmI4HCYf42JLi5K1beZ2AcifkgOTqrrWvK0tE9GMdOk3s/wvRQvKqvmA\n"
    "MdSk1/em0FEIKCwpSYdnQ/XUxg5BHDRL\n"
    "-----END PUBLIC KEY-----\n";
inline constexpr std::string_view encrypted_private_key =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBDiDjKiee8hxS35hg+1\n"
    "ZAhcAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQMbHQvibm0dJiM6n4\n"
    "kqOSiQRARlzQk5vj4Wsdu8C/XONsC33J34TlH5wVNzFlUyTsmzR1q+w0bO07h5+v\n"
    "Uydf5gRWnQ57vZC0hX4a7fOp9YrtrA==\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";
inline constexpr std::string_view private_key =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIEBhY0kK27bUtTo5OOg80/w2Zlvo0bHIztCuBI2EZ4Oy\n"
    "-----END PRIVATE KEY-----\n";
inline constexpr std::string_view p384_private_key =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBaqVPLsB+wRqq/uNVG\n"
    "FiSHPZsZCTxaMFzX/5c+PEG1X20ya6SfCr71M7haePPw0LehZANiAAQAn4NInBnr\n"
    "HpoIGNAk6mUkrzbHGJvF6ih2HZXxmwdGYjgcJh/jYkuLkrVt5nYByJ+SA5Oquta8\n"
    "rS0T0Yx06Tez/C9FC8qq+YAx1KTX96bQUQgoLClJh2dD9dTGDkEcNEs=\n"
    "-----END PRIVATE KEY-----\n";
inline constexpr std::string_view ed25519_hex =
    "2be9cfad56a353ef73bca77e19feb320a43141b20514920a195ccbf90eb7d9c7";
inline constexpr std::string_view rsa_pss_signature =
    "fWROerS/m6XMY/6HehzrH6GqSY1mC4IHaNr9KnFCndfZvIejGK6C4+mMQsBaE/K3+u+gaxf6krv9y2OPH/te8fvU1/gpRBnn"
    "Y6U7fm5V2yenmJe2T92mCGmmJA71r8DZg1W35i1NSxvHN9ZB2NLCQ2ckPa0XB0RBq7SBnV3ecyUpB1bewBzdv/Pqy/fXJCFW"
    "PEUbmqGS35np90oSOaISK6+pDUzKAAMuAAy1BqeldoGqgq3TMg81TyPbNK+KURRz9/HIas8rj0B1InuAi1Swc7CRh26k0PJI"
    "hshfyHwHz0hjTzSTNI4aE0lOvI2Af3RZE+3M2QQx0JdM87QyTOsMag==";
inline constexpr std::string_view rsa_pss_long_salt_signature =
    "QUfqI8L0vnvlBBC7UvMNVv4O0+HQmb826FM5W0xdJTqgpOWZpyLMzxBThvL8+pONojBTjNgiySlWrk7XNN13mtmW2VHc7qPC"
    "UALxWJA5qm24VOGVw+oB/PK5hULIvq9z5ShB1C3MRTGA35QD7HFOPAzkj0le/PbB05ZPxVtkSk7DPdaUvGJWipKIM7ECkyay"
    "uN0WiQeqQoJn44fgrwPeJFadeFHMHVf8dDEURxFbUr50eD7/r469+vurOOGLIfso7GPqpAsT1L8lY0g3nBlEya72xzhhKSDd"
    "44vMQx5yb5wZEF/YnyRp7JSYq6WDwjKyyAXybTRVkjHAwgwSeRin8A==";
inline constexpr std::string_view rsa_pkcs1_signature =
    "YcRKUeL7jrp7mNOA9YUOzUsr+8YYobAfjvaHQ8LCvCBoeH/ctW6UQZ3iCPrvSe0qkWKW5zT8zhiKB7WItjxUOkxiBtwUe30z"
    "RA/aPxZ8VZHN+aAXktUIY8GZ/SJ/ejXRpiH2VgCdAP6Uxe84krYdcWMohk8iUSCTOwxk+zxIe7Yu8b7IoYMiK4mpaZrSYGpy"
    "gjKLM4XMwqLgRtSZzQzOvQRfV9Zm5bvBChO+w0KfghHUCqv+HvinHFHNj2t0SHaDBPQS0IO8GXgYYEwlCx9xcSkA6oDdiR8K"
    "LiH/0h5RlWsATAmPL45Cb0uLrOWoYF4eMsGC24h0ztny8rxq5r2CTg==";
inline constexpr std::string_view ed25519_signature =
    "A1sh7Nu8trsGeM1fH2jZVanMbMoKsJgC2NL/GPREmIuuADAfkid0KfdaUxSqikblPgN4mWnhNyTkT8eX7U45CQ==";
inline constexpr std::string_view ecdsa_signature =
    "MEQCIB3RlVxBazCo+YUuD7jwjaNciI3sj2c9dDScr13E3GdmAiAEdNfa+fEYisH2P8jhcrgIbu7iMcEAOvvx0Kq0uy5ILw==";

/// Of `encrypted_private_key`, which is `private_key`; `ed25519_key` is its public half.
inline constexpr std::string_view passphrase = "open sesame";

}  // namespace curupira::test
