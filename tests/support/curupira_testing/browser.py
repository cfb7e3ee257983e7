"""Debian's Chromium, driven by playwright-core."""

import json
import subprocess
from pathlib import Path

from . import skip
from .home import TempHome

_DRIVER = Path(__file__).with_suffix(".mjs")


class Browser:
    """`browser.fresh(width=360, scheme="dark")`, then `browser.open(url)`; the rest works on that page."""

    def __init__(self, home: TempHome) -> None:
        chromium, playwright = skip.need_program("chromium"), skip.need_node_package("playwright-core")
        self._log = (home.folder / "browser.log").open("wb")
        self._node = subprocess.Popen(
            [skip.need_program("node"), _DRIVER, playwright, chromium],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, env=home.environment,
        )  # fmt: skip

    @classmethod
    def of(cls, owner, home: TempHome) -> "Browser":
        browser = cls(home)
        (owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup)(browser.close)
        return browser

    def close(self) -> None:
        self._node.stdin.close()
        self._node.wait(30)
        self._node.stdout.close()
        self._log.close()

    def _do(self, action: str, **options):
        self._node.stdin.write(json.dumps({"action": action, **options}).encode() + b"\n")
        self._node.stdin.flush()
        line = self._node.stdout.readline()
        if not line:
            raise AssertionError(f"the browser ended: {Path(self._log.name).read_text(errors='replace')[-2000:]}")
        answer = json.loads(line)
        if "error" in answer:
            raise AssertionError(f"{action} {options}: {answer['error']}")
        return answer["result"]

    def fresh(self, **options) -> None:
        """A new page without memory: `width`, `height`, `scheme` "light" or "dark"."""
        self._do("fresh", **options)

    def open(self, url: str) -> None:
        self._do("open", url=url)

    def wait(self, script: str) -> None:
        """Until the expression is true, not for ever."""
        self._do("wait", script=script)

    def evaluate(self, script: str):
        return self._do("evaluate", script=script)

    def press(self, *keys: str) -> None:
        for key in keys:
            self._do("press", key=key)

    def type(self, text: str) -> None:
        self._do("type", text=text)

    def click(self, role: str, name: str) -> None:
        self._do("click", role=role, name=name)

    def back(self) -> None:
        self._do("back")

    def tree(self) -> str:
        """What a screen reader gets: roles and names."""
        return self._do("tree")

    def screenshot(self, path: Path) -> None:
        self._do("screenshot", path=str(path))

    def problems(self) -> list[str]:
        """Errors and warnings of the console, exceptions, dialogs."""
        return self._do("log")["problems"]

    def requests(self) -> list[str]:
        return self._do("log")["requests"]
