"""`lock`, `sync`, `outdated` and `update` with npm packages of a real registry (Verdaccio)."""

import json
import os
import shutil
import subprocess
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import manifest_text, npm_package, publish_npm
from curupira_testing.repo import bare_repository
from curupira_testing.services import Verdaccio
from curupira_testing.settings import npx, settings_text
from curupira_testing.strace import trace

EXT = "npm:@acme/curupira-ext@^1.2"
TASK = {"task": {"trigger_type": "acme/greetings"}}


def published() -> Verdaccio:
    skip.need_program("npm")
    registry = Verdaccio()
    unittest.addModuleCleanup(registry.stop)
    publish_npm(registry, "node-hello")
    for version in ("1.2.0", "1.2.7", "2.0.0"):
        publish_npm(registry, "acme-curupira-ext", version=version)
    return registry


def setUpModule():
    global REGISTRY
    REGISTRY = published()


class WithRegistry(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        (self.home.path / ".npmrc").write_text(REGISTRY.npmrc())
        self.lock = self.home.curupira / "curupira.lock"

    def install(self, *references: str):
        return self.curupira("plugins", "install", *references, "--yes").expect(0)

    def fresh_home(self, text: str):
        """The same home, with nothing but the lock file."""
        for folder, _, _ in os.walk(self.home.curupira):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.home.curupira)
        self.home.curupira.mkdir()
        self.lock.write_text(text)

    def without_npm(self) -> dict[str, str]:
        """A PATH with node and nothing else of npm."""
        folder = self.home.folder / "node-only"
        folder.mkdir(exist_ok=True)
        for program in ("node", "bwrap", "python3"):
            found = shutil.which(program)
            if found and not (folder / program).exists():
                (folder / program).symlink_to(found)
        return {"PATH": str(folder)}


class Sync(WithRegistry):
    def test_two_homes_become_the_same_and_npm_is_not_needed(self):
        self.install(EXT)
        text = self.lock.read_text()
        kept = []
        for name in ("first", "second"):
            self.fresh_home(text)
            self.curupira("plugins", "sync", "--frozen", env=self.without_npm()).expect(0)
            kept.append(self.home.folder / name)
            for part in ("store/v1/trees", "extensions"):
                shutil.copytree(self.home.curupira / part, kept[-1] / part, symlinks=True)
        subprocess.run(["diff", "-r", "--no-dereference", *map(str, kept)], check=True)
        self.assertEqual(self.lock.read_text(), text)

    def test_a_receipt_is_the_same_when_the_bytes_were_there_already(self):
        self.install(EXT)
        receipt = self.home.extensions / "acme-curupira-ext" / "receipt.json"
        text, fetched = self.lock.read_text(), receipt.read_text()
        self.curupira("plugins", "remove", "acme-curupira-ext").expect(0)
        self.lock.write_text(text)
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(receipt.read_text(), fetched)

    def test_the_second_sync_opens_no_socket_and_starts_nothing(self):
        self.install(EXT)
        seen = trace(self.curupira, "plugins", "sync", "--frozen")
        self.assertIn("no change", seen.result.expect(0).stdout)
        self.assertEqual((seen.sockets, len(seen.executed)), ([], 1))

    def test_offline_from_the_store_alone(self):
        self.install(EXT)
        text = self.lock.read_text()
        self.curupira("plugins", "remove", "acme-curupira-ext").expect(0)
        self.lock.write_text(text)
        seen = trace(self.curupira, "plugins", "sync", "--frozen", "--offline", env=self.without_npm())
        seen.result.expect(0)
        self.assertNotIn("AF_INET", seen.sockets)
        self.assertEqual(self.home.installed(), ["acme-curupira-ext"])

    def test_offline_names_what_is_missing(self):
        self.install(EXT)
        self.fresh_home(self.lock.read_text())
        result = self.curupira("plugins", "sync", "--frozen", "--offline")
        result.expect_error("CUR-4110", "@acme/curupira-ext 1.2.7", "sha512-", "curupira plugins sync")
        self.assertEqual(self.home.installed(), [])

    def test_installs_what_the_settings_name_and_the_lock_lacks(self):
        remote = bare_repository(self.home.folder / "git")
        plugins = {"acme": npx("-y", "@acme/curupira-ext@^1.2")}
        self.home.write_settings(settings_text(remote, plugins, TASK))
        self.curupira("plugins", "sync", "--frozen").expect_error("CUR-4101", code=2)
        self.curupira("plugins", "sync", "--yes").expect(0)
        self.assertEqual(self.home.installed(), ["acme-curupira-ext"])
        self.assertIn('reference = "npm:@acme/curupira-ext@^1.2"', self.lock.read_text())

    def test_lock_installs_nothing(self):
        remote = bare_repository(self.home.folder / "git")
        self.home.write_settings(settings_text(remote, {"acme": npx("-y", "@acme/curupira-ext@^1.2")}, TASK))
        self.curupira("plugins", "lock").expect(0)
        self.assertEqual(self.home.installed(), [])
        self.curupira("plugins", "sync", "--frozen", env=self.without_npm()).expect(0)
        self.assertEqual(self.home.installed(), ["acme-curupira-ext"])


