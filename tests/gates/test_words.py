"""Words that do not belong into the project, and calls that belong into one place only."""

import re
import shutil
import subprocess
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from curupira_testing import REPOSITORY, main
from curupira_testing.tracked import project_files, source_files, text_files


def occurrences(pattern: re.Pattern[str], files: list[tuple[Path, str]]) -> list[str]:
    """"file:line: text" of each match."""
    found = []
    for file, text in files:
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{file.relative_to(REPOSITORY)}:{number}: {line.strip()[:120]}")
    return found


def registry_hosts() -> set[str]:
    """The public registries' hosts, asked of the tools that know them: none is written down here either."""
    answers = []
    if shutil.which("npm"):
        answers.append(["npm", "config", "get", "registry"])
    pip = "from pip._internal.models.index import PyPI as p; print('x://' + p.netloc); print('x://' + p.file_storage_domain)"
    answers.append([sys.executable, "-c", pip])
    hosts = set()
    for command in answers:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
        hosts |= {urlsplit(line.strip()).hostname or "" for line in answer.splitlines()}
    return {host for host in hosts if "." in host and host != "127.0.0.1"}


class Words(unittest.TestCase):
    def test_no_public_registry_is_named(self):
        hosts = registry_hosts()
        if not hosts:
            self.skipTest("neither npm nor pip is here to say which hosts these are")
        pattern = re.compile("|".join(map(re.escape, sorted(hosts))))
        self.assertEqual(occurrences(pattern, text_files()), [])

    def test_no_path_of_a_machine(self):
        # Work folders of build machines; and the checkout's own path, wherever it is.
        words = ["/" + "work/(main|shared)", "/tmp/" + "setup", "/root" + "/"]
        own = str(REPOSITORY)
        if own.count("/") > 1:
            words.append(re.escape(own))
        self.assertEqual(occurrences(re.compile("|".join(words)), text_files()), [])

    def test_no_unfinished_work(self):
        pattern = re.compile(r"\b(TO" + "DO|FIX" + "ME|XX" + r"X)\b")
        self.assertEqual(occurrences(pattern, text_files()), [])

    def test_no_disabled_test(self):
        pattern = re.compile(r"\bDISABLED_|\bWILL_" + "FAIL|unittest.expected" + "Failure")
        self.assertEqual(occurrences(pattern, text_files()), [])


class OnlyInItsPlace(unittest.TestCase):
    def outside(self, pattern: str, permitted: Callable[[str], bool]) -> list[str]:
        files = []
        for file in source_files(".cpp", ".h"):
            name = str(file.relative_to(REPOSITORY))
            if file.suffix in (".cpp", ".h") and not name.startswith("tests/") and not permitted(name):
                files.append((file, re.sub(r"//.*", "", file.read_text(encoding="utf-8"))))
        return occurrences(re.compile(pattern), files)

    def test_the_environment_is_read_by_main(self):
        pattern = r"\b(secure_)?getenv\b|\bchar *\*\* *environ\b|\b(un)?setenv\b|\bputenv\b"
        self.assertEqual(self.outside(pattern, lambda name: name in ("cli/main.cpp", "base/environment.cpp")), [])

    def test_the_time_of_day_is_read_by_the_clock(self):
        pattern = r"\bsystem_clock::now\b|\bgettimeofday\b|\btime\((nullptr|NULL|0)\)|CLOCK_REALTIME"
        self.assertEqual(self.outside(pattern, lambda name: name == "base/clock.cpp"), [])

    def test_only_the_command_line_prints_and_exits(self):  # and benchmarks, and fuzz targets that found something
        pattern = r"\bstd::(cout|cerr|exit|quick_exit)\b|\bprintf\(|\bputs\(|\bstd::abort\b"
        self.assertEqual(self.outside(pattern, lambda name: name.startswith(("cli/", "fuzz/", "bench/"))), [])

    def test_no_shell_is_started(self):
        self.assertEqual(self.outside(r"\b(std::)?system\(|\bpopen\(|\"/bin/sh\"|\"sh\", *\"-c\"", lambda name: False), [])

    def test_the_project_was_seen(self):
        self.assertGreater(len(project_files()), 50)


if __name__ == "__main__":
    main()
