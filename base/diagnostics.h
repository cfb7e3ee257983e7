#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace curupira {

/// A place in a text file; line and column count from 1, in characters.
struct TextPosition {
  int line = 0;
  int column = 0;
  bool operator==(const TextPosition&) const = default;
};

/// A warning or a note that does not end the operation (design.md §6).
struct Diagnostic {
  enum class Kind { note, warning };
  Kind kind = Kind::warning;
  std::string text;
  std::optional<std::filesystem::path> file = std::nullopt;
  std::optional<TextPosition> position = std::nullopt;
};

/// Takes the warnings and notes of an operation. Passed by reference beside the operation, never returned in
/// a Result.
class Diagnostics {
 public:
  virtual ~Diagnostics() = default;
  virtual void report(Diagnostic diagnostic) = 0;

  void warn(std::string text) { report({.kind = Diagnostic::Kind::warning, .text = std::move(text)}); }
  void note(std::string text) { report({.kind = Diagnostic::Kind::note, .text = std::move(text)}); }
};

/// Keeps what is reported: for tests, and for callers that decide later what to show.
class CollectedDiagnostics final : public Diagnostics {
 public:
  void report(Diagnostic diagnostic) override { all.push_back(std::move(diagnostic)); }
  std::vector<Diagnostic> all;
};

}  // namespace curupira
