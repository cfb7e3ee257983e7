"""`plugins remove`: what goes, what stays, and what is refused."""

import json
import os
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import extension_folder, manifest_text


class Remove(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, name: str, version: str = "1.0.0") -> None:
        folder = extension_folder(self.home.work, name, version)
        self.curupira("plugins", "install", f"path:{folder}", "--yes").expect(0)

    def store_files(self) -> list[str]:
        return [name for name in self.home.state() if name.startswith("store/")]

    def test_removes_the_extension_and_what_only_it_used(self):
        self.install("acme")
        result = self.curupira("plugins", "remove", "acme").expect(0)
        self.assertRegex(result.stdout, r"^Removed extension acme 1\.0\.0 \(0 bytes freed; .* kept for rollback\)\n")
        self.assertIn("cache prune --keep-generations 1", result.stdout)
        self.assertEqual(self.home.installed(), [])
        self.curupira("cache", "prune", "--keep-generations", "1").expect(0)
        self.assertEqual(self.store_files(), [])

    def test_uninstall_is_the_same_command(self):
        self.install("acme")
        self.curupira("plugins", "uninstall", "acme").expect(0)
        self.assertEqual(self.home.installed(), [])

    def test_what_another_extension_uses_stays(self):
        self.install("one")
        self.install("two")
        self.curupira("plugins", "remove", "one").expect(0)
        self.assertEqual(self.home.installed(), ["two"])
        info = json.loads(self.curupira("plugins", "info", "two", "--json").expect(0).stdout)
        self.assertTrue(os.access(info["command"][0], os.X_OK))

    def test_json(self):
        self.install("acme")
        document = json.loads(self.curupira("plugins", "remove", "acme", "--json").expect(0).stdout)
        self.assertEqual(document["removed"][0]["name"], "acme")
        self.assertGreater(document["removed"][0]["keptBytes"], 0)

    def test_unknown_name(self):
        self.install("acme")
        before = self.home.state()
        self.curupira("plugins", "remove", "acne").expect_error("CUR-4001", "acne")
        self.assertEqual(self.home.state(), before)

    def test_names_that_climb_remove_nothing(self):
        """The existing host deletes its whole home for `..`."""
        self.install("acme")
        before = self.home.state()
        for name in ("..", ".", "", "../extensions", "acme/../acme", "/", str(self.home.path)):
            with self.subTest(name):
                result = self.curupira("plugins", "remove", name)
                self.assertNotEqual(result.code, 0, result)
                self.assertEqual(self.home.state(), before)

    def test_what_another_program_installed_is_left_to_it(self):
        folder = self.home.plant("foreign", manifest_text("foreign"))
        self.curupira("plugins", "remove", "foreign").expect_error("CUR-4007", "foreign")
        self.assertTrue((folder / "curupira-extension.toml").exists())

    def test_a_broken_manifest_of_another_does_not_hinder(self):
        self.install("acme")
        self.home.plant("bad", "not toml at all [")
        self.curupira("plugins", "remove", "acme").expect(0)
        self.assertEqual(self.home.installed(), ["bad"])


if __name__ == "__main__":
    main()
