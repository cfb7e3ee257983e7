#include "registry/reference.h"

#include <algorithm>
#include <array>

#include "base/loopback.h"
#include "base/printable.h"
#include "registry/archive_name.h"
#include "registry/limits.h"
#include "registry/version_range.h"

namespace curupira::registry {

namespace {

constexpr std::string_view known_forms =
    "npm:NAME@RANGE, pip:NAME==VERSION, REGISTRY:NAME@RANGE, path:FOLDER, ./ARCHIVE (.tar.gz, .tar.xz, "
    ".tar.zst, .tar.bz2, .zip) or https://…#sha256=…";
constexpr std::string_view registry_source = "curupira:";
constexpr std::string_view digest_mark = "#sha256=";
constexpr std::size_t max_name_bytes = 214;  // npm's own limit; no name of PyPI comes near it

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_alphanumeric(char c) {
  return is_lower_or_digit(c) || is_upper(c);
}

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text) + "\"";
}

Error syntax(std::string detail) {
  return Error(ErrorCode::reference_syntax, std::move(detail));
}

bool is_npm_name_part(std::string_view part) {
  if (part.empty() || !is_lower_or_digit(part.front())) return false;
  return std::ranges::all_of(
      part, [](char c) { return is_lower_or_digit(c) || c == '-' || c == '.' || c == '_' || c == '~'; });
}

/// A dist-tag. Narrower than npm, which takes whatever a URL takes.
bool is_tag(std::string_view text) {
  if (text.empty() || text.size() > max_name_bytes || !is_alphanumeric(text.front())) return false;
  return std::ranges::all_of(text,
                             [](char c) { return is_alphanumeric(c) || c == '-' || c == '.' || c == '_'; });
}

Result<Reference> parse_npm(std::string_view text) {
  const std::size_t at = text.find('@', 1);  // the first '@' may open the scope
  const std::string_view name = text.substr(0, at);
  if (!is_npm_package_name(name)) {
    return fail(
        syntax(in_quotes(name) + " is not a name that an npm registry can have")
            .with_help(
                "names are lower case letters, digits, '-', '_', '.', with or without a @scope/ before"));
  }
  if (at == std::string_view::npos) return NpmReference{std::string(name), "latest"};

  const std::string_view range = text.substr(at + 1);
  if (range.empty()) return fail(syntax("nothing follows the '@' of npm:" + std::string(name)));
  if (range.front() == ' ' || range.back() == ' ' || (!is_tag(range) && !VersionRange::parse(range))) {
    return fail(
        syntax(in_quotes(range) +
               " is neither a version, nor a range of versions, nor a tag of npm:" + std::string(name))
            .with_help("write for example npm:" + std::string(name) + "@1.2.3, @^1.2 or @latest"));
  }
  return NpmReference{std::string(name), std::string(range)};
}

/// A version as of PEP 440, or with a trailing ".*"; only characters that cannot end a requirement line.
bool is_pip_version(std::string_view text, bool wildcard) {
  if (wildcard && text.ends_with(".*")) text.remove_suffix(2);
  if (text.empty() || !is_alphanumeric(text.front())) return false;
  return std::ranges::all_of(text, [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '+' || c == '!' || c == '-' || c == '_';
  });
}

bool is_pip_specifier(std::string_view text) {
  static constexpr std::array<std::string_view, 8> operators = {
      "===", "==", "~=", "!=", "<=", ">=", "<", ">"};
  for (const std::string_view op : operators) {
    if (text.starts_with(op)) return is_pip_version(text.substr(op.size()), op == "==" || op == "!=");
  }
  return false;
}

