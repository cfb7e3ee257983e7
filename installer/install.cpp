#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "installer/commit.h"
#include "installer/garbage.h"
#include "installer/home_session.h"
#include "installer/installer.h"
#include "installer/plan.h"
#include "installer/prepared_extension.h"

namespace curupira::installer {

// In this order: the store's additions are taken back while the home is still locked.
struct PreparedInstall::State {
  State(const InstallerTools& tools, HomeSession session)
      : files(tools.files), home(std::move(session)), store(tools.home, tools.files), additions(store) {}

  FileSystem& files;
  HomeSession home;
  Store store;
  StoreSession additions;
  std::vector<PreparedExtension> extensions;  // parallel to the plan
  InstallPlan plan;
};

PreparedInstall::PreparedInstall(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedInstall::PreparedInstall(PreparedInstall&&) noexcept = default;
PreparedInstall& PreparedInstall::operator=(PreparedInstall&&) noexcept = default;
PreparedInstall::~PreparedInstall() = default;

const InstallPlan& PreparedInstall::plan() const {
  return state_->plan;
}

Result<> PreparedInstall::commit(InstallObserver& observer) && {
  const auto state = std::move(state_);
  if (!state->plan.changes_something()) return {};
  Changes changes;
  for (std::size_t i = 0; i < state->extensions.size(); ++i) {
    if (state->plan.extensions[i].action == PlannedExtension::Action::keep) continue;
    const PreparedExtension& extension = state->extensions[i];
    CURUPIRA_CHECK(
        stage_extension(state->files, state->home.staging(), extension.manifest_text, extension.receipt));
    changes.staged.push_back(extension.receipt.name);
  }
  CURUPIRA_CHECK(state->additions.sync());
  auto committed = commit_changes(state->files, state->store.home(), state->home.staging(), changes);
  if (!committed) {
    if (committed.error().pending) {
      state->additions.release();
      state->home.leave_staging();
    }
    return fail(std::move(committed).error().error);
  }
  state->additions.release();
  for (const auto& extension : state->plan.extensions)
    if (extension.action != PlannedExtension::Action::keep)
      observer.committed(extension.name, extension.version);
  // What only the replaced versions used. When it fails, the next command does it.
  static_cast<void>(collect_garbage(state->store));
  return {};
}

Result<PreparedInstall> prepare_install(const InstallerTools& tools,
                                        std::span<const registry::Reference> references,
                                        const InstallOptions& options, Diagnostics& diagnostics,
                                        InstallObserver& observer) {
  CURUPIRA_TRY(HomeSession session, HomeSession::open(tools.home, tools.files, observer));
  auto state = std::make_unique<PreparedInstall::State>(tools, std::move(session));
  CURUPIRA_CHECK(state->additions.prepare());
  CURUPIRA_TRY(const auto work, tools.files.create_temporary_folder(state->home.staging(), "work."));
  const InstallRun run{.store = state->store,
                       .session = state->additions,
                       .files = tools.files,
                       .staging = work,
                       .observer = observer};
  const Preparation preparation{.tools = tools, .options = options, .run = run, .diagnostics = diagnostics};
  for (const auto& reference : references) {
    CURUPIRA_TRY(PreparedExtension extension, prepare_extension(preparation, reference));
    const auto same_name = [&](const PreparedExtension& other) {
      return other.receipt.name == extension.receipt.name;
    };
    const auto twin = std::find_if(state->extensions.begin(), state->extensions.end(), same_name);
    if (twin != state->extensions.end())
      return fail(Error(ErrorCode::name_taken, printable(twin->receipt.reference) + " and " +
                                                   printable(extension.receipt.reference) +
                                                   " are both called \"" + extension.receipt.name + "\"")
                      .with_help("install one of them"));
    auto planned = plan_extension(tools.files, tools.home, extension, diagnostics);
    if (!planned)
      return fail(
          std::move(planned).error().while_doing("installing " + printable(registry::to_string(reference))));
    state->plan.extensions.push_back(std::move(*planned));
    state->extensions.push_back(std::move(extension));
  }
  return PreparedInstall(std::move(state));
}

}  // namespace curupira::installer
