"""Runs the program under test (CURUPIRA_PROGRAM)."""

import os
import pty
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .home import TempHome
from .paths import REPOSITORY


@dataclass
class Result:
    """How a command ended. `stdout` and `stderr` are text; on a terminal all of it is in `stdout`."""

    command: list[str]
    code: int
    stdout: str
    stderr: str
    seconds: float

    def expect(self, code: int) -> "Result":
        if self.code != code:
            raise AssertionError(f"expected exit code {code}\n{self}")
        return self

    def expect_error(self, error: str, *words: str, code: int = 1) -> "Result":
        """Ended with `code`, named the error (`CUR-2104`) and said all the words."""
        self.expect(code)
        for word in (f"error[{error}]", *words):
            if word not in self.stderr:
                raise AssertionError(f"expected {word!r} on stderr\n{self}")
        return self

    def __str__(self) -> str:
        command = " ".join(self.command)
        return f"$ {command}\nexit code {self.code}\n--- stdout\n{self.stdout}\n--- stderr\n{self.stderr}\n---"


def program_path() -> Path:
    return Path(os.environ.get("CURUPIRA_PROGRAM", REPOSITORY / "build" / "release" / "curupira"))


class Program:
    """The program in a home: `program("plugins", "list").expect(0)`."""

    def __init__(self, home: TempHome, executable: Path | None = None) -> None:
        self.home = home
        self.executable = executable or program_path()

    def environment(self, changes: dict[str, str | None] | None = None) -> dict[str, str]:
        merged = {**self.home.environment, **(changes or {})}
        return {name: value for name, value in merged.items() if value is not None}

    def __call__(
        self,
        *arguments: str | Path,
        env: dict[str, str | None] | None = None,
        stdin: str = "",
        cwd: Path | None = None,
        timeout: float = 120,
        prefix: tuple[str, ...] = (),
    ) -> Result:
        """Runs to the end; `env` lies over the home's environment (None removes); `prefix` goes before the program."""
        command = [*prefix, str(self.executable), *map(str, arguments)]
        started = time.monotonic()
        child = subprocess.run(
            command,
            env=self.environment(env),
            cwd=cwd or self.home.work,
            input=stdin.encode(),
            capture_output=True,
            timeout=timeout,
        )
        return Result(
            command,
            child.returncode,
            child.stdout.decode("utf-8", "backslashreplace"),
            child.stderr.decode("utf-8", "backslashreplace"),
            time.monotonic() - started,
        )

    def start(self, *arguments: str | Path, env: dict[str, str | None] | None = None) -> subprocess.Popen:
        """Starts and returns at once, for tests of what runs side by side. The caller waits for it."""
        return subprocess.Popen(
            [str(self.executable), *map(str, arguments)],
            env=self.environment(env),
            cwd=self.home.work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def on_terminal(
        self,
        *arguments: str | Path,
        answers: list[tuple[str, str]] = [],
        env: dict[str, str | None] | None = None,
        timeout: float = 60,
    ) -> Result:
        """Runs with a terminal as stdin, stdout and stderr. Each of `answers` is (text to wait for, text to type)."""
        command = [str(self.executable), *map(str, arguments)]
        started = time.monotonic()
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.home.work)
            os.execve(command[0], command, self.environment({"TERM": "xterm", **(env or {})}))
        output, waiting = b"", list(answers)
        try:
            while time.monotonic() < started + timeout:
                if not select.select([terminal], [], [], 0.1)[0]:
                    continue
                try:
                    chunk = os.read(terminal, 65536)
                except OSError:  # the other end is closed
                    break
                if not chunk:
                    break
                output += chunk
                while waiting and waiting[0][0].encode() in output:
                    os.write(terminal, waiting.pop(0)[1].encode())
            else:
                os.kill(pid, signal.SIGKILL)
        finally:
            os.close(terminal)
        _, status = os.waitpid(pid, 0)
        text = output.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
        return Result(command, os.waitstatus_to_exitcode(status), text, "", time.monotonic() - started)
