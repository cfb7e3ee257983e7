"""Somebody who adds registries of others, looks at them and removes them: what tests of these commands share."""

import json
import unittest
from pathlib import Path

from .home import TempHome
from .own_registry import OwnRegistry
from .program import Program, Result

#: One that no root has.
WRONG_FINGERPRINT = "sha256:" + "5" * 64


class RegistryAdopter(unittest.TestCase):
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
