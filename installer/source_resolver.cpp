#include "installer/source_resolver.h"

#include "registry/python_interpreter.h"
#include "registry/sources.h"

namespace curupira::installer {

Result<registry::Resolution> SourceResolver::resolve(const registry::Reference& reference,
                                                     const manifest::Platform& platform) {
  const auto* const pip = std::get_if<registry::PipReference>(&reference);
  if (pip != nullptr && tools_.source_tools != nullptr) return resolve_python(*pip, platform);
  return registry::source_for(tools_.sources, reference).resolve(reference, platform, diagnostics_);
}

const registry::PythonLock* SourceResolver::python_lock(const std::string& package) const {
  const auto found = python_locks_.find(package);
  return found == python_locks_.end() ? nullptr : &found->second;
}

/// For all platforms at once, and from that for this one.
Result<registry::Resolution> SourceResolver::resolve_python(const registry::PipReference& reference,
                                                            const manifest::Platform& platform) {
  const auto platforms = platforms_.empty() ? std::vector{platform} : platforms_;
  CURUPIRA_TRY(registry::PythonLock lock,
               registry::lock_python(*tools_.source_tools, reference, platforms, diagnostics_));
  CURUPIRA_TRY(const registry::PythonTarget python, python_for(*tools_.source_tools, platform, lock));
  const auto& known = python_locks_.insert_or_assign(reference.name, std::move(lock)).first->second;
  return registry::resolve_locked(*tools_.source_tools, reference, known, python,
                                  [](const Digest&) { return false; });
}

Result<registry::PythonTarget> python_for(const registry::SourceTools& tools,
                                          const manifest::Platform& platform,
                                          const registry::PythonLock& lock) {
  if (platform == manifest::Platform::current()) return registry::find_python(tools);
  CURUPIRA_TRY(auto python, registry::assumed_python(platform, lock.python));
  // A package without a manifest file is asked by the interpreter that there is.
  const auto here = registry::find_python(tools);
  if (here && here->minor == python.minor) python.executable = here->executable;
  return python;
}

std::vector<manifest::Platform> other_platforms(const std::optional<OpenedLock>& lock,
                                                const manifest::Platform& own) {
  std::vector<manifest::Platform> others;
  if (!lock) return others;
  for (const auto& platform : lock->lock.platforms)
    if (platform != own) others.push_back(platform);
  return others;
}

}  // namespace curupira::installer
