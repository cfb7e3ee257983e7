"""`registry copy` between folders and bundles: what is copied, what is not copied again, and what is refused."""

import fcntl
import json
import shutil
import unittest
from pathlib import Path

from curupira_testing import TempHome, main, skip
from curupira_testing.own_registry import OwnRegistry


class Copying(unittest.TestCase):
    """`self.registry` has tickets and mails; `self.copy` is where its copy goes."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)
        self.registry.publish("tickets")
        self.registry.publish("mails", "1.0.0", "--scope", "acme")
        self.registry("refresh").expect(0)
        self.copy = self.home.work / "copy"
        self.fingerprint = self.registry.fingerprint

    def run_copy(self, *options, to: Path | None = None, source: Path | None = None, **keywords):
        words = ("registry", "copy", source or self.registry.folder, to or self.copy)
        return self.registry.curupira(*words, "--root-fingerprint", self.fingerprint, *options, **keywords)

    def report(self, *options, **keywords) -> dict:
        return json.loads(self.run_copy(*options, "--json", **keywords).expect(0).stdout)

    def verify(self, folder: Path | None = None) -> dict:
        result = self.registry.curupira("registry", "verify", folder or self.copy, "--json")
        return json.loads(result.expect(0).stdout)


def files_of(folder: Path) -> dict[str, bytes]:
    """Metadata and targets."""
    kept = [file for part in ("metadata", "targets") for file in (folder / part).rglob("*") if file.is_file()]
    return {str(file.relative_to(folder)): file.read_bytes() for file in kept}


class Copies(Copying):
    def test_a_copy_has_the_same_bytes_and_is_whole(self):
        result = self.run_copy().expect(0)
        self.assertRegex(result.stdout, r"Copied \d+ metadata files, 3 indexes and 2 artifacts \(.* bytes\) to ")
        copied, original = files_of(self.copy), files_of(self.registry.folder)
        self.assertEqual(copied, {name: original.get(name) for name in copied})
        self.assertEqual(self.verify()["packages"], 2)

    def test_a_copy_of_a_copy_is_the_same_to_the_file(self):
        self.run_copy().expect(0)
        second = self.home.work / "second"
        self.run_copy(source=self.copy, to=second).expect(0)
        self.assertEqual(files_of(second), files_of(self.copy))

    def test_nothing_else_stands_in_the_folder(self):
        self.run_copy().expect(0)
        self.assertEqual({each.name for each in self.copy.iterdir()} - {".lock"}, {"metadata", "targets"})

    def test_through_a_bundle(self):
        bundle = self.home.work / "carried.bundle"
        self.run_copy(to=bundle).expect(0)
        self.run_copy(source=bundle).expect(0)
        self.assertEqual(self.verify()["packages"], 2)
        again = self.home.work / "again.bundle"
        self.run_copy(source=self.copy, to=again).expect(0)
        self.assertEqual(again.read_bytes(), bundle.read_bytes())

    def test_a_bundle_that_was_brought_up_to_date_is_the_one_that_is_made_anew(self):
        old, new = self.home.work / "old.bundle", self.home.work / "new.bundle"
        self.run_copy(to=old).expect(0)
        self.registry.publish("tickets", "1.1.0")
        self.assertEqual(self.report(to=old)["copied"]["artifacts"], 1)
        self.run_copy(to=new).expect(0)
        self.assertEqual(old.read_bytes(), new.read_bytes())

    def test_a_dry_run_says_it_and_does_nothing(self):
        report = self.report("--dry-run")
        self.assertFalse(self.copy.exists())
        real = self.report()
        self.assertEqual({**report, "dryRun": False}, real)

    def test_whoever_changes_the_copy_keeps_others_away(self):
        self.run_copy().expect(0)
        self.registry.publish("tickets", "1.1.0")
        with (self.copy / ".lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.run_copy().expect_error("CUR-4803", "--wait")

    def test_new_keys_of_the_registry_come_along(self):
        self.run_copy().expect(0)
        for role in ("online", "root"):
            self.registry("keys rotate", role).expect(0)
        self.registry("refresh").expect(0)
        self.run_copy().expect(0)
        self.assertEqual(self.verify()["packages"], 2)
        self.assertEqual(len(list((self.copy / "metadata").glob("*.root.json"))), 3)

    def test_a_publisher_who_is_late_does_not_keep_the_others_away(self):
        key = self.home.work / "team.pem"
        self.registry.curupira("registry", "keys", "new", key).expect(0)
        self.registry("delegate", "@team/*", "--key", key).expect(0)
        later = (str(skip.need_program("faketime")), "-f", "+370d")
        self.registry("refresh", prefix=later).expect(0)
        result = self.run_copy(prefix=later).expect(0)
        self.assertIn("team has expired", result.stderr)


class Again(Copying):
    def setUp(self):
        super().setUp()
        self.run_copy().expect(0)

    def test_without_a_change_nothing_is_read(self):
        for part in ("targets", "metadata"):
            for file in (self.registry.folder / part).rglob("*"):
                if file.is_file() and not file.name.endswith(("root.json", "timestamp.json")):
                    file.unlink()
        report = self.report()
        self.assertEqual(set(report["copied"].values()), {0})
        self.assertEqual(report["roles"], report["sameRoles"])
        self.assertIn("has all of it already", self.run_copy().expect(0).stdout)

    def test_metadata_that_has_not_changed_is_not_read(self):
        role = self.registry.role_of("tickets")
        self.registry.publish("tickets", "1.1.0")
        for name, version in self.registry.versions().items():
            if name.startswith("bins-") and name != role:
                (self.registry.folder / "metadata" / f"{version}.{name}.json").unlink()
        report = self.report()
        copied = report["copied"]
        self.assertEqual((copied["metadata"], copied["indexes"], copied["artifacts"]), (3, 1, 1))
        self.assertEqual(self.verify()["versions"], 3)

    def test_the_fingerprint_is_known_from_the_copy(self):
        self.registry.publish("tickets", "1.1.0")
        self.registry.curupira("registry", "copy", self.registry.folder, self.copy).expect(0)
        self.assertEqual(self.verify()["versions"], 3)

    def test_it_goes_on_from_where_it_broke_off(self):
        self.registry.publish("tickets", "1.1.0")
        self.registry.publish("tickets", "1.2.0")
        missing = next((self.registry.folder / "targets" / "artifacts").glob("*tickets-1.2.0*"))
        away = self.home.work / missing.name
        shutil.move(missing, away)
        self.run_copy().expect_error("CUR-4703", missing.name, "packages/tickets.json")
        self.assertEqual(self.verify()["versions"], 2)
        shutil.move(away, missing)
        report = self.report()
        self.assertEqual((report["copied"]["artifacts"], report["there"]["artifacts"]), (1, 1))
        self.assertEqual(self.verify()["versions"], 4)


class Trust(Copying):
    def test_without_a_fingerprint_nothing_is_copied(self):
        result = self.registry.curupira("registry", "copy", self.registry.folder, self.copy)
        result.expect_error("CUR-4904", self.fingerprint, "--root-fingerprint")
        self.assertFalse(self.copy.exists())

    def test_with_another_fingerprint_nothing_is_copied(self):
        other = "sha256:" + "0" * 64
        words = ("registry", "copy", self.registry.folder, self.copy, "--root-fingerprint", other)
        self.registry.curupira(*words).expect_error("CUR-4905", other, self.fingerprint)
        self.assertFalse(self.copy.exists())

    def test_what_is_no_fingerprint(self):
        words = ("registry", "copy", self.registry.folder, self.copy, "--root-fingerprint", "sha1:00")
        self.registry.curupira(*words).expect_error("CUR-1001", "sha1:00", code=2)

    def test_ones_own_registry_needs_none(self):
        self.registry("push", self.copy).expect(0)
        self.assertEqual(self.verify()["packages"], 2)

    def test_the_copy_of_another_registry_is_left_alone(self):
        other = OwnRegistry(self.home, name="other")
        before = other.state()
        self.run_copy(to=other.folder).expect_error("CUR-4802", "another registry", self.fingerprint, code=2)
        self.assertEqual(other.state(), before)

    def test_a_registry_that_went_another_way_is_refused(self):
        self.run_copy().expect(0)
        twin, keys = self.home.work / "twin", self.home.work / "twin.keys"
        shutil.copytree(self.registry.folder, twin)
        shutil.copytree(self.registry.keys, keys)
        for folder in (self.registry.folder, twin):
            self.registry.curupira("registry", "keys", "rotate", folder, "online").expect(0)
        self.run_copy().expect(0)
        before = files_of(self.copy)
        self.run_copy(source=twin).expect_error("CUR-4802", "2.root.json", code=2)
        self.assertEqual(files_of(self.copy), before)

    def test_a_copy_that_is_newer_stays(self):
        for to in (self.copy, self.home.work / "copy.bundle"):
            with self.subTest(to.name):
                old = self.home.work / f"older-than-{to.stem}-{to.suffix[1:]}"
                shutil.copytree(self.registry.folder, old)
                self.registry.publish("tickets", f"2.{len(to.name)}.0")
                self.run_copy(to=to).expect(0)
                before = to.read_bytes() if to.is_file() else files_of(to)
                self.run_copy(source=old, to=to).expect_error("CUR-4612", "newer metadata")
                self.assertEqual(to.read_bytes() if to.is_file() else files_of(to), before)
                self.assertFalse(Path(f"{to}.part").exists())


class Liars(Copying):
    """The source changes after a good copy was made. The copy stays what it was, and whole."""

    def refused(self, code: str, *words: str) -> None:
        self.run_copy(source=self.source).expect_error(code, *words)
        shown = json.loads((self.copy / "metadata" / "timestamp.json").read_bytes())["signed"]["version"]
        self.assertEqual(shown, self.shown)
        self.assertEqual(self.verify()["versions"], 2)
        self.assertEqual([each.name for each in self.copy.glob(".curupira*")], [])

    def setUp(self):
        super().setUp()
        self.run_copy().expect(0)
        self.shown = self.registry.signed("timestamp")["version"]
        self.registry.publish("tickets", "1.1.0")
        self.source = self.home.work / "source"
        shutil.copytree(self.registry.folder, self.source)
        self.new = [name for name in files_of(self.source) if name not in files_of(self.copy)]

    def file(self, *words: str) -> Path:
        names = [name for name in self.new if all(word in name for word in words)]
        return self.source / sorted(names)[-1]

    def change(self, file: Path, old: bytes, new: bytes) -> None:
        data = file.read_bytes()
        self.assertIn(old, data)
        file.write_bytes(data.replace(old, new, 1))

    def test_an_artifact_of_other_bytes(self):
        file = self.file("artifacts/", "tickets-1.1.0")
        data = bytearray(file.read_bytes())
        data[20] ^= 1
        file.write_bytes(data)
        self.refused("CUR-4621", file.name)

    def test_an_artifact_that_goes_on(self):
        file = self.file("artifacts/", "tickets-1.1.0")
        file.write_bytes(file.read_bytes() + b"more")
        self.refused("CUR-4621", file.name)

    def test_an_index_of_other_bytes(self):
        self.change(self.file("packages/"), b"1.1.0", b"6.6.6")
        self.refused("CUR-4621", "packages/tickets.json")

    def test_a_role_that_somebody_else_signed(self):
        self.change(self.file("metadata/", ".bins-"), b'"expires":"20', b'"expires":"29')
        self.refused("CUR-4607", "bins-")

    def test_a_role_that_is_missing(self):
        self.file("metadata/", ".bins-").unlink()
        self.refused("CUR-4615", "bins-")

    def test_a_role_of_an_older_version(self):
        role = self.registry.role_of("tickets")
        newest = self.file("metadata/", f".{role}.")
        newest.write_bytes((self.source / "metadata" / f"{int(newest.name.split('.')[0]) - 1}.{role}.json").read_bytes())
        self.refused("CUR-4614", role)

    def test_a_snapshot_that_somebody_else_signed(self):
        self.change(self.file(".snapshot."), b'"expires":"20', b'"expires":"29')
        self.refused("CUR-4614", "snapshot")

    def test_a_timestamp_that_somebody_else_signed(self):
        self.change(self.source / "metadata" / "timestamp.json", b'"expires":"20', b'"expires":"29')
        self.refused("CUR-4607", "timestamp")

    def test_a_root_that_nobody_signed(self):
        root = (self.source / "metadata" / "1.root.json").read_bytes()
        (self.source / "metadata" / "2.root.json").write_bytes(root.replace(b'"version":1', b'"version":2'))
        self.refused("CUR-4607", "2.root.json")

    def test_metadata_without_an_end(self):
        self.file("metadata/", ".bins-").write_bytes(b" " * 17_000_000)
        self.refused("CUR-4616", "bins-")

    def test_a_registry_that_has_expired(self):
        later = (str(skip.need_program("faketime")), "-f", "+8d")
        self.run_copy(source=self.source, prefix=later).expect_error("CUR-4610", "timestamp")


class SomePackages(Copying):
    def artifacts(self) -> list[str]:
        return sorted(file.name[65:] for file in (self.copy / "targets" / "artifacts").iterdir())

    def test_all_metadata_and_the_files_of_some(self):
        result = self.run_copy("--package", "tickets").expect(0)
        self.assertIn("Of packages it has only: tickets", result.stdout)
        self.assertEqual(self.artifacts(), ["tickets-1.0.0.tar.gz"])
        names = {file.name for file in (self.copy / "metadata").iterdir()}
        self.assertLessEqual({f"{version}.{role}.json" for role, version in self.registry.versions().items()}, names)

    def test_verified_it_is_whole_and_says_what_is_left_out(self):
        self.run_copy("--package", "tickets").expect(0)
        report = self.verify()
        self.assertEqual((report["packages"], report["leftOut"]), (1, 1))
        shown = self.registry.curupira("registry", "verify", self.copy).expect(0).stdout
        self.assertIn("A copy with some packages only: 1 package is left out", shown)

    def test_more_of_them_later_and_then_all(self):
        self.run_copy("--package", "tickets").expect(0)
        report = self.report("--package", "@acme/mails")
        self.assertEqual(report["packages"], ["@acme/mails", "tickets"])
        self.assertEqual(report["copied"]["artifacts"], 1)
        self.assertEqual(self.artifacts(), ["acme-mails-1.0.0.tar.gz", "tickets-1.0.0.tar.gz"])
        self.assertIsNone(self.report()["packages"])
        self.assertEqual(self.verify()["packages"], 2)

    def test_what_it_has_is_kept_up_to_date(self):
        self.run_copy("--package", "tickets").expect(0)
        self.registry.publish("tickets", "1.1.0")
        self.registry.publish("mails", "1.1.0", "--scope", "acme")
        self.assertEqual(self.report("--package", "tickets")["copied"]["artifacts"], 1)
        self.assertEqual(self.artifacts(), ["tickets-1.0.0.tar.gz", "tickets-1.1.0.tar.gz"])

    def test_all_after_some_brings_what_was_left_out(self):
        self.run_copy("--package", "tickets").expect(0)
        self.assertEqual(self.report()["copied"]["artifacts"], 1)
        self.assertEqual(self.verify()["artifacts"], 2)

    def test_a_bundle_with_some(self):
        bundle, whole = self.home.work / "some.bundle", self.home.work / "whole.bundle"
        self.run_copy("--package", "tickets", to=bundle).expect(0)
        self.run_copy("--package", "tickets", source=bundle).expect(0)
        self.assertEqual(self.artifacts(), ["tickets-1.0.0.tar.gz"])
        self.run_copy(to=bundle).expect(0)
        self.run_copy(to=whole).expect(0)
        self.assertEqual(bundle.read_bytes(), whole.read_bytes())

    def test_from_a_copy_that_lacks_it(self):
        self.run_copy("--package", "tickets").expect(0)
        other = self.home.work / "other"
        result = self.run_copy(source=self.copy, to=other)
        result.expect_error("CUR-4703", "mails.json", "a copy with some packages only: tickets")

    def test_a_package_that_there_is_not(self):
        self.run_copy("--package", "tickest").expect_error("CUR-4910", "tickest")
        self.assertFalse((self.copy / "metadata" / "timestamp.json").exists())


if __name__ == "__main__":
    main()
