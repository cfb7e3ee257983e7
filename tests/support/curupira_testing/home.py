"""A home of its own for each test, and an environment without the machine's settings."""

import os
import shutil
import tempfile
from pathlib import Path

from .paths import python_tool

#: What tells programs which certificates and proxies lead to the index: kept only for tests that go there.
_WAY_TO_THE_INDEX = (
    "SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS "
    "http_proxy https_proxy no_proxy all_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY"
).split()
_INDEX_PREFIXES = ("PIP_", "UV_", "npm_config_", "NPM_CONFIG_")


class TempHome:
    """A temporary HOME; `environment` is what programs get: PATH, HOME, LANG, TMPDIR and what the test adds.

    With `index` the machine's certificates, proxies and index settings are kept as well. As a context manager, or
    by `TempHome.of(test)`, it is removed at the end.
    """

    def __init__(self, *, index: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="curupira-test-"))
        self.path = self.folder / "home"
        self.work = self.folder / "work"
        self.tools = self.folder / "tools"
        self.temporary = self.folder / "tmp"
        for folder in (self.path, self.work, self.tools, self.temporary):
            folder.mkdir()
        for tool in ("uv", "uvx"):  # of the tests' own environment, unless the machine has them
            if shutil.which(tool) is None and python_tool(tool).exists():
                (self.tools / tool).symlink_to(python_tool(tool))
        self.environment = {
            "PATH": f"{self.tools}:{os.environ['PATH']}",
            "HOME": str(self.path),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.temporary),
            "PIP_CONFIG_FILE": os.devnull,  # not the machine's
        }
        if index:
            self._keep_the_way_to_the_index()

    @classmethod
    def of(cls, owner, **options) -> "TempHome":
        """A home that lives as long as a test, or as a test class."""
        home = cls(**options)
        (owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup)(home.remove)
        return home

    @property
    def curupira(self) -> Path:
        """The home of curupira, which it makes itself."""
        return self.path / ".curupira"

    @property
    def extensions(self) -> Path:
        return self.curupira / "extensions"

    def plant(self, name: str, manifest: str) -> Path:
        """Writes a manifest where the program finds it, as another program would have installed it."""
        folder = self.extensions / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "curupira-extension.toml").write_text(manifest, encoding="utf-8")
        return folder

    def write_settings(self, text: str) -> Path:
        self.curupira.mkdir(exist_ok=True)
        file = self.curupira / "settings.toml"
        file.write_text(text, encoding="utf-8")
        return file

    def installed(self) -> list[str]:
        """The names in extensions/, sorted."""
        return sorted(each.name for each in self.extensions.iterdir()) if self.extensions.is_dir() else []

    def state(self) -> dict[str, bytes | str]:
        """Every file that counts, with its content: what a refused command must leave as it was.

        Lock files, caches and logs do not count; empty folders do not either.
        """
        result: dict[str, bytes | str] = {}
        if not self.curupira.is_dir():
            return result
        for parent, folders, files in os.walk(self.curupira):
            if Path(parent) == self.curupira:
                folders[:] = [each for each in folders if each not in ("cache", "log")]
            for name in files + [each for each in folders if (Path(parent) / each).is_symlink()]:
                file = Path(parent) / name
                if name.endswith(".lock"):
                    continue
                relative = str(file.relative_to(self.curupira))
                result[relative] = f"-> {os.readlink(file)}" if file.is_symlink() else file.read_bytes()
        return result

    def remove(self) -> None:
        # Trees of the store are read-only: folders first get their write bits back.
        for parent, _, _ in os.walk(self.folder):
            os.chmod(parent, 0o700)
        shutil.rmtree(self.folder)

    def __enter__(self) -> "TempHome":
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def _keep_the_way_to_the_index(self) -> None:
        del self.environment["PIP_CONFIG_FILE"]
        for name, value in os.environ.items():
            if name in _WAY_TO_THE_INDEX or name.startswith(_INDEX_PREFIXES):
                self.environment[name] = value
        own = Path(os.environ.get("HOME", "/nonexistent")) / ".npmrc"
        if own.is_file():
            shutil.copy(own, self.path / ".npmrc")
