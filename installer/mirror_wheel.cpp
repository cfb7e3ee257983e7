#include "installer/mirror_wheel.h"

#include <array>
#include <span>

#include "base/printable.h"
#include "installer/archive_reader.h"
#include "installer/wheel_metadata.h"
#include "registry/python_version.h"
#include "registry/reference.h"

namespace curupira::installer {
namespace {

/// "x-1.0.dist-info/METADATA", at the root.
bool is_metadata(std::string_view path) {
  constexpr std::string_view ending = ".dist-info/METADATA";
  return path.ends_with(ending) && path.find('/') == path.size() - std::string_view("/METADATA").size();
}

Result<std::string> read_all(ArchiveReader& reader, const std::string& shown) {
  std::string text;
  std::array<std::byte, 1u << 16> block{};
  while (true) {
    CURUPIRA_TRY(const std::size_t count, reader.read(block));
    if (count == 0) return text;
    if (text.size() + count > max_metadata_bytes)
      return fail(ErrorCode::wheel_invalid,
                  shown + ": METADATA is larger than " + format_bytes(max_metadata_bytes));
    text.append(reinterpret_cast<const char*>(block.data()), count);
  }
}

}  // namespace

Result<WheelStatement> read_wheel_statement(const std::filesystem::path& wheel, const std::string& package,
                                            const std::string& version, const ArchiveLimits& limits) {
  const std::string shown = printable(package) + " " + printable(version);
  CURUPIRA_TRY(const auto reader, ArchiveReader::open(wheel, limits));
  WheelStatement statement;
  while (true) {
    CURUPIRA_TRY(const auto entry, reader->next());
    if (!entry) break;
    if (entry->type != ArchiveEntry::Type::file || !is_metadata(entry->path)) continue;
    if (!statement.metadata.empty())
      return fail(ErrorCode::wheel_invalid, shown + ": it has more than one METADATA");
    CURUPIRA_TRY(statement.metadata, read_all(*reader, shown));
  }
  if (statement.metadata.empty()) return fail(ErrorCode::wheel_invalid, shown + ": it has no METADATA");
  CURUPIRA_TRY(const WheelIdentity identity, parse_wheel_identity(statement.metadata));
  if (registry::normalize_pip_name(identity.name) != package ||
      !registry::same_python_version(identity.version, version))
    return fail(ErrorCode::wheel_invalid, shown + ": its METADATA is of " + printable(identity.name) + " " +
                                              printable(identity.version));
  statement.requires_python = parse_wheel_needs(statement.metadata).python;
  return statement;
}

}  // namespace curupira::installer
