"""What a test needs beside the program. What is missing skips it, with a reason that is printed at the end."""

import functools
import importlib
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from pathlib import Path

from .paths import TOOLS, go_tool, node_tool, python_tool
from .runner import ALL_SKIPPED

#: Set to 1, no test goes to a package index: to see what remains without one.
OFFLINE = "CURUPIRA_TEST_OFFLINE"


def need_program(name: str) -> Path:
    """The path of a program; without it the test is skipped."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        raise unittest.SkipTest(f"{name} is not on PATH (scripts/dependencies installs it)")
    return Path(found)


def need_python_tool(name: str) -> Path:
    if not python_tool(name).exists():
        raise unittest.SkipTest(f"{name} is not in {TOOLS / 'python'} (scripts/dependencies, with an index, puts it there)")
    return python_tool(name)


def file_needs_python_packages(*names: str) -> None:
    """For the top of a test file: makes packages of the tools' environment importable, which is of the interpreter that
    runs the tests; without them the whole file is skipped."""
    folder = TOOLS / "python" / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError as error:
            how = "scripts/dependencies, with an index, puts it there"
            print(f"SKIPPED {Path(sys.argv[0]).stem}: {name} is not in {folder} ({how}): {error}")
            sys.exit(ALL_SKIPPED)


def need_node_tool(name: str) -> Path:
    need_program("node")
    if not node_tool(name).exists():
        raise unittest.SkipTest(f"{name} is not in {TOOLS / 'node'} (scripts/dependencies, with an index, puts it there)")
    return node_tool(name)


def need_node_package(name: str) -> Path:
    need_program("node")
    folder = TOOLS / "node" / "node_modules" / name
    if not folder.exists():
        raise unittest.SkipTest(f"{name} is not in {TOOLS / 'node'} (scripts/dependencies, with an index, puts it there)")
    return folder


def need_go_tool(name: str) -> Path:
    if not go_tool(name).exists():
        raise unittest.SkipTest(f"{name} is not in {TOOLS / 'go'} (scripts/dependencies, with Go and a module proxy, puts it there)")
    return go_tool(name)


def need_uv() -> Path:
    return Path(shutil.which("uv") or need_python_tool("uv"))


@functools.cache
def npm_registry() -> str:
    """The registry that npm is configured for on this machine."""
    need_program("npm")
    asked = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, timeout=60)
    return asked.stdout.strip()


def _why_npm_index_lacks(path: str, method: str) -> str | None:
    if os.environ.get(OFFLINE) == "1":
        return f"{OFFLINE} is set"
    try:
        context = ssl.create_default_context(cafile=os.environ.get("NODE_EXTRA_CA_CERTS"))
        context.load_default_certs()
        request = urllib.request.Request(npm_registry().rstrip("/") + path, method=method)
        with urllib.request.urlopen(request, timeout=20, context=context):
            return None
    except OSError as error:
        return str(error)


@functools.cache
def _why_no_npm_index() -> str | None:
    reason = _why_npm_index_lacks("/express", "HEAD")
    return reason and f"the configured npm registry is not reachable: {reason}"


@functools.cache
def _why_no_npm_signatures() -> str | None:
    reason = _why_npm_index_lacks("/-/npm/v1/keys", "GET")
    return reason and f"the configured npm registry publishes no keys: {reason}"


@functools.cache
def _why_no_python_index() -> str | None:
    if os.environ.get(OFFLINE) == "1":
        return f"{OFFLINE} is set"
    pip = [need_python_tool("python"), "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
    with tempfile.TemporaryDirectory() as folder:
        asked = subprocess.run(
            [*pip, "--retries", "1", "--timeout", "20", "--dest", folder, "curupira-sdk"],
            capture_output=True,
            text=True,
        )
    return None if asked.returncode == 0 else "the configured Python index is not reachable: " + asked.stderr[-200:]


def need_npm_index() -> None:
    if reason := _why_no_npm_index():
        raise unittest.SkipTest(reason)


def need_npm_signatures() -> None:
    """A configured npm registry that signs; mirrors often do not."""
    need_npm_index()
    if reason := _why_no_npm_signatures():
        raise unittest.SkipTest(reason)


def need_python_index() -> None:
    if reason := _why_no_python_index():
        raise unittest.SkipTest(reason)


def npm_index_reachable() -> bool:
    return _why_no_npm_index() is None
