#include <algorithm>
#include <memory>
#include <utility>

#include "base/printable.h"
#include "installer/commit.h"
#include "installer/garbage.h"
#include "installer/lock_entry.h"
#include "installer/locked_addition.h"
#include "installer/plan.h"
#include "installer/policy.h"
#include "installer/prepared_install.h"
#include "installer/source_resolver.h"

namespace curupira::installer {

PreparedInstall::PreparedInstall(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedInstall::PreparedInstall(PreparedInstall&&) noexcept = default;
PreparedInstall& PreparedInstall::operator=(PreparedInstall&&) noexcept = default;
PreparedInstall::~PreparedInstall() = default;

const InstallPlan& PreparedInstall::plan() const {
  return state_->plan;
}

bool PreparedInstall::changes_lock() const {
  return state_->lock && state_->lock->change().has_value();
}

Result<> PreparedInstall::commit(InstallObserver& observer) && {
  const auto state = std::move(state_);
  Changes changes{.removed = state->removed, .command = state->command};
  if (state->lock)
    if (auto file = state->lock->change()) changes.files.push_back(*std::move(file));
  if (!state->plan.changes_something() && changes.files.empty()) {
    // It was read: what it names has to stay, also when all of it is there already.
    if (state->lock && state->lock->before)
      CURUPIRA_CHECK(remember_lock(state->files, state->store.home(), seen_by(*state->lock)));
    if (state->additions.empty()) return {};
    // Of what was brought, that stays which belongs to what is installed: a file that was gone.
    CURUPIRA_CHECK(state->additions.sync());
    state->additions.release();
    static_cast<void>(collect_garbage(state->store));
    return {};
  }
  for (const PreparedExtension& extension : state->extensions) {
    const auto* const planned = state->plan.find(extension.receipt.name);
    if (planned == nullptr || planned->action == PlannedExtension::Action::keep) continue;
    CURUPIRA_CHECK(
        stage_extension(state->files, state->home.staging(), extension.manifest_text, extension.receipt));
    changes.staged.push_back(extension.receipt.name);
  }
  CURUPIRA_CHECK(state->additions.sync());
  if (state->lock) CURUPIRA_CHECK(remember_lock(state->files, state->store.home(), seen_by(*state->lock)));
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
    if (extension.action == PlannedExtension::Action::add ||
        extension.action == PlannedExtension::Action::replace)
      observer.committed(extension.name, extension.version);
  // What only the replaced versions used. When it fails, the next command does it.
  static_cast<void>(collect_garbage(state->store));
  return {};
}

namespace {

/// On the disk, and in use: by the lock file.
Result<> settle_additions(PreparedInstall::State& state) {
  CURUPIRA_CHECK(state.additions.sync());
  return state.lock ? remember_lock(state.files, state.store.home(), seen_by(*state.lock)) : Result<>();
}

}  // namespace

Result<bool> PreparedInstall::commit_lock() && {
  const auto state = std::move(state_);
  auto file = state->lock ? state->lock->change() : std::nullopt;
  if (!file) return false;
  // What was fetched for it stays: the next `sync` needs no network for that.
  CURUPIRA_CHECK(settle_additions(*state));
  CURUPIRA_CHECK(write_file_atomically(state->files, file->path, *file->after));
  state->additions.release();
  return true;
}

Result<> PreparedInstall::keep() && {
  const auto state = std::move(state_);
  CURUPIRA_CHECK(settle_additions(*state));
  state->additions.release();
  return {};
}

Result<std::unique_ptr<PreparedInstall::State>> open_install(const InstallerTools& tools,
                                                             const std::optional<LockPlace>& place,
                                                             std::string command, Diagnostics& diagnostics,
                                                             InstallObserver& observer) {
  CURUPIRA_TRY(HomeSession session, HomeSession::open(tools.home, tools.files, observer));
  auto state = std::make_unique<PreparedInstall::State>(tools, std::move(session));
  state->command = std::move(command);
  if (place) {
    CURUPIRA_TRY(state->lock, open_lock(tools.files, *place, tools.platform, diagnostics));
  }
  CURUPIRA_CHECK(state->additions.prepare());
  return state;
}

Result<> add_extension(PreparedInstall::State& state, const Preparation& preparation,
                       const Addition& addition) {
  const auto prepare = [&]() -> Result<> {
    CURUPIRA_TRY(PreparedExtension extension, prepare_extension(preparation, addition.reference));
    if (preparation.options.policy != nullptr)
      CURUPIRA_CHECK(check_prepared(*preparation.options.policy, extension.manifest, extension.receipt));
    const auto same_name = [&](const PreparedExtension& other) {
      return other.receipt.name == extension.receipt.name;
    };
    const auto twin = std::ranges::find_if(state.extensions, same_name);
    if (twin != state.extensions.end())
      return fail(Error(ErrorCode::name_taken, printable(twin->receipt.reference) + " and " +
                                                   printable(extension.receipt.reference) +
                                                   " are both called \"" + extension.receipt.name + "\"")
                      .with_help("install one of them"));
    if (state.lock) {
      const auto& lock = state.lock->lock;
      finish_entry(extension.locked, addition.reference, preparation.tools.current_folder, *state.lock);
      if (addition.entry != nullptr) {
        keep_paths(extension.locked, *addition.entry, state.lock->folder());
        CURUPIRA_CHECK(check_entry(*addition.entry, extension.locked, preparation.tools.platform));
      } else if (const auto* const before = lock.find(extension.locked.name)) {
        CURUPIRA_CHECK(check_same_bytes(*before, extension.locked));
      }
    }
    CURUPIRA_TRY(PlannedExtension planned, plan_extension(preparation.tools.files, preparation.tools.home,
                                                          extension, preparation.diagnostics));
    if (state.lock && addition.entry == nullptr) state.lock->lock.put(extension.locked);
    state.plan.extensions.push_back(std::move(planned));
    state.extensions.push_back(std::move(extension));
    return {};
  };
  auto added = prepare();
  if (added) return {};
  return fail(std::move(added).error().while_doing("installing " +
                                                   printable(registry::to_string(addition.reference))));
}

namespace {

/// What the lock file says of exactly this reference.
std::optional<LockedExtension> locked_entry(const PreparedInstall::State& state, const InstallerTools& tools,
                                            const registry::Reference& reference) {
  if (!state.lock || tools.source_tools == nullptr) return std::nullopt;
  const std::string text =
      registry::to_string(reference_for_lock(reference, tools.current_folder, state.lock->folder()));
  const auto& entries = state.lock->lock.extensions;
  const auto found = std::ranges::find(entries, text, &LockedExtension::reference);
  return found == entries.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

Result<PreparedInstall> prepare_install(const InstallerTools& tools,
                                        std::span<const registry::Reference> references,
                                        const InstallOptions& options, Diagnostics& diagnostics,
                                        InstallObserver& observer) {
  if (options.policy != nullptr)
    CURUPIRA_CHECK(check_references(*options.policy, references, tools.current_folder));
  CURUPIRA_TRY(auto state, open_install(tools, options.lock, options.command, diagnostics, observer));
  CURUPIRA_TRY(const auto work, tools.files.create_temporary_folder(state->home.staging(), "work."));
  const InstallRun run{.store = state->store,
                       .session = state->additions,
                       .files = tools.files,
                       .staging = work,
                       .observer = observer};
  SourceResolver resolver(
      tools, state->lock ? state->lock->lock.platforms : std::vector<manifest::Platform>{}, diagnostics);
  const Preparation preparation{.tools = tools,
                                .options = options,
                                .run = run,
                                .diagnostics = diagnostics,
                                .resolver = resolver,
                                .other_platforms = other_platforms(state->lock, tools.platform)};
  for (const auto& reference : references) {
    const auto entry = options.prefer_cache ? locked_entry(*state, tools, reference) : std::nullopt;
    if (!entry) {
      CURUPIRA_CHECK(add_extension(*state, preparation, {reference}));
      continue;
    }
    CURUPIRA_CHECK(add_locked_extension(*state, tools, options, run, diagnostics, {reference, *entry}));
  }
  return PreparedInstall(std::move(state));
}

}  // namespace curupira::installer
