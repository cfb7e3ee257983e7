#include "base/toml.h"
#include "installer/lock_file.h"

namespace curupira::installer {
namespace {

void line(std::string& out, std::string_view key, const std::string& value) {
  out.append(key).append(" = ").append(value).append("\n");
}

std::string array_of(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const auto& text : texts)
    out += (out.size() > 1 ? ", " : "") + toml::quote(text);
  return out + "]";
}

template <class Items>
std::string texts_of(const Items& items) {
  std::vector<std::string> texts;
  for (const auto& item : items)
    texts.push_back(item.text());
  return array_of(texts);
}

void write(std::string& out, const LockedArtifact& artifact) {
  out += "\n[[extension.artifact]]\n";
  line(out, "package", toml::quote(artifact.package));
  if (!artifact.version.empty()) line(out, "version", toml::quote(artifact.version));
  line(out, "file", toml::quote(artifact.file));
  if (artifact.size) line(out, "size", std::to_string(*artifact.size));
  line(out, "digest", toml::quote(artifact.digest.sri()));
  if (artifact.tree) line(out, "tree", toml::quote(*artifact.tree));
  line(out, "level", toml::quote(name_of(artifact.level)));
  if (!artifact.locations.empty()) line(out, "locations", texts_of(artifact.locations));
  if (!artifact.marker.empty()) line(out, "marker", toml::quote(artifact.marker));
  if (!artifact.platforms.empty()) line(out, "platforms", texts_of(artifact.platforms));
}

void write(std::string& out, const LockedExtension& extension) {
  out += "\n[[extension]]\n";
  line(out, "name", toml::quote(extension.name));
  line(out, "version", toml::quote(extension.version));
  line(out, "reference", toml::quote(extension.reference));
  line(out, "source", toml::quote(extension.source));
  line(out, "package", toml::quote(extension.package));
  line(out, "launch", toml::quote(extension.launch));
  line(out, "level", toml::quote(name_of(extension.level)));
  line(out, "manifest", toml::quote(extension.manifest.sri()));
  line(out, "permissions", array_of(extension.permissions));
  if (extension.tree) line(out, "tree", toml::quote(*extension.tree));
  if (!extension.python.empty()) line(out, "python", toml::quote(extension.python));
  for (const auto& artifact : extension.artifacts)
    write(out, artifact);
}

}  // namespace

std::string write_lock(const LockFile& lock) {
  std::string out = lock.comment.empty()
                        ? "# Written by curupira; `curupira plugins sync` installs exactly this.\n"
                        : lock.comment;
  line(out, "lock_version", std::to_string(LockFile::version));
  line(out, "platforms", texts_of(lock.platforms));
  for (const auto& extension : lock.extensions)
    write(out, extension);
  return out;
}

}  // namespace curupira::installer
