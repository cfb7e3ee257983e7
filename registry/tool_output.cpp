#include "registry/tool_output.h"

#include <deque>

#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

/// "https://user:password@host" → "https://host": tools may show the address that they were configured with.
std::string without_user_info(std::string_view line) {
  std::string out;
  while (true) {
    const std::size_t mark = line.find("://");
    if (mark == std::string_view::npos) return out.append(line);
    const std::size_t host = mark + 3;
    out.append(line.substr(0, host));
    line.remove_prefix(host);
    const std::string_view authority = line.substr(0, line.find_first_of("/?# \t\"'`)>"));
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) line.remove_prefix(at + 1);
  }
}

}  // namespace

std::string last_lines(std::string_view text) {
  std::deque<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
      line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line.substr(0, Limits::max_warning_bytes));
    if (lines.size() > Limits::shown_tool_lines) lines.pop_front();
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  std::string out;
  for (const std::string_view line : lines) {
    if (!out.empty()) out += '\n';
    out += printable(without_user_info(line));
  }
  return out;
}

}  // namespace curupira::registry
