"""`plugins rollback`: after a bad update the old extension answers again, without a network."""

import json
import shutil
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.closed_network import without_network
from curupira_testing.packages import extension_folder, scripted_extension
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, settings_text
from curupira_testing.strace import trace

#: The second version ends when it is asked to initialize.
BROKEN = """
def main():
    sys.stderr.write("broken by the update\\n")
    sys.exit(3)
"""


class Rollback(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, *folders) -> None:
        self.curupira("plugins", "install", *(f"path:{folder}" for folder in folders), "--yes").expect(0)

    def list(self) -> list[dict]:
        return json.loads(self.curupira("plugins", "rollback", "--list", "--json").expect(0).stdout)["generations"]

    def version(self, name: str) -> str:
        return json.loads(self.curupira("plugins", "info", name, "--json").expect(0).stdout)["version"]

    def test_after_an_update_to_a_broken_extension_the_old_one_answers(self):
        remote = bare_repository(self.home.folder / "git")
        automations = {"one": {"trigger_type": "acme/greetings"}}
        self.home.write_settings(settings_text(remote, {"acme": installed("acme")}, automations))
        self.install(extension_folder(self.home.work, "acme", "1.0.0"))
        before = self.curupira("run", "--dry-run").expect(0).stdout
        self.assertIn("--- prompt ---", before)
        self.install(scripted_extension(self.home.work, "acme", BROKEN, version="2.0.0"))
        self.assertNotEqual(self.curupira("run", "--dry-run").code, 0)
        offline = without_network()
        shutil.rmtree(self.home.work / "acme-1.0.0")  # where it came from is gone
        result = self.curupira("plugins", "rollback", prefix=offline).expect(0)
        self.assertIn("~ acme 2.0.0 -> 1.0.0", result.stdout)
        self.assertEqual(self.curupira("run", "--dry-run", prefix=offline).expect(0).stdout, before)

    def test_opens_no_socket_and_starts_nothing(self):
        self.install(extension_folder(self.home.work, "acme", "1.0.0"))
        self.install(extension_folder(self.home.work, "acme", "2.0.0"))
        seen = trace(self.curupira, "plugins", "rollback")
        seen.result.expect(0)
        self.assertEqual(seen.sockets, [])
        self.assertEqual(len(seen.executed), 1)

    def test_going_back_to_a_number_and_undoing_it(self):
        self.install(extension_folder(self.home.work, "acme", "1.0.0"))
        self.install(extension_folder(self.home.work, "acme", "2.0.0"), extension_folder(self.home.work, "other"))
        self.curupira("plugins", "remove", "other").expect(0)
        document = json.loads(self.curupira("plugins", "rollback", "1", "--json").expect(0).stdout)
        self.assertEqual((document["from"], document["to"], document["recorded"]), (3, 1, 4))
        self.assertEqual(document["changes"], [{"name": "acme", "from": "2.0.0", "to": "1.0.0"}])
        self.assertEqual(self.version("acme"), "1.0.0")
        self.curupira("plugins", "rollback").expect(0)
        self.assertEqual(self.version("acme"), "2.0.0")
        self.curupira("plugins", "rollback", "0").expect(0)
        self.assertEqual(self.home.installed(), [])
        self.assertEqual([each["number"] for each in self.list()], [0, 1, 2, 3, 4, 5, 6])

    def test_the_list_says_what_changed(self):
        self.install(extension_folder(self.home.work, "acme", "1.0.0"))
        self.install(extension_folder(self.home.work, "acme", "2.0.0"))
        self.curupira("plugins", "remove", "acme").expect(0)
        generations = self.list()
        self.assertEqual([each["command"] for each in generations], ["", "install", "install", "remove"])
        self.assertEqual(generations[2]["changes"], [{"name": "acme", "from": "1.0.0", "to": "2.0.0"}])
        self.assertEqual([each["installed"] for each in generations], [False, False, False, True])
        self.assertRegex(generations[1]["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        text = self.curupira("plugins", "rollback", "--list").expect(0).stdout
        self.assertIn("~ acme 1.0.0 -> 2.0.0", text)
        self.assertIn("- acme 2.0.0", text)

    def test_the_lock_file_goes_back_too(self):
        lock = self.home.curupira / "curupira.lock"
        self.install(extension_folder(self.home.work, "acme", "1.0.0"))
        before = lock.read_bytes()
        self.install(extension_folder(self.home.work, "acme", "2.0.0"))
        after = lock.read_bytes()
        self.assertNotEqual(before, after)
        result = self.curupira("plugins", "rollback").expect(0)
        self.assertIn(str(lock), result.stdout)
        self.assertEqual(lock.read_bytes(), before)
        self.curupira("plugins", "rollback").expect(0)
        self.assertEqual(lock.read_bytes(), after)
        self.curupira("plugins", "rollback", "0").expect(0)
        self.assertFalse(lock.exists(), "there was none")

    def test_nothing_to_go_back_to(self):
        self.curupira("plugins", "rollback").expect_error("CUR-4201")
        self.install(extension_folder(self.home.work, "acme"))
        before = self.home.state()
        self.curupira("plugins", "rollback", "9").expect_error("CUR-4201", "generation 9", "kept are 0 to 1")
        self.assertEqual(self.home.state(), before)

    def test_a_missing_tree_is_named(self):
        """pnpm/pnpm#4966, npm/cli#1484."""
        self.install(extension_folder(self.home.work, "acme", "1.0.0"))
        (tree,) = (self.home.curupira / "store/v1/trees").glob("*.listing")
        self.install(extension_folder(self.home.work, "acme", "2.0.0"))
        tree.unlink()
        before = self.home.state()
        self.curupira("plugins", "rollback").expect_error("CUR-4203", tree.stem, "plugins install path:")
        self.assertEqual(self.home.state(), before)

    def test_what_another_program_installed_stays(self):
        self.install(extension_folder(self.home.work, "acme"))
        self.home.plant("foreign", "x = 1")
        self.curupira("plugins", "rollback").expect(0)
        self.assertEqual(self.home.installed(), ["foreign"])


if __name__ == "__main__":
    main()
