"""A registry that mirrors packages of npm and Python, and what is in its folder."""

import json
from pathlib import Path

from .own_registry import OwnRegistry
from .program import Program, Result
from .signed_npm import NAME, WithSigningRegistry

#: The package that tests of a mirror have.
TARBALL = f"npm/{NAME}/-/hello-1.0.0.tgz"


class Mirror(OwnRegistry):
    """`mirror("npm:hello")` runs `curupira registry mirror FOLDER npm:hello --yes`; the folder is made by the first run,
    which names `url` as the address that it will be served at."""

    def __init__(self, program: Program, url: str = "https://mirror.example.org/", *, name: str = "mirror") -> None:
        self.home, self.curupira, self.url = program.home, program, url
        self.folder = self.home.work / name
        self.keys = self.home.work / f"{name}.keys"

    def run(self, *arguments: str | Path, **options) -> Result:
        return self.curupira("registry", "mirror", self.folder, *arguments, timeout=300, **options)

    def add(self, *arguments: str | Path, **options) -> Result:
        """Mirrors these, for the first time with the address."""
        first = () if (self.folder / "metadata" / "timestamp.json").exists() else ("--url", self.url)
        return self.run(*arguments, *first, "--yes", **options)

    def made(self) -> "Mirror":
        """Makes the registry with few bins, so that it is made quickly."""
        self.curupira("registry", "init", self.folder, "--bits", "1").expect(0)
        return self

    def verify(self) -> dict:
        return json.loads(self.curupira("registry", "verify", self.folder, "--json").stdout)

    def problems(self) -> list[str]:
        return [problem["where"] for problem in self.verify()["problems"]]

    # ---- what is in the folder

    def signed_index(self) -> dict:
        """What the mirror's key signed."""
        digest = self.signed("mirror")["targets"]["mirror/index.json"]["hashes"]["sha256"]
        return json.loads((self.folder / "targets" / "mirror" / f"{digest}.index.json").read_bytes())

    def packument(self, name: str) -> dict:
        return json.loads((self.folder / "npm" / name / "index.html").read_bytes())

    def npm_keys(self) -> list[dict]:
        return json.loads((self.folder / "npm" / "-" / "npm" / "v1" / "keys").read_bytes())["keys"]

    def simple(self, name: str) -> dict:
        return json.loads((self.folder / "simple" / name / "index.json").read_bytes())

    def files(self) -> list[str]:
        """Everything that is served beside the registry's own files."""
        tops = (self.folder / top for top in ("npm", "simple", "archives"))
        return sorted(str(file.relative_to(self.folder)) for top in tops for file in top.rglob("*") if file.is_file())


class WithMirror(WithSigningRegistry):
    """A registry with one package, and a mirror that has nothing yet."""

    def setUp(self):
        super().setUp()
        self.registry.publish(NAME)
        self.mirror = Mirror(self.curupira).made()

    def add(self, *arguments, **options):
        first = () if self.mirror.signed("snapshot")["meta"].get("mirror.json") else ("--url", self.mirror.url)
        return self.mirror.run(*arguments, *first, "--yes", **options)
