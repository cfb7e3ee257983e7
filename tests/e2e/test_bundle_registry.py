"""Bundles of extensions from registries: what the registry says comes along, and inside it is checked as if the registry had
been asked, without a network."""

import base64
import hashlib
import json
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.closed_network import without_network
from curupira_testing.oci import BundleParts
from curupira_testing.registry_user import RegistryUser, receipt, registry_table

#: Where the registry is, as those inside know it: nowhere.
ELSEWHERE = "https://registry.example.org/plugins"


class Inside(RegistryUser, unittest.TestCase):
    """`self.home` is outside and has tickets of the registry "corp" installed; `self.inside` has nothing but settings."""

    def setUp(self):
        super().setUp()
        self.install("corp:tickets@1.0.0").expect(0)
        self.inside = TempHome.of(self)
        self.write_inside()

    def write_inside(self, extra: str = "") -> None:
        self.inside.write_settings(registry_table("corp", ELSEWHERE, self.registry.fingerprint) + extra)

    def bundle(self, name: str = "extensions.oci", **options) -> Path:
        file = self.home.work / name
        self.curupira("plugins", "bundle", "create", "-o", file, **options).expect(0)
        return file

    def install_bundle(self, bundle: Path, *options, days: int = 0):
        later = (str(skip.need_program("faketime")), "-f", f"+{days}d") if days else ()
        prefix = (*without_network(), *later)
        return Program(self.inside)("plugins", "bundle", "install", bundle, "--yes", *options, prefix=prefix)

    def inside_versions(self) -> dict[str, int]:
        files = (self.inside.curupira / "trust" / "corp").glob("*.json")
        return {file.stem: json.loads(file.read_bytes())["signed"]["version"] for file in files}


class Carried(Inside):
    def test_it_is_installed_and_the_registry_is_known(self):
        self.install_bundle(self.bundle()).expect(0)
        self.assertEqual(receipt(self.inside, "tickets")["version"], "1.0.0")
        known = self.inside_versions()
        self.assertEqual(known["timestamp"], self.registry.signed("timestamp")["version"])
        self.assertIn(self.registry.role_of("tickets"), known)
        Program(self.inside)("plugins", "verify", prefix=without_network()).expect(0)
        explained = Program(self.inside)("plugins", "verify", "--explain", prefix=without_network()).expect(0)
        self.assertIn("registry-signed", explained.stdout)

    def test_nothing_but_what_the_way_needs_is_carried(self):
        parts = BundleParts(self.bundle())
        files = {item["key"] for item in parts.config["items"] if item["kind"] == "metadata"}
        versions = self.registry.versions()
        roles = ("targets", "bins", self.registry.role_of("tickets"))
        expected = {f"corp/{versions[role]}.{role}.json" for role in roles} | {"corp/1.root.json", "corp/timestamp.json"}
        expected.add(f"corp/{self.registry.signed('snapshot')['version']}.snapshot.json")
        self.assertEqual(files, expected)
        self.assertEqual(parts.config["format"], 2)
        (target,) = (item["key"] for item in parts.config["items"] if item["kind"] == "target")
        self.assertRegex(target, r"^corp/packages/[0-9a-f]{64}\.tickets\.json$")

    def test_without_extensions_of_registries_the_format_is_the_old_one(self):
        self.curupira("plugins", "remove", "tickets").expect(0)
        self.curupira("plugins", "install", f"path:{self.registry.extension('mails')}", "--yes").expect(0)
        self.assertEqual(BundleParts(self.bundle()).config["format"], 1)

    def test_a_new_root_on_the_way(self):
        self.registry("keys rotate", "root").expect(0)
        self.install_bundle(self.bundle()).expect(0)
        self.assertEqual(self.inside_versions()["root"], 2)

    def test_inside_a_version_that_was_taken_back_is_said(self):
        self.registry("yank", "tickets", "1.0.0", "--reason", "loses tickets").expect(0)
        result = self.install_bundle(self.bundle()).expect(0)
        self.assertIn("loses tickets", result.stderr)

    def test_a_bundle_of_the_registry_is_an_address_of_it(self):
        """Also where no network leads to the registry: what `registry copy` wrote is added, and installed from."""
        carried = self.home.work / "corp.bundle"
        self.registry.curupira("registry", "push", self.registry.folder, carried).expect(0)
        (self.inside.curupira / "settings.toml").unlink()
        inside = Program(self.inside)
        add = ("registry", "add", "corp", carried, "--root-fingerprint", self.registry.fingerprint)
        inside(*add, prefix=without_network()).expect(0)
        inside("plugins", "install", "corp:tickets", "--yes", prefix=without_network()).expect(0)
        self.assertEqual(receipt(self.inside, "tickets")["version"], "1.1.0")


