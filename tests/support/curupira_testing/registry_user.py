"""A user who has registries from others: what tests of adding, listing and using them share."""

import json
import unittest
from pathlib import Path

from .home import TempHome
from .own_registry import OwnRegistry
from .program import Program, Result
from .program import Program, Result

#: One that no root has.
WRONG_FINGERPRINT = "sha256:" + "5" * 64


class RegistryUser(unittest.TestCase):
    """With a home, and a registry of somebody else's in a folder, which nobody has added yet."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.registry = OwnRegistry(self.home)

    @property
    def settings(self) -> Path:
        return self.home.curupira / "settings.toml"

    @property
    def trust(self) -> Path:
        return self.home.curupira / "trust"

    def add(self, *arguments: str | Path, name: str = "acme", fingerprint: str | None = None, **options) -> Result:
        words = ("--root-fingerprint", fingerprint) if fingerprint else ()
        return self.curupira("registry", "add", name, *arguments, *words, **options)

    def listed(self) -> list[dict]:
        return json.loads(self.curupira("registry", "list", "--json").expect(0).stdout)["registries"]

    def search(self, *words: str, **options) -> Result:
        return self.curupira("plugins", "search", *words, **options)

    def found(self, *words: str, **options) -> list[str]:
        """The references that a search shows, in their order."""
        packages = json.loads(self.search(*words, "--json", **options).expect(0).stdout)["packages"]
        return [each["reference"] for each in packages]

    def assert_nothing_left(self, before: dict = {}):
        self.assertEqual(self.home.state(), before)


class RegistryUser:
    """For classes of tests: a registry with tickets 1.0.0, 1.1.0 and 2.0.0-rc.1, and a home that knows it as "corp"."""

    versions = ("1.0.0", "1.1.0", "2.0.0-rc.1")

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)
        self.registry("publish", *(self.registry.extension("tickets", each) for each in self.versions)).expect(0)
        use_registries(self.home, corp=self.registry)
        self.curupira = Program(self.home)

    def install(self, *references: str, **options) -> Result:
        return self.curupira("plugins", "install", *references, "--yes", **options)

    def version(self, name: str = "tickets") -> str:
        return receipt(self.home, name)["version"]

    def refused(self, reference: str, error: str, *words: str, code: int = 1) -> None:
        self.install(reference).expect_error(error, *words, code=code)
        self.assertEqual(self.home.installed(), [])

    def fresh_home_with_the_lock(self, *, extra: str = "") -> TempHome:
        """Another home with the same registry and lock file."""
        fresh = TempHome.of(self)
        use_registries(fresh, corp=self.registry, extra=extra)
        (fresh.curupira / "curupira.lock").write_bytes((self.home.curupira / "curupira.lock").read_bytes())
        return fresh
