#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace curupira::registry {

/// What answers from outside may cost in this module (design.md §5). Each appears in the error that names it.
struct Limits {
  static constexpr std::size_t max_reference_bytes = 4096;
  static constexpr std::size_t max_range_bytes = 256;
  static constexpr std::size_t max_npmrc_bytes = 1u << 20;
  static constexpr std::size_t max_pip_config_bytes = 1u << 20;           ///< and of a uv.toml
  static constexpr std::size_t max_keyring_bytes = 64u << 10;             ///< of its answer
  static constexpr std::chrono::milliseconds keyring_time_limit{60'000};  ///< it may ask the user
  static constexpr std::size_t max_docker_config_bytes = 1u << 20;
  static constexpr std::size_t max_registry_token_bytes = 64u << 10;  ///< of a token server's answer
  static constexpr std::size_t max_oci_carrier_manifest_bytes = 256u << 10;
  static constexpr std::size_t max_inline_metadata_bytes = 32u << 10;  ///< within an OCI manifest
  static constexpr std::uint64_t oci_chunk_bytes = 32u << 20;  ///< a longer blob is sent in such pieces
  static constexpr std::size_t max_oci_path_bytes = 255;
  static constexpr std::size_t max_oci_index_bytes = 4u << 20;  ///< of a page of referrers
  static constexpr int max_oci_index_pages = 100;
  static constexpr std::size_t max_bundle_entries = 4'000'000;  ///< files of a registry in one file
  static constexpr std::size_t max_bundle_index_bytes = 512u << 20;
  static constexpr std::size_t max_packument_bytes = 64u << 20;
  static constexpr std::size_t max_packument_versions = 100'000;
  static constexpr std::size_t max_package_lock_bytes = 64u << 20;
  static constexpr std::size_t max_pylock_bytes = 16u << 20;
  static constexpr std::size_t max_closure_packages = 20'000;  ///< packages of one resolution
  static constexpr std::uint64_t max_local_archive_bytes = 4ull << 30;
  static constexpr std::size_t max_warning_bytes = 500;  ///< of a registry's text in a warning
  static constexpr std::size_t shown_tool_lines = 12;    ///< of a resolver's stderr in an error
  static constexpr std::size_t shown_versions = 5;       ///< near a version that does not exist
  static constexpr std::chrono::milliseconds npm_time_limit{300'000};
  static constexpr std::chrono::milliseconds npm_question_time_limit{30'000};  ///< `npm config get`
  static constexpr std::chrono::milliseconds uv_time_limit{300'000};
  static constexpr std::chrono::milliseconds python_question_time_limit{30'000};  ///< `python -c`
  static constexpr std::size_t max_python_answer = 64u << 10;                     ///< bytes
  static constexpr unsigned newest_glibc_minor = 80;  ///< 2.x: how far ahead wheels may be tagged
  static constexpr unsigned newest_macos = 40;
  static constexpr std::size_t max_index_page_bytes = 64u << 20;
  static constexpr std::size_t max_index_files = 200'000;  ///< of one package
  static constexpr std::size_t max_marker_bytes = 4096;
  static constexpr std::size_t max_registry_keys = 100;  ///< that one registry publishes
  static constexpr std::size_t max_registry_keys_bytes = 1u << 20;
  static constexpr std::chrono::hours keys_kept_for{1};
  static constexpr std::size_t max_signatures = 16;  ///< of one version
  static constexpr std::size_t packuments_at_once = 32;
  static constexpr std::size_t full_packuments_at_once = 8;
};

}  // namespace curupira::registry
