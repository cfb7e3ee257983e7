#pragma once

#include <chrono>

namespace curupira {

/// Time, passed in so that tests turn it by hand.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::system_clock::time_point now() const = 0;
  virtual std::chrono::steady_clock::time_point steady_now() const = 0;
};

/// The machine's.
class SystemClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override;
  std::chrono::steady_clock::time_point steady_now() const override;
};

}  // namespace curupira
