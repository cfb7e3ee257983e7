#include "installer/store.h"

#include "installer/limits.h"

namespace curupira::installer {
namespace {

Result<bool> exists(const FileSystem& files, const std::filesystem::path& path, FileType type) {
  CURUPIRA_TRY(const auto status, files.status(path));
  return status && status->type == type;
}

}  // namespace

std::filesystem::path Store::blob(const Digest& digest) const {
  return home_.blobs() / name_of(digest.algorithm()) / digest.hex();
}

std::filesystem::path Store::tree_mark(std::string_view digest) const {
  return home_.trees() / (std::string(digest) + ".listing");
}

std::filesystem::path Store::environment_mark(std::string_view digest) const {
  return home_.environments() / (std::string(digest) + ".complete");
}

std::filesystem::path Store::environment_list(std::string_view digest) const {
  return home_.environments() / (std::string(digest) + ".listing");
}

Result<bool> Store::has_blob(const Digest& digest) const {
  return exists(files_, blob(digest), FileType::regular);
}

Result<bool> Store::has_tree(std::string_view digest) const {
  CURUPIRA_TRY(const bool marked, exists(files_, tree_mark(digest), FileType::regular));
  if (!marked) return false;
  return exists(files_, tree(digest), FileType::directory);
}

Result<bool> Store::has_environment(std::string_view digest) const {
  CURUPIRA_TRY(const bool marked, exists(files_, environment_mark(digest), FileType::regular));
  if (!marked) return false;
  return exists(files_, environment(digest), FileType::directory);
}

Result<TreeListing> Store::listing(std::string_view tree) const {
  CURUPIRA_TRY(const std::string text, files_.read_file(tree_mark(tree), max_listing_bytes));
  if (digest_of(DigestAlgorithm::sha256, text).hex() != tree)
    return fail(ErrorCode::store_object_damaged, tree_mark(tree).string() + " is not what its name says");
  return TreeListing::parse(text);
}

Result<TreeListing> Store::environment_listing(std::string_view digest) const {
  CURUPIRA_TRY(const std::string mark, files_.read_file(environment_mark(digest), 1024));
  CURUPIRA_TRY(const std::string text, files_.read_file(environment_list(digest), max_listing_bytes));
  if (mark != environment_mark_text(text))
    return fail(ErrorCode::store_object_damaged, environment_list(digest).string() + " was changed");
  return TreeListing::parse(text);
}

std::string environment_mark_text(std::string_view listing) {
  return "complete\nlisting sha256 " + digest_of(DigestAlgorithm::sha256, listing).hex() + "\n";
}

Result<std::optional<std::string>> Store::unpacked(const std::string& key) const {
  auto text = files_.read_file(unpacked_folder() / key, 1024);
  if (!text) return std::optional<std::string>();
  auto tree = Digest::from_hex(DigestAlgorithm::sha256, *text);
  if (!tree) return std::optional<std::string>();
  CURUPIRA_TRY(const bool there, has_tree(tree->hex()));
  return there ? std::optional(tree->hex()) : std::nullopt;
}

}  // namespace curupira::installer
