#include "installer/unpack.h"

#include <vector>

#include "base/printable.h"
#include "installer/archive_reader.h"
#include "installer/archive_rules.h"

namespace curupira::installer {
namespace {

Result<> write_contents(ArchiveReader& archive, ArchiveRules& rules, const std::string& path,
                        TreeWriter& writer) {
  std::vector<std::byte> buffer(65536);
  while (true) {
    CURUPIRA_TRY(const std::size_t count, archive.read(buffer));
    if (count == 0) return {};
    CURUPIRA_CHECK(rules.count(count, path));
    CURUPIRA_CHECK(writer.write(std::span(buffer).first(count)));
  }
}

}  // namespace

Result<TreeListing> unpack_file(const std::filesystem::path& file, const UnpackRules& unpack_rules,
                                const ArchiveLimits& limits, const std::filesystem::path& folder) {
  CURUPIRA_TRY(const auto archive,
               unpack_rules.plain_tar ? ArchiveReader::open_tar(file) : ArchiveReader::open(file, limits));
  ArchiveRules rules(limits, archive->packed_size(), unpack_rules.strip);
  CURUPIRA_TRY(TreeWriter writer, TreeWriter::open(folder));
  std::vector<std::byte> skipped(65536);
  while (true) {
    CURUPIRA_TRY(const auto entry, archive->next());
    if (!entry) break;
    CURUPIRA_TRY(const auto accepted, rules.check(*entry));
    if (!accepted) {
      while (true) {  // stripped away, but it counts: a bomb is one there too
        CURUPIRA_TRY(const std::size_t count, archive->read(skipped));
        if (count == 0) break;
        CURUPIRA_CHECK(rules.count(count, entry->path));
      }
      continue;
    }
    switch (accepted->type) {
      case AcceptedEntry::Type::folder:
        CURUPIRA_CHECK(writer.make_folder(accepted->path));
        break;
      case AcceptedEntry::Type::symbolic_link:
        CURUPIRA_CHECK(
            writer.symbolic_link(accepted->path, relative_target(accepted->path, *accepted->target)));
        break;
      case AcceptedEntry::Type::hard_link:
        CURUPIRA_CHECK(writer.hard_link(accepted->path, *accepted->target));
        break;
      case AcceptedEntry::Type::file:
        CURUPIRA_CHECK(writer.begin_file(accepted->path, accepted->executable));
        CURUPIRA_CHECK(write_contents(*archive, rules, entry->path, writer));
        CURUPIRA_CHECK(writer.end_file());
    }
  }
  if (unpack_rules.at_the_end) CURUPIRA_CHECK(unpack_rules.at_the_end(writer, folder));
  return writer.finish();
}

Result<TreeListing> unpack(const VerifiedArtifact& artifact, const UnpackRules& rules,
                           const ArchiveLimits& limits, const std::filesystem::path& folder) {
  auto listing = unpack_file(artifact.file(), rules, limits, folder);
  if (!listing)
    return fail(
        std::move(listing).error().while_doing("unpacking " + printable(artifact.artifact().file_name)));
  return listing;
}

}  // namespace curupira::installer
