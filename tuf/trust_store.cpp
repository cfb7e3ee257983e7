#include "tuf/trust_store.h"

#include "base/timestamp.h"
#include "tuf/metadata.h"

namespace curupira::tuf {

Result<FileLock> TrustStore::lock() {
  CURUPIRA_TRY(FileLock lock, FileLock::acquire(folder_ / "update.lock", FileLock::Mode::exclusive));
  CURUPIRA_TRY(const auto names, files_.list(folder_));
  for (const std::string& name : names)
    if (name.starts_with(atomic_write_prefix)) CURUPIRA_CHECK(files_.remove_file(folder_ / name));
  return lock;
}

Result<std::optional<std::string>> TrustStore::read(std::string_view role, std::uint64_t max_bytes) const {
  auto text = files_.read_file(folder_ / metadata_file_name(role), max_bytes);
  if (text) return std::move(*text);
  if (text.error().code() == ErrorCode::file_not_found) return std::nullopt;
  return fail(std::move(text).error());
}

Result<> TrustStore::write(std::string_view role, std::string_view file) {
  return write_file_atomically(files_, folder_ / metadata_file_name(role), file);
}

std::optional<std::chrono::sys_seconds> TrustStore::highest_time() const {
  constexpr std::uint64_t length = 20;  // "2030-01-01T00:00:00Z"
  const auto text = files_.read_file(highest_time_file(), length + 1);
  if (!text) return std::nullopt;
  const auto time = parse_timestamp(text->substr(0, text->find('\n')));
  return time ? std::optional(*time) : std::nullopt;
}

Result<> TrustStore::write_highest_time(std::chrono::sys_seconds time) {
  return write_file_atomically(files_, highest_time_file(), format_timestamp(time) + "\n");
}

}  // namespace curupira::tuf
