#include "installer/linked_folder.h"

namespace curupira::installer {

Result<> LinkedFolder::make_folders(const std::string& path) {
  if (folders_.contains(path)) return {};
  CURUPIRA_CHECK(run_.files.create_folders(folder_ / path));
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    folders_.insert(path.substr(0, slash));
  folders_.insert(path);
  return {};
}

Result<> LinkedFolder::make_parent(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? Result<>() : make_folders(path.substr(0, slash));
}

Result<> LinkedFolder::link_file(const std::filesystem::path& from, const std::string& path,
                                 const TreeEntry& entry) {
  CURUPIRA_CHECK(make_parent(path));
  if (run_.files.hard_link(from, folder_ / path)) return {};
  // A copy does it, and tells what is really wrong.
  CURUPIRA_TRY(const std::string bytes, run_.files.read_file(from, entry.size));
  return write_file(path, bytes, entry.kind == TreeEntry::Kind::executable);
}

Result<> LinkedFolder::write_file(const std::string& path, std::string_view bytes, bool executable) {
  CURUPIRA_CHECK(make_parent(path));
  CURUPIRA_TRY(const auto file, run_.files.create_file(folder_ / path, executable ? 0555 : 0444));
  return file->write(std::as_bytes(std::span(bytes)));
}

Result<> LinkedFolder::symbolic_link(const std::string& target, const std::string& path) {
  CURUPIRA_CHECK(make_parent(path));
  return run_.files.symbolic_link(target, folder_ / path);
}

Result<> LinkedFolder::seal() {
  for (const std::string& path : folders_)
    CURUPIRA_CHECK(run_.files.set_mode(folder_ / path, 0555));
  return {};
}

}  // namespace curupira::installer
