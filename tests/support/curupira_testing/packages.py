"""Packages of the tests: published, built and packed from fixtures/extensions, or written on the spot."""

import base64
import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from . import skip
from .paths import EXTENSIONS, python_tool
from .services import Verdaccio

#: The one-file extension of the fixtures: `hello NAME VERSION`.
HELLO = EXTENSIONS / "binary-hello" / "hello"
ARCHIVE_FORMATS = ("tar.gz", "tar.xz", "tar.zst", "tar.bz2", "zip")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# ---- npm


def publish_npm(
    registry: Verdaccio,
    fixture: str | Path,
    *,
    version: str | None = None,
    name: str | None = None,
    change: Callable[[Path], None] | None = None,
) -> None:
    """`npm publish` of a copy of a fixture; `version` and `name` are stamped into package.json and, when there is
    one, into the manifest; `change` may do more to the copy."""
    npm = skip.need_program("npm")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "package"
        shutil.copytree(EXTENSIONS / fixture, folder)
        package = json.loads((folder / "package.json").read_text())
        manifest = folder / "curupira-extension.toml"
        for key, value in (("version", version), ("name", name)):
            if value is not None:
                if manifest.exists():
                    text = manifest.read_text().replace(f'"{package[key]}"', f'"{value}"')
                    manifest.write_text(text)
                package[key] = value
        (folder / "package.json").write_text(json.dumps(package, indent=2))
        if change is not None:
            change(folder)
        npmrc = Path(scratch) / "npmrc"
        npmrc.write_text(registry.npmrc(token=True))
        done = subprocess.run(
            [npm, "publish", "--ignore-scripts", "--userconfig", npmrc, "--cache", Path(scratch) / "cache"],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": scratch},
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode != 0:
            raise AssertionError(f"npm publish of {fixture} failed:\n{done.stdout}\n{done.stderr}")


def npm_package(folder: Path, name: str, version: str, files: dict[str, str], **fields: object) -> Path:
    """Writes a package that no fixture is, for `publish_npm`: `fields` go into package.json."""
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version, **fields}))
    return folder


# ---- Python


