"""The files of a registry that nobody signed, for what reads them without checking signatures: the browse page. Whatever
a hostile server could say is said here."""

import hashlib
import json
from pathlib import Path


def write_unsigned_registry(folder: Path, page: bytes, packages: dict[str, dict], indexes: dict[str, dict] = {}) -> None:
    """`packages`: what the search index says of each, by name; `indexes`: the index of those that have one."""
    targets = {f"packages/{name}.json": _target(folder, f"packages/{name}.json", index) for name, index in indexes.items()}
    listed = [{"name": name, "role": "bins-0", "summary": "", **said} for name, said in packages.items()]
    search = {"format": 1, "packages": listed, "roles": {"bins-0": 1}}
    _metadata(folder, "1.bins-0", {"_type": "targets", "targets": targets})
    found = {"search/index.json": _target(folder, "search/index.json", search)}
    _metadata(folder, "1.search", {"_type": "targets", "targets": found})
    _metadata(folder, "1.snapshot", {"_type": "snapshot", "meta": {f"{role}.json": {"version": 1} for role in ("bins-0", "search")}})
    expires = {"expires": "2999-01-01T00:00:00Z"}
    _metadata(folder, "timestamp", {"_type": "timestamp", "meta": {"snapshot.json": {"version": 1}}, **expires})
    _metadata(folder, "1.root", {"_type": "root"})
    (folder / "index.html").write_bytes(page)


def _metadata(folder: Path, name: str, content: dict) -> None:
    (folder / "metadata").mkdir(parents=True, exist_ok=True)
    (folder / "metadata" / f"{name}.json").write_text(json.dumps({"signatures": [], "signed": content}))


def _target(folder: Path, path: str, content: dict) -> dict:
    data = json.dumps(content).encode()
    digest = hashlib.sha256(data).hexdigest()
    parent, _, name = path.rpartition("/")
    file = folder / "targets" / parent / f"{digest}.{name}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return {"length": len(data), "hashes": {"sha256": digest}}
