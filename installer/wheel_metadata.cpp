#include "installer/wheel_metadata.h"

#include <algorithm>

#include "base/printable.h"
#include "base/relative_path.h"
#include "installer/limits.h"

namespace curupira::installer {
namespace {

tl::unexpected<Error> invalid(std::string detail) {
  return fail(ErrorCode::wheel_invalid, std::move(detail));
}

std::string_view trim(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The fields of that name in the head of a message (before the first empty line).
std::vector<std::string> fields_of(std::string_view text, std::string_view name) {
  std::vector<std::string> fields;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (trim(line).empty()) break;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || lower(line.substr(0, colon)) != name) continue;
    fields.emplace_back(trim(line.substr(colon + 1)));
  }
  return fields;
}

std::optional<std::string> field_of(std::string_view text, std::string_view name) {
  const auto fields = fields_of(text, name);
  return fields.empty() ? std::nullopt : std::optional(fields.front());
}

/// The fields of a line of CSV, which `text` loses; a quoted field may go over several lines.
Result<std::vector<std::string>> take_csv_line(std::string_view& text) {
  std::vector<std::string> fields(1);
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '\n') return fields;
    if (c == '\r') continue;
    if (c == ',') {
      fields.emplace_back();
    } else if (c == '"' && fields.back().empty()) {
      while (true) {
        const auto quote = text.find('"');
        if (quote == std::string_view::npos) return invalid("RECORD has a quote without its end");
        fields.back().append(text.substr(0, quote));
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"')) break;
        fields.back() += '"';
        text.remove_prefix(1);
      }
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/// "sha256=<base64 for URLs, without padding>"
Result<std::optional<Digest>> parse_record_digest(const std::string& text, const std::string& path) {
  if (text.empty()) return std::optional<Digest>();
  const auto equals = text.find('=');
  const auto algorithm = parse_digest_algorithm(text.substr(0, equals));
  if (equals == std::string::npos || !algorithm || *algorithm == DigestAlgorithm::sha1)
    return fail(ErrorCode::integrity_weak,
                "RECORD vouches for " + excerpt(path) + " with \"" + excerpt(text.substr(0, equals)) + "\"");
  std::string base64 = text.substr(equals + 1);
  std::ranges::replace(base64, '-', '+');
  std::ranges::replace(base64, '_', '/');
  while (base64.size() % 4 != 0)
    base64 += '=';
  const auto bytes = base64_decode(base64);
  const auto digest = bytes ? Digest::from_bytes(*algorithm, *bytes) : fail(bytes.error());
  if (!digest) return invalid("RECORD has no usable digest of " + excerpt(path));
  return std::optional<Digest>(*digest);
}

/// "a.b_c": Python's names may have letters of any language.
bool is_dotted_name(std::string_view text) {
  bool start = true;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    if (c == '.' ? start : !(letter || (digit && !start))) return false;
    start = c == '.';
  }
  return !start && is_valid_utf8(text) && printable(text) == text;
}

Result<ScriptEntry> parse_script(std::string_view name, std::string_view value) {
  const auto path = RelativePath::parse(name);
  if (!path || path->segments().size() != 1 || name.front() == '.' || path->text() != name ||
      printable(name) != name)
    return invalid("\"" + excerpt(name) + "\" is no name for a script");
  value = trim(value.substr(0, value.find('[')));  // extras
  const auto colon = value.find(':');
  const std::string_view module = trim(value.substr(0, colon));
  const std::string_view attribute = colon == std::string_view::npos ? "" : trim(value.substr(colon + 1));
  if (!is_dotted_name(module) || !is_dotted_name(attribute))
    return invalid("the script " + std::string(name) + " is \"" + excerpt(value) +
                   "\", expected module:function");
  return ScriptEntry{std::string(name), std::string(module), std::string(attribute)};
}

}  // namespace

Result<WheelIdentity> parse_wheel_identity(std::string_view metadata) {
  const auto name = field_of(metadata, "name");
  const auto version = field_of(metadata, "version");
  if (!name || !version || name->empty() || version->empty())
    return invalid("METADATA has no Name and Version");
  return WheelIdentity{*name, *version};
}

WheelNeeds parse_wheel_needs(std::string_view metadata) {
  WheelNeeds needs{.packages = {}, .python = field_of(metadata, "requires-python").value_or("")};
  for (const std::string& line : fields_of(metadata, "requires-dist"))
    if (auto requirement = registry::parse_python_requirement(line))
      needs.packages.push_back(*std::move(requirement));
  return needs;
}

