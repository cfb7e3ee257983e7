"""Packages of a registry in a TUF repository that python-tuf signs: for registries that lie to `plugins install`."""

import hashlib
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .home import TempHome
from .packages import extension_folder, pack, sha256
from .registry_user import registry_table
from .tuf_repository import NOW, TufRepository


@dataclass
class Release:
    """One version of a package, as its index names it."""

    archive: bytes
    manifest: str
    file: str
    yanked: str | None = None
    artifacts: list[dict] = field(default_factory=list)

    def entry(self) -> dict:
        own = {"file": self.file, "sha256": sha256(self.archive), "size": len(self.archive)}
        entry = {"manifest": self.manifest, "published": "2020-01-01T00:00:00Z", "artifacts": self.artifacts or [own]}
        if self.yanked is not None:
            entry["yanked"] = {"reason": self.yanked}
        return entry


def release(parent: Path, name: str, version: str = "1.0.0", **options) -> Release:
    folder = extension_folder(parent, name, version, **options)
    files = {file.name: file.read_bytes() for file in sorted(folder.iterdir())}
    archive = pack(files, "tar.gz", executable=("hello",))
    return Release(archive, files["curupira-extension.toml"].decode(), f"{name}-{version}.tar.gz")


def index_text(name: str, releases: dict[str, Release]) -> bytes:
    versions = {version: each.entry() for version, each in releases.items()}
    index = {"format": 1, "name": name, "versions": versions}
    return json.dumps(index, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def put_package(repository: TufRepository, name: str, releases: dict[str, Release], *, role: str = "targets") -> None:
    """Adds the package and serves its files; the caller publishes."""
    repository.add_target(f"packages/{name}.json", index_text(name, releases), role)
    for each in releases.values():
        repository.answers[f"artifacts/{sha256(each.archive)}.{each.file}"] = each.archive


class PackageRegistry:
    """A registry with one release of "tickets", and a home that knows it as "corp" and has read its metadata once.

    The home's time is the repository's: it is what the home remembers as the highest that it has seen.
    """

    target = "packages/tickets.json"

    def __init__(self, test, home: TempHome) -> None:
        self.repository = TufRepository.of(test)
        self.repository.attacked = self.target
        self.home = home
        self.release = release(Path(tempfile.mkdtemp(dir=home.work)), "tickets")
        put_package(self.repository, "tickets", {"1.0.0": self.release})
        self.repository.publish("targets", "snapshot", "timestamp")
        home.write_settings(self.table("corp"))

    def table(self, name: str) -> str:
        """What settings say of it."""
        root = f"sha256:{hashlib.sha256(self.repository.files['root'][1]).hexdigest()}"
        return registry_table(name, self.repository.url, root)

    @property
    def trust(self) -> Path:
        return self.home.curupira / "trust" / "corp"

    def turn_clock(self, now=NOW) -> None:
        (self.trust / "highest-time").write_text(now.strftime("%Y-%m-%dT%H:%M:%SZ\n"))

    def trusted(self) -> dict[str, bytes]:
        """The metadata that is trusted, and the highest time."""
        files = (*self.trust.glob("*.json"), self.trust / "highest-time")
        return {file.name: file.read_bytes() for file in files}
