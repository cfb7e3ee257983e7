"""A machine with extensions of the kinds that need no server, and bundles of them."""

import platform
from pathlib import Path

from .home import TempHome
from .packages import HELLO, acme_archive, extension_folder, sha256
from .program import Program

#: Of the machine that the tests run on, as lock files name it.
HERE = f"linux-{platform.machine()}"
PLATFORMS = ("darwin-arm64", "linux-aarch64", "linux-x86_64")
OTHER = next(each for each in PLATFORMS if each not in (HERE, "darwin-arm64"))


def lock_head(platforms: tuple[str, ...]) -> str:
    """A lock file that has no extension yet."""
    names = ", ".join(f'"{name}"' for name in sorted(platforms))
    return f"# Written by curupira; `curupira plugins sync` installs exactly this.\nlock_version = 1\nplatforms = [{names}]\n"


def native_folder(parent: Path) -> Path:
    """An extension with a program of its own for each platform, beside its manifest: launch type `binary`."""
    tables = ""
    for name in PLATFORMS:
        data = HELLO.read_bytes() + f"# {name}\n".encode()
        tables += f'\n[launch.platforms.{name}]\nurl = "hello-{name}"\nsha256 = "{sha256(data)}"\nsize = {len(data)}\n'
    folder = extension_folder(parent, "native", launch=f'type = "binary"\nargs = ["native", "1.0.0"]\n{tables}')
    for name in PLATFORMS:
        (folder / f"hello-{name}").write_bytes(HELLO.read_bytes() + f"# {name}\n".encode())
    return folder


class BundlingMachine:
    """`home` has a folder ("one"), an archive ("acme-ext") and programs of three platforms ("native") installed."""

    def __init__(self, home: TempHome, platforms: tuple[str, ...] = PLATFORMS) -> None:
        self.home, self.curupira = home, Program(home)
        self.lock = home.curupira / "curupira.lock"
        home.curupira.mkdir()
        self.lock.write_text(lock_head(platforms))
        self.folder = extension_folder(home.work, "one")
        self.install(f"path:{self.folder}", acme_archive(home.work), f"path:{native_folder(home.work)}")

    def install(self, *references: str | Path) -> None:
        self.curupira("plugins", "install", *references, "--yes").expect(0)

    def bundle(self, name: str = "bundle.oci", *options: str | Path) -> Path:
        file = self.home.work / name
        self.curupira("plugins", "bundle", "create", "-o", file, *options).expect(0)
        return file
