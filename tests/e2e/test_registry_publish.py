"""What `registry init`, `publish` and `yank` do to a registry's folder."""

import hashlib
import json
import os
import unittest

from curupira_testing import TempHome, main
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.packages import HELLO, acme_archive, npm_package, pack, sha256


class WithRegistry(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)


class Init(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)

    def test_says_the_digest_of_the_first_root(self):
        registry = OwnRegistry(self.home)
        digest = hashlib.sha256((registry.folder / "metadata" / "1.root.json").read_bytes()).hexdigest()
        self.assertIn(f"sha256:{digest}", registry.made.stdout)
        self.assertEqual(registry.json("keys list")["fingerprint"], f"sha256:{digest}")

    def test_keys_are_private_and_beside_the_registry(self):
        registry = OwnRegistry(self.home, "--root-keys", "3", "--root-threshold", "2")
        self.assertEqual(registry.keys.stat().st_mode & 0o777, 0o700)
        private = sorted(file.name for file in registry.keys.glob("*.pem"))
        self.assertEqual(private, ["online.pem", "root-1.pem", "root-2.pem", "root-3.pem", "targets.pem"])
        for file in registry.keys.glob("*.pem"):
            self.assertEqual(file.stat().st_mode & 0o777, 0o600, file)
        root = registry.signed("root")["roles"]["root"]
        self.assertEqual((len(root["keyids"]), root["threshold"]), (3, 2))

    def test_never_into_a_registry(self):
        registry = OwnRegistry(self.home)
        before = registry.state()
        registry("init").expect_error("CUR-4802", code=2)
        self.assertEqual(registry.state(), before)

    def test_never_into_a_folder_with_other_things(self):
        folder = self.home.work / "full"
        folder.mkdir()
        (folder / "notes.txt").write_text("mine")
        registry = ("registry", "init", folder)
        OwnRegistry(self.home).curupira(*registry).expect_error("CUR-4802", "notes.txt", code=2)
        self.assertEqual([file.name for file in folder.iterdir()], ["notes.txt"])
        self.assertFalse((self.home.work / "full.keys").exists())

    def test_what_a_killed_init_left_is_written_over(self):
        registry = OwnRegistry(self.home)
        (registry.folder / "metadata" / "timestamp.json").unlink()
        registry("init", "--bits", "1").expect(0)
        registry("verify").expect(0)
        self.assertEqual(len(registry.versions()), 2 + len(("targets", "bins", "search")))

    def test_more_signatures_than_keys(self):
        curupira = OwnRegistry(self.home).curupira
        refused = curupira("registry", "init", "other", "--root-keys", "1", "--root-threshold", "2")
        refused.expect_error("CUR-4809", code=2)
        self.assertFalse((self.home.work / "other").exists())


class Publish(WithRegistry):
    def test_a_folder(self):
        self.registry.publish("tickets", "1.0.0", "--summary", "Tickets of a tracker")
        index = self.registry.index("tickets")
        self.assertEqual(index["name"], "tickets")
        release = index["versions"]["1.0.0"]
        self.assertEqual(release["manifest"], (self.registry.extensions / "tickets-1.0.0/curupira-extension.toml").read_text())
        (artifact,) = release["artifacts"]
        file = self.registry.folder / "targets" / "artifacts" / f"{artifact['sha256']}.{artifact['file']}"
        self.assertEqual(artifact["file"], "tickets-1.0.0.tar.gz")
        self.assertEqual((sha256(file.read_bytes()), file.stat().st_size), (artifact["sha256"], artifact["size"]))
        custom = self.registry.signed(self.registry.role_of("tickets"))["targets"]["packages/tickets.json"]["custom"]
        self.assertEqual(custom["curupira"]["latest"], "1.0.0")
        self.assertEqual(custom["curupira"]["summary"], "Tickets of a tracker")

    def test_what_was_published_from_a_folder_installs(self):
        self.registry.publish("tickets")
        (artifact,) = (self.registry.folder / "targets" / "artifacts").iterdir()
        self.registry.curupira("plugins", "install", artifact, "--yes").expect(0)
        self.assertEqual(self.home.installed(), ["tickets"])

    def test_touches_its_bin_snapshot_and_timestamp(self):
        self.registry.publish("tickets")
        before = self.registry.state()
        role = self.registry.role_of("tickets")
        written = self.registry.json("publish", self.registry.extension("tickets", "1.1.0"))["revision"]["written"]
        self.assertEqual([name.split(".", 1)[-1] for name in written], [f"{role}.json", "snapshot.json", "json"])
        after = self.registry.state()
        changed = {name for name in before if before[name] != after.get(name)}
        self.assertEqual(changed, {"metadata/timestamp.json"}, "nothing that has a version is written again")

    def test_an_archive_is_published_as_it_is(self):
        archive = acme_archive(self.home.work)
        self.registry("publish", archive).expect(0)
        (artifact,) = self.registry.index("acme-ext")["versions"]["1.2.0"]["artifacts"]
        self.assertEqual((artifact["file"], artifact["sha256"]), (archive.name, sha256(archive.read_bytes())))

    def test_below_a_scope(self):
        self.registry.publish("tickets", "1.0.0", "--scope", "acme")
        self.assertEqual(self.registry.index("@acme/tickets")["name"], "@acme/tickets")

    def test_a_bad_scope(self):
        before = self.registry.state()
        self.registry("publish", self.registry.extension("tickets"), "--scope", "../x").expect_error("CUR-4812", code=2)
        self.assertEqual(self.registry.state(), before)

    def test_several_at_once_or_none(self):
        good, bad = self.registry.extension("good"), self.registry.extension("bad")
        (bad / "curupira-extension.toml").write_text("nonsense")
        before = self.registry.state()
        self.registry("publish", good, bad).expect_error("CUR-1101", "bad-1.0.0", code=2)
        self.assertEqual(self.registry.state(), before)
        self.registry("publish", good, self.registry.extension("better")).expect(0)
        self.assertEqual(self.registry.signed("snapshot")["version"], 2, "one change")
        self.registry.index("good"), self.registry.index("better")

    def test_two_versions_of_one_package_at_once(self):
        paths = [self.registry.extension("tickets", version) for version in ("1.0.0", "1.1.0")]
        self.registry("publish", *paths).expect(0)
        self.assertEqual(sorted(self.registry.index("tickets")["versions"]), ["1.0.0", "1.1.0"])

    def test_what_would_not_install_is_not_published(self):
        folder = self.registry.extension("tickets")
        (folder / "hello").unlink()
        before = self.registry.state()
        self.registry("publish", folder).expect_error("CUR-3001", "hello")
        self.assertEqual(self.registry.state(), before)
        self.assertEqual(self.home.state(), {}, "nothing stays in the home")

    def test_no_registry(self):
        self.registry.curupira("registry", "publish", "nowhere", self.registry.extension("x")).expect_error(
            "CUR-4801", "nowhere", code=2
        )
        self.assertFalse((self.home.work / "nowhere").exists())


