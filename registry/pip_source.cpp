#include "registry/pip_source.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/pylock.h"
#include "registry/python_indexes.h"
#include "registry/uv_lock_run.h"

namespace curupira::registry {

// uv asks the interpreter itself which wheels fit, so the platform is not needed here.
Result<Resolution> PipSource::resolve(const Reference& reference, const manifest::Platform&,
                                      Diagnostics& diagnostics) {
  const auto* pip = std::get_if<PipReference>(&reference);
  if (pip == nullptr)
    return fail(ErrorCode::internal, "the pip source was asked for " + printable(to_string(reference)));

  const PythonIndexes indexes = read_python_indexes(tools_, &diagnostics);
  CURUPIRA_TRY(const UvLock lock, run_uv_lock(tools_, indexes.environment, *pip));
  auto wheels = read_pylock(lock.pylock, lock.folder);
  if (!wheels) return fail(std::move(wheels).error().while_doing("resolving " + to_string(reference)));
  const auto root = std::ranges::find(*wheels, pip->name, &LockedWheel::package);
  if (root == wheels->end())
    return fail(ErrorCode::resolution_unreadable, "uv's answer does not have " + pip->name);

  Resolution resolution{
      .reference = reference,
      .package = pip->name,
      .version = root->version,
      .artifacts = {},
      .content = PythonClosure{
          .root = pip->name, .interpreter = lock.interpreter, .requirements = requirements_of(*wheels)}};
  for (LockedWheel& wheel : *wheels) {
    resolution.artifacts.push_back({.package = std::move(wheel.package),
                                    .version = std::move(wheel.version),
                                    .file_name = std::move(wheel.file_name),
                                    .location = std::move(wheel.location),
                                    .credentials = indexes.credentials,
                                    .proof = {.any_of = std::move(wheel.digests), .size = wheel.size}});
  }
  return resolution;
}

}  // namespace curupira::registry
