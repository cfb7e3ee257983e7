#include "cli/doctor_findings.h"

#include <iterator>

namespace curupira::cli {

void append(Findings& to, Findings more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string_view name_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::ok:
      return "ok";
    case Finding::Level::note:
      return "note";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::problem:
      break;
  }
  return "problem";
}

std::string words_of(const Error& error) {
  std::string text(error_info(error.code()).title);
  if (!error.detail().empty()) text += ": " + error.detail();
  for (const Error* cause = error.cause(); cause != nullptr; cause = cause->cause())
    text += "\nbecause " + cause->summary();
  return text;
}

}  // namespace curupira::cli
