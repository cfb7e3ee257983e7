#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/byte_sink.h"
#include "base/result.h"

namespace curupira {

/// Writes tar that is the same for the same contents: ustar, with a pax header only where a name does
/// not fit; no owner, and one time for everything. The paths are given in the order in which they shall
/// stand.
class TarWriter final : public ByteSink {
 public:
  /// `modified`: of every entry, in seconds since 1970.
  TarWriter(ByteSink& out, std::uint64_t modified) : out_(out), modified_(modified) {}

  Result<> folder(std::string_view path);
  Result<> symbolic_link(std::string_view path, std::string_view target);
  /// Exactly `size` bytes follow by `write`. Errors of write and end_file: size_mismatch when they do not.
  Result<> begin_file(std::string_view path, std::uint64_t size, bool executable = false);
  Result<> write(std::span<const std::byte> bytes) override;
  Result<> restart() override;
  Result<> end_file();
  Result<> file(std::string_view path, std::string_view contents);
  Result<> finish();

 private:
  struct Entry {
    std::string_view path;
    char type;
    unsigned mode;
    std::uint64_t size = 0;
    std::string_view target = {};
  };
  Result<> header(const Entry& entry);
  Result<> block(const Entry& entry);
  Result<> pad(std::uint64_t size);

  ByteSink& out_;
  std::uint64_t modified_;
  std::uint64_t size_ = 0;     // of the file being written
  std::uint64_t written_ = 0;  // of it
};

}  // namespace curupira
