#include "manifest/launch_parser.h"

#include <algorithm>

#include "base/url.h"

namespace curupira::manifest {
namespace {

constexpr std::int64_t max_strip_components = 16;
constexpr std::size_t max_package_length = 512;
constexpr std::size_t sha256_digits = 64;

bool has_space_or_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x20 || byte == 0x7f;
  });
}

/// A package, version or program name that becomes an argument: it must not be read as an option.
bool is_plain_word(std::string_view text) {
  return !text.empty() && text.size() <= max_package_length && text.front() != '-' &&
         !has_space_or_control(text);
}

Result<std::string> plain_word(TableReader& table, std::string_view name, std::string_view what) {
  CURUPIRA_TRY(auto text, table.text(name));
  if (!is_plain_word(text))
    return fail(table.wrong(name, std::string(what) + " without spaces or a leading '-'"));
  return text;
}

Result<std::optional<std::string>> optional_plain_word(TableReader& table, std::string_view name,
                                                       std::string_view what) {
  CURUPIRA_TRY(auto text, table.optional_text(name));
  if (text && !is_plain_word(*text)) {
    return fail(table.wrong(name, std::string(what) + " without spaces or a leading '-'"));
  }
  return text;
}

/// "https:", "C:": a URL's scheme, or what looks like one.
bool has_scheme(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  return text.substr(0, colon).find('/') == std::string_view::npos;
}

bool has_user_info(std::string_view url) {
  const std::size_t authority = url.find("://");
  if (authority == std::string_view::npos) return false;
  return url.substr(authority + 3).find('@') < url.substr(authority + 3).find_first_of("/?#");
}

