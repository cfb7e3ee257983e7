#include "registry/pip_source.h"

#include <algorithm>

#include "base/printable.h"
#include "registry/pylock.h"
#include "registry/python_indexes.h"
#include "registry/python_interpreter.h"
#include "registry/uv_lock_run.h"
#include "registry/wheel_name.h"

namespace curupira::registry {

namespace {

/// The wheel that is made for the interpreter most closely.
Result<LockedWheel> choose(const PylockPackage& package, const TagOrder& order, const PythonTarget& python) {
  std::vector<std::string> names;
  for (const LockedWheel& wheel : package.wheels)
    names.push_back(wheel.file_name);
  const auto best = order.best(names);
  if (!best)
    return fail(Error(ErrorCode::resolution_unsafe, package.name + " " + package.version +
                                                        " has no wheel for Python " + python.version +
                                                        " on this machine")
                    .with_help("building a package runs foreign code and is not done; ask its author for a "
                               "wheel, or name another Python with UV_PYTHON"));
  return package.wheels[*best];
}

}  // namespace

// The interpreter says itself which wheels fit, so the platform is not needed here.
Result<Resolution> PipSource::resolve(const Reference& reference, const manifest::Platform&,
                                      Diagnostics& diagnostics) {
  const auto* pip = std::get_if<PipReference>(&reference);
  if (pip == nullptr)
    return fail(ErrorCode::internal, "the pip source was asked for " + printable(to_string(reference)));

  const PythonIndexes indexes = read_python_indexes(tools_, &diagnostics);
  auto python = find_python(tools_);
  if (!python)
    return fail(std::move(python).error().while_doing("looking for a Python for " + to_string(reference)));
  CURUPIRA_TRY(const UvLock lock,
               run_uv_lock(tools_, indexes.environment, *pip, {.interpreter = python->executable}));
  auto packages = read_pylock(lock.pylock, lock.folder);
  if (!packages) return fail(std::move(packages).error().while_doing("resolving " + to_string(reference)));
  const auto root = std::ranges::find(*packages, pip->name, &PylockPackage::name);
  if (root == packages->end())
    return fail(ErrorCode::resolution_unreadable, "uv's answer does not have " + pip->name);
  const auto twice = std::ranges::adjacent_find(*packages, {}, &PylockPackage::name);
  if (twice != packages->end())
    return fail(ErrorCode::resolution_unreadable, "uv's answer has " + twice->name + " in two versions");

  Resolution resolution{.reference = reference,
                        .package = pip->name,
                        .version = root->version,
                        .artifacts = {},
                        .content = PythonClosure{.root = pip->name, .python = *python}};
  const TagOrder order(python->tags);
  for (const PylockPackage& package : *packages) {
    CURUPIRA_TRY(LockedWheel wheel, choose(package, order, *python));
    resolution.artifacts.push_back(
        {.package = package.name,
         .version = package.version,
         .file_name = std::move(wheel.file_name),
         .location = std::visit([](const auto& place) { return FileLocation(place); }, wheel.location),
         .credentials = indexes.credentials,
         .proof = {.any_of = std::move(wheel.digests), .size = wheel.size}});
  }
  return resolution;
}

}  // namespace curupira::registry
