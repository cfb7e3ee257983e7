#include "cli/report.h"

#include <algorithm>
#include <ostream>
#include <ranges>
#include <sstream>

#include "base/printable.h"

namespace curupira::cli {
namespace {

void print_indented(std::ostream& out, std::string_view text) {
  for (const auto line : std::views::split(text, '\n'))
    out << "  " << printable(std::string_view(line.begin(), line.end())) << '\n';
}

}  // namespace

void print_error(Terminal& terminal, const Error& error) {
  std::ostringstream text;
  const std::string name = "error[" + error_name(error.code()) + "]";
  text << terminal.err_styled(Terminal::Style::red, name) << ": " << error_info(error.code()).title << '\n';
  for (const auto& doing : std::views::reverse(error.doing()))
    text << "  while " << printable(doing) << '\n';
  if (!error.detail().empty()) print_indented(text, error.detail());
  for (const Error* cause = error.cause(); cause != nullptr; cause = cause->cause())
    print_indented(text, "because " + cause->summary());
  text << "  " << terminal.err_styled(Terminal::Style::bold, "help") << ": " << printable(error.help())
       << '\n';
  terminal.out().flush();
  terminal.err() << text.str() << std::flush;
}

json::Value error_to_json(const Error& error) {
  json::Array doing;
  for (const auto& step : std::views::reverse(error.doing()))
    doing.emplace_back(step);
  json::Object object;
  object.set("code", error_name(error.code()));
  object.set("title", error_info(error.code()).title);
  object.set("detail", error.detail());
  object.set("while", std::move(doing));
  if (error.cause() != nullptr) object.set("cause", error_to_json(*error.cause()));
  object.set("help", error.help());
  return object;
}

void PrintedDiagnostics::report(Diagnostic diagnostic) {
  const bool warning = diagnostic.kind == Diagnostic::Kind::warning;
  if (!warning && !verbose_) return;
  std::ostringstream text;
  text << (warning ? terminal_.err_styled(Terminal::Style::yellow, "warning") : "note") << ": ";
  if (diagnostic.file) {
    text << printable(diagnostic.file->string());
    if (diagnostic.position) text << ':' << diagnostic.position->line << ':' << diagnostic.position->column;
    text << ": ";
  }
  text << printable(diagnostic.text) << '\n';
  terminal_.out().flush();
  terminal_.err() << text.str() << std::flush;
}

}  // namespace curupira::cli
