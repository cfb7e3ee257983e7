"""A page of docs/, run as it is written: its console blocks are commands with what they print."""

import re
import subprocess
import unittest
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .home import TempHome
from .paths import REPOSITORY
from .program import Program


@dataclass
class Step:
    machine: str  #: what stands before the prompt: "ana" of "ana$ git pull", else ""
    command: str
    output: str
    code: int = 0


class Machines:
    """The home folders of several machines, of which one at a time is there: all have the same path, so that what two
    of them make can be compared to the byte."""

    def __init__(self, home: TempHome) -> None:
        self._home, self._now = home, ""
        self._away = home.folder / "machines"
        self._away.mkdir()

    def sit_at(self, name: str) -> None:
        if name != self._now:
            self._home.path.rename(self._away / f"home-{self._now}")
            self._now, there = name, self._away / f"home-{name}"
            if there.exists():
                there.rename(self._home.path)
            else:
                self._home.path.mkdir()

    def curupira(self, name: str) -> Path:
        """Where the home of curupira on that machine is now."""
        home = self._home.path if name == self._now else self._away / f"home-{name}"
        return home / ".curupira"


class DocsPage:
    """`steps` are the commands of all console blocks, in their order, with what they print.

    A command is what stands after "$ ", or after "name$ " on the machine of that name; lines that begin with "> " go on
    with it. In an expected output "…" stands for the rest of a line; alone on a line, for any lines. `[exit N]` ends one
    whose command fails. The test's home is /home/me.
    """

    def __init__(self, name: str) -> None:
        self.text = (REPOSITORY / "docs" / name).read_text(encoding="utf-8")
        self.steps: list[Step] = []
        for block in self.blocks("console"):
            parts = re.split(r"^([a-z]*)\$ ", block, flags=re.MULTILINE)[1:]
            for machine, step in zip(parts[::2], parts[1::2]):
                command, _, output = step.partition("\n")
                while output.startswith((">\n", "> ")):
                    more, _, output = output.partition("\n")
                    command += "\n" + more[2:]
                output, exits, code = output.partition("[exit ")
                self.steps.append(Step(machine, command, output, int(code.rstrip("]\n")) if exits else 0))

    def blocks(self, kind: str) -> list[str]:
        """The code blocks of one kind: "toml", "console"."""
        return re.findall(rf"^```{kind}\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)

    def run(
        self,
        test: unittest.TestCase,
        program: Program,
        machines: Machines | None = None,
        folder: Path | None = None,
        prefixes: Mapping[str, tuple[str, ...]] = {},
    ) -> None:
        """Runs the steps and compares output and exit code; the first that differs fails the test. `curupira` is the
        program under test. Each machine begins in `folder`, by default the test's work folder; `cd` holds for the steps
        that follow. `prefixes`: what goes before the shell of a machine."""
        home = program.home
        (home.tools / "curupira").symlink_to(program.executable)
        left_in = home.folder / "left-in"
        folders: dict[str, str] = {}
        for step in self.steps:
            if machines is not None:
                machines.sit_at(step.machine)
            done = subprocess.run(
                [*prefixes.get(step.machine, ()), "sh", "-c", f"trap 'pwd > {left_in}' EXIT; exec 2>&1\n{step.command}"],
                env=program.environment(), cwd=folders.get(step.machine, folder or home.work), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, timeout=120,
            )  # fmt: skip
            folders[step.machine] = left_in.read_text().rstrip("\n")
            output = done.stdout.decode().replace(str(home.path), "/home/me")
            if done.returncode != step.code or not re.fullmatch(_as_pattern(step.output), output):
                ends = f"{output}[exit {done.returncode}]"
                test.fail(f"{step.machine}$ {step.command}\n{ends}\n--- the page says\n{step.output}[exit {step.code}]")


def _as_pattern(expected: str) -> str:
    lines = [r"(?:.*\n)*?" if line == "…\n" else re.escape(line).replace("…", ".*") for line in expected.splitlines(True)]
    return "".join(lines)