class SameVersionAgain(WithRegistry):
    def test_the_same_bytes_change_nothing(self):
        folder = self.registry.extension("tickets")
        self.registry("publish", folder).expect(0)
        before = self.registry.state()
        os.utime(folder / "hello", (1, 1))
        self.assertIn("Already published", self.registry("publish", folder).expect(0).stdout)
        self.assertEqual(self.registry.state(), before)

    def test_other_bytes_are_refused_with_both_digests(self):
        folder = self.registry.extension("tickets")
        first = self.registry.json("publish", folder)["releases"][0]["sha256"]
        with (folder / "hello").open("a") as file:
            file.write("# changed\n")
        before = self.registry.state()
        refused = self.registry("publish", folder).expect_error("CUR-4813", first, "published:", "now:")
        self.assertRegex(refused.stderr.replace(first, ""), r"[0-9a-f]{64}")
        self.assertEqual(self.registry.state(), before)

    def test_build_metadata_makes_no_other_version(self):
        self.registry.publish("tickets", "1.0.0+a")
        self.registry("publish", self.registry.extension("tickets", "1.0.0+b")).expect_error("CUR-4813", "1.0.0+a")


class PlatformFiles(WithRegistry):
    """Files that a `binary` or `archive` launch names by an address come along."""

    def setUp(self):
        super().setUp()
        self.outside = self.home.work / "outside"
        self.outside.mkdir()
        self.server = StaticServer.of(self, self.outside)

    def folder(self, kind: str, files: dict[str, bytes], *, size: int | None = None, more: str = ""):
        launch = f'type = "{kind}"\nargs = ["tool", "1.0.0"]\n'
        for platform, content in files.items():
            name = f"tool-{platform}" + (".tar.gz" if kind == "archive" else "")
            (self.outside / name).write_bytes(content)
            launch += f'\n[launch.platforms.{platform}]\nurl = "{self.server.url}{name}"\nsha256 = "{sha256(content)}"\n{more}'
            if size is not None:
                launch += f"size = {size}\n"
        folder = self.registry.extension("tool", launch=launch)
        (folder / "hello").unlink()
        return folder

    def test_one_artifact_a_platform(self):
        files = {"linux-x86_64": HELLO.read_bytes(), "linux-aarch64": HELLO.read_bytes() + b"# arm\n"}
        self.registry("publish", self.folder("binary", files)).expect(0)
        archive, *others = self.registry.index("tool")["versions"]["1.0.0"]["artifacts"]
        self.assertNotIn("platforms", archive)
        self.assertEqual(
            {each["platforms"][0]: each["sha256"] for each in others},
            {platform: sha256(content) for platform, content in files.items()},
        )
        for each in others:
            stored = self.registry.folder / "targets" / "artifacts" / f"{each['sha256']}.{each['file']}"
            self.assertEqual(sha256(stored.read_bytes()), each["sha256"])

    def test_platforms_without_this_one(self):
        self.registry("publish", self.folder("binary", {"darwin-arm64": HELLO.read_bytes()})).expect(0)
        self.assertEqual(self.registry.index("tool")["versions"]["1.0.0"]["artifacts"][1]["platforms"], ["darwin-arm64"])

    def test_archives(self):
        packed = pack({"bin/tool": HELLO.read_bytes()}, "tar.gz", executable=("bin/tool",))
        self.registry("publish", self.folder("archive", {"linux-x86_64": packed}, more='program = "bin/tool"\n')).expect(0)
        self.assertEqual(len(self.registry.index("tool")["versions"]["1.0.0"]["artifacts"]), 2)

    def test_a_program_that_is_in_no_archive_of_another_platform(self):
        packed = pack({"bin/other": HELLO.read_bytes()}, "tar.gz")
        folder = self.folder("archive", {"darwin-arm64": packed}, more='program = "bin/tool"\n')
        self.registry("publish", folder).expect_error("CUR-2211", "bin/tool")

    def test_a_wrong_size(self):
        folder = self.folder("binary", {"linux-x86_64": HELLO.read_bytes()}, size=7)
        self.registry("publish", folder).expect_error("CUR-2103")
        self.assertEqual(list((self.registry.folder / "targets" / "artifacts").iterdir()), [])

    def test_a_file_that_is_not_there(self):
        folder = self.folder("binary", {"linux-x86_64": HELLO.read_bytes()})
        (self.outside / "tool-linux-x86_64").unlink()
        self.registry("publish", folder).expect_error("CUR-2009")


