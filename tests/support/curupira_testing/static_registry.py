"""npm registries and Python indexes made of files, for web servers that can do what a registry cannot."""

import base64
import hashlib
import html
import json
from collections.abc import Iterable
from pathlib import Path

from .packages import pack, sha256
from .paths import EXTENSIONS


def npm_hello(*, dependencies: dict[str, str] | None = None) -> tuple[str, str, bytes, dict]:
    """Name, version, tarball and package.json of the fixture node-hello."""
    folder = EXTENSIONS / "node-hello"
    package = json.loads((folder / "package.json").read_text())
    if dependencies:
        package["dependencies"] = dependencies
    files = {f"package/{each.name}": each.read_bytes() for each in folder.iterdir() if each.name != "package.json"}
    files["package/package.json"] = json.dumps(package).encode()
    return package["name"], package["version"], pack(files, "tar.gz"), package


def npm_plain(name: str, version: str = "1.0.0") -> tuple[str, str, bytes, dict]:
    """A package that is nothing but a dependency."""
    package = {"name": name, "version": version}
    return name, version, pack({"package/package.json": json.dumps(package).encode()}, "tar.gz"), package


def serve_npm(folder: Path, url: str, package: tuple[str, str, bytes, dict], *, tarballs: str | None = None) -> None:
    """Writes the packument and the tarball; `tarballs` is the URL below which the packument says that those are."""
    name, version, data, manifest = package
    file = f"{name}-{version}.tgz"
    (folder / "tarballs").mkdir(exist_ok=True)
    (folder / "tarballs" / file).write_bytes(data)
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
    dist = {"tarball": f"{tarballs or url + 'tarballs/'}{file}", "integrity": integrity}
    versions = {version: {**manifest, "dist": dist}}
    packument = {"name": name, "dist-tags": {"latest": version}, "versions": versions}
    (folder / name).write_text(json.dumps(packument))


def serve_python(folder: Path, wheels: Iterable[Path], *, yanked: dict[str, str] | None = None) -> None:
    """A simple index (PEP 503) at `<folder>/simple/`, with the digests of the files, which lie at `<folder>/wheels/`.
    `yanked`: file names with the reason why they were taken back (PEP 592)."""
    pages: dict[str, str] = {}
    (folder / "wheels").mkdir(parents=True, exist_ok=True)
    for wheel in wheels:
        data = wheel.read_bytes()
        (folder / "wheels" / wheel.name).write_bytes(data)
        name = wheel.name.split("-")[0].replace("_", "-").lower()
        reason = (yanked or {}).get(wheel.name)
        mark = "" if reason is None else f' data-yanked="{html.escape(reason)}"'
        link = f'<a href="../../wheels/{wheel.name}#sha256={sha256(data)}"{mark}>{wheel.name}</a>\n'
        pages[name] = pages.get(name, "") + link
    for name, links in pages.items():
        page = folder / "simple" / name / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"<!DOCTYPE html>\n<html><body>\n{links}</body></html>\n")
