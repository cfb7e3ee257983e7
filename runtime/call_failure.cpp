#include "runtime/call_failure.h"

#include <algorithm>

#include "base/error_code.h"
#include "base/printable.h"

namespace curupira::runtime {
namespace {

constexpr std::size_t max_stderr_lines = 10;
constexpr std::size_t max_stderr_line_bytes = 400;
constexpr std::size_t max_listed_names = 24;
constexpr std::string_view indent = "  ";

/// The last lines, printable, each indented and of bounded length.
std::string last_lines(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  if (text.empty()) return {};
  std::vector<std::string_view> lines;
  while (lines.size() < max_stderr_lines) {
    const auto at = text.rfind('\n');
    lines.push_back(at == std::string_view::npos ? text : text.substr(at + 1));
    if (at == std::string_view::npos) break;
    text = text.substr(0, at);
  }
  std::string result;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    std::string_view shown = *line;
    if (shown.ends_with('\r')) shown.remove_suffix(1);
    const bool cut = shown.size() > max_stderr_line_bytes;
    result += '\n';
    result += indent;
    result += printable(shown.substr(0, max_stderr_line_bytes)) + (cut ? "…" : "");
  }
  return result;
}

/// Variables cannot be why the frames themselves are wrong.
bool may_want_variables(ErrorCode code) {
  return code == ErrorCode::extension_transport || code == ErrorCode::extension_timeout ||
         code == ErrorCode::extension_error;
}

}  // namespace

std::string list_withheld(const std::vector<std::string>& withheld, std::string_view text) {
  std::vector<std::string> names = withheld;
  std::ranges::stable_partition(
      names, [text](const std::string& name) { return text.find(name) != std::string_view::npos; });
  std::string result;
  const std::size_t shown = std::min(names.size(), max_listed_names);
  for (std::size_t n = 0; n < shown; ++n)
    result += (n == 0 ? "" : ", ") + printable(names[n]);
  if (names.size() > shown) result += " and " + std::to_string(names.size() - shown) + " more";
  return result;
}

Error describe_failure(Error failure, const CallContext& context) {
  const auto rpc_code = context.reply_code.value_or(error_info(failure.code()).rpc_code);
  const std::string who = printable(context.identity.name) + " " + printable(context.identity.version);
  std::string detail = failure.detail() + "\n" + who + ", " + std::string(context.method) +
                       ", JSON-RPC code " + std::to_string(rpc_code);
  if (const std::string lines = last_lines(context.stderr_tail); !lines.empty()) {
    detail += "\nits last words on stderr:" + lines;
  }
  if (!context.withheld.empty() && may_want_variables(failure.code())) {
    const std::string said = detail;
    detail += "\nvariables that it was not given: " + list_withheld(context.withheld, said) +
              " (`env` in its [plugins.…] table hands them on)";
  }
  return Error(failure.code(), std::move(detail)).with_help(failure.help());
}

}  // namespace curupira::runtime
