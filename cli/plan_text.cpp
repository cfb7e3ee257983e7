#include "cli/plan_text.h"

#include <algorithm>
#include <iterator>
#include <ostream>
#include <ranges>

#include "base/printable.h"

namespace curupira::cli {
namespace {

using installer::InstallPlan;
using installer::PlannedExtension;
using Action = PlannedExtension::Action;

std::string joined(const std::vector<std::string>& items, std::string_view when_empty) {
  if (items.empty()) return std::string(when_empty);
  std::string text;
  for (const auto& item : items)
    text += (text.empty() ? "" : ", ") + printable(item);
  return text;
}

std::string_view action_name(Action action) {
  switch (action) {
    case Action::add:
      return "add";
    case Action::replace:
      return "replace";
    case Action::keep:
      return "keep";
    case Action::remove:
      return "remove";
  }
  return "keep";
}

std::string headline(Terminal& terminal, const PlannedExtension& extension) {
  const std::string name = printable(extension.name), version = printable(extension.version);
  switch (extension.action) {
    case Action::add:
      return terminal.out_styled(Terminal::Style::green, "+ " + name + " " + version);
    case Action::replace:
      return terminal.out_styled(
          Terminal::Style::yellow,
          "~ " + name + " " + printable(extension.installed_version.value_or("?")) + " -> " + version);
    case Action::keep:
      return "= " + name + " " + version + " (already installed: no change)";
    case Action::remove:
      return terminal.out_styled(Terminal::Style::red, "- " + name + " " + version);
  }
  return name;
}

std::string how_described(const PlannedExtension& extension) {
  if (!extension.probed) return "read from the package, nothing was started";
  return "asked of the package, sandbox: " + (extension.sandbox.empty() ? "none" : extension.sandbox);
}

void print_artifacts(Terminal& terminal, const PlannedExtension& extension) {
  auto& out = terminal.out();
  std::uint64_t total = 0;
  std::size_t name_width = 0, size_width = 0;
  auto label = [](const manifest::ReceiptArtifact& artifact) {
    return printable(artifact.version.empty() ? artifact.package : artifact.package + " " + artifact.version);
  };
  for (const auto& artifact : extension.artifacts) {
    total += artifact.size;
    name_width = std::max(name_width, label(artifact).size());
    size_width = std::max(size_width, format_bytes(artifact.size).size());
  }
  out << "    artifacts    " << extension.artifacts.size()
      << (extension.artifacts.size() == 1 ? " file, " : " files, ") << format_bytes(total) << '\n';
  for (const auto& artifact : extension.artifacts) {
    const std::string name = label(artifact), size = format_bytes(artifact.size);
    out << "      " << name << std::string(name_width - name.size() + 2, ' ')
        << std::string(size_width - size.size(), ' ') << size << "  " << short_digest(artifact.digest) << "  "
        << manifest::name_of(artifact.level) << '\n';
  }
}

manifest::VerificationLevel lowest_level(const std::vector<manifest::ReceiptArtifact>& artifacts) {
  auto level =
      artifacts.empty() ? manifest::VerificationLevel::digest : manifest::VerificationLevel::publisher_signed;
  for (const auto& artifact : artifacts)
    level = std::min(level, artifact.level);
  return level;
}

std::vector<std::string> only_in(const std::vector<std::string>& these, const std::vector<std::string>& those,
                                 char sign) {
  std::vector<std::string> only;
  for (const auto& text : these)
    if (std::ranges::find(those, text) == those.end()) only.push_back(sign + text);
  return only;
}

/// What is another now than in the version that is installed: permissions, level, size.
void print_changes(Terminal& terminal, const PlannedExtension& extension) {
  auto& out = terminal.out();
  const auto& before = *extension.before;
  auto changed = only_in(extension.permissions, before.permissions, '+');
  std::ranges::copy(only_in(before.permissions, extension.permissions, '-'), std::back_inserter(changed));
  if (!changed.empty())
    out << "      changed    " << terminal.out_styled(Terminal::Style::yellow, joined(changed, "")) << '\n';
  const auto level = lowest_level(extension.artifacts);
  if (level != before.level)
    out << "    level        " << manifest::name_of(before.level) << " -> " << manifest::name_of(level)
        << '\n';
  for (const auto& lowered : before.lowered)
    out << "      lower      " << terminal.out_styled(Terminal::Style::yellow, installer::to_string(lowered))
        << '\n';
  std::uint64_t bytes = 0;
  for (const auto& artifact : extension.artifacts)
    bytes += artifact.size;
  if (before.bytes > 0 || bytes > 0)  // a folder has no artifacts
    out << "    size         " << format_bytes(before.bytes) << " -> " << format_bytes(bytes) << '\n';
}

}  // namespace

std::string short_digest(const Digest& digest) {
  return digest.sri().substr(0, 28) + "…";
}

void print_plan(Terminal& terminal, const InstallPlan& plan) {
  auto& out = terminal.out();
  for (const auto& extension : plan.extensions) {
    out << headline(terminal, extension) << '\n';
    if (extension.action == Action::keep || extension.action == Action::remove) continue;
    out << "    from         " << printable(extension.reference) << '\n';
    out << "    launch       " << printable(extension.launch_type) << '\n';
    out << "    manifest     " << how_described(extension) << '\n';
    out << "    permissions  " << joined(extension.permissions, "none asked for") << '\n';
    if (extension.before) print_changes(terminal, extension);
    if (!extension.artifacts.empty()) print_artifacts(terminal, extension);
  }
  out.flush();
}

json::Value artifact_to_json(const manifest::ReceiptArtifact& artifact) {
  json::Object object;
  object.set("package", artifact.package);
  if (!artifact.version.empty()) object.set("version", artifact.version);
  object.set("location", artifact.location);
  object.set("digest", artifact.digest.sri());
  object.set("size", artifact.size);
  object.set("level", manifest::name_of(artifact.level));
  return object;
}

json::Value plan_to_json(const InstallPlan& plan) {
  json::Array extensions;
  for (const auto& extension : plan.extensions) {
    json::Object object;
    object.set("action", action_name(extension.action));
    object.set("name", extension.name);
    object.set("version", extension.version);
    if (extension.installed_version) object.set("installedVersion", *extension.installed_version);
    if (extension.before) {
      json::Object before;
      before.set("version", extension.before->version);
      before.set("level", manifest::name_of(extension.before->level));
      before.set("size", extension.before->bytes);
      before.set("permissions",
                 json::Array(extension.before->permissions.begin(), extension.before->permissions.end()));
      json::Array lowered;
      for (const auto& one : extension.before->lowered)
        lowered.emplace_back(installer::to_string(one));
      before.set("lowered", std::move(lowered));
      object.set("before", std::move(before));
    }
    object.set("reference", extension.reference);
    object.set("source", extension.source);
    object.set("launch", extension.launch_type);
    json::Array permissions;
    for (const auto& permission : extension.permissions)
      permissions.emplace_back(permission);
    object.set("permissions", std::move(permissions));
    object.set("probed", extension.probed);
    if (extension.probed) object.set("sandbox", extension.sandbox);
    json::Array artifacts;
    for (const auto& artifact : extension.artifacts)
      artifacts.push_back(artifact_to_json(artifact));
    object.set("artifacts", std::move(artifacts));
    extensions.emplace_back(std::move(object));
  }
  return extensions;
}

}  // namespace curupira::cli
