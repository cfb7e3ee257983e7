#include "registry/python_interpreter.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "base/json.h"
#include "base/printable.h"
#include "registry/limits.h"
#include "registry/python_tags.h"
#include "registry/tool_output.h"

namespace curupira::registry {

namespace {

namespace fs = std::filesystem;

Error unreadable(std::string detail) {
  return Error(ErrorCode::resolution_unreadable,
               "the answer of the Python interpreter: " + std::move(detail));
}

/// Up to two numbers: "2.36" → {2, 36}.
std::optional<LibcVersion> version_of(std::string_view text) {
  LibcVersion version{0, 0};
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec != std::errc()) return std::nullopt;
  if (major.ptr == end) return version;
  if (*major.ptr != '.') return std::nullopt;
  if (std::from_chars(major.ptr + 1, end, version.minor).ec != std::errc()) return std::nullopt;
  return version;
}

std::string text_of(const json::Value& answer, std::string_view name) {
  const std::string* text = answer.find_string(name);
  return text ? *text : std::string();
}

bool flag_of(const json::Value& answer, std::string_view name) {
  const json::Value* value = answer.find(name);
  const bool* flag = value ? value->as_bool() : nullptr;
  return flag != nullptr && *flag;
}

std::vector<std::string> platforms_of(const json::Value& answer) {
  std::string platform = text_of(answer, "platform");
  std::ranges::replace_if(
      platform, [](char c) { return c == '-' || c == '.'; }, '_');
  if (platform.starts_with("macosx_")) {
    const auto version = version_of(text_of(answer, "macos"));
    if (version) return macos_platforms(text_of(answer, "machine"), version->major, version->minor);
  }
  constexpr std::string_view linux_head = "linux_";
  if (!platform.starts_with(linux_head)) return {platform};
  std::string arch = platform.substr(linux_head.size());
  if (flag_of(answer, "is_32bit") && arch == "x86_64") arch = "i686";
  if (flag_of(answer, "is_32bit") && arch == "aarch64") arch = "armv7l";
  if (const auto glibc = version_of(text_of(answer, "glibc"))) return glibc_platforms(arch, *glibc);
  if (const auto musl = version_of(text_of(answer, "musl"))) return musl_platforms(arch, *musl);
  return {platform};
}

/// What the cache knows an interpreter by.
struct ProgramIdentity {
  std::string path;
  std::int64_t changed;  ///< nanoseconds of the file clock
};

ProgramIdentity identify(const fs::path& program) {
  std::error_code error;
  fs::path real = fs::canonical(program, error);
  if (error) real = program;
  const auto changed = fs::last_write_time(real, error).time_since_epoch();
  return {program.string() + "\n" + real.string(),
          error ? 0 : std::chrono::duration_cast<std::chrono::nanoseconds>(changed).count()};
}

Result<std::string> ask(const SourceTools& tools, const fs::path& program) {
  auto output =
      tools.processes.run({.argv = {program.string(), "-I", "-S", "-c", std::string(interpreter_question())},
                           .environment = tools.environment.only(
                               {"PATH", "HOME", "LANG", "LC_ALL", "PYENV_ROOT", "PYENV_VERSION"}),
                           .time_limit = Limits::python_question_time_limit,
                           .max_output = Limits::max_python_answer});
  if (!output) return fail(std::move(output).error().while_doing("asking " + printable(program.string())));
  if (!output->status.success())
    return fail(ErrorCode::tool_failed, printable(program.string()) + " ended with " +
                                            output->status.to_string() + "\n" +
                                            last_lines(output->standard_error));
  return std::move(output->standard_output);
}

Result<PythonTarget> ask_once(const SourceTools& tools, const fs::path& program) {
  const fs::path file = tools.home.cache() / "python-interpreter.json";
  const ProgramIdentity identity = identify(program);
  if (const auto text = tools.files.read_file(file, Limits::max_python_answer * 2)) {
    const auto cached = json::parse(*text);
    const json::Value* changed = cached ? cached->find("changed") : nullptr;
    if (changed && changed->as_int() == identity.changed && text_of(*cached, "program") == identity.path) {
      auto target = parse_interpreter_answer(text_of(*cached, "answer"));
      std::error_code error;
      if (target && fs::exists(target->executable, error)) return target;
    }
  }
  CURUPIRA_TRY(const std::string answer, ask(tools, program));
  CURUPIRA_TRY(PythonTarget target, parse_interpreter_answer(answer));
  json::Object cached;
  cached.set("program", identity.path);
  cached.set("changed", identity.changed);
  cached.set("answer", answer);
  // A cache that cannot be written costs time at the next command, nothing else.
  if (tools.files.create_folders(tools.home.cache()))
    static_cast<void>(write_file_atomically(tools.files, file, json::write_pretty(std::move(cached))));
  return target;
}

/// The version in "3.12", "python3.12", "cpython@3.12"; nothing when `wanted` is something else.
std::optional<std::string> version_wanted(std::string_view wanted) {
  for (const std::string_view head : {"cpython", "python"})
    if (wanted.starts_with(head)) wanted.remove_prefix(head.size());
  if (wanted.starts_with('@') || wanted.starts_with('-')) wanted.remove_prefix(1);
  const auto legal = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  if (wanted.empty() || wanted.front() == '.' || !std::ranges::all_of(wanted, legal)) return std::nullopt;
  return std::string(wanted);
}

std::string first_two(const std::string& version) {
  const auto dot = version.find('.');
  const auto second = dot == std::string::npos ? dot : version.find('.', dot + 1);
  return version.substr(0, second);
}

/// Interpreters that uv manages are on no PATH.
std::optional<fs::path> ask_uv(const SourceTools& tools, const std::string& wanted) {
  const auto uv = find_program(tools.environment, "uv");
  if (!uv) return std::nullopt;
  std::vector<std::string> arguments = {uv->string(), "python",       "find",
                                        "--system",   "--no-project", "--no-python-downloads",
                                        "--color",    "never"};
  if (!wanted.empty()) arguments.insert(arguments.end(), {"--", wanted});
  const auto output = tools.processes.run({.argv = std::move(arguments),
                                           .environment = tools.environment,
                                           .time_limit = Limits::python_question_time_limit});
  if (!output || !output->status.success()) return std::nullopt;
  const std::string& line = output->standard_output;
  const fs::path path = line.substr(0, line.find_first_of("\r\n"));
  return path.is_absolute() ? std::optional(path) : std::nullopt;
}

std::optional<fs::path> find_candidate(const SourceTools& tools, const std::string& wanted) {
  if (wanted.find('/') != std::string::npos) {
    fs::path path = wanted;
    if (path.is_relative()) path = tools.current_folder / path;
    std::error_code error;
    if (fs::is_directory(path, error)) path /= "bin/python3";
    return fs::exists(path, error) ? std::optional(path.lexically_normal()) : std::nullopt;
  }
  std::vector<std::string> names;
  if (wanted.empty()) {
    names = {"python3", "python"};
  } else if (const auto version = version_wanted(wanted)) {
    names = {"python" + first_two(*version)};
  } else {
    names = {wanted};
  }
  for (const std::string& name : names)
    if (auto program = find_program(tools.environment, name)) return program;
  return ask_uv(tools, wanted);
}

}  // namespace

