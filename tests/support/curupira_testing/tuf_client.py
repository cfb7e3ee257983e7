"""Runs the TUF client of tests/tuf-client (CURUPIRA_TUF_CLIENT)."""

import datetime
import json
import os
from pathlib import Path

from .home import TempHome
from .paths import REPOSITORY
from .program import Program, Result


def client_path() -> Path:
    return Path(os.environ.get("CURUPIRA_TUF_CLIENT", REPOSITORY / "build" / "release" / "tests" / "tuf-client"))


class TufClient:
    """A client with its own trusted metadata and targets, at the repository's time unless told otherwise."""

    def __init__(self, home: TempHome, repository, now: datetime.datetime) -> None:
        self.repository = repository
        self.now = now
        self.metadata = home.work / "metadata"
        self.targets = home.work / "targets"
        self._root = home.work / "initial-root.json"
        self._program = Program(home, client_path())

    def init(self, root: bytes | None = None) -> Result:
        self._root.write_bytes(root or self.repository.files["root"][1])
        return self._program("--metadata-dir", self.metadata, "init", self._root)

    def refresh(self, **options) -> Result:
        return self._run("refresh", **options)

    def download(self, *names: str, **options) -> Result:
        words = [word for name in names for word in ("--target-name", name)]
        where = ["--target-dir", self.targets, "--target-base-url", self.repository.targets_url]
        return self._run(*words, *where, "download", **options)

    def _run(self, *words, now: datetime.datetime | None = None, metadata_url: str | None = None, **options) -> Result:
        time = (now or self.now).strftime("%Y-%m-%dT%H:%M:%SZ")
        where = ["--metadata-dir", self.metadata, "--metadata-url", metadata_url or self.repository.metadata_url]
        return self._program(*where, "--now", time, *words, **options)

    def versions(self) -> dict[str, int]:
        """Which versions are trusted, by the names of their files without ".json"."""
        found = {}
        for file in self.metadata.glob("*.json"):
            found[file.name.removesuffix(".json")] = json.loads(file.read_bytes())["signed"]["version"]
        return found

    def trusted(self, role: str) -> bytes:
        return (self.metadata / f"{role}.json").read_bytes()

    def state(self) -> dict[str, bytes]:
        """Every file of the trusted metadata: what a refused update must leave as it was."""
        return {file.name: file.read_bytes() for file in self.metadata.iterdir() if file.suffix != ".lock"}

    def downloaded(self) -> list[bytes]:
        """The contents of all files in the folder of targets, sorted."""
        files = [file for file in self.targets.rglob("*") if file.is_file()] if self.targets.exists() else []
        return sorted(file.read_bytes() for file in files)
