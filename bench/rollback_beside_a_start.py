#!/usr/bin/env python3
"""Times `plugins rollback` beside `--version`, the start of the program and nothing else, and prints the ratio: what
going back costs, as a multiple of the least that any command costs. The time of the machine goes out of it.

    ./scripts/dependencies && ./scripts/build release && bench/rollback_beside_a_start.py
"""

import os
import statistics
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "support"))
os.environ.setdefault("CURUPIRA_PROGRAM", str(REPOSITORY / "build" / "release" / "curupira"))

from curupira_testing import Program, TempHome  # noqa: E402
from curupira_testing.packages import extension_folder  # noqa: E402

PAIRS = 15


def main() -> None:
    for count in (1, 20):
        with TempHome() as home:
            curupira = Program(home)
            for version in ("1.0.0", "2.0.0"):
                folders = [f"path:{extension_folder(home.work, f'ext-{i}', version)}" for i in range(count)]
                curupira("plugins", "install", *folders, "--yes").expect(0)
            pairs = []
            for _ in range(PAIRS):
                back = curupira("plugins", "rollback").expect(0).seconds
                pairs.append((back, curupira("--version").expect(0).seconds))
            ratios = [back / start for back, start in pairs]
            print(
                f"rollback of {count} extension(s): {statistics.median(ratios):.1f} starts of the program"
                f" (min {min(ratios):.1f}, max {max(ratios):.1f}, {PAIRS} pairs;"
                f" {statistics.median(back for back, _ in pairs) * 1000:.0f} ms here)"
            )


if __name__ == "__main__":
    main()
