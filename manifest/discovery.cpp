#include "manifest/discovery.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira::manifest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_receipt_bytes = 32u << 20;

bool is_missing(const Error& error) {
  return error.code() == ErrorCode::file_not_found;
}

/// A manifest of an agent of the time before agents were built in: skipped, not broken (spec/protocol.md §5).
bool is_obsolete_agent(const Error& error) {
  return error.code() == ErrorCode::manifest_kind;
}

Result<std::string> read_manifest_text(const ReadOnlyFileSystem& files, const fs::path& file) {
  auto text = files.read_file(file, max_manifest_bytes);
  if (!text && text.error().code() == ErrorCode::response_too_large) {
    return fail(ErrorCode::manifest_too_large, text.error().detail());
  }
  return text;
}

/// The receipt beside a manifest. Name, version and folder have to agree: another program may have written
/// over the manifest, and then the receipt tells of something that is not there any more.
Result<std::optional<Receipt>> read_receipt(const ReadOnlyFileSystem& files, const fs::path& folder,
                                            const Manifest& manifest) {
  const fs::path file = folder / receipt_file_name;
  auto text = files.read_file(file, max_receipt_bytes);
  if (!text && is_missing(text.error())) return std::nullopt;
  const std::string shown = printable(file.native());
  if (!text) return fail(ErrorCode::receipt_unreadable, shown + ": " + text.error().detail());
  auto receipt = parse_receipt(*text);
  if (!receipt) {
    return fail(Error(ErrorCode::receipt_unreadable, shown + ": " + receipt.error().detail())
                    .with_help(receipt.error().help()));
  }
  const auto mismatch = [&](std::string_view what, const std::string& expected, const std::string& found) {
    return fail(Error(ErrorCode::manifest_mismatch, shown + ": the receipt is of " + std::string(what) +
                                                        " \"" + printable(expected) + "\", found \"" +
                                                        printable(found) + "\"")
                    .with_help("another program changed the folder; install the extension again"));
  };
  if (receipt->name != manifest.name) return mismatch("extension", receipt->name, manifest.name);
  if (receipt->name != folder.filename().native())
    return mismatch("folder", receipt->name, folder.filename().native());
  if (receipt->version != manifest.version) return mismatch("version", receipt->version, manifest.version);
  return *std::move(receipt);
}

class Discovery {
 public:
  Discovery(const ReadOnlyFileSystem& files, Diagnostics& diagnostics)
      : files_(files), diagnostics_(diagnostics) {}

  /// `folder` itself and its direct children.
  void look_into(const fs::path& folder) {
    if (!folder.is_absolute()) {
      warn(
          "the folder is ignored: it is not absolute, and extensions are never taken from the current folder",
          folder);
      return;
    }
    const auto names = files_.list(folder);
    if (!names) {
      if (!is_missing(names.error())) warn(names.error().detail(), folder);
      return;
    }
    for (const std::string& name : *names)
      if (name == manifest_file_name) consider(folder);
    for (const std::string& name : *names)
      if (!name.starts_with('.') && name != manifest_file_name) consider(folder / name);
  }

  Discovered finish() && {
    std::sort(found_.extensions.begin(), found_.extensions.end(),
              [](const auto& a, const auto& b) { return a.manifest.name < b.manifest.name; });
    return std::move(found_);
  }

 private:
  void consider(const fs::path& folder) {
    const fs::path file = folder / manifest_file_name;
    auto extension = read(folder, file);
    if (!extension) {
      if (is_missing(extension.error())) return;
      if (is_obsolete_agent(extension.error())) {
        warn("an obsolete agent extension is skipped, agents are built in: " + extension.error().detail(),
             file);
        return;
      }
      found_.broken.push_back({.file = file, .error = std::move(extension).error()});
      return;
    }
    if (const InstalledExtension* first = found_.find(extension->manifest.name)) {
      diagnostics_.report({.kind = Diagnostic::Kind::note,
                           .text = "extension \"" + extension->manifest.name + "\" is hidden by the one in " +
                                   printable(first->folder.native()),
                           .file = file});
      return;
    }
    found_.extensions.push_back(*std::move(extension));
  }

  Result<InstalledExtension> read(const fs::path& folder, const fs::path& file) {
    CURUPIRA_TRY(const auto text, read_manifest_text(files_, file));
    CURUPIRA_TRY(auto manifest, parse_manifest(text, file, diagnostics_));
    CURUPIRA_TRY(auto receipt, read_receipt(files_, folder, manifest));
    return InstalledExtension{
        .manifest = std::move(manifest), .folder = folder, .receipt = std::move(receipt)};
  }

  void warn(std::string text, const fs::path& file) {
    diagnostics_.report({.kind = Diagnostic::Kind::warning, .text = std::move(text), .file = file});
  }

  const ReadOnlyFileSystem& files_;
  Diagnostics& diagnostics_;
  Discovered found_;
};

}  // namespace

const InstalledExtension* Discovered::find(std::string_view name) const {
  const auto found =
      std::find_if(extensions.begin(), extensions.end(),
                   [&](const InstalledExtension& extension) { return extension.manifest.name == name; });
  return found == extensions.end() ? nullptr : &*found;
}

std::vector<fs::path> search_path(const HomeLayout& home, const Environment& environment,
                                  const fs::path& program) {
  std::vector<fs::path> folders{home.extensions()};
  const std::string listed = environment.get_or("CURUPIRA_EXTENSIONS_PATH", "");
  for (std::size_t start = 0; start < listed.size();) {
    const std::size_t end = std::min(listed.find_first_of(":;", start), listed.size());
    // A relative one stays in the list: `discover` warns about it.
    if (end > start) folders.emplace_back(listed.substr(start, end - start));
    start = end + 1;
  }
  // A program without an absolute path would mean folders below the current one.
  if (program.is_absolute()) {
    const fs::path folder = program.parent_path();
    folders.push_back(folder / "plugins");
    folders.push_back((folder / ".." / "share" / "curupira" / "plugins").lexically_normal());
  }
  return folders;
}

Discovered discover(const ReadOnlyFileSystem& files, const std::vector<fs::path>& folders,
                    Diagnostics& diagnostics) {
  Discovery discovery(files, diagnostics);
  for (const fs::path& folder : folders)
    discovery.look_into(folder);
  return std::move(discovery).finish();
}

}  // namespace curupira::manifest
