"""What a registry has and a home has locked: `sync`, `update`, versions that were taken back, files of platforms."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.packages import HELLO, sha256
from curupira_testing.registry_user import RegistryUser, lock_of, locked, receipt, use_registries


class Lock(RegistryUser, unittest.TestCase):
    def test_its_entry(self):
        self.install("corp:tickets@^1").expect(0)
        entry = locked(self.home, "tickets")
        release = self.registry.index("tickets")["versions"]["1.1.0"]
        self.assertEqual(
            {key: entry[key] for key in ("reference", "source", "package", "version", "level")},
            {
                "reference": "corp:tickets@^1",
                "source": "curupira:corp",
                "package": "tickets",
                "version": "1.1.0",
                "level": "registry-signed",
            },
        )
        (artifact,) = entry["artifact"]
        self.assertEqual(artifact["file"], release["artifacts"][0]["file"])
        self.assertEqual(artifact["size"], release["artifacts"][0]["size"])
        self.assertNotIn(str(self.home.folder), (self.home.curupira / "curupira.lock").read_text())

    def test_another_home_gets_the_same_bytes_and_writes_the_same_file(self):
        self.install("corp:tickets@1.0.0").expect(0)
        text = (self.home.curupira / "curupira.lock").read_bytes()
        other = self.fresh_home_with_the_lock()
        Program(other)("plugins", "sync", "--frozen").expect(0)
        self.assertEqual((other.curupira / "curupira.lock").read_bytes(), text)
        self.assertEqual(receipt(other, "tickets"), receipt(self.home, "tickets"))
        Program(other)("plugins", "verify").expect(0)

    def test_a_complete_store_needs_no_registry(self):
        self.install("corp:tickets").expect(0)
        self.registry.folder.rename(self.home.work / "away")
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.curupira("plugins", "sync", "--offline", "--frozen").expect(0)
        self.curupira("plugins", "verify").expect(0)

    def test_what_the_store_lacks_comes_from_the_registry(self):
        self.install("corp:tickets").expect(0)
        for blob in (self.home.curupira / "store" / "v1" / "blobs" / "sha256").iterdir():
            blob.unlink()
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.curupira("plugins", "verify").expect(0)

    def test_a_registry_that_says_something_else_now(self):
        self.install("corp:tickets").expect(0)
        lock = (self.home.curupira / "curupira.lock").read_text()
        other = OwnRegistry(self.home, name="other")
        folder = other.extension("tickets", "1.1.0")
        (folder / "hello").write_bytes((folder / "hello").read_bytes() + b"# another\n")
        other("publish", folder).expect(0)
        fresh = TempHome.of(self)
        use_registries(fresh, corp=other)
        (fresh.curupira / "curupira.lock").write_text(lock)
        Program(fresh)("plugins", "sync", "--frozen").expect_error("CUR-4106", "tickets: ", "digest", "expected", "found")
        self.assertEqual(fresh.installed(), [])

    def test_lock_keeps_what_is_locked(self):
        self.install("corp:tickets@1.0.0").expect(0)
        (self.home.curupira / "curupira.lock").unlink()
        self.curupira("plugins", "lock").expect(0)
        self.assertEqual(locked(self.home, "tickets")["version"], "1.0.0")


class Update(RegistryUser, unittest.TestCase):
    versions = ("1.0.0",)

    def test_outdated_and_update(self):
        self.install("corp:tickets@^1").expect(0)
        self.assertNotIn("tickets", self.curupira("plugins", "outdated").stdout)
        self.registry.publish("tickets", "1.1.0")
        self.registry.publish("tickets", "2.0.0")
        outdated = self.curupira("plugins", "outdated")
        self.assertIn("1.1.0", outdated.stdout)
        self.curupira("plugins", "update", "--yes").expect(0)
        self.assertEqual((self.version(), locked(self.home, "tickets")["version"]), ("1.1.0", "1.1.0"))
        self.curupira("plugins", "rollback").expect(0)
        self.assertEqual(self.version(), "1.0.0")


class Yanked(RegistryUser, unittest.TestCase):
    """astral-sh/uv#19112: a yanked version is installed silently."""

    REASON = "loses tickets"

    def yank(self, version: str = "1.1.0") -> None:
        self.registry("yank", "tickets", version, "--reason", self.REASON).expect(0)

    def test_is_not_chosen(self):
        self.yank()
        told = self.install("corp:tickets").expect(0).stderr
        self.assertEqual(self.version(), "1.0.0")
        self.assertIn(f"corp:tickets@1.1.0 was taken back by its publisher: {self.REASON}", told)

    def test_is_refused_when_it_is_asked_for(self):
        self.yank()
        self.refused("corp:tickets@1.1.0", "CUR-4908", self.REASON)

    def test_stays_where_it_is_locked_with_a_warning(self):
        self.install("corp:tickets").expect(0)
        self.yank()
        fresh = self.fresh_home_with_the_lock()
        told = Program(fresh)("plugins", "sync", "--frozen").expect(0).stderr
        self.assertIn(f"warning: corp:tickets@1.1.0 was taken back by its publisher: {self.REASON}", told)
        self.assertEqual(fresh.installed(), ["tickets"])

    def test_update_does_not_go_back(self):
        self.install("corp:tickets").expect(0)
        self.yank()
        self.assertIn(self.REASON, self.curupira("plugins", "update", "--yes").expect(0).stderr)
        self.assertEqual(self.version(), "1.1.0")

    def test_the_policy_refuses_both(self):
        self.install("corp:tickets").expect(0)
        self.yank()
        fresh = self.fresh_home_with_the_lock(extra="[policy]\nallow_yanked = false\n")
        Program(fresh)("plugins", "sync", "--frozen").expect_error("CUR-4509", "allow_yanked = false", self.REASON)
        self.assertEqual(fresh.installed(), [])


