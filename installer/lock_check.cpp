#include "installer/lock_check.h"

#include <algorithm>

#include "installer/lock_file.h"

namespace curupira::installer {
namespace {

class LockCheck {
 public:
  LockCheck(const std::filesystem::path& file, const manifest::Receipt& receipt, Verification& result)
      : file_(file), receipt_(receipt), result_(result) {}

  void compare(const LockedExtension& locked) {
    if (locked.version != receipt_.version)
      add(Difference::Kind::changed, receipt_.name + " " + locked.version,
          receipt_.name + " " + receipt_.version);
    for (const auto& artifact : receipt_.artifacts) {
      const bool known = std::ranges::any_of(
          locked.artifacts, [&](const LockedArtifact& each) { return each.digest == artifact.digest; });
      if (!known)
        add(Difference::Kind::changed, "an artifact of " + receipt_.name + " in the lock file",
            artifact.package + " " + artifact.digest.sri());
    }
    // A folder that only names what is started (`binary`, `npx`, …) is not what is installed.
    if (locked.tree && receipt_.artifacts.empty() && *locked.tree != receipt_.content.digest &&
        !std::ranges::binary_search(receipt_.trees, *locked.tree))
      add(Difference::Kind::changed, "tree " + *locked.tree, "tree " + receipt_.content.digest);
  }

  void add(Difference::Kind kind, std::string expected, std::string found) {
    result_.findings.push_back({.object = Finding::Object::lock,
                                .name = receipt_.name,
                                .path = file_,
                                .difference = {kind, "", std::move(expected), std::move(found)},
                                .extensions = {receipt_.name}});
  }

 private:
  const std::filesystem::path& file_;
  const manifest::Receipt& receipt_;
  Verification& result_;
};

}  // namespace

Result<> check_lock(const FileSystem& files, const std::filesystem::path& lock_file,
                    const manifest::Receipt& receipt, Verification& result) {
  LockCheck check(lock_file, receipt, result);
  const auto text = files.read_file(lock_file, max_lock_bytes);
  if (!text) {
    if (text.error().code() == ErrorCode::file_not_found) return {};
    return fail(text.error());
  }
  const auto lock = parse_lock(*text, lock_file);
  if (!lock)
    check.add(Difference::Kind::unreadable, "a lock file", lock.error().summary());
  else if (const auto* const locked = lock->find(receipt.name))
    check.compare(*locked);
  return {};
}

}  // namespace curupira::installer
