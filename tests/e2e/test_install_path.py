"""`plugins install path:FOLDER`: the plan, consent, what is on disk after it, and installing again."""

import json
import os
import shutil
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import extension_folder, manifest_text
from curupira_testing.paths import EXTENSIONS

NODE_HELLO = f"path:{EXTENSIONS / 'node-hello'}"


class Install(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def list(self) -> list[str]:
        return self.curupira("plugins", "list").expect(0).stdout.splitlines()

    def test_shows_the_plan_and_installs(self):
        result = self.curupira("plugins", "install", NODE_HELLO, "--yes").expect(0)
        for words in ("+ curupira-node-hello 1.0.0", "npx", "permissions  network", "nothing was started"):
            self.assertIn(words, result.stdout)
        self.assertIn("Installed extension curupira-node-hello 1.0.0\n", result.stdout)
        self.assertEqual(self.home.installed(), ["curupira-node-hello"])
        self.assertIn("greetings\tcurupira-node-hello 1.0.0\tprompt fields: (see extension)", self.list())

    def test_needs_consent_where_nobody_can_be_asked(self):
        result = self.curupira("plugins", "install", NODE_HELLO, stdin="y\n")
        result.expect_error("CUR-1003", "--yes", code=2)
        self.assertIn("+ curupira-node-hello 1.0.0", result.stdout)
        self.assertEqual(self.home.state(), {})

    def test_settings_that_are_named_have_to_be_there(self):
        """Their policy may be what the user relies on."""
        result = self.curupira("plugins", "install", NODE_HELLO, "--yes", "--config", "missing.toml")
        result.expect_error("CUR-1201", "missing.toml", code=2)
        self.assertEqual(self.home.installed(), [])

    def test_dry_run_changes_nothing(self):
        result = self.curupira("plugins", "install", "--dry-run", NODE_HELLO).expect(0)
        self.assertIn("+ curupira-node-hello 1.0.0", result.stdout)
        self.assertEqual(self.home.state(), {})

    def test_json_is_one_document(self):
        result = self.curupira("plugins", "install", "--json", "--yes", NODE_HELLO).expect(0)
        document = json.loads(result.stdout)
        self.assertEqual(document["schema"], "curupira.plugins.install.v1")
        self.assertTrue(document["installed"])
        self.assertEqual(document["plan"][0]["action"], "add")
        self.assertEqual(document["plan"][0]["permissions"], ["network"])

    def test_relative_folder_is_of_the_current_one(self):
        extension_folder(self.home.work, "relative")
        self.curupira("plugins", "install", "path:relative-1.0.0", "--yes").expect(0)
        self.assertEqual(self.home.installed(), ["relative"])

    def test_same_version_again_is_no_change(self):
        self.curupira("plugins", "install", NODE_HELLO, "--yes").expect(0)
        before = self.home.state()
        result = self.curupira("plugins", "install", NODE_HELLO).expect(0)
        self.assertEqual(result.stdout, "= curupira-node-hello 1.0.0 (already installed: no change)\n")
        self.assertEqual(self.home.state(), before)

    def test_another_version_replaces(self):
        old = extension_folder(self.home.work, "acme", "1.0.0", triggers=("old",))
        new = extension_folder(self.home.work, "acme", "1.1.0", triggers=("new",))
        (old / "only-in-the-old").write_text("x")
        self.curupira("plugins", "install", f"path:{old}", "--yes").expect(0)
        result = self.curupira("plugins", "install", f"path:{new}", "--yes").expect(0)
        self.assertIn("Replaced extension acme 1.0.0 with 1.1.0\n", result.stdout)
        listed = [line for line in self.list() if "acme" in line]
        self.assertEqual(listed, ["new\tacme 1.1.0\tprompt fields: (see extension)"])
        self.curupira("cache", "prune", "--keep-generations", "1").expect(0)
        left = [name for name in self.home.state() if "only-in-the-old" in name]
        self.assertEqual(left, [], "the old version's files are gone when rollback does not need them any more")

    def test_what_is_installed_does_not_follow_the_source(self):
        source = extension_folder(self.home.work, "copied")
        self.curupira("plugins", "install", f"path:{source}", "--yes").expect(0)
        shutil.rmtree(source)
        info = json.loads(self.curupira("plugins", "info", "copied", "--json").expect(0).stdout)
        self.assertTrue(os.access(info["command"][0], os.X_OK), info)

    def test_home_may_be_named(self):
        elsewhere = self.home.folder / "elsewhere"
        env = {"CURUPIRA_HOME": str(elsewhere)}
        self.curupira("plugins", "install", NODE_HELLO, "--yes", env=env).expect(0)
        self.assertTrue((elsewhere / "extensions" / "curupira-node-hello" / "receipt.json").exists())
        self.assertFalse(self.home.curupira.exists())

    def test_what_another_program_installed_is_not_replaced(self):
        self.home.plant("curupira-node-hello", manifest_text("curupira-node-hello", "0.9.0"))
        before = self.home.state()
        result = self.curupira("plugins", "install", NODE_HELLO, "--yes")
        if result.code == 0:  # replaced as a whole, and said so
            self.assertIn("0.9.0", result.stdout)
        else:
            result.expect_error("CUR-4003")
            self.assertEqual(self.home.state(), before)

    def test_nothing_stays_in_the_temporary_folder(self):
        self.curupira("plugins", "install", NODE_HELLO, "--yes").expect(0)
        self.assertEqual(os.listdir(self.home.temporary), [])


class Refused(unittest.TestCase):
    """Bad references and folders: an error with its code, and nothing left behind."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def refused(self, reference: str, error: str, *words: str, code: int = 1):
        self.curupira("plugins", "install", reference, "--yes").expect_error(error, *words, code=code)
        self.assertEqual(self.home.state(), {})
        self.assertEqual(os.listdir(self.home.temporary), [])

    def test_unknown_scheme(self):
        self.refused("gem:acme", "CUR-4901", "npm:", "registry add gem URL", code=2)
        self.refused("git+https://example.org/acme", "CUR-1302", "npm:", code=2)

    def test_no_scheme(self):
        self.refused("acme", "CUR-1301", "acme", code=2)

    def test_folder_that_does_not_exist(self):
        self.refused(f"path:{self.home.work}/nothing", "CUR-9001", "nothing")

    def test_folder_without_a_manifest(self):
        (self.home.work / "empty").mkdir()
        self.refused(f"path:{self.home.work}/empty", "CUR-1107")

    def test_program_that_is_not_there(self):
        folder = extension_folder(self.home.work, "acme")
        (folder / "hello").unlink()
        self.refused(f"path:{folder}", "CUR-3001", "hello")

    def test_program_outside_of_the_folder(self):
        launch = 'type = "executable"\nprogram = "../hello"'
        folder = extension_folder(self.home.work, "acme", launch=launch)
        shutil.copy(folder / "hello", self.home.work / "hello")
        result = self.curupira("plugins", "install", f"path:{folder}", "--yes")
        self.assertIn(result.code, (1, 2), result)
        self.assertEqual(self.home.state(), {})

    def test_link_that_leaves_the_folder(self):
        folder = extension_folder(self.home.work, "acme")
        (folder / "shadow").symlink_to("/etc/shadow")
        self.refused(f"path:{folder}", "CUR-2204", "shadow")

    def test_fifo_in_the_folder(self):
        folder = extension_folder(self.home.work, "acme")
        os.mkfifo(folder / "pipe")
        self.refused(f"path:{folder}", "CUR-2205", "pipe")


if __name__ == "__main__":
    main()
