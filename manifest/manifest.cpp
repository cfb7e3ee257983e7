#include "manifest/manifest.h"

namespace curupira::manifest {

std::string_view name_of(Runtime runtime) {
  switch (runtime) {
    case Runtime::python:
      return "python";
    case Runtime::node:
      return "node";
    case Runtime::executable:
      return "executable";
  }
  return "executable";
}

std::string_view launch_type(const Launch& launch) {
  struct Name {
    std::string_view operator()(const NpxLaunch&) const { return "npx"; }
    std::string_view operator()(const UvxLaunch&) const { return "uvx"; }
    std::string_view operator()(const ExecutableLaunch&) const { return "executable"; }
    std::string_view operator()(const BinaryLaunch&) const { return "binary"; }
    std::string_view operator()(const ArchiveLaunch&) const { return "archive"; }
  };
  return std::visit(Name{}, launch);
}

const std::vector<std::string>& launch_args(const Launch& launch) {
  return std::visit([](const auto& type) -> const std::vector<std::string>& { return type.args; }, launch);
}

}  // namespace curupira::manifest