class Platforms(WithRegistry):
    def test_the_same_bytes_whoever_writes_it(self):
        """A package for one system only is in the lock of all, with its tree (npm/cli#4828)."""
        for system in ("linux", "darwin"):
            folder = npm_package(self.home.work / system, f"native-{system}", "1.0.0", {"x": system}, os=[system])
            publish_npm(REGISTRY, folder)
        files = {"curupira-extension.toml": manifest_text("both", launch='type = "npx"\npackage = "both"', runtime='"node"'),
                 "cli.js": "#!/usr/bin/env node\n"}
        native = {f"native-{system}": "1.0.0" for system in ("linux", "darwin")}
        publish_npm(REGISTRY, npm_package(self.home.work / "both", "both", "1.0.0", files, bin="cli.js",
                                          optionalDependencies=native))
        remote = bare_repository(self.home.folder / "git")
        settings = settings_text(remote, {"both": npx("-y", "both")}, {"task": {"trigger_type": "both/greetings"}})
        self.home.write_settings('[lock]\nplatforms = ["linux-x86_64", "darwin-arm64"]\n' + settings)
        written = []
        for platform in ("linux-x86_64", "darwin-arm64"):
            self.curupira("plugins", "lock", "--platform", platform).expect(0)
            written.append(self.lock.read_text())
            self.lock.unlink()
        self.assertEqual(written[0], written[1])
        self.assertIn('platforms = ["darwin-arm64"]', written[0])
        self.assertIn('file = "native-darwin-1.0.0.tgz"', written[0])


class Update(WithRegistry):
    def test_within_the_range(self):
        self.install("npm:@acme/curupira-ext@1.2.0")
        for file in (self.lock, self.home.extensions / "acme-curupira-ext" / "receipt.json"):
            file.write_text(file.read_text().replace("curupira-ext@1.2.0\"", "curupira-ext@^1.2\""))
        result = self.curupira("plugins", "outdated", "--json").expect(0)
        (outdated,) = json.loads(result.stdout)["outdated"]
        self.assertEqual((outdated["installed"], outdated["newest"]), ("1.2.0", "1.2.7"))
        dry = self.curupira("plugins", "update", "--dry-run").expect(0)
        self.assertIn("~ acme-curupira-ext 1.2.0 -> 1.2.7", dry.stdout)
        self.assertIn('version = "1.2.0"', self.lock.read_text())
        self.curupira("plugins", "update").expect_error("CUR-1003", code=2)
        self.curupira("plugins", "update", "--yes").expect(0)
        self.assertIn('version = "1.2.7"', self.lock.read_text())
        self.assertEqual(self.curupira("plugins", "outdated").expect(0).stdout.count("->"), 0)
        listed = json.loads(self.curupira("plugins", "rollback", "--list", "--json").expect(0).stdout)
        self.assertEqual([each["command"] for each in listed["generations"]], ["", "install", "update"])

    def test_a_permission_that_was_added_is_named_and_accepted_by_itself(self):
        launch = 'type = "npx"\npackage = "grows"\n\n[capabilities]\npermissions = {}'
        for version, permissions in (("1.0.0", '["network"]'), ("1.1.0", '["network", "files"]')):
            manifest = manifest_text("grows", version, launch=launch.format(permissions), runtime='"node"')
            files = {"curupira-extension.toml": manifest, "cli.js": "#!/usr/bin/env node\n"}
            folder = npm_package(self.home.work / version, "grows", version, files, bin="cli.js")
            publish_npm(REGISTRY, folder)
            if version == "1.0.0":
                self.install("npm:grows@^1")
        result = self.curupira("plugins", "update", "--yes")
        result.expect_error("CUR-1003", 'grows asks for the permission "files"', "--accept-changes", code=2)
        self.assertIn("+files", result.stdout)
        self.curupira("plugins", "update", "--yes", "--accept-changes").expect(0)


if __name__ == "__main__":
    main()
