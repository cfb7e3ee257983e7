#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process_runner.h"

namespace curupira::registry::test {

/// Answers for programs, and remembers how they were started. Nothing runs.
class FakeProcessRunner final : public ProcessRunner {
 public:
  using Answer = std::function<Result<ProcessOutput>(const ProcessRequest&)>;

  /// The answer for command lines that have `word` among their arguments; the one added last is asked first.
  void when(std::string word, Answer answer) {
    answers_.insert(answers_.begin(), {std::move(word), std::move(answer)});
  }
  void prints(std::string word, std::string text) {
    when(std::move(word), [text](const ProcessRequest&) { return exited(0, text, {}); });
  }
  void fails(std::string word, std::string error_text) {
    when(std::move(word), [error_text](const ProcessRequest&) { return exited(1, {}, error_text); });
  }

  Result<ProcessOutput> run(const ProcessRequest& request) override {
    requests.push_back(request);
    for (const auto& [word, answer] : answers_) {
      if (std::ranges::find(request.argv, word) != request.argv.end()) return answer(request);
    }
    return fail(ErrorCode::spawn_failed, "no answer for " + request.argv.front());
  }

  static ProcessOutput exited(int code, std::string output, std::string error_text) {
    return {.status = {.code = code, .signal = std::nullopt},
            .standard_output = std::move(output),
            .standard_error = std::move(error_text)};
  }

  std::vector<ProcessRequest> requests;

 private:
  std::vector<std::pair<std::string, Answer>> answers_;
};

}  // namespace curupira::registry::test