def build_wheel(destination: Path, fixture: str = "python-hello", *, version: str | None = None) -> Path:
    """Builds the wheel of a fixture with hatchling, without an index."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        shutil.copytree(EXTENSIONS / fixture, folder)
        if version is not None:
            project = (folder / "pyproject.toml").read_text().replace('version = "1.0.0"', f'version = "{version}"')
            (folder / "pyproject.toml").write_text(project)
        hatchling = skip.need_python_tool("hatchling")
        done = subprocess.run(
            [hatchling, "build", "--target", "wheel", "--directory", destination],
            cwd=folder,
            env={"PATH": f"{python_tool('.')}:{os.environ['PATH']}", "HOME": scratch},
            capture_output=True,
            text=True,
            timeout=120,
        )
        if done.returncode != 0:
            raise AssertionError(f"building the wheel of {fixture} failed:\n{done.stdout}\n{done.stderr}")
    return max(destination.glob("*.whl"), key=lambda file: file.stat().st_mtime_ns)


def sdk_wheels() -> list[Path]:
    """The wheels that `python-hello` needs."""
    folder = python_tool("python").parent.parent / "wheels"
    skip.need_python_tool("python")
    return sorted(folder.glob("*.whl"))


def write_wheel(
    destination: Path,
    name: str,
    version: str,
    modules: dict[str, str],
    *,
    scripts: dict[str, str] | None = None,
    requires: tuple[str, ...] = (),
    python: str = "",
    vouch: bool = True,
    tag: str = "py3-none-any",
) -> Path:
    """A wheel written by hand: `modules` are files, `scripts` are console scripts (`name` → `module:function`),
    `requires` the packages and `python` the versions of Python that it needs. Without `vouch` its RECORD has wrong
    digests of them; `tag` says for which Python and platform it is."""
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    files = dict(modules)
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + "".join(
        f"Requires-Dist: {each}\n" for each in requires
    )
    if python:
        files[f"{info}/METADATA"] += f"Requires-Python: {python}\n"
    pure = str(tag.endswith("-none-any")).lower()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: curupira-testing\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"
    if scripts:
        entries = "".join(f"{script} = {target}\n" for script, target in scripts.items())
        files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{entries}"
    record = ""
    for file, text in files.items():
        promised = text if vouch or file not in modules else text + "?"
        digest = base64.urlsafe_b64encode(hashlib.sha256(promised.encode()).digest()).rstrip(b"=").decode()
        path = f'"{file}"' if "," in file else file
        record += f"{path},sha256={digest},{len(text.encode())}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n"
    wheel = destination / f"{stem}-{tag}.whl"
    wheel.write_bytes(pack_zip({file: text.encode() for file, text in files.items()}))
    return wheel


def hello_wheel(destination: Path, name: str, version: str, *, requires: tuple[str, ...] = ()) -> Path:
    """The hello program as a Python package with its manifest."""
    program, _, _ = HELLO.read_text(encoding="utf-8").rpartition("\nmain()\n")
    program += f'\nsys.argv[1:] = ["{name}", "{version}"]\n'
    module = name.replace("-", "_")
    launch = f'type = "uvx"\npackage = "{name}"\nexecutable = "{name}"'
    manifest = manifest_text(name, version, runtime='"python"', launch=launch)
    files = {f"{module}.py": program, f"{module}-{version}.dist-info/curupira-extension.toml": manifest}
    return write_wheel(destination, name, version, files, scripts={name: f"{module}:main"}, requires=requires)


# ---- archives


def pack_tar(files: dict[str, bytes], executable: tuple[str, ...] = ()) -> bytes:
    """A deterministic tar: folders before their files, no time, no owner."""
    folders = sorted({str(parent) for file in files for parent in Path(file).parents if str(parent) != "."})
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for folder in folders:
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(entry)
        for file, data in files.items():
            entry = tarfile.TarInfo(file)
            entry.mode, entry.size = (0o755 if file in executable else 0o644), len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def pack_zip(files: dict[str, bytes], executable: tuple[str, ...] = ()) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data in files.items():
            entry = zipfile.ZipInfo(file, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = (0o100755 if file in executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()


def compress(data: bytes, kind: str) -> bytes:
    """`kind`: gz, xz, zst or bz2."""
    if kind == "gz":
        return gzip.compress(data, mtime=0)
    if kind == "xz":
        return lzma.compress(data)
    if kind == "bz2":
        return bz2.compress(data)
    zstd = skip.need_program("zstd")
    return subprocess.run([zstd, "--quiet", "--stdout"], input=data, capture_output=True, check=True).stdout


def pack(files: dict[str, bytes], kind: str, executable: tuple[str, ...] = ()) -> bytes:
    """An archive of `files`; `kind` is one of ARCHIVE_FORMATS."""
    if kind == "zip":
        return pack_zip(files, executable)
    return compress(pack_tar(files, executable), kind.removeprefix("tar."))


def acme_archive(destination: Path, kind: str = "tar.zst", *, version: str = "1.2.0") -> Path:
    """`acme-ext-<version>.<kind>` of the fixture archive-hello, all of it below one folder, as releases are."""
    manifest = (EXTENSIONS / "archive-hello" / "curupira-extension.toml").read_text().replace("1.2.0", version)
    top = f"acme-ext-{version}"
    files = {
        f"{top}/curupira-extension.toml": manifest.encode(),
        f"{top}/bin/acme-ext": HELLO.read_bytes(),
    }
    file = destination / f"{top}.{kind}"
    file.write_bytes(pack(files, kind, executable=(f"{top}/bin/acme-ext",)))
    return file


# ---- folders


def manifest_text(
    name: str,
    version: str = "1.0.0",
    /,
    *,
    triggers: tuple[str, ...] = ("greetings", "silence"),
    launch: str | None = None,
    **fields: object,
) -> str:
    """A manifest; `launch` is the text of the launch table, `fields` add or replace top-level values (TOML text)."""
    values: dict[str, object] = {
        "manifest_version": 1,
        "name": json.dumps(name),
        "version": json.dumps(version),
        "protocol_version": 2,
        "runtime": '"executable"',
        "kind": '"trigger"',
        "trigger_types": json.dumps(list(triggers)),
        **fields,
    }
    head = "".join(f"{key} = {value}\n" for key, value in values.items() if value is not None)
    table = launch or f'type = "executable"\nprogram = "./hello"\nargs = [{json.dumps(name)}, {json.dumps(version)}]'
    return f"{head}\n[launch]\n{table}\n"


def extension_folder(parent: Path, name: str, version: str = "1.0.0", **options) -> Path:
    """A folder for `path:` with launch type `executable` and the hello program."""
    folder = parent / f"{name}-{version}"
    folder.mkdir(parents=True)
    (folder / "curupira-extension.toml").write_text(manifest_text(name, version, **options))
    shutil.copy(HELLO, folder / "hello")
    return folder


def scripted_extension(parent: Path, name: str, override: str, *, version: str = "1.0.0", args: tuple[str, ...] = ()) -> Path:
    """A folder for `path:` whose program is hello with `override` (Python) laid over its functions; `args` follow
    name and version in its argv."""
    launch = f'type = "executable"\nprogram = "./hello"\nargs = {json.dumps([name, version, *args])}'
    folder = extension_folder(parent, name, version, launch=launch)
    source = HELLO.read_text(encoding="utf-8")
    head, _, _ = source.rpartition("\nmain()\n")
    (folder / "hello").write_text(f"{head}\n{override}\n\nmain()\n", encoding="utf-8")
    return folder
