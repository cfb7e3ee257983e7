#!/usr/bin/env python3
"""Times this program beside the existing host, in turn, and prints the ratio of each pair: never a bare time.

    ./scripts/dependencies && ./scripts/build release && bench/beside_the_existing_host.py

- list: `plugins list` over 50 manifests.
- start: from the command to the first task shown, for a Node extension without dependencies: the verified copy, started
  by node, against the same package through npx from a local folder.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "support"))
os.environ.setdefault("CURUPIRA_PROGRAM", str(REPOSITORY / "build" / "release" / "curupira"))

from curupira_testing import FIXTURES, Program, TempHome  # noqa: E402
from curupira_testing.paths import python_tool  # noqa: E402

RUNS = 15


SETTINGS = """
[repositories.api]
remote = "https://git.example.org/acme/api.git"
[agents.defaults]
profile = "p"
[agents.profiles.p]
provider = "claude"
[plugins.hello]
{plugin}
[automations.one]
trigger_type = "hello/greetings"
repository = "api"
prompt = "Do ${{title}}"
"""


def seconds(command: list[str], home: TempHome) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=home.environment, cwd=home.work, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def compare(title: str, ours: list[str], theirs: list[str], home: TempHome) -> None:
    seconds(ours, home), seconds(theirs, home)  # a warm-up of each
    ratios = [seconds(ours, home) / seconds(theirs, home) for _ in range(RUNS)]
    print(f"{title}: ours / existing host = {statistics.median(ratios):.2f}"
          f" (min {min(ratios):.2f}, max {max(ratios):.2f}, {RUNS} pairs)")


def manifest(index: int) -> str:
    return f"""manifest_version = 1
name = "ext-{index}"
version = "1.0.{index}"
protocol_version = 2
runtime = "node"
kind = "trigger"
trigger_types = ["items-{index}"]
[launch]
type = "npx"
package = "ext-{index}"
"""


def main() -> None:
    peer = str(python_tool("curupira"))
    with TempHome() as home:
        program = Program(home)
        for index in range(50):
            home.plant(f"ext-{index}", manifest(index))
        compare("list", [str(program.executable), "plugins", "list"], [peer, "plugins", "list"], home)
    with TempHome() as home:
        program = Program(home)
        program("plugins", "install", f"path:{FIXTURES / 'extensions' / 'node-hello'}", "--yes").expect(0)
        hello = FIXTURES / "extensions" / "node-hello"
        home.write_settings(SETTINGS.format(plugin=f'type = "npx"\nargs = ["{hello}"]'))
        own = home.work / "ours.toml"
        own.write_text(SETTINGS.format(plugin='type = "installed"\nname = "curupira-node-hello"'))
        compare("start", [str(program.executable), "--config", str(own), "run", "--dry-run"],
                [peer, "run", "--dry-run"], home)


if __name__ == "__main__":
    main()
