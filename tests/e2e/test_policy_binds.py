"""Every rule of `[policy]` in everything that installs, updates or starts: refused, with the rule and its line, and all stays
as it was."""

import json
import os
import shutil
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import acme_archive
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, settings_text

#: Each forbids acme-ext: what stands in the settings from line 2 on, the error, and the place with the rule.
RULES = {
    "allow": ('allow = ["npm:*", "pip:*"]', "CUR-4501", 'settings.toml:2: allow ["npm:*", "pip:*"]'),
    "deny": ('deny = ["archive:/*/acme-ext-*"]', "CUR-4501", 'settings.toml:2: deny "archive:/*/acme-ext-*"'),
    "verification": (
        '[[policy.verification]]\npackages = ["archive:*"]\nminimum_level = "registry-signed"',
        "CUR-4502",
        'settings.toml:4: minimum_level "registry-signed"',
    ),
    "max_package_size": ("max_package_size = 100", "CUR-4503", "settings.toml:2: max_package_size of 100 bytes"),
    "permissions": ('permissions = ["files"]', "CUR-4504", 'settings.toml:2: permissions ["files"]'),
    "runtimes": ('runtimes = ["node", "python"]', "CUR-4505", 'settings.toml:2: runtimes ["node", "python"]'),
}


class Binds(unittest.TestCase):
    def each_rule(self, check) -> None:
        """Calls `check` with a home for each rule, which is not in it yet."""
        for name, (rule, error, place) in RULES.items():
            with self.subTest(name), TempHome() as self.home:
                self.curupira = Program(self.home)
                self.archive = acme_archive(self.home.work, "tar.gz")
                self.rule, self.error, self.place = rule, error, place
                check()

    def installed(self) -> None:
        self.curupira("plugins", "install", self.archive, "--yes").expect(0)

    def forbid(self) -> None:
        remote = bare_repository(self.home.folder / "git")
        rest = settings_text(remote, {"acme": installed("acme-ext")}, {"one": {"trigger_type": "acme/greetings"}})
        self.home.write_settings(f"[policy]\n{self.rule}\n{rest}")

    def refused(self, *commands: tuple, start: bool = False) -> None:
        before = self.home.state()
        for command in commands:
            result = self.curupira(*command)
            result.expect_error(self.error, self.place, *(["starting acme-ext 1.2.0"] if start else []))
            self.assertEqual(self.home.state(), before, command)

    def test_install(self):
        def check():
            self.forbid()
            command = ("plugins", "install", self.archive)
            self.refused((*command, "--yes"), (*command, "--dry-run"), (*command, "--network=prefer-cache", "--yes"))
            self.assertEqual(self.home.installed(), [])

        self.each_rule(check)

    def test_sync_of_a_home_that_lacks_it(self):
        def check():
            self.installed()
            text = (self.home.curupira / "curupira.lock").read_bytes()
            for folder, _, _ in os.walk(self.home.curupira):
                os.chmod(folder, 0o700)
            shutil.rmtree(self.home.curupira)
            self.forbid()
            (self.home.curupira / "curupira.lock").write_bytes(text)
            self.refused(("plugins", "sync"), ("plugins", "sync", "--frozen"), ("plugins", "sync", "--offline"))
            self.assertEqual(self.home.installed(), [])

        self.each_rule(check)

    def test_sync_of_what_is_there_already(self):
        def check():
            self.installed()
            self.forbid()
            self.refused(("plugins", "sync"), ("plugins", "sync", "--frozen"))

        self.each_rule(check)

    def test_lock_of_what_is_installed(self):
        def check():
            self.installed()
            (self.home.curupira / "curupira.lock").unlink()
            self.forbid()
            self.refused(("plugins", "lock"))

        self.each_rule(check)

    def test_update(self):
        def check():
            self.installed()
            self.forbid()
            self.refused(("plugins", "update", "--yes"), ("plugins", "update", "acme-ext", "--yes"), ("plugins", "update", "--dry-run"))

        self.each_rule(check)

    def test_validate_and_run(self):
        def check():
            self.installed()
            self.forbid()
            self.refused(("validate",), ("run", "--dry-run"), start=True)

        self.each_rule(check)

    def test_policy_test_says_so_before(self):
        def check():
            self.forbid()
            before = self.home.state()
            said = self.curupira("policy", "test", "--resolve", "--json", str(self.archive)).expect(1)
            (decision,) = json.loads(said.stdout)["references"]
            self.assertEqual((decision["allowed"], decision["error"]["code"]), (False, self.error))
            self.assertIn(self.place, decision["error"]["detail"])
            self.assertEqual(self.home.state(), before)

        self.each_rule(check)

    def test_what_goes_is_not_bound(self):
        def check():
            self.installed()
            self.forbid()
            self.curupira("plugins", "list").expect(0)
            self.curupira("plugins", "verify").expect(0)
            self.curupira("plugins", "remove", "acme-ext").expect(0)
            self.assertEqual(self.home.installed(), [])

        self.each_rule(check)


class Probe(unittest.TestCase):
    """`allow_probe` is about starting a package to learn what it is: whoever has to do that is refused."""

    def setUp(self):
        skip.need_program("node")
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.folder = self.home.work / "silent"
        self.folder.mkdir()
        (self.folder / "package.json").write_text('{"name": "silent", "version": "1.0.0", "bin": "cli.js"}')
        manifest = 'manifest_version = 1\\nname = "silent"\\nversion = "1.0.0"\\nprotocol_version = 2\\nruntime = "node"\\n'
        manifest += 'kind = "trigger"\\ntrigger_types = ["greetings"]\\n\\n[launch]\\ntype = "npx"\\npackage = "silent"\\n'
        (self.folder / "cli.js").write_text(f"#!/usr/bin/env node\nprocess.stdout.write('{manifest}')\n")
        (self.folder / "cli.js").chmod(0o755)

    def forbid(self) -> None:
        rest = settings_text("remote.git", {"x": installed("silent")}, {"one": {"trigger_type": "x/greetings"}})
        self.home.write_settings(f"[policy]\nallow_probe = false\n{rest}")

    def refused(self, *command: str) -> None:
        before = self.home.state()
        self.curupira(*command).expect_error("CUR-4507", "settings.toml:2: allow_probe = false")
        self.assertEqual(self.home.state(), before)

    def test_install(self):
        self.forbid()
        self.refused("plugins", "install", f"path:{self.folder}", "--yes")

    def test_sync_and_update(self):
        self.curupira("plugins", "install", f"path:{self.folder}", "--yes").expect(0)
        self.forbid()
        self.refused("plugins", "update", "--yes")
        lock = self.home.curupira / "curupira.lock"
        text = lock.read_text()
        self.curupira("plugins", "remove", "silent").expect(0)
        lock.write_text(text)
        self.refused("plugins", "sync", "--frozen")


if __name__ == "__main__":
    main()
