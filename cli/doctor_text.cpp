#include "cli/doctor_text.h"

#include <algorithm>
#include <ostream>
#include <ranges>

#include "base/printable.h"
#include "cli/counted.h"

namespace curupira::cli {
namespace {

using Level = Finding::Level;

constexpr std::size_t level_width = 9;      // "warning" and the space behind it
constexpr std::size_t widest_subject = 24;  // a longer one gets a line of its own

std::string padding(std::size_t used, std::size_t width) {
  return std::string(used < width ? width - used : 1, ' ');
}

std::string styled_level(const Terminal& terminal, Level level) {
  const std::string_view name = name_of(level);
  switch (level) {
    case Level::ok:
      return terminal.out_styled(Terminal::Style::green, name);
    case Level::note:
      return terminal.out_styled(Terminal::Style::dim, name);
    case Level::warning:
      return terminal.out_styled(Terminal::Style::yellow, name);
    case Level::problem:
      break;
  }
  return terminal.out_styled(Terminal::Style::red, name);
}

std::size_t subject_width(const Findings& findings) {
  std::size_t width = 0;
  for (const Finding& finding : findings) {
    if (const std::size_t size = printable(finding.subject).size(); size <= widest_subject)
      width = std::max(width, size);
  }
  return width + 2;
}

void print_finding(Terminal& terminal, const Finding& finding, const std::string& subject,
                   std::size_t width) {
  std::ostream& out = terminal.out();
  const std::string indent(2 + level_width + width, ' ');
  out << "  " << styled_level(terminal, finding.level) << padding(name_of(finding.level).size(), level_width);
  if (subject.size() <= widest_subject)
    out << subject << padding(subject.size(), width);
  else
    out << subject << '\n' << indent;
  bool first = true;
  for (const auto line : std::views::split(finding.what, '\n')) {
    out << (first ? "" : indent) << printable(std::string_view(line.begin(), line.end())) << '\n';
    first = false;
  }
  if (!finding.remedy.empty())
    out << indent << terminal.out_styled(Terminal::Style::bold, "help") << ": " << printable(finding.remedy)
        << '\n';
}

std::size_t count(const Findings& findings, Level level) {
  return static_cast<std::size_t>(std::ranges::count(findings, level, &Finding::level));
}

}  // namespace

void print_findings(Terminal& terminal, const Findings& findings) {
  const std::size_t width = subject_width(findings);
  const Finding* last = nullptr;
  for (const Finding& finding : findings) {
    if (last == nullptr || last->area != finding.area)
      terminal.out() << (last ? "\n" : "") << terminal.out_styled(Terminal::Style::bold, finding.area)
                     << '\n';
    const bool same = last != nullptr && last->area == finding.area && last->subject == finding.subject;
    print_finding(terminal, finding, same ? std::string() : printable(finding.subject), width);
    last = &finding;
  }
  const std::size_t problems = count(findings, Level::problem), warnings = count(findings, Level::warning);
  terminal.out() << '\n'
                 << (problems == 0 ? std::string("no problem") : counted(problems, "problem"))
                 << (warnings == 0 ? std::string() : ", " + counted(warnings, "warning")) << '\n';
}

json::Value findings_to_json(const Findings& findings) {
  json::Array list;
  for (const Finding& finding : findings) {
    json::Object object;
    object.set("area", finding.area);
    object.set("level", name_of(finding.level));
    object.set("subject", finding.subject);
    object.set("what", finding.what);
    if (!finding.remedy.empty()) object.set("help", finding.remedy);
    list.emplace_back(std::move(object));
  }
  json::Object document;
  document.set("schema", "curupira.doctor.v1");
  document.set("healthy", is_healthy(findings));
  document.set("findings", std::move(list));
  return document;
}

bool is_healthy(const Findings& findings) {
  return count(findings, Level::problem) == 0;
}

}  // namespace curupira::cli
