"""Extensions from a curupira registry: `plugins install NAME:package`, its lock entry, update, and what proves it."""

import json
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.packages import HELLO, sha256
from curupira_testing.registry_user import lock_of, locked, receipt, registry_table, use_registries


class WithRegistry(unittest.TestCase):
    """A registry with tickets 1.0.0, 1.1.0 and 2.0.0-rc.1, and a home that knows it as "corp"."""

    extra = ""

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)
        self.registry("publish", *(self.registry.extension("tickets", each) for each in self.versions())).expect(0)
        use_registries(self.home, corp=self.registry, extra=self.extra)
        self.curupira = Program(self.home)

    def versions(self) -> tuple[str, ...]:
        return ("1.0.0", "1.1.0", "2.0.0-rc.1")

    def install(self, *references: str, **options):
        return self.curupira("plugins", "install", *references, "--yes", **options)

    def version(self, name: str = "tickets") -> str:
        return receipt(self.home, name)["version"]

    def refused(self, reference: str, error: str, *words: str, code: int = 1) -> None:
        self.install(reference).expect_error(error, *words, code=code)
        self.assertEqual(self.home.installed(), [])


class Install(WithRegistry):
    def test_the_newest_release(self):
        self.install("corp:tickets").expect(0)
        self.assertEqual(self.version(), "1.1.0")
        self.assertEqual(receipt(self.home, "tickets")["source"], "curupira:corp")
        command = json.loads(self.curupira("plugins", "info", "tickets", "--json").expect(0).stdout)["command"]
        self.assertTrue(command)

    def test_ranges_and_versions(self):
        for reference, version in (
            ("corp:tickets@1.0.0", "1.0.0"),
            ("corp:tickets@^1", "1.1.0"),
            ("corp:tickets@<1.1", "1.0.0"),
            ("corp:tickets@2.0.0-rc.1", "2.0.0-rc.1"),
        ):
            with self.subTest(reference):
                self.install(reference).expect(0)
                self.assertEqual(self.version(), version)

    def test_below_a_scope(self):
        self.registry("publish", self.registry.extension("notes"), "--scope", "acme").expect(0)
        self.install("corp:@acme/notes@1.0.0").expect(0)
        self.assertEqual(receipt(self.home, "notes")["package"], "@acme/notes")

    def test_what_is_not_there(self):
        self.refused("corp:nothing", "CUR-4910", "nothing")
        self.refused("corp:tickets@^7", "CUR-4910", "corp:tickets@^7", "1.1.0")

    def test_a_registry_that_nobody_set_up(self):
        self.refused("crop:tickets", "CUR-4901", "did you mean corp:", code=2)
        self.refused("nmp:left-pad", "CUR-4901", "did you mean npm:", code=2)

    def test_its_level_and_who_vouches(self):
        self.install("corp:tickets").expect(0)
        (artifact,) = receipt(self.home, "tickets")["artifacts"]
        self.assertEqual(artifact["level"], "registry-signed")
        self.assertEqual(artifact["location"], "tickets-1.1.0.tar.gz")

    def test_a_publisher_of_its_own(self):
        self.registry("delegate", "acme-*", "--public-key", self.key("acme").with_suffix(".pub")).expect(0)
        self.registry("publish", self.registry.extension("acme-notes"), "--key", self.key("acme")).expect(0)
        self.install("corp:acme-notes").expect(0)
        (artifact,) = receipt(self.home, "acme-notes")["artifacts"]
        self.assertEqual(artifact["level"], "publisher-signed")
        shown = self.curupira("plugins", "verify", "--explain", "acme-notes").expect(0).stdout
        self.assertIn("publisher-signed", shown)
        self.assertRegex(shown, r"role +acme version 1, 1 key needed, signed by [0-9a-f]{64}")

    def key(self, name: str):
        file = self.home.work / f"{name}.pem"
        if not file.exists():
            self.curupira("registry", "keys", "new", file).expect(0)
        return file


