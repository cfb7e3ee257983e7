#include "registry/registry_copy.h"

#include <charconv>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "registry/copied_packages.h"
#include "registry/copied_targets.h"
#include "registry/repository_roles.h"
#include "tuf/delegation_match.h"
#include "tuf/document.h"
#include "tuf/metadata_parser.h"

namespace curupira::registry {
namespace {

constexpr tuf::Limits limits{};

/// A role of targets metadata, as the one that delegates to it names its keys.
struct Visit {
  std::string name;
  tuf::RoleKeys keys;
  std::shared_ptr<const tuf::KeyTable> table;
};

/// Walks from the top-level targets role to every role that it leads to. Roles that have not changed are read
/// only when the way to one that has changed may go through them.
class Walk {
 public:
  Walk(Carrier& from, WritableCarrier& to, const CopiedMetadata& metadata, const CopyRequest& request,
       CopyReport& report, CopiedTargets& targets, bool read_all)
      : from_(from),
        to_(to),
        metadata_(metadata),
        request_(request),
        report_(report),
        targets_(targets),
        read_all_(read_all) {}

  Result<> run() {
    for (const std::string& role : metadata_.roles()) {
      ++report_.roles;
      if (!is_same(role)) changed_.insert(role);
    }
    report_.same_roles = report_.roles - changed_.size();
    const std::string top(tuf::targets_role);
    const tuf::Root& root = metadata_.trusted().root();
    CURUPIRA_CHECK(metadata_.trusted().announced(top));
    visit({.name = top, .keys = root.role(top), .table = std::make_shared<const tuf::KeyTable>(root.keys)});
    while (const auto next = take()) {
      auto done = read(*next);
      if (!done) return fail(std::move(done).error().while_doing("copying " + printable(next->name)));
    }
    return {};
  }

 private:
  bool is_same(const std::string& role) const {
    const auto before = metadata_.before().find(role);
    return before != metadata_.before().end() && before->second == metadata_.version_of(role);
  }

  void visit(Visit role) {
    if (!visited_.insert(role.name).second) return;
    // Whoever has published nothing yet is not listed.
    if (!metadata_.version_of(role.name)) return;
    if (read_all_ || !is_same(role.name))
      ready_.push_back(std::move(role));
    else if (role.name == bins_role)
      unchanged_.push_front(std::move(role));  // most of what changes is behind it
    else
      unchanged_.push_back(std::move(role));
  }

  std::optional<Visit> take() {
    std::deque<Visit>& from = ready_.empty() ? unchanged_ : ready_;
    if (from.empty() || (ready_.empty() && changed_.empty())) return std::nullopt;
    Visit next = std::move(from.front());
    from.pop_front();
    return next;
  }

  Result<> read(const Visit& role) {
    const bool same = is_same(role.name);
    changed_.erase(role.name);
    const std::string file_name = tuf::metadata_file_name(role.name, metadata_.version_of(role.name));
    std::optional<tuf::Targets> content;
    std::string file;
    if (same) {
      if (auto kept = to_.metadata(file_name, limits.max_targets_bytes); kept && *kept) {
        if (auto verified = verify(role, **kept)) {
          content = *std::move(verified);
          file = **std::move(kept);
        }
      }
    }
    if (!content) {
      CURUPIRA_TRY(file, need_copied_file(from_, file_name, limits.max_targets_bytes));
      CURUPIRA_TRY(content, verify(role, file));
    }
    if (!same || read_all_) {
      const auto before = read_all_ ? std::nullopt : as_before(role.name);
      CURUPIRA_CHECK(targets_.copy(role.name, *content, before ? &*before : nullptr));
    }
    if (!same) {
      ++report_.copied.metadata;
      report_.copied.bytes += file.size();
    }
    if (!request_.dry_run && (!same || to_.is_written_whole()))
      CURUPIRA_CHECK(to_.put_metadata(file_name, file));
    if (content->delegations) visit_delegated(*content->delegations);
    return {};
  }

  /// One publisher who is late does not keep the others' packages away: clients refuse what has expired.
  Result<tuf::Targets> verify(const Visit& role, const std::string& file) {
    auto verified = metadata_.trusted().verify_targets(file, role.name, role.keys, *role.table);
    if (verified || verified.error().code() != ErrorCode::tuf_expired || role.name == tuf::targets_role)
      return verified;
    verified = metadata_.timeless().verify_targets(file, role.name, role.keys, *role.table);
    if (verified) report_.expired.push_back(role.name);
    return verified;
  }

  /// The role's metadata as the copy has it, of an older version. Nothing vouches for it: it only says what
  /// the copy has.
  std::optional<tuf::Targets> as_before(const std::string& role) {
    // A copy of some packages may lack what its metadata names.
    if (request_.packages) return std::nullopt;
    const auto version = metadata_.before().find(role);
    if (version == metadata_.before().end()) return std::nullopt;
    const auto file = to_.metadata(tuf::metadata_file_name(role, version->second), limits.max_targets_bytes);
    if (!file || !*file) return std::nullopt;
    const auto document = tuf::parse_document(**file, limits);
    if (!document) return std::nullopt;
    auto content = tuf::read_targets(document->content);
    return content ? std::optional(*std::move(content)) : std::nullopt;
  }

