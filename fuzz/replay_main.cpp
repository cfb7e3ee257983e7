// Runs every file of the folders that are given, and mutations of each, through the target: the corpus is a
// test with any compiler. The mutations are the same in every run. A name is shown before its file is run:
// when the program ends early, the last one is to blame.

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// One small change: a byte replaced, removed or added, a piece doubled, the end cut off.
void mutate(std::string& text, std::mt19937& random) {
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
  const std::size_t at = below(text.size() + 1);
  const auto byte = static_cast<char>(below(256));
  if (at == text.size()) {
    text.push_back(byte);
    return;
  }
  switch (below(5)) {
    case 0:
      text[at] = byte;
      break;
    case 1:
      text.erase(at, 1);
      break;
    case 2:
      text.insert(at, 1, byte);
      break;
    case 3: {
      const std::string piece = text.substr(at, 1 + below(16));
      text.insert(below(text.size() + 1), piece);
      break;
    }
    default:
      text.resize(at);
  }
}

void run(const std::string& text) {
  // A copy of exactly this size, so that a sanitizer sees a read behind its end.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  int mutations = 0;
  std::size_t replayed = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--mutations" && i + 1 < arguments.size()) {
      const std::string& number = arguments[++i];
      std::from_chars(number.data(), number.data() + number.size(), mutations);
      continue;
    }
    for (const fs::path& file : files_below(arguments[i])) {
      const std::string seed = content_of(file);
      std::fprintf(stderr, "%s\n", file.filename().c_str());
      run(seed);
      std::mt19937 random(static_cast<std::mt19937::result_type>(seed.size()));
      for (int k = 0; k < mutations; ++k) {
        std::string text = seed;
        for (unsigned changes = 1 + static_cast<unsigned>(k) % 4; changes > 0; --changes)
          mutate(text, random);
        run(text);
      }
      ++replayed;
    }
  }
  std::fprintf(stderr, "%zu files replayed, %d mutations of each\n", replayed, mutations);
  // A corpus that is not there must not look like one that passes.
  return replayed == 0 ? 1 : 0;
}