Result<bool> parse_root_is_purelib(std::string_view wheel) {
  const std::string version = field_of(wheel, "wheel-version").value_or("");
  if (version != "1" && !version.starts_with("1."))
    return invalid("its format is \"" + excerpt(version) + "\", known is 1.x");
  const std::string purelib = lower(field_of(wheel, "root-is-purelib").value_or(""));
  if (purelib != "true" && purelib != "false") return invalid("WHEEL has no usable Root-Is-Purelib");
  return purelib == "true";
}

Result<WheelRecord> parse_wheel_record(std::string_view text) {
  if (!is_valid_utf8(text)) return invalid("RECORD is not UTF-8");
  WheelRecord record;
  while (!text.empty()) {
    CURUPIRA_TRY(const auto fields, take_csv_line(text));
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != 3)
      return invalid("RECORD has a line of " + std::to_string(fields.size()) + " fields, expected 3");
    if (fields[0].ends_with('/')) continue;  // a folder
    CURUPIRA_TRY(auto digest, parse_record_digest(fields[1], fields[0]));
    const auto [place, added] = record.emplace(fields[0], digest);
    if (!added && place->second != digest) return invalid("RECORD has " + excerpt(fields[0]) + " twice");
    if (record.size() > ArchiveLimits().max_entries)
      return invalid("RECORD has more than " + std::to_string(ArchiveLimits().max_entries) + " lines");
  }
  return record;
}

std::string record_line(std::string_view path, const std::optional<Digest>& digest, std::uint64_t size) {
  std::string line;
  if (path.find_first_of(",\"\r\n") == std::string_view::npos) {
    line = path;
  } else {
    line = "\"";
    for (const char c : path)
      line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  if (!digest) return line + ",,\n";
  std::string base64 = base64_encode(digest->bytes());
  std::ranges::replace(base64, '+', '-');
  std::ranges::replace(base64, '/', '_');
  while (base64.ends_with('='))
    base64.pop_back();
  return line + "," + std::string(name_of(digest->algorithm())) + "=" + base64 + "," + std::to_string(size) +
         "\n";
}

Result<std::vector<ScriptEntry>> parse_script_entries(std::string_view text) {
  std::vector<ScriptEntry> scripts;
  bool inside = false;
  while (!text.empty()) {
    const std::string_view line = trim(take_line(text));
    if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
    if (line.starts_with('[')) {
      const std::string_view section = trim(line.substr(1, line.find(']') - 1));
      inside = section == "console_scripts" || section == "gui_scripts";
      continue;
    }
    const auto equals = line.find('=');
    if (!inside) continue;
    if (equals == std::string_view::npos)
      return invalid("entry_points.txt has the line \"" + excerpt(line) + "\"");
    const std::string_view name = trim(line.substr(0, equals));
    if (name.empty()) return invalid("entry_points.txt has a script without a name");
    CURUPIRA_TRY(auto script, parse_script(name, trim(line.substr(equals + 1))));
    scripts.push_back(std::move(script));
  }
  std::ranges::sort(scripts);
  const auto last = std::ranges::unique(scripts);
  scripts.erase(last.begin(), last.end());
  const auto twice = std::ranges::adjacent_find(scripts, {}, &ScriptEntry::name);
  if (twice != scripts.end()) return invalid("the script " + twice->name + " is defined twice");
  return scripts;
}

std::string script_head(const std::string& python) {
  constexpr std::size_t max_line = 127;  // what older kernels read of it
  const std::string line = "#!" + python + " -B";
  if (line.size() <= max_line && python.find_first_of(" \t") == std::string::npos) return line + "\n";
  // A shell reads the second line as a command, Python as the beginning of a text.
  std::string quoted;
  for (const char c : python)
    quoted += c == '\'' ? std::string("'\"'\"'") : std::string(1, c);
  return "#!/bin/sh\n'''exec' '" + quoted + "' -B \"$0\" \"$@\"\n' '''\n";
}

std::string script_text(const ScriptEntry& entry, const std::string& python) {
  const std::string first = entry.attribute.substr(0, entry.attribute.find('.'));
  return script_head(python) + "# -*- coding: utf-8 -*-\nimport sys\nfrom " + entry.module + " import " +
         first + "\n\nif __name__ == \"__main__\":\n    sys.exit(" + entry.attribute + "())\n";
}

}  // namespace curupira::installer
