"""`curupira.lock`: kept in step by install and remove, stable, refused when it is damaged."""

import json
import platform
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import acme_archive, extension_folder
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, settings_of_nothing, settings_text


class WithLock(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.lock = self.home.curupira / "curupira.lock"

    def install(self, *references: str):
        return self.curupira("plugins", "install", *references, "--yes").expect(0)

    def folder(self, name: str, version: str = "1.0.0") -> str:
        return f"path:{extension_folder(self.home.work, name, version)}"


class KeptInStep(WithLock):
    def test_install_writes_an_entry(self):
        self.install(self.folder("one"))
        text = self.lock.read_text()
        self.assertTrue(text.startswith("# Written by curupira"), text)
        for line in ('name = "one"', 'source = "path"', 'reference = "path:../../work/one-1.0.0"'):
            self.assertIn(line + "\n", text)

    def test_it_holds_no_absolute_path(self):
        self.install(self.folder("one"), str(acme_archive(self.home.work)))
        self.assertNotIn(str(self.home.folder), self.lock.read_text())

    def test_remove_takes_its_entry_and_leaves_every_other_line(self):
        self.install(self.folder("one"))
        alone = self.lock.read_bytes()
        self.install(self.folder("two"))
        self.assertNotEqual(self.lock.read_bytes(), alone)
        self.curupira("plugins", "remove", "two").expect(0)
        self.assertEqual(self.lock.read_bytes(), alone)

    def test_the_order_of_installing_does_not_matter(self):
        one, two = self.folder("one"), self.folder("two")
        self.install(one, two)
        together = self.lock.read_bytes()
        for name in ("one", "two"):
            self.curupira("plugins", "remove", name).expect(0)
        self.install(two)
        self.install(one)
        self.assertEqual(self.lock.read_bytes(), together)

    def test_comments_at_the_top_stay(self):
        self.install(self.folder("one"))
        self.lock.write_text("# our words\n\n" + self.lock.read_text())
        self.install(self.folder("two"))
        self.assertTrue(self.lock.read_text().startswith("# our words\n\n# Written by"))

    def test_it_stands_beside_the_settings_in_use(self):
        project = self.home.work / "project"
        project.mkdir()
        remote = bare_repository(self.home.folder / "git")
        settings = settings_text(remote, {"x": installed("one")}, {"task": {"trigger_type": "x/greetings"}})
        (project / "settings.toml").write_text(settings)
        reference = self.folder("one")
        self.curupira("plugins", "install", reference, "--yes", "--config", project / "settings.toml").expect(0)
        self.assertIn('reference = "path:../one-1.0.0"', (project / "curupira.lock").read_text())
        self.assertFalse(self.lock.exists())

    def test_a_dry_run_writes_none(self):
        self.curupira("plugins", "install", "--dry-run", self.folder("one")).expect(0)
        self.assertFalse(self.lock.exists())


class Refused(WithLock):
    def setUp(self):
        super().setUp()
        self.reference = self.folder("one")
        self.install(self.reference)
        self.before = self.home.state()

    def refused(self, text: str, error: str, *words: str):
        self.lock.write_text(text)
        for command in (("plugins", "sync"), ("plugins", "remove", "one"), ("plugins", "install", self.reference, "--yes")):
            self.curupira(*command).expect_error(error, *words, code=2)
            self.assertEqual(self.lock.read_text(), text, "it was rewritten")
            self.assertEqual(self.home.state(), self.before)

    def test_an_unsolved_merge(self):
        text = self.lock.read_text()
        self.refused(text.replace("[[extension]]", "<<<<<<< HEAD\n[[extension]]"), "CUR-4103", "curupira.lock:5")

    def test_a_newer_format(self):
        self.refused(self.lock.read_text().replace("lock_version = 1", "lock_version = 2"), "CUR-4104", "lock_version")

    def test_an_unknown_platform(self):
        text = self.lock.read_text()
        start, end = text.index("platforms = "), text.index("\n\n[[")
        self.refused(text[:start] + 'platforms = ["amiga-68000"]' + text[end:], "CUR-4105", "platforms", "amiga-68000")

    def test_an_unknown_field(self):
        self.refused(self.lock.read_text() + 'zork = "1"\n', "CUR-4105", "zork")


class Platforms(WithLock):
    """hashicorp/terraform#27135, #29958, #32809: a lock file is for the platforms that the settings declare."""

    def declare(self, platforms: str) -> None:
        self.home.write_settings(settings_of_nothing(f"[lock]\nplatforms = {platforms}"))

    def test_one_that_nobody_has(self):
        reference = self.folder("one")
        for platforms in ('["linux-x86_64", "amiga-68000"]', '["linux"]', '[""]', '"linux-x86_64"'):
            with self.subTest(platforms):
                self.declare(platforms)
                before = self.home.state()
                for command in (("install", reference, "--yes"), ("lock",), ("sync", "--yes")):
                    refused = self.curupira("plugins", *command)
                    refused.expect_error("CUR-1203", "settings.toml:2:", "platforms", code=2)
                    self.assertEqual(self.home.state(), before)

    def test_without_the_one_of_this_machine(self):
        self.declare('["darwin-arm64"]')
        before = self.home.state()
        for command in (("install", self.folder("one"), "--yes"), ("lock",)):
            with self.subTest(command[0]):
                self.curupira("plugins", *command).expect_error("CUR-4108", "platforms")
                self.assertEqual(self.home.state(), before)

    def test_adding_one_changes_nothing_else(self):
        """hashicorp/terraform#27810, #27894."""
        own = f"linux-{platform.machine()}"
        self.declare(f'["{own}"]')
        self.install(self.folder("one"))
        before = self.lock.read_text()
        self.declare(f'["{own}", "darwin-arm64"]')
        self.curupira("plugins", "lock").expect(0)
        self.assertEqual(self.lock.read_text(), before.replace(f'["{own}"]', f'["darwin-arm64", "{own}"]'))


class Command(WithLock):
    def test_writes_a_lock_of_what_is_installed(self):
        self.install(self.folder("one"))
        written = self.lock.read_bytes()
        self.lock.unlink()
        result = self.curupira("plugins", "lock").expect(0)
        self.assertIn("Locked one 1.0.0", result.stdout)
        self.assertEqual(self.lock.read_bytes(), written)

    def test_what_is_there_stays(self):
        self.install(self.folder("one"))
        result = self.curupira("plugins", "lock", "--json").expect(0)
        self.assertFalse(json.loads(result.stdout)["lockChanged"])

    def test_an_update_of_nothing_writes_none(self):
        result = self.curupira("plugins", "update").expect(0)
        self.assertIn("No extension is installed", result.stdout)
        self.assertFalse(self.lock.exists())

    def test_a_platform_that_nobody_has(self):
        self.curupira("plugins", "lock", "--platform", "amiga-68000").expect_error("CUR-4108", "amiga-68000")


if __name__ == "__main__":
    main()
