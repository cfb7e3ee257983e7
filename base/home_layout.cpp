#include "base/home_layout.h"

#include "base/printable.h"

namespace curupira {
namespace {

/// The value of `variable` as an absolute path without slashes at its end.
Result<std::filesystem::path> absolute_folder(std::string_view variable, std::string value) {
  if (!value.starts_with('/')) {
    return fail(Error(ErrorCode::home_unusable,
                      std::string(variable) + " is not an absolute path: " + printable(value))
                    .with_help("give " + std::string(variable) + " as a path that starts with /"));
  }
  while (value.size() > 1 && value.ends_with('/'))
    value.pop_back();
  return std::filesystem::path(std::move(value));
}

}  // namespace

Result<HomeLayout> HomeLayout::from(const Environment& environment) {
  if (std::string chosen = environment.get_or("CURUPIRA_HOME", ""); !chosen.empty()) {
    CURUPIRA_TRY(auto root, absolute_folder("CURUPIRA_HOME", std::move(chosen)));
    return HomeLayout{std::move(root)};
  }
  if (std::string home = environment.get_or("HOME", ""); !home.empty()) {
    CURUPIRA_TRY(auto folder, absolute_folder("HOME", std::move(home)));
    return HomeLayout{folder / ".curupira"};
  }
  return fail(Error(ErrorCode::home_unusable, "neither CURUPIRA_HOME nor HOME is set")
                  .with_help("set CURUPIRA_HOME to a folder that curupira may write to"));
}

}  // namespace curupira