std::string_view interpreter_question() {
  // The base interpreter's name with its version stays what it is when `python3` becomes another one.
  static constexpr std::string_view question = R"(
import json, os, platform, struct, subprocess, sys, sysconfig
version = "%d.%d.%d" % sys.version_info[:3]
full = platform.python_version()
minor = "%d.%d" % sys.version_info[:2]
program = getattr(sys, "_base_executable", None) or sys.executable
named = os.path.join(os.path.dirname(program), "python" + minor)
try:
    if os.path.samefile(named, program):
        program = named
except OSError:
    pass
glibc = musl = ""
try:
    glibc = (os.confstr("CS_GNU_LIBC_VERSION") or "").replace("glibc", "").strip()
except (AttributeError, OSError, ValueError):
    pass
if not glibc and sys.platform == "linux":
    for name in sorted(os.listdir("/lib")):
        if name.startswith("ld-musl-"):
            said = subprocess.run(["/lib/" + name], stderr=subprocess.PIPE, universal_newlines=True).stderr
            for line in said.splitlines():
                if line.startswith("Version "):
                    musl = line.split()[1]
variable = sysconfig.get_config_var
print(json.dumps({
    "executable": program,
    "version": version,
    "minor": minor,
    "library_folder": getattr(sys, "platlibdir", "lib"),
    "implementation": sys.implementation.name,
    "soabi": variable("SOABI") or "",
    "free_threaded": bool(variable("Py_GIL_DISABLED")),
    "debug": bool(variable("Py_DEBUG")),
    "platform": sysconfig.get_platform(),
    "machine": platform.machine(),
    "is_32bit": struct.calcsize("P") == 4,
    "macos": platform.mac_ver()[0],
    "glibc": glibc,
    "musl": musl,
    "markers": {
        "os_name": os.name,
        "sys_platform": sys.platform,
        "platform_system": platform.uname().system,
        "platform_machine": platform.machine(),
        "platform_release": platform.release(),
        "platform_version": platform.version(),
        "platform_python_implementation": platform.python_implementation(),
        "implementation_name": sys.implementation.name,
        "implementation_version": full,
        "python_version": minor,
        "python_full_version": full,
    },
}))
)";
  return question;
}

