#include "installer/package_json.h"

#include "base/json.h"
#include "base/printable.h"
#include "installer/limits.h"

namespace curupira::installer {

std::string_view unscoped(std::string_view package) {
  if (!package.starts_with('@')) return package;
  const auto slash = package.find('/');
  return slash == std::string_view::npos ? package : package.substr(slash + 1);
}

Result<PackageJson> parse_package_json(std::string_view text, std::string_view where) {
  if (text.starts_with("\xEF\xBB\xBF"))
    text.remove_prefix(3);  // some editors' byte order mark; npm skips it too
  auto parsed = json::parse(text, {.max_bytes = max_package_json_bytes});
  if (!parsed)
    return fail(Error(ErrorCode::identity_mismatch, std::string(where) + " cannot be read")
                    .caused_by(parsed.error()));
  const json::Object* const members = parsed->as_object();
  if (members == nullptr) return fail(ErrorCode::identity_mismatch, std::string(where) + " is no object");
  PackageJson package;
  if (const auto* const name = parsed->find_string("name")) package.name = *name;
  if (const auto* const version = parsed->find_string("version")) {
    const auto start = version->find_first_not_of(" v=");  // npm cleans versions in the same way
    const auto end = version->find_last_not_of(' ');
    if (start != std::string::npos) package.version = version->substr(start, end - start + 1);
  }
  package.platforms = registry::NpmPlatformRule::read(*parsed);
  for (const auto* const member : {"dependencies", "optionalDependencies"}) {
    const json::Value* const value = parsed->find(member);
    if (value != nullptr && value->as_object() != nullptr && !value->as_object()->empty())
      package.has_dependencies = true;
  }
  if (const json::Value* const needed = parsed->find("dependencies"); needed && needed->as_object()) {
    const json::Value* const optional = parsed->find("optionalDependencies");
    for (const auto& [name, range] : *needed->as_object()) {
      const bool left_out = optional != nullptr && optional->as_object() && optional->find(name) != nullptr;
      if (!left_out && range.as_string() != nullptr) package.dependencies.emplace(name, *range.as_string());
    }
  }
  const json::Value* const bin = parsed->find("bin");
  if (bin == nullptr) return package;
  if (const auto* const path = bin->as_string()) {
    package.bins.emplace(unscoped(package.name), *path);
  } else if (const auto* const object = bin->as_object()) {
    for (const auto& [command, value] : *object)
      if (const auto* const path_text = value.as_string())
        package.bins.emplace(unscoped(command), *path_text);
  }
  return package;
}

}  // namespace curupira::installer
