"""A page of docs/, run as it is written: its console blocks are commands with what they print."""

import re
import subprocess
import unittest

from .paths import REPOSITORY
from .program import Program


class DocsPage:
    """`steps` are (command, expected output, exit code) of all console blocks, in their order.

    In an expected output "…" stands for the rest of a line; alone on a line, for any lines. `[exit N]` ends one whose
    command fails. The test's home is /home/me.
    """

    def __init__(self, name: str) -> None:
        self.text = (REPOSITORY / "docs" / name).read_text(encoding="utf-8")
        self.steps: list[tuple[str, str, int]] = []
        for block in self.blocks("console"):
            for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = step.partition("\n")
                output, exits, code = output.partition("[exit ")
                self.steps.append((command, output, int(code.rstrip("]\n")) if exits else 0))

    def blocks(self, kind: str) -> list[str]:
        """The code blocks of one kind: "toml", "console"."""
        return re.findall(rf"^```{kind}\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)

    def run(self, test: unittest.TestCase, program: Program) -> None:
        """Runs every step and compares output and exit code; `curupira` is the program under test."""
        home = program.home
        (home.tools / "curupira").symlink_to(program.executable)
        for command, expected, code in self.steps:
            with test.subTest(command):
                done = subprocess.run(
                    ["sh", "-c", f"{command} 2>&1"],
                    env=program.environment(), cwd=home.work, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                )  # fmt: skip
                output = done.stdout.decode().replace(str(home.path), "/home/me")
                test.assertRegex(output, rf"\A{_as_pattern(expected)}\Z", output)
                test.assertEqual(done.returncode, code, output)


def _as_pattern(expected: str) -> str:
    lines = [r"(?:.*\n)*?" if line == "…\n" else re.escape(line).replace("…", ".*") for line in expected.splitlines(True)]
    return "".join(lines)
