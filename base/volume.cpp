#include "base/volume.h"

#include <sys/statvfs.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/system_error.h"

namespace curupira {
namespace {

struct KnownType {
  std::uint32_t number;  // linux/magic.h
  std::string_view name;
  bool over_network = false;
};

constexpr std::array known_types{
    KnownType{0xEF53, "ext4"},           KnownType{0x58465342, "xfs"},
    KnownType{0x9123683E, "btrfs"},      KnownType{0x2FC12FC1, "zfs"},
    KnownType{0x01021994, "tmpfs"},      KnownType{0x794C7630, "overlay"},
    KnownType{0xF2F52010, "f2fs"},       KnownType{0x4D44, "vfat"},
    KnownType{0x2011BAB0, "exfat"},      KnownType{0x5346544E, "ntfs"},
    KnownType{0x65735546, "fuse"},       KnownType{0xCA451A4E, "bcachefs"},
    KnownType{0x6969, "nfs", true},      KnownType{0x517B, "smb", true},
    KnownType{0xFF534D42, "cifs", true}, KnownType{0xFE534D42, "smb2", true},
    KnownType{0x01021997, "9p", true},   KnownType{0x00C36400, "ceph", true},
    KnownType{0x5346414F, "afs", true},
};

std::string hexadecimal(std::uint32_t number) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

}  // namespace

Result<Volume> volume_of(const std::filesystem::path& path) {
  struct statfs kind {};
  struct statvfs space {};
  if (retry_interrupted([&] { return ::statfs(path.c_str(), &kind); }) != 0 ||
      retry_interrupted([&] { return ::statvfs(path.c_str(), &space); }) != 0)
    return fail(system_error(ErrorCode::file_failed, "look at the file system of", path, errno));
  const auto number = static_cast<std::uint32_t>(kind.f_type);
  const auto known = std::ranges::find(known_types, number, &KnownType::number);
  const bool found = known != known_types.end();
  return Volume{.type = found ? std::string(known->name) : hexadecimal(number),
                .over_network = found && known->over_network,
                .read_only = (space.f_flag & ST_RDONLY) != 0,
                .no_programs = (space.f_flag & ST_NOEXEC) != 0,
                .free_bytes = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize};
}

}  // namespace curupira
