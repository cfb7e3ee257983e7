#include "launcher/interpreter.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include "base/process_runner.h"

namespace curupira::launcher {

namespace fs = std::filesystem;

namespace {

constexpr int max_links = 16;             ///< links in a chain, scripts behind scripts
constexpr std::size_t max_line = 512;     ///< bytes of a "#!" line
constexpr std::size_t max_config = 4096;  ///< bytes of pyvenv.cfg
constexpr int max_library_entries = 4096;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string head_of(const fs::path& file, std::size_t bytes) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return text;
}

class Collector {
 public:
  explicit Collector(const Environment& environment) : environment_(environment) {}

  void add_program(const fs::path& program, int depth = 0) {
    // A package writes its own "#!" line: it opens programs to itself, never a file that is only data.
    if (depth > max_links || !program.is_absolute() || !is_program(program)) return;
    fs::path step = program.lexically_normal();
    std::error_code error;
    for (int links = 0; links < max_links; ++links) {
      add_binary(step, depth);
      if (!fs::is_symlink(fs::symlink_status(step, error))) break;
      const fs::path target = fs::read_symlink(step, error);
      if (error) break;
      step = (target.is_absolute() ? target : step.parent_path() / target).lexically_normal();
    }
    const fs::path real = fs::canonical(program, error);
    if (error) return;
    add_binary(real, depth);
    follow_script(real, depth);
  }

  std::vector<fs::path> take() { return std::move(found_); }

 private:
  void add(const fs::path& path) {
    if (is_there(path) && std::find(found_.begin(), found_.end(), path) == found_.end())
      found_.push_back(path);
  }

  void add_binary(const fs::path& binary, int depth) {
    add(binary);
    if (binary.parent_path().filename() != "bin") return;
    const fs::path prefix = binary.parent_path().parent_path();
    for (const char* name : {"lib", "lib64"})
      if (holds_runtime(prefix / name)) add(prefix / name);
    follow_venv(prefix, depth);
  }

  /// Only a folder that is a language's own is opened: `~/lib` with other things in it stays closed.
  static bool holds_runtime(const fs::path& library) {
    std::error_code error;
    int count = 0;
    for (fs::directory_iterator entry(library, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with("python3.") || name.starts_with("libpython3") || name.starts_with("libnode.so"))
        return true;
      if (++count > max_library_entries) return false;
    }
    return false;
  }

  void follow_venv(const fs::path& prefix, int depth) {
    std::istringstream lines(head_of(prefix / "pyvenv.cfg", max_config));
    std::string line;
    bool venv = false;
    while (std::getline(lines, line)) {
      const auto equals = line.find('=');
      if (equals == std::string::npos) continue;
      const auto trim = [](std::string text) {
        const auto first = text.find_first_not_of(" \t\r");
        if (first == std::string::npos) return std::string();
        return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
      };
      if (trim(line.substr(0, equals)) != "home") continue;
      venv = true;
      const fs::path home = trim(line.substr(equals + 1));
      if (home.is_absolute() && !seen(home))
        for (const char* name : {"python3", "python"})
          add_program(home / name, depth + 1);
    }
    if (venv) {
      add(prefix / "pyvenv.cfg");
      add(prefix / "bin");
    }
  }

  bool seen(const fs::path& home) {
    if (std::find(homes_.begin(), homes_.end(), home) != homes_.end()) return true;
    homes_.push_back(home);
    return false;
  }

  void follow_script(const fs::path& script, int depth) {
    const std::string head = head_of(script, max_line);
    if (!head.starts_with("#!")) return;
    std::istringstream words(head.substr(2, head.find('\n') - 2));
    std::string interpreter, word;
    words >> interpreter;
    if (fs::path(interpreter).filename() != "env") return add_program(interpreter, depth + 1);
    while (words >> word)
      if (!word.starts_with("-") && word.find('=') == std::string::npos) break;
    if (const auto program = find_program(environment_, word)) add_program(*program, depth + 1);
  }

  const Environment& environment_;
  std::vector<fs::path> found_;
  std::vector<fs::path> homes_;
};

}  // namespace

std::vector<fs::path> interpreter_folders(const fs::path& program, const Environment& environment) {
  Collector collector(environment);
  collector.add_program(program);
  return collector.take();
}

}  // namespace curupira::launcher
