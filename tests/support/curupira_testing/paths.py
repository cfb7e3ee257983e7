"""Where things are in the checkout."""

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
FIXTURES = REPOSITORY / "fixtures"
EXTENSIONS = FIXTURES / "extensions"
#: Tools of the tests only, made by scripts/dependencies.
TOOLS = Path(os.environ.get("CURUPIRA_TEST_TOOLS", REPOSITORY / "build" / "tools"))


def python_tool(name: str) -> Path:
    return TOOLS / "python" / "bin" / name


def node_tool(name: str) -> Path:
    return TOOLS / "node" / "node_modules" / ".bin" / name


def go_tool(name: str) -> Path:
    return TOOLS / "go" / name