class BareNames(WithRegistry):
    def test_one_registry_has_it(self):
        self.install("tickets").expect(0)
        self.assertEqual(receipt(self.home, "tickets")["reference"], "corp:tickets")
        self.install("tickets@1.0.0").expect(0)
        self.assertEqual(receipt(self.home, "tickets")["reference"], "corp:tickets@1.0.0")

    def test_two_registries_have_it(self):
        other = OwnRegistry(self.home, name="other")
        other.publish("tickets", "3.0.0")
        use_registries(self.home, corp=self.registry, lab=other)
        self.refused("tickets", "CUR-4906", "corp, lab", "corp:tickets", code=2)
        self.install("lab:tickets").expect(0)
        self.assertEqual(self.version(), "3.0.0")

    def test_none_has_it(self):
        self.refused("nothing", "CUR-4910", "corp", "npm:nothing")

    def test_without_registries_it_is_no_reference(self):
        self.home.write_settings("[settings]\n")
        self.refused("tickets", "CUR-1301", "npm:NAME@RANGE", code=2)

    def test_silence_of_one_registry_is_not_passed_over(self):
        """A name belongs to one registry: who does not answer may have it, too."""
        table = registry_table("gone", self.home.work / "gone", self.registry.fingerprint)
        use_registries(self.home, corp=self.registry, extra=table)
        refused = self.install("tickets")
        self.assertNotEqual(refused.code, 0)
        self.assertIn("gone", refused.stderr)
        self.assertEqual(self.home.installed(), [])


class NamesOfRegistries(WithRegistry):
    def test_a_package_stays_with_its_registry(self):
        other = OwnRegistry(self.home, name="other")
        other.publish("tickets", "3.0.0")
        use_registries(self.home, corp=self.registry, lab=other)
        self.install("corp:tickets").expect(0)
        self.install("lab:tickets").expect_error("CUR-4003", "corp:tickets", "lab:tickets", code=1)
        self.assertEqual(self.version(), "1.1.0")


class Lock(WithRegistry):
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
        other = TempHome.of(self)
        use_registries(other, corp=self.registry)
        (other.curupira / "curupira.lock").write_bytes(text)
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


class Update(WithRegistry):
    def versions(self) -> tuple[str, ...]:
        return ("1.0.0",)

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


class Yanked(WithRegistry):
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
        lock = (self.home.curupira / "curupira.lock").read_text()
        self.yank()
        fresh = TempHome.of(self)
        use_registries(fresh, corp=self.registry)
        (fresh.curupira / "curupira.lock").write_text(lock)
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
        lock = (self.home.curupira / "curupira.lock").read_text()
        self.yank()
        fresh = TempHome.of(self)
        use_registries(fresh, corp=self.registry, extra="[policy]\nallow_yanked = false\n")
        (fresh.curupira / "curupira.lock").write_text(lock)
        Program(fresh)("plugins", "sync", "--frozen").expect_error("CUR-4509", "allow_yanked = false", self.REASON)
        self.assertEqual(fresh.installed(), [])


class Policy(WithRegistry):
    def test_rules_name_registries(self):
        use_registries(self.home, corp=self.registry, extra='[policy]\nallow = ["corp:acme-*"]\n')
        self.refused("corp:tickets", "CUR-4501", "corp:tickets")
        use_registries(self.home, corp=self.registry, extra='[policy]\nallow = ["corp:*"]\n')
        self.install("corp:tickets").expect(0)
        tested = self.curupira("policy", "test", "corp:tickets", "npm:x")
        self.assertIn("corp:tickets: allowed", tested.stdout)
        self.assertIn("npm:x: refused", tested.stdout)

    def test_least_level(self):
        rule = '[[policy.verification]]\npackages = ["corp:*"]\nminimum_level = "publisher-signed"\n'
        use_registries(self.home, corp=self.registry, extra=rule)
        self.refused("corp:tickets", "CUR-4502", "registry-signed")

    def test_release_age(self):
        use_registries(self.home, corp=self.registry, extra='[policy]\nminimum_release_age = "3d"\n')
        self.refused("corp:tickets", "CUR-4506", "corp:tickets@1.1.0")

    def test_a_slip_of_the_pen_is_no_rule(self):
        use_registries(self.home, corp=self.registry, extra='[policy]\ndeny = ["nmp:left-pad"]\n')
        self.refused("corp:tickets", "CUR-1203", "nmp:left-pad", code=2)