class Probed(WithRegistry):
    def test_the_manifest_that_a_package_prints_is_put_into_the_archive(self):
        manifest = (
            'manifest_version = 1\nname = "printer"\nversion = "1.0.0"\nprotocol_version = 2\nruntime = "node"\n'
            'kind = "trigger"\ntrigger_types = ["x"]\n[launch]\ntype = "npx"\npackage = "printer"\n'
        )
        script = f"#!/usr/bin/env node\nprocess.stdout.write({json.dumps(manifest)})\n"
        folder = npm_package(self.home.work / "printer", "printer", "1.0.0", {"cli.js": script}, bin="cli.js")
        (folder / "cli.js").chmod(0o755)
        result = self.registry("publish", folder)
        if "CUR-3003" in result.stderr:
            self.skipTest("no sandbox on this machine")
        result.expect(0)
        self.assertEqual(self.registry.index("printer")["versions"]["1.0.0"]["manifest"], manifest)
        (artifact,) = (self.registry.folder / "targets" / "artifacts").iterdir()
        self.registry.curupira("plugins", "install", artifact, "--yes", "--dry-run").expect(0)

    def test_one_that_prints_another_version(self):
        script = "#!/usr/bin/env node\nprocess.stdout.write('nonsense')\n"
        folder = npm_package(self.home.work / "printer", "printer", "1.0.0", {"cli.js": script}, bin="cli.js")
        result = self.registry("publish", folder)
        self.assertEqual(result.code, 1, result)
        self.assertEqual(self.registry.signed("snapshot")["version"], 1)


class Yank(WithRegistry):
    def setUp(self):
        super().setUp()
        for version in ("1.0.0", "1.1.0"):
            self.registry.publish("tickets", version)

    def brief(self) -> dict:
        role = self.registry.signed(self.registry.role_of("tickets"))
        return role["targets"]["packages/tickets.json"]["custom"]["curupira"]

    def test_the_reason_is_in_the_index_and_the_mark_in_the_metadata(self):
        self.registry("yank", "tickets", "1.1.0", "--reason", "loses tickets").expect(0)
        self.assertEqual(self.registry.index("tickets")["versions"]["1.1.0"]["yanked"], {"reason": "loses tickets"})
        self.assertEqual((self.brief()["latest"], self.brief()["yanked"]), ("1.0.0", ["1.1.0"]))

    def test_and_back(self):
        before = self.registry.index("tickets")
        self.registry("yank", "tickets", "1.1.0", "--reason", "loses tickets").expect(0)
        self.registry("unyank", "tickets", "1.1.0").expect(0)
        self.assertEqual(self.registry.index("tickets"), before)
        self.registry("unyank", "tickets", "1.1.0").expect_error("CUR-4819")

    def test_all_versions(self):
        for version in ("1.0.0", "1.1.0"):
            self.registry("yank", "tickets", version, "--reason", "no").expect(0)
        self.assertNotIn("latest", self.brief())
        self.registry("verify").expect(0)

    def test_what_is_not_there(self):
        self.registry("yank", "tickets", "2.0.0", "--reason", "x").expect_error("CUR-1304", "1.0.0, 1.1.0")
        self.registry("yank", "ticket", "1.0.0", "--reason", "x").expect_error("CUR-1303", "ticket")
        self.registry("yank", "Tickets", "1.0.0", "--reason", "x").expect_error("CUR-4812", code=2)

    def test_without_a_reason(self):
        self.registry("yank", "tickets", "1.0.0").expect_error("CUR-1001", "--reason", code=2)


if __name__ == "__main__":
    main()
