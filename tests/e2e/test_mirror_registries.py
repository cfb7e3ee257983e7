"""`registry mirror` of packages of registries of extensions: their registry is copied into the mirror as it is."""

import json
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.mirror import Mirror
from curupira_testing.own_registry import OwnRegistry
from curupira_testing.registry_user import use_registries


class OfRegistries(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.acme = OwnRegistry(self.home, name="acme")
        for name in ("tickets", "mails"):
            self.acme.publish(name)
        use_registries(self.home, acme=self.acme)
        self.mirror = Mirror(self.curupira).made()
        self.copy = self.mirror.folder / "registries" / "acme"

    def artifacts(self) -> set[str]:
        return {file.name.split(".", 1)[1] for file in (self.copy / "targets" / "artifacts").iterdir()}

    def elsewhere(self) -> Program:
        """Another home, that knows the copy only."""
        home = TempHome.of(self)
        program = Program(home)
        program("registry", "add", "acme", self.copy, "--root-fingerprint", self.acme.fingerprint).expect(0)
        return program

    def test_the_copy_is_what_the_registry_signed_with_the_package_that_was_asked_for(self):
        added = self.mirror.run("acme:tickets@^1", "--yes").expect(0)
        self.assertIn("Copied registry acme: ", added.stdout)
        self.assertEqual(self.artifacts(), {"tickets-1.0.0.tar.gz"})
        timestamp = Path("metadata/timestamp.json")
        self.assertEqual((self.copy / timestamp).read_bytes(), (self.acme.folder / timestamp).read_bytes())
        self.elsewhere()("plugins", "install", "acme:tickets", "--yes").expect(0)

    def test_a_package_that_was_not_asked_for_is_not_there(self):
        self.mirror.run("acme:tickets", "--yes").expect(0)
        result = self.elsewhere()("plugins", "install", "acme:mails", "--yes")
        result.expect_error("CUR-4703", "mails")

    def test_a_dry_run_copies_nothing(self):
        shown = self.mirror.run("acme:tickets", "--dry-run").expect(0)
        self.assertIn("+ registry acme: ", shown.stdout)
        self.assertFalse(self.copy.exists())

    def test_the_second_run_has_nothing_to_do(self):
        self.mirror.run("acme:tickets", "--yes").expect(0)
        again = self.mirror.run("acme:tickets").expect(0)
        self.assertEqual(again.stdout, "Nothing to do: all of it is mirrored already\n")

    def test_an_update_brings_what_is_new_of_the_packages_that_are_there(self):
        self.mirror.run("acme:tickets", "--yes").expect(0)
        self.acme.publish("tickets", "1.1.0")
        self.acme.publish("mails", "1.1.0")
        self.mirror.run("--update", "--yes").expect(0)
        self.assertEqual(self.artifacts(), {"tickets-1.0.0.tar.gz", "tickets-1.1.0.tar.gz"})

    def test_what_a_lock_file_names(self):
        self.curupira("plugins", "install", "acme:mails", "--yes").expect(0)
        self.mirror.run("--lock", self.home.curupira / "curupira.lock", "--yes").expect(0)
        self.assertEqual(self.artifacts(), {"mails-1.0.0.tar.gz"})

    def test_json(self):
        document = json.loads(self.mirror.run("acme:tickets", "--yes", "--json").expect(0).stdout)
        (copied,) = document["registries"]
        self.assertEqual((copied["name"], copied["copied"]["artifacts"], copied["packages"]), ("acme", 1, ["tickets"]))

    def test_a_registry_that_nobody_added(self):
        self.mirror.run("other:tickets", "--yes").expect_error("CUR-4901", "other", code=2)
        self.assertFalse((self.mirror.folder / "registries").exists())


if __name__ == "__main__":
    main()