class Proofs(WithRegistry):
    def explained(self) -> dict:
        text = self.curupira("plugins", "verify", "--explain", "--json").expect(0).stdout
        return json.loads(text)["extensions"][0]["artifacts"][0]

    def proof_file(self):
        (file,) = (self.home.curupira / "store" / "v1" / "proofs").iterdir()
        return file

    def test_are_explained(self):
        self.install("corp:tickets@1.0.0").expect(0)
        word = self.explained()["registry"]
        self.assertEqual((word["name"], word["package"], word["version"]), ("corp", "tickets", "1.0.0"))
        roles = [role["role"] for role in word["roles"]]
        self.assertEqual(roles[:5], ["root", "timestamp", "snapshot", "targets", "bins"])
        self.assertTrue(roles[5].startswith("bins-"))
        for role in word["roles"]:
            self.assertEqual((role["threshold"], len(role["keys"])), (1, 1), role)
        text = self.curupira("plugins", "verify", "--explain").expect(0).stdout
        self.assertIn("by the registry corp, which names it a file of tickets 1.0.0", text)

    def test_one_that_was_changed_does_not_hold(self):
        self.install("corp:tickets@1.0.0").expect(0)
        file = self.proof_file()
        text = file.read_text()
        file.chmod(0o644)
        for old, new in (('"version": "1.0.0"', '"version": "1.1.0"'), ("loses", "wins"), ("timestamp", "timestanp")):
            with self.subTest(old):
                if old not in text:
                    continue
                file.write_text(text.replace(old, new))
                self.curupira("plugins", "verify").expect(1)
        self.curupira("plugins", "verify", "--repair").expect(0)
        self.curupira("plugins", "verify").expect(0)

    def rotate(self) -> None:
        """The registry takes away the key that signs everything daily, and the home hears of it."""
        self.registry("keys rotate", "online").expect(0)
        self.registry.publish("other")
        self.install("corp:other").expect(0)

    def test_a_key_that_was_taken_away_vouches_no_more(self):
        self.install("corp:tickets@1.0.0").expect(0)
        self.curupira("plugins", "verify", "tickets").expect(0)
        self.rotate()
        told = self.curupira("plugins", "verify", "tickets").expect(1)
        self.assertIn("with a key that the registry has taken away since", told.stdout + told.stderr)

    def test_sync_renews_the_proof(self):
        self.install("corp:tickets@1.0.0").expect(0)
        self.rotate()
        before = locked(self.home, "tickets")
        blobs = {file.name for file in (self.home.curupira / "store" / "v1" / "blobs" / "sha256").iterdir()}
        self.curupira("plugins", "sync").expect(0)
        self.curupira("plugins", "verify").expect(0)
        self.assertEqual(locked(self.home, "tickets"), before)
        self.assertEqual({f.name for f in (self.home.curupira / "store" / "v1" / "blobs" / "sha256").iterdir()}, blobs)

    def test_repair_renews_the_proof(self):
        self.install("corp:tickets@1.0.0").expect(0)
        self.rotate()
        self.curupira("plugins", "verify", "--repair").expect(0)
        self.curupira("plugins", "verify").expect(0)

    def test_offline_a_proof_that_does_not_hold_is_said(self):
        self.install("corp:tickets@1.0.0").expect(0)
        self.rotate()
        self.registry.folder.rename(self.home.work / "away")
        use_registries_away = registry_table("corp", "https://registry.example.org/", self.trusted_fingerprint())
        self.home.write_settings(use_registries_away)
        self.curupira("plugins", "sync", "--offline").expect_error("CUR-4608", "taken away")
        self.assertEqual(self.home.installed(), ["other", "tickets"])

    def trusted_fingerprint(self) -> str:
        first = (self.home.work / "away" / "metadata" / "1.root.json").read_bytes()
        return f"sha256:{sha256(first)}"


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
        self.curupira("bundle", "create", "all.bundle").expect(0)
        fresh = TempHome.of(self)
        use_registries(fresh, corp=self.registry)
        program = Program(fresh)
        program("plugins", "search", "tool").expect(0)  # trusts the root
        program("bundle", "install", self.home.work / "all.bundle", "--yes").expect(0)
        self.assertEqual(lock_of(fresh)["extension"][0]["level"], "registry-signed")
        program("plugins", "verify").expect(0)


if __name__ == "__main__":
    main()