class FilesInTheArchive(RegistryUser, unittest.TestCase):
    """What a launch table names inside of the archive: who vouches for the manifest vouches for it."""

    def test_have_the_level_of_their_archive(self):
        launch = 'type = "binary"\nargs = ["tool", "1.0.0"]\n'
        for platform in ("linux-x86_64", "linux-aarch64"):
            launch += f'\n[launch.platforms.{platform}]\nurl = "./hello"\nsha256 = "{sha256(HELLO.read_bytes())}"\n'
        self.registry("publish", self.registry.extension("tool", launch=launch)).expect(0)
        self.install("corp:tool").expect(0)
        self.assertEqual(locked(self.home, "tool")["level"], "registry-signed")
        self.assertEqual([each["package"] for each in receipt(self.home, "tool")["artifacts"]], ["tool", "tool:hello"])
        self.curupira("plugins", "verify").expect(0)
        fresh = self.fresh_home_with_the_lock()
        Program(fresh)("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(receipt(fresh, "tool"), receipt(self.home, "tool"))
        Program(fresh)("plugins", "sync", "--frozen", "--offline").expect(0)
        self.registry("keys rotate", "online").expect(0)
        Program(fresh)("plugins", "outdated").expect(0)
        Program(fresh)("plugins", "verify").expect(1)
        Program(fresh)("plugins", "verify", "--repair").expect(0)


class PlatformFiles(unittest.TestCase):
    """Files that a `binary` or `archive` launch names by an address come from the registry, by their digests."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)
        self.curupira = Program(self.home)
        outside = self.home.work / "outside"
        outside.mkdir()
        server = StaticServer(outside)
        launch = 'type = "binary"\nargs = ["tool", "1.0.0"]\n'
        self.files = {"linux-x86_64": HELLO.read_bytes(), "linux-aarch64": HELLO.read_bytes() + b"# arm\n"}
        for platform, content in self.files.items():
            (outside / f"tool-{platform}").write_bytes(content)
            launch += f'\n[launch.platforms.{platform}]\nurl = "{server.url}tool-{platform}"\nsha256 = "{sha256(content)}"\n'
        folder = self.registry.extension("tool", launch=launch)
        (folder / "hello").unlink()
        self.registry("publish", folder).expect(0)
        server.stop()
        lock = '[lock]\nplatforms = ["linux-aarch64", "linux-x86_64"]\n'
        use_registries(self.home, corp=self.registry, extra=lock)

    def test_install_and_sync_with_the_address_unreachable(self):
        self.curupira("plugins", "install", "corp:tool", "--yes").expect(0)
        self.curupira("plugins", "verify").expect(0)
        entry = locked(self.home, "tool")
        by_package = {each["package"]: each for each in entry["artifact"]}
        self.assertEqual(set(by_package), {"tool", "tool/tool-linux-aarch64", "tool/tool-linux-x86_64"})
        self.assertEqual({each["level"] for each in entry["artifact"]}, {"registry-signed"})
        self.assertEqual(by_package["tool/tool-linux-x86_64"]["platforms"], ["linux-x86_64"])
        self.assertEqual(by_package["tool/tool-linux-x86_64"]["size"], len(self.files["linux-x86_64"]))

        fresh = TempHome.of(self)
        use_registries(fresh, corp=self.registry)
        (fresh.curupira / "curupira.lock").write_bytes((self.home.curupira / "curupira.lock").read_bytes())
        Program(fresh)("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(receipt(fresh, "tool"), receipt(self.home, "tool"))
        Program(fresh)("plugins", "sync", "--offline", "--frozen").expect(0)

    def test_a_bundle_carries_them(self):
        self.curupira("plugins", "install", "corp:tool", "--yes").expect(0)
        self.curupira("plugins", "bundle", "create", "-o", "all.bundle").expect(0)
        fresh = TempHome.of(self)
        use_registries(fresh, corp=self.registry)
        program = Program(fresh)
        program("plugins", "search", "tool").expect(0)  # trusts the root
        program("plugins", "bundle", "install", self.home.work / "all.bundle", "--yes").expect(0)
        self.assertEqual(lock_of(fresh)["extension"][0]["level"], "registry-signed")
        program("plugins", "verify").expect(0)

if __name__ == "__main__":
    main()
