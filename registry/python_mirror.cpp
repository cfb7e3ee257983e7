#include "registry/python_mirror.h"

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/printable.h"
#include "registry/limits.h"
#include "registry/npm_mirror.h"
#include "registry/reference.h"
#include "registry/wheel_name.h"

namespace curupira::registry {
namespace {

constexpr std::string_view html_head =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"pypi:repository-version\" content=\"1.1\">\n";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// What a page says of a reason: never a control character.
std::string shown_reason(const std::string& reason) {
  return excerpt(reason, Limits::max_warning_bytes);
}

json::Object meta() {
  json::Object meta;
  meta.append("api-version", "1.1");
  return meta;
}

json::Object sha256_of(const Digest& digest) {
  json::Object hashes;
  hashes.append("sha256", digest.hex());
  return hashes;
}

tl::unexpected<Error> damaged(const std::string& why) {
  return fail(ErrorCode::registry_damaged, "a page of simple/: " + why);
}

Result<Digest> read_sha256(const json::Value* hashes) {
  const std::string* const hex = hashes ? hashes->find_string("sha256") : nullptr;
  if (hex == nullptr) return damaged("a file without sha256");
  return Digest::from_hex(DigestAlgorithm::sha256, *hex);
}

Result<MirroredWheel> read_wheel(const json::Value& value) {
  const std::string* const name = value.find_string("filename");
  const json::Value* const size = value.find("size");
  const auto bytes = size ? size->as_uint() : std::nullopt;
  if (name == nullptr || !bytes) return damaged("a file without filename or size");
  CURUPIRA_TRY(const Digest sha256, read_sha256(value.find("hashes")));
  MirroredWheel wheel{.file_name = *name, .sha256 = sha256, .size = *bytes};
  if (const std::string* const requires_python = value.find_string("requires-python"))
    wheel.requires_python = *requires_python;
  if (const json::Value* const metadata = value.find("core-metadata")) {
    CURUPIRA_TRY(wheel.metadata, read_sha256(metadata));
  }
  if (const json::Value* const yanked = value.find("yanked")) {
    const std::string* const reason = yanked->as_string();
    wheel.yanked = reason ? *reason : "";
  }
  return wheel;
}

}  // namespace

Result<std::string> python_folder(std::string_view package) {
  if (!is_pip_package_name(package) || normalize_pip_name(package) != package)
    return fail(ErrorCode::resolution_unsafe,
                "the name \"" + excerpt(package, 100) + "\" cannot be that of a mirrored package");
  return "simple/" + std::string(package) + "/";
}

Result<std::string> python_wheel_path(std::string_view package, std::string_view file_name) {
  CURUPIRA_TRY(const std::string folder, python_folder(package));
  if (!WheelName::parse(file_name) || !python_file_version(file_name, package))
    return fail(ErrorCode::resolution_unsafe,
                "\"" + excerpt(file_name, 150) + "\" is not the name of a wheel of " + std::string(package));
  return folder + std::string(file_name);
}

std::string write_simple_html(std::string_view package, std::span<const MirroredWheel> wheels) {
  std::string page(html_head);
  page += "<title>Links for " + escaped(package) + "</title>\n</head>\n<body>\n<h1>Links for " +
          escaped(package) + "</h1>\n";
  for (const MirroredWheel& wheel : wheels) {
    const std::string name = escaped(wheel.file_name);
    page += "<a href=\"" + name + "#sha256=" + wheel.sha256.hex() + "\"";
    if (!wheel.requires_python.empty())
      page += " data-requires-python=\"" + escaped(printable(wheel.requires_python)) + "\"";
    if (wheel.metadata) {
      const std::string digest = "sha256=" + wheel.metadata->hex();
      page += " data-core-metadata=\"" + digest + "\" data-dist-info-metadata=\"" + digest + "\"";
    }
    if (wheel.yanked) page += " data-yanked=\"" + escaped(shown_reason(*wheel.yanked)) + "\"";
    page += ">" + name + "</a><br>\n";
  }
  return page + "</body>\n</html>\n";
}

std::string write_simple_json(std::string_view package, std::span<const MirroredWheel> wheels) {
  json::Array files;
  std::set<std::string> versions;
  for (const MirroredWheel& wheel : wheels) {
    json::Object file;
    file.append("filename", wheel.file_name);
    file.append("url", wheel.file_name);
    file.append("hashes", sha256_of(wheel.sha256));
    file.append("size", wheel.size);
    if (!wheel.requires_python.empty()) file.append("requires-python", printable(wheel.requires_python));
    if (wheel.metadata) file.append("core-metadata", sha256_of(*wheel.metadata));
    if (wheel.yanked) {
      const bool has_reason = !wheel.yanked->empty();
      file.append("yanked", has_reason ? json::Value(shown_reason(*wheel.yanked)) : json::Value(true));
    }
    if (auto version = python_file_version(wheel.file_name, package)) versions.insert(*std::move(version));
    files.emplace_back(std::move(file));
  }
  json::Object page;
  page.append("meta", meta());
  page.append("name", package);
  page.append("versions", json::Array(versions.begin(), versions.end()));
  page.append("files", std::move(files));
  return html_safe_json(page);
}

Result<std::vector<MirroredWheel>> read_mirrored_wheels(std::string_view json_page) {
  CURUPIRA_TRY(const json::Value page,
               json::parse(json_page, {.max_bytes = Limits::max_index_page_bytes, .max_depth = 32}));
  const json::Value* const files = page.find("files");
  if (files == nullptr || files->as_array() == nullptr) return damaged("it has no list of files");
  std::vector<MirroredWheel> wheels;
  for (const json::Value& each : *files->as_array()) {
    CURUPIRA_TRY(MirroredWheel wheel, read_wheel(each));
    wheels.push_back(std::move(wheel));
  }
  return wheels;
}

std::string write_projects_html(std::span<const std::string> packages) {
  std::string page(html_head);
  page += "<title>Simple index</title>\n</head>\n<body>\n";
  for (const std::string& package : packages)
    page += "<a href=\"" + escaped(package) + "/\">" + escaped(package) + "</a><br>\n";
  return page + "</body>\n</html>\n";
}

std::string write_projects_json(std::span<const std::string> packages) {
  json::Array projects;
  for (const std::string& package : packages) {
    json::Object project;
    project.append("name", package);
    projects.emplace_back(std::move(project));
  }
  json::Object page;
  page.append("meta", meta());
  page.append("projects", std::move(projects));
  return html_safe_json(page);
}

}  // namespace curupira::registry
