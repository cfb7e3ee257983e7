#include "registry/release_age.h"

#include "base/printable.h"
#include "base/timestamp.h"

namespace curupira::registry {
namespace {

/// "5 minutes", "36 hours", "3 days".
std::string in_words(std::chrono::seconds time) {
  const auto count = [](std::int64_t number, const std::string& unit) {
    return std::to_string(number) + " " + unit + (number == 1 ? "" : "s");
  };
  constexpr std::int64_t minute = 60, hour = 3600, day = 86'400;
  if (time.count() < 2 * hour) return count(time.count() / minute, "minute");
  if (time.count() < 2 * day) return count(time.count() / hour, "hour");
  return count(time.count() / day, "day");
}

}  // namespace

std::string ReleaseAge::latest_text() const {
  return format_timestamp(latest());
}

bool ReleaseAge::admits(const std::optional<std::string>& published) const {
  const auto time = published ? parse_timestamp(*published) : Result<std::chrono::sys_seconds>(now);
  return published && time && *time <= latest();
}

Error too_young(const std::string& release, const std::optional<std::string>& published,
                const ReleaseAge& age) {
  std::string detail = age.rule + ": the newest that fits is " + printable(release);
  std::optional<std::chrono::sys_seconds> time;
  if (published) {
    if (const auto parsed = parse_timestamp(*published)) time = *parsed;
  }
  if (!time) {
    return Error(ErrorCode::policy_age, detail + ", and its registry does not say when it was released")
        .with_help(
            "the registry has to say it, or the rule cannot be kept; a version that is locked or "
            "installed already stays as it is");
  }
  detail += ", released " + format_timestamp(*time);
  if (*time <= age.now) detail += ", " + in_words(age.now - *time) + " ago";
  return Error(ErrorCode::policy_age, std::move(detail))
      .with_help("it can be chosen from " + format_timestamp(*time + age.minimum) +
                 " on; nothing that fits is older");
}

}  // namespace curupira::registry