  void visit_delegated(const tuf::Delegations& delegations) {
    const auto table = std::make_shared<const tuf::KeyTable>(delegations.keys);
    if (delegations.roles)
      for (const tuf::DelegatedRole& role : *delegations.roles)
        visit({.name = role.name, .keys = role.keys, .table = table});
    if (!delegations.succinct_roles) return;
    const tuf::SuccinctRoles& bins = *delegations.succinct_roles;
    // There may be 2^32 of them: those that there are stand in the snapshot.
    const std::string prefix = bins.name_prefix + "-";
    for (const std::string& name : metadata_.roles()) {
      if (!name.starts_with(prefix)) continue;
      std::uint32_t number = 0;
      const char* const end = name.data() + name.size();
      const auto parsed = std::from_chars(name.data() + prefix.size(), end, number, 16);
      if (parsed.ec != std::errc{} || parsed.ptr != end) continue;
      const bool in_range = bins.bit_length == 32 || number < (std::uint64_t{1} << bins.bit_length);
      if (in_range && tuf::bin_name(bins, number) == name)
        visit({.name = name, .keys = bins.keys, .table = table});
    }
  }

  Carrier& from_;
  WritableCarrier& to_;
  const CopiedMetadata& metadata_;
  const CopyRequest& request_;
  CopyReport& report_;
  CopiedTargets& targets_;
  bool read_all_;
  std::set<std::string> changed_;  // and not read yet
  std::set<std::string> visited_;
  std::deque<Visit> ready_, unchanged_;
};

/// What the copy is to have, beside what it has.
struct Selection {
  std::optional<std::set<std::string>> had = {};     ///< nothing: all, or there is no copy yet
  std::optional<std::set<std::string>> wanted = {};  ///< nothing: all
  bool more = false;  ///< something is wanted that metadata which has not changed may name
};

Result<Selection> select(WritableCarrier& to, const CopiedMetadata& metadata, const CopyRequest& request) {
  Selection selection{.wanted = request.packages};
  if (metadata.is_first()) return selection;
  CURUPIRA_TRY(selection.had, read_copied_packages(to));
  if (!selection.had || !selection.wanted) {
    selection.more = selection.had.has_value() != selection.wanted.has_value();
    return selection;
  }
  for (const std::string& name : *selection.wanted)
    selection.more = selection.more || !selection.had->contains(name);
  selection.wanted->insert(selection.had->begin(), selection.had->end());
  return selection;
}

Result<> check_seen(const CopyRequest& request, const std::set<std::string>& seen, bool all_read) {
  if (!request.packages || !all_read) return {};
  for (const std::string& name : *request.packages)
    if (!seen.contains(name)) return fail(ErrorCode::package_unlisted, printable(name));
  return {};
}

Result<CopyReport> copy(const CopyTools& tools, Carrier& from, WritableCarrier& to,
                        const CopyRequest& request, CopyObserver& observer) {
  const auto now = std::chrono::floor<std::chrono::seconds>(tools.clock.now());
  CURUPIRA_TRY(const auto metadata, CopiedMetadata::read(from, to, request.trust, now));
  CopyReport report{.snapshot = metadata.trusted().snapshot()->common.version,
                    .expires = metadata.trusted().timestamp()->common.expires};
  CURUPIRA_TRY(const Selection selection, select(to, metadata, request));
  report.packages = selection.wanted;
  if (metadata.is_up_to_date() && !selection.more && selection.had == selection.wanted) {
    report.roles = report.same_roles = metadata.roles().size();
    return report;
  }
  if (!request.dry_run) CURUPIRA_CHECK(to.begin(request.lock));
  CopyRequest own = request;
  own.packages = selection.wanted;
  CopiedTargets targets(tools, from, to, own, report, observer);
  const bool read_all = selection.more || to.is_written_whole();
  Walk walk(from, to, metadata, own, report, targets, read_all);
  CURUPIRA_CHECK(walk.run());
  CURUPIRA_CHECK(check_seen(request, targets.seen(), read_all || metadata.is_first()));
  report.copied.metadata += metadata.files();
  report.copied.bytes += metadata.bytes();
  if (request.dry_run) return report;
  // What is said of the copy is true before and after the new timestamp.
  if (!selection.had && selection.wanted) CURUPIRA_CHECK(write_copied_packages(to, selection.wanted));
  CURUPIRA_CHECK(metadata.write(to));
  const bool says_so = selection.wanted || !to.is_written_whole();
  if (selection.had && says_so) CURUPIRA_CHECK(write_copied_packages(to, selection.wanted));
  CURUPIRA_CHECK(to.finish());
  return report;
}

/// Another try would end in the same way.
bool is_final(const Error& error) {
  return error_info(error.code()).rpc_code == -32001;
}

}  // namespace

Result<CopyReport> copy_registry(const CopyTools& tools, Carrier& from, WritableCarrier& to,
                                 const CopyRequest& request, CopyObserver& observer) {
  auto report = copy(tools, from, to, request, observer);
  if (report) return report;
  if (is_final(report.error())) to.abandon();
  return fail(std::move(report).error().while_doing("copying " + from.name() + " to " + to.name()));
}

}  // namespace curupira::registry
