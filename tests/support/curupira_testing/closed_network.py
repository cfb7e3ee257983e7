"""Machines that are cut off: no network, and only some programs."""

import functools
import shutil
import subprocess
import unittest
from pathlib import Path

from .home import TempHome


@functools.cache
def _unshare() -> tuple[str, ...]:
    unshare = shutil.which("unshare") or ""
    for options in (("-n",), ("-r", "-n")):  # as root, and where users may make namespaces
        if unshare and subprocess.run([unshare, *options, "true"], capture_output=True).returncode == 0:
            return (unshare, *options)
    return ()


def without_network() -> tuple[str, ...]:
    """What goes before a command to run it in a network namespace without an interface; where that is not allowed the
    test is skipped."""
    if not _unshare():
        raise unittest.SkipTest("network namespaces are not allowed here")
    return _unshare()


def only_programs(home: TempHome, *names: str) -> dict[str, str]:
    """An environment with a PATH that has these programs, those of them that the machine has, and no others."""
    folder = home.folder / f"only-{'-'.join(names)}"
    folder.mkdir(exist_ok=True)
    for name in names:
        found = shutil.which(name)
        if found and not (folder / name).exists():
            (folder / name).symlink_to(Path(found))
    return {"PATH": str(folder)}
