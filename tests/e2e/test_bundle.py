"""`plugins bundle create`, `inspect` and `install` with extensions that need no server; other tools read the file."""

import json
import os
import subprocess
import tarfile
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.bundled import HERE, OTHER, PLATFORMS, BundlingMachine
from curupira_testing.closed_network import without_network
from curupira_testing.oci import BundleParts, oci_digest, read_tar
from curupira_testing.packages import extension_folder
from curupira_testing.repo import bare_repository
from curupira_testing.settings import installed, settings_text

NAMES = ["acme-ext", "native", "one"]


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.machine = BundlingMachine(self.home)
        self.there = TempHome.of(self)  # where bundles are carried to
        self.curupira = Program(self.there)

    def install(self, bundle: Path, *options: str, **more):
        return self.curupira("plugins", "bundle", "install", bundle, *options, **more)

    def inspect(self, bundle: Path) -> dict:
        return json.loads(self.curupira("plugins", "bundle", "inspect", bundle, "--json").expect(0).stdout)["bundle"]


class Carried(Case):
    def test_from_one_machine_to_another(self):
        bundle, offline = self.machine.bundle(), without_network()
        self.install(bundle, "--yes", prefix=offline).expect(0)
        self.assertEqual(self.there.installed(), NAMES)
        self.assertEqual((self.there.curupira / "curupira.lock").read_bytes(), self.machine.lock.read_bytes())
        self.curupira("plugins", "verify", prefix=offline).expect(0)
        plugins = {"folder": installed("one"), "archive": installed("acme-ext"), "program": installed("native")}
        tasks = {alias: {"trigger_type": f"{alias}/greetings"} for alias in plugins}
        self.there.write_settings(settings_text(bare_repository(self.there.folder / "git"), plugins, tasks))
        self.assertEqual(self.curupira("run", "--dry-run", prefix=offline).expect(0).stdout.count("--- prompt ---"), 3)

    def test_a_second_time_there_is_nothing_to_do(self):
        bundle = self.machine.bundle()
        self.install(bundle, "--yes").expect(0)
        before = self.there.state()
        self.assertEqual(self.install(bundle).expect(0).stdout.count("already installed: no change"), 3)
        synced = self.curupira("plugins", "sync", "--frozen", "--offline").expect(0)
        self.assertEqual(synced.stdout.count("already installed: no change"), 3)
        self.assertEqual(self.there.state(), before)

    def test_folders_with_links_and_long_names(self):
        folder = extension_folder(self.home.work, "linked")
        deep = folder / "/".join(["a" * 60, "b" * 60, "ü"])
        deep.mkdir(parents=True)
        (deep / "x").write_text("x")
        (deep / "link").symlink_to("../../../hello")
        (folder / "empty").mkdir()
        self.machine.install(f"path:{folder}")
        bundle = self.machine.bundle()
        self.install(bundle, "--yes").expect(0)
        self.curupira("plugins", "verify").expect(0)
        packed = self.home.work / "tree.tar"
        packed.write_bytes(BundleParts(bundle).layer("tree", "linked"))
        expected = sorted(str(each.relative_to(folder)) for each in folder.rglob("*"))
        with tarfile.open(packed) as archive:
            self.assertEqual(sorted(archive.getnames()), expected)
        listed = subprocess.run(["tar", "--quoting-style=literal", "-tf", packed], capture_output=True, check=True)
        self.assertEqual(sorted(name.rstrip("/") for name in listed.stdout.decode().splitlines()), expected)

    def test_a_folder_that_could_not_be_unpacked_again_is_refused_at_once(self):
        """What an archive may not have, for folders that are installed as they are."""
        wrong = {
            "folder-link": lambda folder: ((folder / "sub").mkdir(), (folder / "link").symlink_to("sub")),
            "two-links": lambda folder: ((folder / "a").symlink_to("hello"), (folder / "b").symlink_to("a")),
            "roundabout": lambda folder: (folder / "link").symlink_to("./hello"),
            "case": lambda folder: ((folder / "HELLO").write_text("x")),
        }
        for name, change in wrong.items():
            with self.subTest(name):
                folder = extension_folder(self.home.work / name, "odd")
                change(folder)
                self.machine.install(f"path:{folder}")
                output = self.home.work / "refused.oci"
                result = self.machine.curupira("plugins", "bundle", "create", "-o", output)
                self.assertRegex(result.stderr, "error.CUR-220[47]", result)
                self.assertIn("odd", result.stderr)
                self.assertFalse(output.exists())


