#include "registry/mirrored_carrier.h"

#include <algorithm>
#include <array>

#include "base/printable.h"

namespace curupira::registry {
namespace {

/// Knows whose fault it is when a transfer ends.
class Receiver final : public ByteSink {
 public:
  explicit Receiver(ByteSink& sink) : sink_(sink) {}
  Result<> write(std::span<const std::byte> bytes) override {
    untouched_ = false;
    return noted(sink_.write(bytes));
  }
  Result<> restart() override { return noted(sink_.restart()); }

  bool failed() const { return failed_; }
  /// Makes it as if nothing had come.
  Result<> begin_anew() {
    if (untouched_) return {};
    untouched_ = true;
    return restart();
  }

 private:
  Result<> noted(Result<> result) {
    failed_ = failed_ || !result;
    return result;
  }
  ByteSink& sink_;
  bool untouched_ = true;
  bool failed_ = false;
};

/// The carrier answered, but not with what was asked for.
bool is_about_the_file(ErrorCode code) {
  constexpr std::array codes{ErrorCode::carrier_file_missing, ErrorCode::digest_mismatch,
                             ErrorCode::response_too_large, ErrorCode::transfer_truncated,
                             ErrorCode::carrier_unreadable};
  return std::ranges::find(codes, code) != codes.end();
}

/// Nobody has to do anything about it: servers rest.
bool is_silence(ErrorCode code) {
  return code == ErrorCode::network_unreachable || code == ErrorCode::transfer_stalled ||
         code == ErrorCode::file_not_found;
}

}  // namespace

MirroredCarrier::MirroredCarrier(std::vector<std::unique_ptr<Carrier>> carriers, Diagnostics& diagnostics)
    : diagnostics_(diagnostics) {
  for (auto& carrier : carriers)
    members_.push_back({.carrier = std::move(carrier)});
}

void MirroredCarrier::note(Member& member, const Error& error, const std::string& file) {
  const std::string name = member.carrier->name();
  if (!is_about_the_file(error.code())) {
    member.unreachable = error;
    const std::string text = name + " is not asked any more in this run: " + error.summary();
    if (members_.size() == 1) return;
    if (is_silence(error.code()))
      diagnostics_.note(text);
    else
      diagnostics_.warn(text);
  } else if (error.code() != ErrorCode::carrier_file_missing && members_.size() > 1) {
    diagnostics_.warn(name + " gave something else for " + printable(file) + ": " + error.summary());
  }
}

Error MirroredCarrier::exhausted(const std::string& file, const std::vector<Error>& reasons) const {
  if (members_.size() == 1) return reasons.front();
  std::string detail = printable(file);
  for (std::size_t i = 0; i < members_.size(); ++i)
    detail += "\n" + members_[i].carrier->name() + ": " + reasons[i].summary();
  return Error(ErrorCode::carriers_exhausted, std::move(detail));
}

Result<std::optional<std::string>> MirroredCarrier::metadata(const std::string& file_name,
                                                             std::uint64_t max_bytes) {
  std::vector<Error> reasons;
  bool all_refused = true;
  for (Member& member : members_) {
    if (const auto& why = member.unreachable ? member.unreachable : member.rejected) {
      reasons.push_back(*why);
      continue;
    }
    auto bytes = member.carrier->metadata(file_name, max_bytes);
    if (bytes && *bytes) {
      last_ = &member;
      return bytes;
    }
    if (bytes) {
      all_refused = false;
      reasons.emplace_back(ErrorCode::carrier_file_missing, file_name);
      continue;
    }
    note(member, bytes.error(), file_name);
    reasons.push_back(std::move(bytes).error());
  }
  if (!all_refused) return std::nullopt;
  return fail(exhausted(file_name, reasons));
}

bool MirroredCarrier::reject_metadata(const Error& why) {
  if (last_ == nullptr || members_.size() == 1) return false;
  last_->rejected = why;
  diagnostics_.warn(
      last_->carrier->name() +
      " is not asked for metadata any more in this run, what it gave does not hold: " + why.summary());
  last_ = nullptr;
  return std::ranges::any_of(members_,
                             [](const Member& member) { return !member.unreachable && !member.rejected; });
}

Result<> MirroredCarrier::target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                                 ByteSink& sink) {
  std::vector<Error> reasons;
  Receiver receiver(sink);
  for (Member& member : members_) {
    if (member.unreachable) {
      reasons.push_back(*member.unreachable);
      continue;
    }
    CURUPIRA_CHECK(receiver.begin_anew());
    auto done = member.carrier->target(path, sha256, max_bytes, receiver);
    if (done || receiver.failed()) return done;
    note(member, done.error(), path);
    reasons.push_back(std::move(done).error());
  }
  return fail(exhausted(path, reasons));
}

}  // namespace curupira::registry
