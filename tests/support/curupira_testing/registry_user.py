"""Homes that use registries: what stands in their settings, and what they have installed and locked."""

import json
import tomllib

from .home import TempHome
from .own_registry import OwnRegistry
from .program import Program, Result


def registry_table(name: str, url: object, root: str, **more: object) -> str:
    fields = {"url": str(url), "root_fingerprint": root, **more}
    return f"[registries.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items()) + "\n"


def use_registries(home: TempHome, *, extra: str = "", **registries: OwnRegistry) -> None:
    """Settings with these registries, each by its folder and with its fingerprint; `extra` is TOML text."""
    tables = (registry_table(name, each.folder, each.fingerprint) for name, each in registries.items())
    home.write_settings("".join(tables) + extra)


def lock_of(home: TempHome) -> dict:
    return tomllib.loads((home.curupira / "curupira.lock").read_text())


def locked(home: TempHome, name: str) -> dict:
    """The lock entry of an extension."""
    return next(each for each in lock_of(home)["extension"] if each["name"] == name)


def receipt(home: TempHome, name: str) -> dict:
    return json.loads((home.extensions / name / "receipt.json").read_text())


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
