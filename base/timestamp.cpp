#include "base/timestamp.h"

#include <array>
#include <cstdio>

#include "base/printable.h"

namespace curupira {
namespace {

/// Reads a text from its start; every step fails for good once one did.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  /// A number of exactly `digits` digits, from `least` to `most`.
  int number(std::size_t digits, int least, int most) {
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') return refuse();
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value < least || value > most ? refuse() : value;
  }
  /// One of `characters`.
  char one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) {
      refuse();
      return '\0';
    }
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }
  void skip_fraction() {
    if (!rest_.starts_with('.')) return;
    const std::size_t end = rest_.find_first_not_of("0123456789", 1);
    if (end == 1 || end == std::string_view::npos) refuse();
    if (good_) rest_.remove_prefix(end);
  }
  bool good_to_the_end() const { return good_ && rest_.empty(); }

 private:
  int refuse() {
    good_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

Result<std::chrono::sys_seconds> parse_timestamp(std::string_view text) {
  using namespace std::chrono;
  Reader reader(text);
  const int year_number = reader.number(4, 1, 9999);
  reader.one_of("-");
  const int month_number = reader.number(2, 1, 12);
  reader.one_of("-");
  const int day_number = reader.number(2, 1, 31);
  reader.one_of("Tt ");
  const int hour = reader.number(2, 0, 23);
  reader.one_of(":");
  const int minute = reader.number(2, 0, 59);
  reader.one_of(":");
  const int second = reader.number(2, 0, 60);  // 60: a leap second
  reader.skip_fraction();
  seconds offset{0};
  if (const char zone = reader.one_of("Zz+-"); zone == '+' || zone == '-') {
    const int hours_away = reader.number(2, 0, 23);
    reader.one_of(":");
    offset = hours(hours_away) + minutes(reader.number(2, 0, 59));
    if (zone == '-') offset = -offset;
  }
  const year_month_day date(year(year_number), month(static_cast<unsigned>(month_number)),
                            day(static_cast<unsigned>(day_number)));
  if (!reader.good_to_the_end() || !date.ok())
    return fail(ErrorCode::timestamp_invalid, "\"" + excerpt(text, 60) + "\"");
  return sys_seconds(sys_days(date)) + hours(hour) + minutes(minute) + seconds(second) - offset;
}

std::string format_timestamp(std::chrono::sys_seconds time) {
  using namespace std::chrono;
  const auto midnight = floor<days>(time);
  const year_month_day date(midnight);
  const hh_mm_ss clock(time - midnight);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

}  // namespace curupira
