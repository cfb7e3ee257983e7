"""What tests of a signing npm registry share."""

import json
import unittest

from .home import TempHome
from .program import Program
from .signing_registry import SigningRegistry

NAME = "@acme/hello"
EXTENSION = "acme-hello"


class WithSigningRegistry(unittest.TestCase):
    """A registry of the test's own, and a home that is configured for it."""

    def setUp(self):
        self.registry = SigningRegistry.of(self)
        self.home = TempHome.of(self)
        self.curupira = self.in_home(self.home)

    def in_home(self, home: TempHome) -> Program:
        """The program in a home that is configured for the registry."""
        (home.path / ".npmrc").write_text(f"registry={self.registry.url}\nfetch-retries=0\n")
        return Program(home)

    def install(self, reference: str = f"npm:{NAME}", *options: str):
        return self.curupira("plugins", "install", reference, "--yes", *options)

    def artifacts(self, name: str = EXTENSION) -> dict[str, dict]:
        info = json.loads(self.curupira("plugins", "info", name, "--json").expect(0).stdout)
        return {artifact["package"]: artifact for artifact in info["artifacts"]}

    def assert_refused(self, error: str, *words: str, reference: str = f"npm:{NAME}") -> None:
        before = self.home.state()
        self.install(reference).expect_error(error, *words)
        self.assertEqual(self.home.state(), before, "nothing is installed")
