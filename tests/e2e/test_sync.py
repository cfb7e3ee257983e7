"""`plugins sync` for folders and archives: the home becomes what `curupira.lock` says, or nothing changes."""

import base64
import json
import re
import shutil
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import acme_archive, extension_folder
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, settings_text
from curupira_testing.strace import trace


class WithLock(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.lock = self.home.curupira / "curupira.lock"
        self.folder = extension_folder(self.home.work, "one")
        self.archive = acme_archive(self.home.work)
        self.curupira("plugins", "install", f"path:{self.folder}", str(self.archive), "--yes").expect(0)
        self.names = self.home.installed()

    def forget(self):
        """A home with nothing but the lock file."""
        text = self.lock.read_text()
        for name in self.names:
            self.curupira("plugins", "remove", name).expect(0)
        self.lock.write_text(text)

    def sync(self, *options: str, **more):
        return self.curupira("plugins", "sync", *options, **more)


class Sync(WithLock):
    def test_brings_what_is_missing(self):
        self.forget()
        before = self.lock.read_bytes()
        result = self.sync("--frozen").expect(0)
        self.assertIn("Installed extension one 1.0.0", result.stdout)
        self.assertEqual(self.home.installed(), self.names)
        self.assertEqual(self.lock.read_bytes(), before)

    def test_the_second_one_changes_nothing_and_opens_no_socket(self):
        before = self.home.state()
        seen = trace(self.curupira, "plugins", "sync", "--frozen", "--offline")
        self.assertIn("no change", seen.result.expect(0).stdout)
        self.assertEqual(seen.sockets, [])
        self.assertEqual(len(seen.executed), 1)
        self.assertEqual(self.home.state(), before)

    def test_a_folder_that_is_gone_since_it_was_installed(self):
        shutil.rmtree(self.folder)
        before = self.home.state()
        self.assertIn("= one 1.0.0 (already installed: no change)", self.sync("--frozen").expect(0).stdout)
        self.assertEqual(self.home.state(), before)

    def test_removes_what_the_lock_lacks(self):
        text = self.lock.read_text()
        other = extension_folder(self.home.work, "other")
        self.curupira("plugins", "install", f"path:{other}", "--yes").expect(0)
        self.lock.write_text(text)
        result = self.sync("--frozen").expect(0)
        self.assertIn("- other 1.0.0", result.stdout)
        self.assertEqual(self.home.installed(), self.names)

    def test_a_dry_run_changes_nothing(self):
        self.forget()
        before = self.home.state()
        self.assertIn("+ one 1.0.0", self.sync("--dry-run").expect(0).stdout)
        self.assertEqual(self.home.state(), before)

    def test_json(self):
        document = json.loads(self.sync("--json").expect(0).stdout)
        self.assertEqual(document["schema"], "curupira.plugins.sync.v1")
        self.assertEqual({each["action"] for each in document["plan"]}, {"keep"})

    def test_without_a_lock_file(self):
        self.lock.unlink()
        self.sync("--frozen").expect_error("CUR-4101", "curupira.lock", code=2)

    def test_frozen_names_what_the_settings_have_and_the_lock_lacks(self):
        remote = bare_repository(self.home.folder / "git")
        self.home.write_settings(settings_text(remote, {"x": installed("zork")}, {"one": {"trigger_type": "x/greetings"}}))
        self.sync("--frozen").expect_error("CUR-4107", "[plugins.x] zork", "curupira plugins install REFERENCE")
        self.assertIn("[plugins.x] zork", self.curupira("plugins", "lock").expect(0).stderr, "lock cannot know it either")


class Offline(WithLock):
    def test_a_missing_blob_is_named_with_the_command_that_brings_it(self):
        text = self.lock.read_text()
        entry = text[text.index("[[extension.artifact]]") :]
        url = "https://files.example.org/" + self.archive.name
        digest = re.search(r'digest = "(sha256-[^"]+)"', entry).group(1)
        self.forget()
        shutil.rmtree(self.home.curupira / "store" / "v1" / "blobs", ignore_errors=True)
        hexadecimal = base64.b64decode(digest.removeprefix("sha256-")).hex()
        text = re.sub(r'reference = "\.[^"]*"', f'reference = "{url}#sha256={hexadecimal}"', text)
        text = re.sub(r'file = "[^"]*"', f'file = "{url}"', text)
        self.lock.write_text(text)
        self.sync("--frozen", "--offline").expect_error("CUR-4110", digest, self.archive.name, "curupira plugins sync")


if __name__ == "__main__":
    main()
