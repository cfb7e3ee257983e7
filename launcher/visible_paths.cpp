#include "launcher/visible_paths.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace curupira::launcher {

namespace fs = std::filesystem;

namespace {

constexpr const char* system_folders[] = {"/usr", "/lib",  "/lib32",     "/lib64",    "/libx32",
                                          "/bin", "/sbin", "/nix/store", "/gnu/store"};
constexpr const char* system_files[] = {"/etc/ld.so.cache",        "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                        "/etc/alternatives",       "/etc/localtime",  "/etc/ssl/openssl.cnf",
                                        "/etc/pki/tls/openssl.cnf"};

}  // namespace

std::vector<fs::path> system_paths() {
  std::vector<fs::path> result;
  std::error_code error;
  for (const char* path : system_folders)
    if (fs::exists(path, error)) result.emplace_back(path);
  for (const char* path : system_files)
    if (fs::exists(path, error)) result.emplace_back(path);
  // Debian keeps each Python's site configuration there; its absence is forgiven, a refusal to read it is
  // not.
  for (fs::directory_iterator entry("/etc", error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().starts_with("python3")) result.push_back(entry->path());
  return result;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const auto [rest, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

std::vector<fs::path> distinct_paths(const std::vector<fs::path>& paths,
                                     const std::vector<fs::path>& covered) {
  std::vector<fs::path> all;
  for (const fs::path& path : paths) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) continue;
    fs::path written = path.lexically_normal();
    if (!written.has_filename()) written = written.parent_path();
    all.push_back(written);
    all.push_back(real);
  }
  std::sort(all.begin(), all.end());
  std::vector<fs::path> result;
  for (const fs::path& path : all) {
    const auto holds = [&](const fs::path& folder) { return is_within(path, folder); };
    if (std::none_of(covered.begin(), covered.end(), holds) &&
        std::none_of(result.begin(), result.end(), holds))
      result.push_back(path);
  }
  return result;
}

}  // namespace curupira::launcher
