#include "base/toml.h"
#include "manifest/manifest.h"

namespace curupira::manifest {
namespace {

class TomlText {
 public:
  void text(std::string_view name, std::string_view value) { pair(name, toml::quote(value)); }
  void number(std::string_view name, std::uint64_t value) { pair(name, std::to_string(value)); }
  void optional_text(std::string_view name, const std::optional<std::string>& value) {
    if (value) text(name, *value);
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    std::string list = "[";
    for (std::size_t i = 0; i < values.size(); ++i)
      list += (i > 0 ? ", " : "") + toml::quote(values[i]);
    pair(name, list + "]");
  }
  void table(std::string_view name) {
    if (!text_.empty()) text_ += "\n";
    text_ += "[" + std::string(name) + "]\n";
  }
  std::string take() { return std::move(text_); }

 private:
  void pair(std::string_view name, std::string_view value) {
    text_ += std::string(name) + " = " + std::string(value) + "\n";
  }
  std::string text_;
};

void write_platforms(TomlText& out, const std::map<Platform, PlatformArtifact>& platforms) {
  for (const auto& [platform, artifact] : platforms) {
    out.table("launch.platforms." + toml::key(platform.text()));
    out.text("url", artifact.location);
    out.text("sha256", artifact.sha256.hex());
    if (artifact.size) out.number("size", *artifact.size);
    if (!artifact.program) continue;
    out.number("strip_components", static_cast<std::uint64_t>(artifact.strip_components));
    out.text("program", artifact.program->text());
  }
}

struct LaunchWriter {
  TomlText& out;

  void operator()(const NpxLaunch& launch) const {
    out.text("package", launch.package);
    out.optional_text("version", launch.version);
    out.optional_text("bin", launch.bin);
    out.texts("args", launch.args);
  }
  void operator()(const UvxLaunch& launch) const {
    out.text("package", launch.package);
    out.optional_text("version", launch.version);
    out.text("executable", launch.executable);
    out.texts("args", launch.args);
  }
  void operator()(const ExecutableLaunch& launch) const {
    out.text("program", launch.program);
    out.texts("args", launch.args);
  }
  void operator()(const BinaryLaunch& launch) const {
    out.texts("args", launch.args);
    write_platforms(out, launch.platforms);
  }
  void operator()(const ArchiveLaunch& launch) const {
    out.texts("args", launch.args);
    write_platforms(out, launch.platforms);
  }
};

}  // namespace

std::string write_manifest(const Manifest& manifest) {
  TomlText out;
  out.number("manifest_version", 1);
  out.text("name", manifest.name);
  out.text("version", manifest.version);
  out.number("protocol_version", 2);
  out.text("runtime", name_of(manifest.runtime));
  out.text("kind", "trigger");
  out.texts("trigger_types", manifest.trigger_types);
  out.table("launch");
  out.text("type", launch_type(manifest.launch));
  std::visit(LaunchWriter{out}, manifest.launch);
  if (manifest.package) {
    out.table("package");
    out.text("source", manifest.package->source);
    out.text("name", manifest.package->name);
    out.optional_text("version", manifest.package->version);
  }
  out.table("capabilities");
  out.texts("permissions", manifest.permissions);
  return out.take();
}

}  // namespace curupira::manifest
