"""`plugins verify --repair` of what came from registries: only damaged artifacts are fetched, with the login that they need,
neither npm nor uv runs, and what extensions start in is made of the store."""

import json
import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import build_wheel, publish_npm, sdk_wheels
from curupira_testing.services import Pypiserver, Verdaccio
from curupira_testing.strace import trace


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def path_with(self, *programs: str) -> dict[str, str]:
        folder = self.home.folder / "programs"
        folder.mkdir()
        for program in programs:
            if found := shutil.which(program):
                (folder / program).symlink_to(found)
        return {"PATH": str(folder)}

    def damage(self, extension: str, package: str) -> Path:
        """The blob of a package of the extension, which has other bytes now."""
        receipt = json.loads((self.home.extensions / extension / "receipt.json").read_text())
        (digest,) = [each["digest"] for each in receipt["artifacts"] if each["package"] == package]
        blob = self.home.curupira / "store/v1/blobs" / digest.replace(":", "/")
        blob.chmod(0o644)
        blob.write_bytes(b"something else")
        return blob

    def damage_environment(self, extension: str, file: str) -> Path:
        """A file of what the extension starts in has other bytes, and the package in the store has not."""
        receipt = json.loads((self.home.extensions / extension / "receipt.json").read_text())
        environment = self.home.curupira / "store/v1/environments" / receipt["content"]["digest"]
        (place,) = environment.rglob(file)
        mode = place.stat().st_mode
        place.parent.chmod(0o755)
        place.unlink()
        place.write_bytes(b"something else")
        place.chmod(mode)
        place.parent.chmod(0o555)
        return place

    def named_and_linked_again(self, extension: str, place: Path) -> None:
        """The file of the extension that differs is named, and nobody is asked to put it right."""
        (finding,) = json.loads(self.curupira("plugins", "verify", "--json").expect(1).stdout)["findings"]
        self.assertEqual((finding["object"], finding["problem"]), ("environment", "changed"))
        self.assertEqual(Path(finding["path"]) / finding["file"], place)
        self.assertEqual(finding["extensions"], [extension])
        seen = trace(self.curupira, "plugins", "verify", "--repair", "--json")
        (repaired,) = json.loads(seen.result.expect(0).stdout)["repaired"]
        self.assertEqual((repaired["object"], repaired["from"]), ("environment", "linked again"))
        self.assertEqual((seen.sockets, len(seen.executed)), ([], 1))
        self.assertNotEqual(place.read_bytes(), b"something else")
        self.curupira("plugins", "verify").expect(0)

    def repair(self, blob: Path, **options) -> None:
        result = json.loads(self.curupira("plugins", "verify", "--repair", "--json", **options).expect(0).stdout)
        name = f"{blob.parent.name}/{blob.name}"
        self.assertEqual(result["repaired"], [{"object": "blob", "name": name, "from": "fetched again"}])
        self.curupira("plugins", "verify").expect(0)


class Npm(Case):
    @classmethod
    def setUpClass(cls):
        skip.need_program("npm")
        cls.registry = Verdaccio.of(cls)
        publish_npm(cls.registry, "node-hello")

    def setUp(self):
        super().setUp()
        (self.home.path / ".npmrc").write_text(self.registry.npmrc(token=True))

    def test_of_a_dependency_that_has_a_newer_version(self):
        publish_npm(self.registry, "acme-curupira-ext", version="1.0.0")
        self.curupira("plugins", "install", "npm:@acme/curupira-ext", "--yes").expect(0)
        publish_npm(self.registry, "node-hello", version="1.1.0")
        blob = self.damage("acme-curupira-ext", "curupira-node-hello")
        self.repair(blob, env=self.path_with("node"))

    def test_of_what_it_starts_in(self):
        publish_npm(self.registry, "acme-curupira-ext", version="1.0.1")
        self.curupira("plugins", "install", "npm:@acme/curupira-ext@1.0.1", "--yes").expect(0)
        place = self.damage_environment("acme-curupira-ext", "doctor.js")
        self.named_and_linked_again("acme-curupira-ext", place)

    def test_of_a_package_that_needs_a_login(self):
        publish_npm(self.registry, "npm-private")
        self.curupira("plugins", "install", "npm:@private/curupira-ext", "--yes").expect(0)
        (name,) = self.home.installed()
        self.repair(self.damage(name, "@private/curupira-ext"), env=self.path_with("node"))


class Pip(Case):
    def setUp(self):
        super().setUp()
        skip.need_uv()
        index = Pypiserver.of(self)
        for wheel in sdk_wheels():
            shutil.copy(wheel, index.packages)
        build_wheel(index.packages)
        self.home.environment["UV_DEFAULT_INDEX"] = index.index
        self.curupira("plugins", "install", "pip:curupira-python-hello", "--yes", timeout=180).expect(0)

    def test_of_a_wheel(self):
        self.repair(self.damage("curupira-python-hello", "curupira-sdk"), env=self.path_with("python3"))

    def test_of_what_it_starts_in(self):
        place = self.damage_environment("curupira-python-hello", "curupira_python_hello/__init__.py")
        self.named_and_linked_again("curupira-python-hello", place)


if __name__ == "__main__":
    main()
