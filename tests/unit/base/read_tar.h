#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/tar_reader.h"

namespace curupira::test {

class TextStream final : public ByteStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}
  Result<std::size_t> read(std::span<std::byte> buffer) override {
    const std::size_t count = std::min(buffer.size(), text_.size() - at_);
    const auto bytes = std::as_bytes(std::span(text_)).subspan(at_, count);
    std::copy(bytes.begin(), bytes.end(), buffer.begin());
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

struct ReadTar {
  std::vector<ArchiveEntry> entries;
  std::vector<std::string> contents;
};

inline Result<ReadTar> read_all(std::string bytes) {
  TextStream stream(std::move(bytes));
  TarReader reader(stream);
  ReadTar result;
  while (true) {
    CURUPIRA_TRY(auto entry, reader.next());
    if (!entry) return result;
    std::string text;
    std::array<std::byte, 100> buffer{};
    while (true) {
      CURUPIRA_TRY(const std::size_t count, reader.read(buffer));
      if (count == 0) break;
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as text
      text.append(reinterpret_cast<const char*>(buffer.data()), count);
    }
    result.entries.push_back(std::move(*entry));
    result.contents.push_back(std::move(text));
  }
}

}  // namespace curupira::test