class Reproducible(Case):
    def test_the_same_bytes_whoever_makes_it_and_when(self):
        first = self.machine.bundle()
        other = TempHome.of(self)
        self.addCleanup(os.umask, os.umask(0o077))
        machine = BundlingMachine(other)
        for file in other.work.rglob("*"):
            os.utime(file, (1_000_000_000, 1_000_000_000), follow_symlinks=False)
        self.assertEqual(machine.lock.read_bytes(), self.machine.lock.read_bytes())
        self.assertTrue(machine.bundle("another-name").read_bytes() == first.read_bytes())

    def test_on_the_machine_that_it_was_carried_to(self):
        bundle = self.machine.bundle()
        self.install(bundle, "--yes").expect(0)
        again = self.there.work / "again.oci"
        self.curupira("plugins", "bundle", "create", "-o", again, "--offline").expect(0)
        self.assertTrue(again.read_bytes() == bundle.read_bytes())

    def test_its_time_is_the_one_of_the_build(self):
        output = self.home.work / "b.oci"
        made = {}
        for epoch in ("1700000000", "1800000000"):
            self.machine.curupira("plugins", "bundle", "create", "-o", output, env={"SOURCE_DATE_EPOCH": epoch}).expect(0)
            with tarfile.open(output) as archive:
                self.assertEqual({entry.mtime for entry in archive}, {int(epoch)})
            made[epoch] = self.inspect(output)["created"]
        self.assertEqual(made, {"1700000000": "2023-11-14T22:13:20Z", "1800000000": "2027-01-15T08:00:00Z"})

    def test_a_time_that_is_none(self):
        output = self.home.work / "b.oci"
        for epoch in ("yesterday", "-1", "4294967296", "1700000000 ", "1e9"):
            with self.subTest(epoch):
                result = self.machine.curupira(
                    "plugins", "bundle", "create", "-o", output, env={"SOURCE_DATE_EPOCH": epoch}
                )
                result.expect_error("CUR-1001", f'SOURCE_DATE_EPOCH is "{epoch}"', code=2)
                self.assertFalse(output.exists())


