"""A registry that the program makes in a folder, and a static server that counts what is asked for."""

import functools
import hashlib
import http.server
import json
import threading
from pathlib import Path

from . import skip
from .home import TempHome
from .packages import extension_folder
from .program import Program, Result


class OwnRegistry:
    """`registry("publish", path)` runs `curupira registry publish FOLDER path`. Few bins, so that it is made quickly."""

    def __init__(self, home: TempHome, *options: str, name: str = "registry") -> None:
        self.home = home
        self.curupira = Program(home)
        self.folder = home.work / name
        self.keys = home.work / f"{name}.keys"
        self.extensions = home.work / f"{name}-extensions"
        self.made = self("init", "--bits", "2", *options).expect(0)

    def __call__(self, command: str, *arguments: str | Path, **options) -> Result:
        words = command.split()
        return self.curupira("registry", *words, self.folder, *arguments, **options)

    def json(self, command: str, *arguments: str | Path, **options) -> dict:
        return json.loads(self(command, *arguments, "--json", **options).expect(0).stdout)

    def extension(self, name: str, version: str = "1.0.0", **options) -> Path:
        return extension_folder(self.extensions, name, version, **options)

    def publish(self, name: str, version: str = "1.0.0", *arguments: str | Path, **options) -> Result:
        return self("publish", self.extension(name, version), *arguments, **options).expect(0)

    @property
    def fingerprint(self) -> str:
        """What its users pin."""
        return "sha256:" + hashlib.sha256((self.folder / "metadata" / "1.root.json").read_bytes()).hexdigest()

    def added_by(self, curupira: Program, name: str = "acme", url: str | Path | None = None, **options) -> Result:
        """A user adds it under this name."""
        address = url or self.folder
        return curupira("registry", "add", name, address, "--root-fingerprint", self.fingerprint, **options).expect(0)
    def in_days(self, days: int) -> tuple[str, ...]:
        """A prefix of commands that run later."""
        return (str(skip.need_program("faketime")), "-f", f"+{days}d")

    # ---- keys

    def keys_of(self, role: str) -> list[dict]:
        return next(each["keys"] for each in self.json("keys list")["roles"] if each["role"] == role)

    def take_away(self, *names: str) -> list[Path]:
        """Moves keys to where the program does not look, as holders do; gives their new files."""
        away = self.home.work / "away"
        away.mkdir(exist_ok=True)
        for name in names:
            for ending in (".pem", ".pub"):
                (self.keys / f"{name}{ending}").rename(away / f"{name}{ending}")
        return [away / f"{name}.pem" for name in names]

    # ---- what is in the folder

    def signed(self, role: str) -> dict:
        """The metadata of a role that clients see."""
        return json.loads(self.file_of(role).read_bytes())["signed"]

    def file_of(self, role: str) -> Path:
        metadata = self.folder / "metadata"
        if role == "timestamp":
            return metadata / "timestamp.json"
        if role == "root":
            return max(metadata.glob("*.root.json"), key=lambda file: int(file.name.split(".")[0]))
        if role == "snapshot":
            return metadata / f"{self.signed('timestamp')['meta']['snapshot.json']['version']}.snapshot.json"
        return metadata / f"{self.signed('snapshot')['meta'][role + '.json']['version']}.{role}.json"

    def versions(self) -> dict[str, int]:
        """What the snapshot lists, by role."""
        return {name.removesuffix(".json"): meta["version"] for name, meta in self.signed("snapshot")["meta"].items()}

    def role_of(self, package: str) -> str:
        """The role whose published metadata has the package."""
        for role in self.versions():
            if f"packages/{package}.json" in self.signed(role)["targets"]:
                return role
        raise AssertionError(f"{package} is nowhere in {self.folder}")

    def index(self, package: str) -> dict:
        """The index of the package that clients see."""
        path = f"packages/{package}.json"
        digest = self.signed(self.role_of(package))["targets"][path]["hashes"]["sha256"]
        folder, _, name = path.rpartition("/")
        return json.loads((self.folder / "targets" / folder / f"{digest}.{name}").read_bytes())

    def state(self) -> dict[str, bytes]:
        """Every file that is served."""
        files = (file for file in self.folder.rglob("*") if file.is_file() and not file.name.startswith(".lock"))
        return {str(file.relative_to(self.folder)): file.read_bytes() for file in files}


class StaticServer:
    """Serves a folder over HTTP; `asked` are the paths, in order."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        server = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path.lstrip("/"))
                super().do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @classmethod
    def of(cls, owner, folder: Path) -> "StaticServer":
        """A server that lives as long as a test, or as a test class."""
        server = cls(folder)
        (owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup)(server.stop)
        return server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/"

    @property
    def metadata_url(self) -> str:
        return self.url + "metadata/"

    @property
    def targets_url(self) -> str:
        return self.url + "targets/"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
