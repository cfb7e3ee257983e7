"""Runs the carriers of registries by tests/carrier-tool (CURUPIRA_CARRIER_TOOL), and files for them to carry."""

import hashlib
import os
from pathlib import Path

from .home import TempHome
from .paths import REPOSITORY
from .program import Program, Result


def tool_path() -> Path:
    return Path(os.environ.get("CURUPIRA_CARRIER_TOOL", REPOSITORY / "build" / "release" / "tests" / "carrier-tool"))


def target(path: str, data: bytes) -> tuple[str, bytes]:
    """The item of a target: its digest stands before the last segment of its path."""
    folder, _, name = path.rpartition("/")
    return f"targets/{folder}/{hashlib.sha256(data).hexdigest()}.{name}", data


#: By item. Names and sizes as registries have them: short and long metadata, a role with a slash in its name and one with
#: a name that is too long for a tag, a scoped package, an artifact that is sent in pieces.
FILES: dict[str, bytes] = dict(
    [
        ("metadata/1.root.json", b'{"signed":{"_type":"root"}}'),
        ("metadata/7.snapshot.json", b'{"signed":{"_type":"snapshot"}}' * 10),
        ("metadata/timestamp.json", b'{"signed":{"version":1}}'),
        ("metadata/3.targets.json", b"[" + b"1," * 50_000 + b"1]"),
        ("metadata/1.team%2Fpublisher_a.json", b"{}"),
        (f"metadata/1.{'x' * 190}.json", b'{"long":true}'),
        target("packages/hello.json", b'{"format":1,"name":"hello"}'),
        target("packages/@acme/hello.json", b'{"format":1,"name":"@acme/hello"}'),
        target("artifacts/hello-1.0.0.tar.gz", bytes(range(256)) * 12_000),
    ]
)


class CarrierTool:
    """`tool.put(address, files)`; `tool.get(address, *items)` and then `tool.got()`."""

    def __init__(self, home: TempHome, **env: str) -> None:
        self.home, self.env = home, env
        self.folder = home.work / "got"
        self._source = home.work / "source"
        self._program = Program(home, tool_path())

    def __call__(self, *words, env: dict[str, str] = {}) -> Result:
        return self._program(*words, env={**self.env, **env})

    def put(self, address: str, files: dict[str, bytes] = FILES, *options: str, **env: str) -> Result:
        write(self._source, files)
        return self(*options, "put", address, self._source, *files, env=env)

    def put_at_once(self, address: str, item: str, contents: list[bytes]) -> list[int]:
        """Publishers at the same time, each with its own content for the item; gives their exit codes."""
        folders = [self.home.work / f"publisher-{number}" for number in range(len(contents))]
        for folder, data in zip(folders, contents):
            write(folder, {item: data})
        started = [self._program.start("put", address, folder, item, env=self.env) for folder in folders]
        for child in started:
            child.communicate(timeout=60)
        return [child.returncode for child in started]

    def get(self, address: str, *items: str, options: tuple[str, ...] = (), **env: str) -> Result:
        return self(*options, "get", address, self.folder, *items, env=env)

    def pin(self, root: bytes, name: str = "trust") -> Path:
        """A client's folder that trusts this root."""
        file = self.home.work / f"{name}-root.json"
        file.write_bytes(root)
        folder = self.home.work / name
        self("pin", file, folder).expect(0)
        return folder

    def walk(self, address: str, trust: Path, *targets: str, now: str = "", **env: str) -> Result:
        """The TUF client's way to targets; `now`: as it stands in metadata."""
        options = ("--now", now) if now else ()
        return self(*options, "walk", address, trust, *targets, env=env)

    def has(self, address: str, *items: str) -> Result:
        return self("has", address, *items)

    def got(self) -> dict[str, bytes]:
        """Every file that `get` left, by item."""
        files = [file for file in self.folder.rglob("*") if file.is_file()] if self.folder.exists() else []
        return {str(file.relative_to(self.folder)): file.read_bytes() for file in files}


def write(folder: Path, files: dict[str, bytes] = FILES) -> None:
    """As a registry's folder has them."""
    for item, data in files.items():
        (folder / item).parent.mkdir(parents=True, exist_ok=True)
        (folder / item).write_bytes(data)
