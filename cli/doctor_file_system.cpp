#include "cli/doctor_file_system.h"

#include <unistd.h>

#include "base/file_lock.h"
#include "base/printable.h"
#include "base/system_error.h"

namespace curupira::cli {
namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;

Finding finding(Level level, std::string subject, std::string what, std::string remedy = {}) {
  return {.area = "file-system",
          .level = level,
          .subject = std::move(subject),
          .what = std::move(what),
          .remedy = std::move(remedy)};
}

bool is_there(const FileSystem& files, const fs::path& path) {
  const auto status = files.status(path);
  return status && *status;
}

/// The folder of the trials, gone at their end.
class TrialFolder {
 public:
  TrialFolder(FileSystem& files, fs::path path) : files_(files), path_(std::move(path)) {}
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;
  ~TrialFolder() { static_cast<void>(files_.remove_tree(path_)); }
  const fs::path& path() const { return path_; }

 private:
  FileSystem& files_;
  fs::path path_;
};

/// The trials in one folder; each adds a finding when it fails.
class Trials {
 public:
  Trials(FileSystem& files, const HomeLayout& home, const fs::path& folder)
      : files_(files), home_(home), folder_(folder), file_(folder / "trial") {}

  Findings run() {
    if (!attempt(Level::problem, "writing", "free space and quotas, and the permissions of the home",
                 write_file_atomically(files_, file_, "trial\n")))
      return std::move(findings_);
    attempt(Level::warning, "hard links", "packages are copied instead, which takes time and space",
            files_.hard_link(file_, folder_ / "hard"));
    attempt(Level::problem, "symbolic links",
            "node and Python environments need them: choose another place with CURUPIRA_HOME",
            files_.symbolic_link("trial", folder_ / "soft"));
    attempt(Level::note, "exchange", "extensions are replaced in two steps, with a journal", exchange());
    for (const fs::path& target : {home_.store(), home_.extensions()}) {
      if (is_there(files_, target))
        attempt(Level::problem, "moving",
                "staging/, store/ and extensions/ have to be on one file system: nothing of them may be a "
                "mount or a link of its own",
                there_and_back(target));
    }
    if (is_there(files_, folder_ / "TRIAL"))
      findings_.push_back(finding(Level::warning, "case",
                                  "names that differ only in upper and lower case are one",
                                  "choose a place that tells them apart with CURUPIRA_HOME"));
    return std::move(findings_);
  }

 private:
  bool attempt(Level level, std::string subject, std::string remedy, const Result<>& outcome) {
    if (!outcome)
      findings_.push_back(finding(level, std::move(subject), words_of(outcome.error()), std::move(remedy)));
    return outcome.has_value();
  }

  Result<> exchange() {
    CURUPIRA_CHECK(write_file_atomically(files_, folder_ / "other", "other\n"));
    return files_.exchange(file_, folder_ / "other");
  }

  Result<> there_and_back(const fs::path& target) {
    // The name of the trial's own folder is nobody else's.
    const fs::path away = target / ("." + folder_.filename().string());
    CURUPIRA_CHECK(files_.rename(file_, away));
    return files_.rename(away, file_);
  }

  FileSystem& files_;
  const HomeLayout& home_;
  fs::path folder_, file_;
  Findings findings_;
};

/// Of a home that does not exist: whether it can be made.
Finding missing_home(const FileSystem& files, const fs::path& root) {
  fs::path parent = root;
  while (parent.has_relative_path() && !is_there(files, parent))
    parent = parent.parent_path();
  const std::string place = printable(root.string()) + " does not exist";
  if (::access(parent.c_str(), W_OK | X_OK) == 0)
    return finding(Level::note, "home", place + " yet; the first installation makes it");
  return finding(Level::problem, "home",
                 place + " and cannot be made: " + printable(parent.string()) + " cannot be written",
                 "check the permissions of that folder, or set CURUPIRA_HOME");
}

}  // namespace

Findings judge_volume(const Volume& volume, const std::string& home) {
  Findings findings;
  if (volume.read_only)
    findings.push_back(finding(Level::problem, "volume",
                               "the file system of " + home + " is mounted read-only",
                               "mount it writable, or choose another place with CURUPIRA_HOME"));
  if (volume.no_programs)
    findings.push_back(finding(Level::problem, "volume",
                               "the file system of " + home +
                                   " is mounted noexec: extensions with programs of "
                                   "their own cannot start",
                               "choose another place with CURUPIRA_HOME"));
  if (volume.over_network)
    findings.push_back(finding(
        Level::note, "volume",
        "the home is on a network file system (" + volume.type + "): locks and links depend on the server"));
  const std::string space = format_bytes(volume.free_bytes) + " are free on " + volume.type;
  const Level level = volume.free_bytes < little_space   ? Level::problem
                      : volume.free_bytes < scarce_space ? Level::warning
                                                         : Level::ok;
  findings.push_back(
      finding(level, "space", space,
              level == Level::ok ? "" : "make room, or choose another place with CURUPIRA_HOME"));
  return findings;
}

Findings examine_file_system(FileSystem& files, const HomeLayout& home) {
  const std::string place = printable(home.root.string());
  const auto status = files.status(home.root);
  if (!status)
    return {finding(Level::problem, "home", words_of(status.error()),
                    "check the folder and its permissions, or set CURUPIRA_HOME")};
  if (!*status) return {missing_home(files, home.root)};

  Findings findings;
  if (const auto volume = volume_of(home.root))
    findings = judge_volume(*volume, place);
  else
    findings.push_back(finding(Level::warning, "volume", words_of(volume.error()), volume.error().help()));
  const auto unusable = [&](const Error& error) {
    findings.push_back(finding(Level::problem, "home", place + " cannot be changed\n" + words_of(error),
                               "check the owner and the permissions of the folder, or set CURUPIRA_HOME"));
  };
  if (::access(home.root.c_str(), W_OK | X_OK) != 0) {
    unusable(system_error(ErrorCode::file_failed, "write into", home.root, errno));
    return findings;
  }
  if (auto made = files.create_folders(home.staging()); !made) {
    unusable(made.error());
    return findings;
  }
  const auto lock = FileLock::try_acquire(home.lock(), FileLock::Mode::exclusive);
  if (!lock) {
    findings.push_back(finding(Level::problem, "lock", words_of(lock.error()),
                               "the file system has to know flock: choose another place with CURUPIRA_HOME"));
    return findings;
  }
  if (!*lock) {
    findings.push_back(
        finding(Level::note, "home", "another curupira command is at work: nothing was tried"));
    return findings;
  }
  auto folder = files.create_temporary_folder(home.staging(), "doctor-");
  if (!folder) {
    unusable(folder.error());
    return findings;
  }
  const TrialFolder trial(files, *folder);
  Findings failed = Trials(files, home, trial.path()).run();
  if (failed.empty())
    findings.push_back(finding(Level::ok, "home", place + ": writing, links, locks and moving work"));
  append(findings, std::move(failed));
  return findings;
}

}  // namespace curupira::cli