Result<PythonTarget> parse_interpreter_answer(std::string_view text) {
  const auto answer = json::parse(text, {.max_bytes = Limits::max_python_answer, .max_depth = 8});
  if (!answer) return fail(unreadable(answer.error().summary()));
  PythonTarget target;
  target.executable = text_of(*answer, "executable");
  target.version = text_of(*answer, "version");
  target.minor = text_of(*answer, "minor");
  target.library_folder = text_of(*answer, "library_folder");
  const auto version = version_of(target.minor);
  if (!target.executable.is_absolute() ||
      text_of(*answer, "executable").find_first_of("\r\n") != std::string::npos)
    return fail(unreadable("\"" + excerpt(target.executable.string()) + "\" is no absolute path"));
  const std::string canonical_minor =
      version ? std::to_string(version->major) + "." + std::to_string(version->minor) : std::string();
  if (!version || version->minor > 999 || target.minor != canonical_minor ||
      version_wanted(target.version) == std::nullopt)
    return fail(unreadable("\"" + excerpt(target.minor) + "\" is no version"));
  if (target.library_folder != "lib64") target.library_folder = "lib";
  PythonAbi abi{.major = version->major,
                .minor = version->minor,
                .cpython = text_of(*answer, "implementation") == "cpython",
                .free_threaded = flag_of(*answer, "free_threaded"),
                .debug = flag_of(*answer, "debug")};
  if (!abi.cpython) {
    abi.other_abi = text_of(*answer, "soabi");
    std::ranges::replace_if(
        abi.other_abi, [](char c) { return c == '-' || c == '.'; }, '_');
    const std::string name = text_of(*answer, "implementation");
    abi.other_name = (name == "pypy" ? "pp" : name) + std::to_string(abi.major) + std::to_string(abi.minor);
  }
  target.tags = python_tags(abi, platforms_of(*answer));
  const json::Value* markers = answer->find("markers");
  if (markers == nullptr || markers->as_object() == nullptr) return fail(unreadable("it has no markers"));
  for (const auto& [name, value] : *markers->as_object())
    if (const std::string* marker = value.as_string()) target.markers.emplace(name, *marker);
  return target;
}

Result<PythonTarget> find_python(const SourceTools& tools) {
  const std::string wanted = tools.environment.get_or("UV_PYTHON", "");
  const auto program = find_candidate(tools, wanted);
  if (!program) {
    const std::string what = wanted.empty()
                                 ? "python3 is not on PATH"
                                 : "UV_PYTHON names \"" + printable(wanted) + "\", which was not found";
    return fail(
        Error(ErrorCode::tool_missing, what)
            .with_help("install Python 3, or name one with UV_PYTHON: a path, or a version like 3.12"));
  }
  CURUPIRA_TRY(PythonTarget target, ask_once(tools, *program));
  const auto version = version_wanted(wanted);
  if (version && target.version != *version && !target.version.starts_with(*version + "."))
    return fail(Error(ErrorCode::tool_missing, "UV_PYTHON names Python " + *version + ", " +
                                                   printable(program->string()) + " is " + target.version)
                    .with_help("install that version, or name another one with UV_PYTHON"));
  return target;
}

}  // namespace curupira::registry
