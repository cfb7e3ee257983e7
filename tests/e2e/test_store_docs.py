"""docs/store.md, run as it is written."""

import re
import subprocess
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import extension_folder
from curupira_testing.paths import REPOSITORY

PAGE = (REPOSITORY / "docs" / "store.md").read_text(encoding="utf-8")


def steps() -> list[tuple[str, str, int]]:
    """Command, expected output, exit code: of all console blocks, in their order."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            output, exits, code = output.partition("[exit ")
            found.append((command, output, int(code.rstrip("]\n")) if exits else 0))
    return found


def as_pattern(expected: str) -> str:
    """"…" stands for the rest of a line; alone on a line, for any lines."""
    lines = [r"(?:.*\n)*?" if line == "…\n" else re.escape(line).replace("…", ".*") for line in expected.splitlines(True)]
    return "".join(lines)


class StorePage(unittest.TestCase):
    def test_runs_as_written(self):
        home = TempHome.of(self)
        program = Program(home)
        for version in ("1.0.0", "2.0.0"):
            extension_folder(home.work, "acme", version)
        (home.tools / "curupira").symlink_to(program.executable)
        self.assertGreaterEqual(len(steps()), 10)
        for command, expected, code in steps():
            with self.subTest(command):
                done = subprocess.run(
                    ["sh", "-c", f"{command} 2>&1"],
                    env=program.environment(), cwd=home.work, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                )  # fmt: skip
                output = done.stdout.decode().replace(str(home.path), "/home/me")
                self.assertRegex(output, rf"\A{as_pattern(expected)}\Z", output)
                self.assertEqual(done.returncode, code, output)


if __name__ == "__main__":
    main()
