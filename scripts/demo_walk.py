"""The walk of scripts/demo. Servers are stopped and the folder is removed at the end, also after a failure."""

import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest
from contextlib import ExitStack

from curupira_testing import TempHome
from curupira_testing.packages import acme_archive, build_wheel, publish_npm, sdk_wheels
from curupira_testing.paths import EXTENSIONS
from curupira_testing.program import program_path
from curupira_testing.repo import bare_repository
from curupira_testing.services import Pypiserver, Verdaccio
from curupira_testing.settings import installed, npx, settings_text, uvx


class Failed(Exception):
    pass


def heading(text: str) -> None:
    print(f"\n\033[1m# {text}\033[0m" if sys.stdout.isatty() else f"\n# {text}", flush=True)


class Walk:
    def __init__(self, home: TempHome) -> None:
        self.home = home

    def __call__(self, line: str) -> None:
        """Prints a command before its output, and runs it: `curupira …`, or a program of the system."""
        print(f"\n$ {line}", flush=True)
        words = shlex.split(line)
        if words[0] == "curupira":
            words[0] = str(program_path())
        done = subprocess.run(
            words, env=self.home.environment, cwd=self.home.work, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )
        if done.returncode != 0:
            raise Failed(f"`{line}` ended with exit code {done.returncode}")


def prepare(stack: ExitStack, home: TempHome) -> None:
    """A registry for npm and one for Python with the fixtures, an archive, a repository and the settings."""
    heading("Starting a local npm registry (Verdaccio) and a local Python index (pypiserver) with the fixtures")
    npm, python = stack.enter_context(Verdaccio()), stack.enter_context(Pypiserver())
    publish_npm(npm, "node-hello")
    for version in ("1.2.0", "1.2.3", "2.0.0"):
        publish_npm(npm, "acme-curupira-ext", version=version)
    for wheel in sdk_wheels():
        shutil.copy(wheel, python.packages)
    build_wheel(python.packages)
    (home.path / ".npmrc").write_text(npm.npmrc())
    home.environment["UV_DEFAULT_INDEX"] = python.index
    print(f"npm registry {npm.url}, Python index {python.index}")

    acme_archive(home.work, "tar.zst")
    for fixture in ("node-hello", "binary-hello", "archive-launch-hello"):
        (home.work / fixture).symlink_to(EXTENSIONS / fixture)
    remote = bare_repository(home.folder / "git")
    plugins = {
        "node": npx("-y", "curupira-node-hello"),
        "acme": npx("-y", "@acme/curupira-ext@^1.2"),
        "python": uvx("--from", "curupira-python-hello", "curupira-python-hello"),
        "archive": installed("acme-ext"),
        "binary": installed("curupira-binary-hello"),
        "packed": installed("curupira-archive-launch-hello"),
    }
    languages = ("en", "pt", "ja")
    automations = {
        f"greet-{alias}": {
            "trigger_type": f"{alias}/greetings",
            "language": languages[number % 3],
            "prompt": f"Say it in ${{repository}}: {{{{ title }}}} (from {alias})",
        }
        for number, alias in enumerate(plugins)
    }
    home.write_settings(settings_text(remote, plugins, automations))


def walk(run: Walk) -> None:
    heading("One extension of each kind: folder, npm, Python, archive, binary and archive for this platform")
    run("curupira plugins install path:node-hello --yes")
    run("curupira plugins install npm:@acme/curupira-ext@^1.2 --yes")
    run("curupira plugins install pip:curupira-python-hello --yes")
    run("curupira plugins install ./acme-ext-1.2.0.tar.zst --yes")
    run("curupira plugins install path:binary-hello path:archive-launch-hello --yes")

    heading("What is installed, and how one of them starts: nothing is executed to say so")
    run("curupira plugins list")
    run("curupira plugins info acme-curupira-ext")

    heading("Settings that name them, three as the existing host would start them")
    run("cat ../home/.curupira/settings.toml")
    run("curupira validate")
    run("curupira run --dry-run")

    heading("And away again")
    run("curupira plugins remove acme-ext")


def main() -> int:
    # Stopped from outside, the servers are stopped as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started = time.monotonic()
    try:
        with ExitStack() as stack:
            home = stack.enter_context(TempHome())
            prepare(stack, home)
            walk(Walk(home))
    except unittest.SkipTest as missing:
        print(f"scripts/demo: {missing}", file=sys.stderr)
        return 1
    except Failed as failure:
        print(f"\nscripts/demo: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    heading(f"Done in {time.monotonic() - started:.0f} s; the servers are stopped and the folder is removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
