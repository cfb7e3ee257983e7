"""A release of a registry whose manifest points to an npm package: the archive is the registry's, the package npm's."""

import shutil
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.own_registry import OwnRegistry
from curupira_testing.packages import publish_npm
from curupira_testing.paths import EXTENSIONS
from curupira_testing.registry_user import locked, receipt, use_registries
from curupira_testing.services import Verdaccio


class PointsToNpm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        skip.need_program("npm")
        cls.npm = Verdaccio.of(cls)
        publish_npm(cls.npm, "node-hello")

    def home_of(self, registry: OwnRegistry | None = None) -> TempHome:
        home = TempHome.of(self)
        (home.path / ".npmrc").write_text(self.npm.npmrc())
        if registry is not None:
            use_registries(home, corp=registry)
        return home

    def test_install_and_sync(self):
        maker = self.home_of()
        registry = OwnRegistry(maker)
        folder = maker.work / "pointer"
        folder.mkdir()
        shutil.copy(EXTENSIONS / "node-hello" / "curupira-extension.toml", folder)
        registry("publish", folder).expect(0)

        home = self.home_of(registry)
        curupira = Program(home)
        curupira("plugins", "install", "corp:curupira-node-hello", "--yes").expect(0)
        entry = locked(home, "curupira-node-hello")
        self.assertEqual((entry["source"], entry["launch"], entry["level"]), ("curupira:corp", "npx", "digest"))
        self.assertEqual([each["level"] for each in entry["artifact"]], ["registry-signed", "digest"])
        curupira("plugins", "verify").expect(0)

        fresh = self.home_of(registry)
        (fresh.curupira / "curupira.lock").write_bytes((home.curupira / "curupira.lock").read_bytes())
        Program(fresh)("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(receipt(fresh, "curupira-node-hello"), receipt(home, "curupira-node-hello"))
        Program(fresh)("plugins", "sync", "--frozen", "--offline").expect(0)


if __name__ == "__main__":
    main()