class OtherTools(Case):
    """An OCI image layout in a tar, as skopeo and registries have it."""

    def skopeo(self, *arguments: str) -> bytes:
        command = [skip.need_program("skopeo"), "--insecure-policy", *arguments]
        done = subprocess.run(command, env=self.home.environment, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_skopeo_reads_it(self):
        bundle = self.machine.bundle()
        raw = self.skopeo("inspect", "--raw", f"oci-archive:{bundle}")
        self.assertEqual(oci_digest(raw), self.inspect(bundle)["digest"])
        manifest = json.loads(raw)
        self.assertEqual(manifest["artifactType"], "application/vnd.curupira.bundle.v1")
        self.assertEqual(len(manifest["layers"]), 1 + 4 + 2, "lock, artifacts, folders")

    def test_skopeo_copies_it_and_the_copy_is_the_same_bundle(self):
        bundle, copy, folder = self.machine.bundle(), self.home.work / "copy.oci", self.home.work / "layout"
        self.skopeo("copy", f"oci-archive:{bundle}", f"oci-archive:{copy}")
        self.skopeo("copy", f"oci-archive:{copy}", f"oci:{folder}")
        self.assertEqual(self.inspect(copy)["digest"], self.inspect(bundle)["digest"])
        blobs = {name.rpartition("/")[2] for name in read_tar(bundle) if name.startswith("blobs/")}
        self.assertEqual({each.name for each in (folder / "blobs" / "sha256").iterdir()}, blobs)
        self.install(copy, "--yes", "--digest", self.inspect(bundle)["digest"]).expect(0)
        self.assertEqual(self.there.installed(), NAMES)


class Platforms(Case):
    def names(self, bundle: Path) -> list[str]:
        return [item["name"] for item in self.inspect(bundle)["items"]]

    def test_files_of_other_platforms_are_left_out(self):
        everything, here = self.machine.bundle(), self.machine.bundle("here.oci", "--platform", HERE)
        self.assertEqual(self.inspect(here)["platforms"], [HERE])
        left_out = sorted(set(self.names(everything)) - set(self.names(here)))
        self.assertEqual(left_out, sorted(f"hello-{name}" for name in PLATFORMS if name != HERE))
        self.install(here, "--yes").expect(0)
        self.assertEqual((self.there.curupira / "curupira.lock").read_bytes(), self.machine.lock.read_bytes())

    def test_another_machine_is_refused(self):
        foreign = self.machine.bundle("foreign.oci", "--platform", OTHER, "--platform", "darwin-arm64")
        self.install(foreign, "--yes").expect_error("CUR-4307", f"this is {HERE}", f"darwin-arm64, {OTHER}")
        self.assertEqual(self.there.state(), {})

    def test_a_platform_that_is_not_in_the_lock_file(self):
        for name in ("linux-riscv64", "amiga"):
            result = self.machine.curupira("plugins", "bundle", "create", "-o", "x.oci", "--platform", name)
            result.expect_error("CUR-4108", name)
        self.assertFalse((self.home.work / "x.oci").exists())


class Since(Case):
    def test_what_the_earlier_one_had_is_left_out(self):
        first = self.machine.bundle("first.oci")
        self.machine.install(f"path:{extension_folder(self.home.work, 'two')}")
        second = self.machine.bundle("second.oci", "--since", first)
        self.assertEqual(self.inspect(second)["since"], self.inspect(first)["digest"])
        self.assertEqual([each["name"] for each in self.inspect(second)["items"] if each["carried"]], ["curupira.lock", "two"])
        before = self.there.state()
        self.install(second, "--yes").expect_error("CUR-4306", "acme-ext-1.2.0.tar.zst", self.inspect(first)["digest"])
        self.assertEqual(self.there.state(), before)
        self.install(first, "--yes").expect(0)
        self.install(second, "--yes").expect(0)
        self.assertEqual(self.there.installed(), [*NAMES, "two"])
        self.curupira("plugins", "verify").expect(0)

    def test_since_one_that_left_something_out_itself(self):
        bundles = [self.machine.bundle("0.oci")]
        for number in (1, 2):
            self.machine.install(f"path:{extension_folder(self.home.work, f'more-{number}')}")
            bundles.append(self.machine.bundle(f"{number}.oci", "--since", bundles[-1]))
        for bundle in bundles:
            self.install(bundle, "--yes").expect(0)
        self.assertEqual(self.there.installed(), ["acme-ext", "more-1", "more-2", "native", "one"])

    def test_what_is_no_bundle(self):
        result = self.machine.curupira("plugins", "bundle", "create", "-o", "x.oci", "--since", self.machine.lock)
        result.expect_error("CUR-4301", str(self.machine.lock))
        self.assertFalse((self.home.work / "x.oci").exists())

    def test_what_a_killed_one_left_goes_with_the_next(self):
        left = self.home.work / ".curupira-bundle.aaaaaa"
        left.mkdir()
        (left / "part").write_bytes(b"half")
        self.machine.bundle()
        self.assertFalse(left.exists())

    def test_in_the_place_of_the_earlier_one(self):
        bundle = self.machine.bundle()
        self.machine.install(f"path:{extension_folder(self.home.work, 'two')}")
        self.assertEqual(self.machine.bundle("bundle.oci", "--since", bundle), bundle)
        self.assertIn("two", {item["name"] for item in BundleParts(bundle).config["items"] if item.get("carried", True)})


if __name__ == "__main__":
    main()