class Refused(Inside):
    def refused(self, bundle: Path, code: str, *words: str, exits: int = 1, **options) -> None:
        self.install_bundle(bundle, **options).expect_error(code, *words, code=exits)
        self.assertEqual(self.inside.installed(), [])

    def test_an_older_bundle_than_what_was_seen(self):
        older = self.bundle("older.oci")
        self.registry.publish("mails")
        newer = self.bundle("newer.oci")
        self.install_bundle(newer).expect(0)
        Program(self.inside)("plugins", "remove", "tickets").expect(0)
        before = self.inside_versions()
        self.refused(older, "CUR-4612", "reading what the bundle says of the registry corp", "carry a newer bundle in")
        self.assertEqual(self.inside_versions(), before)

    def test_a_bundle_whose_metadata_has_expired(self):
        self.refused(self.bundle(), "CUR-4610", "carry a newer bundle in", days=8)

    def test_a_bundle_that_is_older_than_the_policy_allows(self):
        self.write_inside('[policy]\nregistry_metadata_max_age = "3d"\n')
        bundle = self.bundle()
        self.refused(bundle, "CUR-4907", "registry_metadata_max_age", days=4)
        self.inside = TempHome.of(self)  # a clock that was there does not go back
        self.write_inside('[policy]\nregistry_metadata_max_age = "3d"\n')
        self.install_bundle(bundle, days=2).expect(0)

    def test_a_registry_that_nobody_here_trusts(self):
        self.inside.write_settings(f'[registries.corp]\nurl = "{ELSEWHERE}"\n')
        self.refused(self.bundle(), "CUR-4904", "root_fingerprint")

    def test_a_registry_that_nobody_here_knows(self):
        self.inside.write_settings("")
        self.refused(self.bundle(), "CUR-4901", "[registries.corp]", exits=2)

    def test_a_registry_with_another_root(self):
        self.inside.write_settings(registry_table("corp", ELSEWHERE, "sha256:" + "5" * 64))
        self.refused(self.bundle(), "CUR-4905")

    def test_what_is_locked_and_what_the_registry_says_differ(self):
        """Forged well, down to the lock file: the registry vouches for other bytes."""
        parts = BundleParts(self.bundle())
        (item,) = [each for each in parts.config["items"] if each["kind"] == "artifact"]
        data = parts.layer("artifact") + b"more"
        forged = "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode()
        lock = parts.layer("lock").replace(item["key"].encode(), forged.encode())
        size = item["size"]
        parts.replace("artifact", data)
        parts.replace("lock", lock.replace(b"size = %d" % size, b"size = %d" % len(data)))
        parts.remove("proof")
        item["key"] = forged
        self.refused(parts.write(self.home.work / "other.oci"), "CUR-4106", "expected " + forged)

    def test_metadata_that_somebody_else_signed(self):
        parts = BundleParts(self.bundle())
        file = f"{self.registry.versions()['targets']}.targets.json"
        parts.replace("metadata", parts.layer("metadata", file).replace(b'"expires":"20', b'"expires":"29'), file)
        self.refused(parts.write(self.home.work / "other.oci"), "CUR-4607", "targets")

    def test_metadata_that_is_missing(self):
        parts = BundleParts(self.bundle())
        parts.remove("metadata", f"{self.registry.versions()['bins']}.bins.json")
        self.refused(parts.write(self.home.work / "other.oci"), "CUR-4615", "bins.json")

    def test_metadata_of_a_registry_that_nothing_is_from(self):
        parts = BundleParts(self.bundle())
        parts.add("metadata", "other/1.root.json", "1.root.json", b"{}", "application/vnd.curupira.metadata.v1+json")
        self.refused(parts.write(self.home.work / "other.oci"), "CUR-4305", "1.root.json")

    def test_a_key_that_leaves_its_registry(self):
        for key in ("corp/../x.json", "corp", "Corp/1.root.json", "corp//1.root.json"):
            with self.subTest(key):
                parts = BundleParts(self.bundle())
                parts.add("target", key, "x", b"{}", "application/vnd.curupira.target.v1")
                self.refused(parts.write(self.home.work / "other.oci"), "CUR-4301", "names no target")


if __name__ == "__main__":
    main()