bool is_loopback(const std::string& host) {
  if (host == "localhost" || host == "::1") return true;
  const bool digits_and_dots =
      std::all_of(host.begin(), host.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return digits_and_dots && host.starts_with("127.") && std::count(host.begin(), host.end(), '.') == 3;
}

/// An https URL, an http URL on this machine, or a path that stays in the manifest's folder.
Result<std::string> location(TableReader& platform) {
  CURUPIRA_TRY(auto text, platform.text("url"));
  if (!has_scheme(text)) {
    auto path = RelativePath::parse(text);
    if (!path) {
      return fail(platform.wrong("url", "an https URL, or a path inside the manifest's folder")
                      .caused_by(std::move(path).error()));
    }
    return path->text();
  }
  // The location is printed and kept in receipts; so it has no secret, and this message does not show one.
  if (has_user_info(text)) {
    const std::string field = platform.path() + ".url";
    return fail(
        platform.document().error(platform.document().field_error, platform.position_of("url"),
                                  "field \"" + field + "\": expected a URL without user name and password"));
  }
  auto url = Url::parse(text);
  if (!url) return fail(platform.wrong("url", "an https URL, or a path inside the manifest's folder"));
  const bool allowed = url->scheme() == "https" || (url->scheme() == "http" && is_loopback(url->host()));
  if (!allowed) {
    return fail(platform.wrong(
        "url", "an https URL (http only on this machine), or a path inside the manifest's folder"));
  }
  return url->to_string();
}

Result<Digest> sha256(TableReader& platform) {
  CURUPIRA_TRY(auto text, platform.text("sha256"));
  auto digest = Digest::from_hex(DigestAlgorithm::sha256, text);
  if (text.size() != sha256_digits || !digest) {
    return fail(platform.wrong(
        "sha256", "64 hexadecimal digits (found " + std::to_string(text.size()) + " characters)"));
  }
  return *digest;
}

Result<PlatformArtifact> artifact(TableReader& platform, bool is_archive) {
  CURUPIRA_TRY(auto where, location(platform));
  CURUPIRA_TRY(auto digest, sha256(platform));
  PlatformArtifact result{.location = std::move(where), .sha256 = digest};
  CURUPIRA_TRY(auto size, platform.optional_integer("size", 1));
  if (size) result.size = static_cast<std::uint64_t>(*size);
  if (is_archive) {
    CURUPIRA_TRY(auto strip, platform.optional_integer("strip_components", 0, max_strip_components));
    result.strip_components = static_cast<int>(strip.value_or(0));
    CURUPIRA_TRY(auto program, platform.text("program"));
    auto path = RelativePath::parse(program);
    if (!path) {
      return fail(platform.wrong("program", "a path inside the archive").caused_by(std::move(path).error()));
    }
    result.program = *std::move(path);
  } else {
    for (const std::string_view name : {"strip_components", "program"}) {
      if (platform.find(name) == nullptr) continue;
      platform.document().warn(
          platform.fields().key_position(name),
          "field \"" + platform.path() + "." + std::string(name) +
              "\" is ignored: a launch of type \"binary\" is one file (archives have type \"archive\")");
    }
  }
  platform.warn_about_unknown();
  return result;
}

Result<std::map<Platform, PlatformArtifact>> platforms(TableReader& launch, bool is_archive) {
  CURUPIRA_TRY(auto table, launch.table("platforms"));
  CURUPIRA_TRY(auto readers, table.tables());
  if (readers.empty())
    return fail(
        launch.wrong("platforms", "a table for at least one platform, like [launch.platforms.linux-x86_64]"));
  std::map<Platform, PlatformArtifact> all;
  for (TableReader& reader : readers) {
    auto platform = Platform::parse(reader.name());
    if (!platform) {
      return fail(launch.document().error(launch.document().field_error,
                                          table.fields().key_position(reader.name()),
                                          "table \"" + reader.path() + "\": " + platform.error().detail()));
    }
    CURUPIRA_TRY(auto entry, artifact(reader, is_archive));
    all.emplace(*std::move(platform), std::move(entry));
  }
  return all;
}

Result<Launch> npx(TableReader& launch) {
  NpxLaunch result;
  CURUPIRA_TRY(result.package, plain_word(launch, "package", "the name of an npm package"));
  CURUPIRA_TRY(result.version, optional_plain_word(launch, "version", "a version"));
  CURUPIRA_TRY(result.bin, optional_plain_word(launch, "bin", "the name of a program of the package"));
  CURUPIRA_TRY(result.args, launch.texts("args"));
  return result;
}

Result<Launch> uvx(TableReader& launch) {
  UvxLaunch result;
  CURUPIRA_TRY(result.package, plain_word(launch, "package", "the name of a Python package"));
  CURUPIRA_TRY(result.version, optional_plain_word(launch, "version", "a version"));
  CURUPIRA_TRY(result.executable, plain_word(launch, "executable", "the name of a program of the package"));
  CURUPIRA_TRY(result.args, launch.texts("args"));
  return result;
}

Result<Launch> executable(TableReader& launch) {
  ExecutableLaunch result;
  CURUPIRA_TRY(result.program, launch.text("program"));
  if (result.program.empty()) return fail(launch.wrong("program", "the path or name of a program"));
  CURUPIRA_TRY(result.args, launch.texts("args"));
  return result;
}

Result<Launch> binary(TableReader& launch) {
  BinaryLaunch result;
  CURUPIRA_TRY(result.platforms, platforms(launch, false));
  CURUPIRA_TRY(result.args, launch.texts("args"));
  return result;
}

Result<Launch> archive(TableReader& launch) {
  ArchiveLaunch result;
  CURUPIRA_TRY(result.platforms, platforms(launch, true));
  CURUPIRA_TRY(result.args, launch.texts("args"));
  return result;
}

struct LaunchType {
  std::string_view name;
  Result<Launch> (*parse)(TableReader&);
};

constexpr LaunchType launch_types[] = {
    {"npx", npx}, {"uvx", uvx}, {"executable", executable}, {"binary", binary}, {"archive", archive}};

}  // namespace

Result<Launch> parse_launch(TableReader& launch) {
  std::vector<std::string> names;
  for (const LaunchType& type : launch_types)
    names.emplace_back(type.name);
  CURUPIRA_TRY(const auto name, launch.text("type"));
  for (const LaunchType& type : launch_types) {
    if (type.name != name) continue;
    CURUPIRA_TRY(auto result, type.parse(launch));
    launch.warn_about_unknown();
    return result;
  }
  return fail(launch.wrong("type", one_of(names) + did_you_mean(name, names)));
}

}  // namespace curupira::manifest