Result<Reference> parse_pip(std::string_view text) {
  const std::size_t end = text.find_first_of("@=<>!~[; ");
  const std::string_view name = text.substr(0, end);
  if (!is_pip_package_name(name)) {
    return fail(
        syntax(in_quotes(name) + " is not a name that a Python index can have")
            .with_help("names are letters, digits, '-', '_', '.', and begin and end with a letter or digit"));
  }
  if (end == std::string_view::npos) return PipReference{normalize_pip_name(name), {}};

  std::string_view rest = text.substr(end);
  const std::string shown = "pip:" + std::string(name);
  if (rest.front() == '[') {
    return fail(syntax("extras (" + in_quotes(rest) + ") cannot be asked for")
                    .with_help("an extension names what it needs in its own dependencies: install " + shown));
  }
  if (rest.front() == '@') {
    rest.remove_prefix(1);
    if (!is_pip_version(rest, false)) {
      return fail(syntax(in_quotes(rest) + " is not a version of " + shown)
                      .with_help("write for example " + shown + "==1.2.3"));
    }
    return PipReference{normalize_pip_name(name), "==" + std::string(rest)};
  }
  for (std::string_view left = rest;;) {
    const std::size_t comma = left.find(',');
    const std::string_view specifier = left.substr(0, comma);
    if (!is_pip_specifier(specifier)) {
      return fail(
          syntax(in_quotes(specifier) + " is not a version specifier of " + shown)
              .with_help("write for example " + shown + "==1.2.3 or " + shown + ">=1,<2, without spaces"));
    }
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  return PipReference{normalize_pip_name(name), std::string(rest)};
}

Result<Reference> parse_url(std::string_view text) {
  CURUPIRA_TRY(const Url url, Url::parse(text));
  if (url.scheme() == "http" && !is_loopback_host(url.host())) {
    return fail(Error(ErrorCode::reference_scheme, "http://" + printable(url.host()) + " is not encrypted")
                    .with_help("write https://; http is taken for loopback addresses only"));
  }
  constexpr std::string_view key = "sha256=";
  if (!url.fragment().starts_with(key)) {
    return fail(Error(ErrorCode::integrity_missing, printable(url.to_string()) + " comes without a digest")
                    .with_help("write " + printable(url.to_string()) + "#sha256=<64 hexadecimal digits>"));
  }
  auto digest =
      Digest::from_hex(DigestAlgorithm::sha256, std::string_view(url.fragment()).substr(key.size()));
  if (!digest)
    return fail(std::move(digest).error().while_doing("reading the digest of " + printable(url.to_string())));
  return ArchiveReference{url.without_fragment(), *digest};
}

Result<Reference> parse_path_or_bare(std::string_view text) {
  std::string_view path = text;
  std::optional<Digest> sha256;
  if (const std::size_t mark = text.rfind(digest_mark); mark != std::string_view::npos) {
    path = text.substr(0, mark);
    auto digest = Digest::from_hex(DigestAlgorithm::sha256, text.substr(mark + digest_mark.size()));
    if (!digest)
      return fail(std::move(digest).error().while_doing("reading the digest of " + printable(path)));
    sha256 = *digest;
  }
  if (has_archive_name(path) && path.front() != '-')
    return ArchiveReference{std::filesystem::path(path), sha256};

  if (text.front() == '@') {
    return fail(syntax(in_quotes(text) + " does not say where the package comes from")
                    .with_help("write npm:" + printable(text)));
  }
  if (text.find('/') != std::string_view::npos || text.front() == '.' || text.front() == '~') {
    return fail(
        syntax(in_quotes(text) + " does not end like an archive")
            .with_help("for a folder write path:" + printable(text) +
                       "; archives end in .tar.gz, .tgz, .tar.xz, .txz, .tar.zst, .tar.bz2, .tbz2 or .zip"));
  }
  return fail(syntax(in_quotes(text) + " does not say where the package comes from")
                  .with_help("write one of " + std::string(known_forms)));
}

/// What a registry may be called as far as it is known here: names of other sources have been looked at.
bool is_registry_scheme(std::string_view scheme) {
  return scheme.front() >= 'a' && scheme.front() <= 'z' &&
         std::ranges::all_of(scheme, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

Result<RegistryReference> parse_package(std::string registry, std::string_view text) {
  const std::size_t at = text.find('@', 1);  // the first '@' may open the scope
  CURUPIRA_TRY(PackageName package, PackageName::parse(text.substr(0, at)));
  RegistryReference reference{.registry = std::move(registry), .package = std::move(package), .range = {}};
  if (at == std::string_view::npos) return reference;
  reference.range = text.substr(at + 1);
  const bool framed =
      reference.range.empty() || reference.range.front() == ' ' || reference.range.back() == ' ';
  if (framed || !VersionRange::parse(reference.range)) {
    const std::string shown = reference.registry + ":" + reference.package.text();
    return fail(
        syntax(in_quotes(reference.range) + " is neither a version nor a range of versions of " + shown)
            .with_help("write for example " + shown + "@1.2.3 or @^1.2"));
  }
  return reference;
}

/// The scheme of `text`, when it has one: letters before a ':' that stands before every '/'.
std::optional<std::string_view> scheme_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 ||
      text.substr(0, colon).find('/') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view scheme = text.substr(0, colon);
  const bool legal = std::ranges::all_of(
      scheme, [](char c) { return is_alphanumeric(c) || c == '+' || c == '-' || c == '.'; });
  return legal ? std::optional(scheme) : std::nullopt;
}

}  // namespace

Result<Reference> parse_reference(std::string_view text) {
  if (text.empty()) return fail(syntax("it is empty"));
  if (text.size() > Limits::max_reference_bytes) {
    return fail(syntax("it has " + format_bytes(text.size()) + ", the limit is " +
                       format_bytes(Limits::max_reference_bytes)));
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(text, is_control) || !is_valid_utf8(text)) {
    return fail(syntax(in_quotes(text) + " has control characters or is not UTF-8"));
  }
  const auto scheme = scheme_of(text);
  if (!scheme) return parse_path_or_bare(text);
  const std::string_view rest = text.substr(scheme->size() + 1);
  if (*scheme == "npm") return parse_npm(rest);
  if (*scheme == "pip") return parse_pip(rest);
  if (*scheme == "path") {
    if (rest.empty()) return fail(syntax("path: names no folder").with_help("write path:FOLDER"));
    return PathReference{std::filesystem::path(rest)};
  }
  if (*scheme == "https" || *scheme == "http") return parse_url(text);
  if (is_registry_scheme(*scheme) && !rest.starts_with('/')) {
    auto reference = parse_package(std::string(*scheme), rest);
    if (reference) return *std::move(reference);
    if (reference.error().code() == ErrorCode::reference_syntax) return fail(std::move(reference).error());
    return fail(syntax("what follows " + std::string(*scheme) + ": names no package")
                    .caused_by(std::move(reference).error()));
  }
  return fail(Error(ErrorCode::reference_scheme, in_quotes(std::string(*scheme) + ":") + " is not a source")
                  .with_help("write one of " + std::string(known_forms)));
}

std::optional<RegistryReference> bare_package(std::string_view text, std::string registry) {
  if (text.empty() || text.size() > Limits::max_reference_bytes || scheme_of(text) || has_archive_name(text))
    return std::nullopt;
  auto package = parse_package(std::move(registry), text);
  return package ? std::optional(*std::move(package)) : std::nullopt;
}

std::string to_string(const Reference& reference) {
  struct Writer {
    std::string operator()(const NpmReference& npm) const {
      return "npm:" + npm.name + (npm.range == "latest" ? "" : "@" + npm.range);
    }
    std::string operator()(const PipReference& pip) const { return "pip:" + pip.name + pip.specifiers; }
    std::string operator()(const PathReference& path) const { return "path:" + path.folder.string(); }
    std::string operator()(const RegistryReference& package) const {
      return package.registry + ":" + package.package.text() +
             (package.range.empty() ? "" : "@" + package.range);
    }
    std::string operator()(const ArchiveReference& archive) const {
      const auto* url = std::get_if<Url>(&archive.location);
      const std::string place =
          url ? url->to_string() : std::get<std::filesystem::path>(archive.location).string();
      return place + (archive.sha256 ? std::string(digest_mark) + archive.sha256->hex() : "");
    }
  };
  return std::visit(Writer{}, reference);
}

Reference anchored(Reference reference, const std::filesystem::path& folder) {
  const auto anchor = [&](std::filesystem::path& path) {
    path = (folder / path).lexically_normal();
    if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();  // "x/" is "x"
  };
  if (auto* const path = std::get_if<PathReference>(&reference)) anchor(path->folder);
  auto* const archive = std::get_if<ArchiveReference>(&reference);
  if (archive == nullptr) return reference;
  if (auto* const file = std::get_if<std::filesystem::path>(&archive->location)) anchor(*file);
  return reference;
}

std::string name_in_policy(const Reference& reference) {
  if (const auto* npm = std::get_if<NpmReference>(&reference)) return "npm:" + npm->name;
  if (const auto* pip = std::get_if<PipReference>(&reference)) return "pip:" + pip->name;
  if (const auto* package = std::get_if<RegistryReference>(&reference))
    return package->registry + ":" + package->package.text();
  const std::string text = to_string(reference);
  const bool archive = std::holds_alternative<ArchiveReference>(reference);
  return archive ? "archive:" + text.substr(0, text.rfind(digest_mark)) : text;
}

std::string source_name(const Reference& reference) {
  struct Writer {
    std::string operator()(const NpmReference&) const { return "npm"; }
    std::string operator()(const PipReference&) const { return "pip"; }
    std::string operator()(const PathReference&) const { return "path"; }
    std::string operator()(const ArchiveReference&) const { return "archive"; }
    std::string operator()(const RegistryReference& package) const {
      return std::string(registry_source) + package.registry;
    }
  };
  return std::visit(Writer{}, reference);
}

std::optional<std::string_view> registry_of_source(std::string_view source) {
  if (!source.starts_with(registry_source)) return std::nullopt;
  return source.substr(registry_source.size());
}

Reference pinned(Reference reference, const std::string& version) {
  if (auto* const npm = std::get_if<NpmReference>(&reference)) npm->range = version;
  if (auto* const pip = std::get_if<PipReference>(&reference)) pip->specifiers = "==" + version;
  if (auto* const package = std::get_if<RegistryReference>(&reference)) package->range = version;
  return reference;
}

bool is_npm_package_name(std::string_view name) {
  if (name.size() > max_name_bytes || name == "node_modules" || name == "favicon.ico") return false;
  if (!name.starts_with('@')) return is_npm_name_part(name);
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return false;
  return is_npm_name_part(name.substr(1, slash - 1)) && is_npm_name_part(name.substr(slash + 1));
}

bool is_pip_package_name(std::string_view name) {
  if (name.empty() || name.size() > max_name_bytes) return false;
  if (!is_alphanumeric(name.front()) || !is_alphanumeric(name.back())) return false;
  return std::ranges::all_of(name,
                             [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

std::string normalize_pip_name(std::string_view name) {
  std::string normalized;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != '.') {
      normalized.push_back(is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c);
    } else if (!normalized.ends_with('-')) {
      normalized.push_back('-');
    }
  }
  return normalized;
}

}  // namespace curupira::registry
