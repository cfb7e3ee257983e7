"""Where a registry can be kept, for tests that are the same for all of them: mixins of test cases. `self.place()` is a new,
empty registry; `self.fill(files)` puts files there, `self.damage(item)` changes bytes of one and `self.name()` is what messages
call it."""

import itertools
from pathlib import Path

from .carrier_tool import FILES, CarrierTool, write
from .home import TempHome
from .lying_oci import LyingOci
from .network import Authority, WebServer
from .oci_registry import DockerRegistry, docker_config

LOGIN = ("publisher", "p@ss:wörd")
_numbers = itertools.count()


class Place:
    """`self.address` is one."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.tool = CarrierTool(self.home)
        self.files: dict[str, bytes] = {}  #: what was put there
        self.address = self.place()

    def place(self) -> str:
        raise NotImplementedError

    def name(self) -> str:
        return self.address

    def fill(self, files: dict[str, bytes] = FILES) -> None:
        self.files |= files
        self.put(files)

    def put(self, files: dict[str, bytes]) -> None:
        self.tool.put(self.address, files).expect(0)

    def damage(self, item: str) -> None:
        raise NotImplementedError


class FolderPlace(Place):
    def place(self) -> str:
        return str(self.home.work / f"registry-{next(_numbers)}")

    def damage(self, item: str) -> None:
        _spoil(Path(self.address) / item)


class WebPlace(Place):
    """A folder behind a path prefix of nginx, by https with an authority of its own, for those with a password."""

    @classmethod
    def setUpClass(cls):
        folder = TempHome()
        cls.addClassCleanup(folder.remove)
        cls.authority = Authority(folder.work / "authority")
        cls.server = WebServer.of(cls, cls.authority, login=LOGIN)

    def setUp(self):
        super().setUp()
        netrc = self.home.path / ".netrc"
        netrc.write_text(f'machine 127.0.0.1 login {LOGIN[0]} password "{LOGIN[1]}"\n')
        netrc.chmod(0o600)
        self.tool.env["SSL_CERT_FILE"] = str(self.authority.certificate)

    def place(self) -> str:
        self.prefix = f"some/prefix/{next(_numbers)}"
        return self.server.secure_url + self.prefix

    def put(self, files: dict[str, bytes]) -> None:
        write(self.server.files / self.prefix, files)

    def damage(self, item: str) -> None:
        _spoil(self.server.files / self.prefix / item)


class OciPlace(Place):
    """Debian's docker-registry with passwords."""

    @classmethod
    def setUpClass(cls):
        cls.registry = DockerRegistry.of(cls, login=LOGIN)

    def setUp(self):
        super().setUp()
        config = docker_config(self.home.work / "docker", self.registry.authority, LOGIN)
        self.tool.env["DOCKER_CONFIG"] = str(config)

    def place(self) -> str:
        return self.registry.address(f"team/plugins-{next(_numbers)}")

    def damage(self, item: str) -> None:
        file = self.registry.blob_file(item.split("/")[-1][:64])
        self.addCleanup(file.write_bytes, file.read_bytes())  # all repositories of the registry share it
        _spoil(file)


class OciWithReferrersPlace(Place):
    """One that keeps account of what belongs to what."""

    def place(self) -> str:
        self.registry = LyingOci.of(self)
        self.registry.referrers = 2
        return self.registry.address()

    def damage(self, item: str) -> None:
        digest = item.split("/")[-1][:64]
        self.registry.blobs[digest] = b"x" + self.registry.blobs[digest][1:]


class BundlePlace(Place):
    """One file."""

    def place(self) -> str:
        return str(self.home.work / f"registry-{next(_numbers)}.bundle")

    def damage(self, item: str) -> None:
        """The bytes of the target, where they stand in the file."""
        file = Path(self.address)
        whole = file.read_bytes()
        at = whole.index(self.files[item])
        file.write_bytes(whole[:at] + b"x" + whole[at + 1 :])


def _spoil(file: Path) -> None:
    file.write_bytes(b"x" + file.read_bytes()[1:])
