"""Bundles with npm packages: made beside a real registry (Verdaccio), installed where there is neither network nor npm."""

import json
import subprocess
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.bundled import HERE, lock_head
from curupira_testing.closed_network import only_programs, without_network
from curupira_testing.docs_page import Machines
from curupira_testing.oci import BundleParts
from curupira_testing.packages import npm_package, publish_npm
from curupira_testing.repo import bare_repository
from curupira_testing.services import Verdaccio
from curupira_testing.settings import installed, settings_text
from curupira_testing.signing_registry import SigningKey, SigningRegistry, hello_files
from curupira_testing.strace import trace

NAME = "@acme/hello"
EXTENSION = "acme-hello"


def with_native_packages(folder: Path) -> None:
    """One optional dependency for each system (npm/cli#4828)."""
    package = json.loads((folder / "package.json").read_text())
    package["optionalDependencies"] = {f"native-{system}": "1.0.0" for system in ("linux", "darwin")}
    (folder / "package.json").write_text(json.dumps(package))


class Npm(unittest.TestCase):
    def setUp(self):
        skip.need_program("npm")
        self.offline = without_network()
        self.home = TempHome.of(self)
        self.inside = only_programs(self.home, "node", "python3", "bwrap")
        self.machines, self.curupira = Machines(self.home), Program(self.home)
        self.lock = self.home.curupira / "curupira.lock"
        self.bundle = self.home.work / "carried.oci"
        registry = Verdaccio.of(self)
        for system in ("linux", "darwin"):
            folder = npm_package(self.home.work / system, f"native-{system}", "1.0.0", {"x": system}, os=[system])
            publish_npm(registry, folder)
        publish_npm(registry, "node-hello")
        publish_npm(registry, "acme-curupira-ext", version="1.2.7", change=with_native_packages)
        self.sit_at("outside", registry.npmrc())
        self.lock.write_text(lock_head((HERE, "darwin-arm64")))
        self.curupira("plugins", "install", "npm:@acme/curupira-ext@^1.2", "--yes").expect(0)
        self.text = self.lock.read_text()
        self.curupira("plugins", "bundle", "create", "-o", self.bundle).expect(0)
        self.sit_at("synced", registry.npmrc())
        self.lock.write_text(self.text)
        self.curupira("plugins", "sync", "--frozen").expect(0)
        registry.stop()
        self.sit_at("inside")

    def sit_at(self, machine: str, npmrc: str = "") -> None:
        self.machines.sit_at(machine)
        self.home.curupira.mkdir(exist_ok=True)
        if npmrc:
            (self.home.path / ".npmrc").write_text(npmrc)

    def closed(self, *arguments: str | Path):
        """A command of a machine that has neither network nor npm."""
        return self.curupira(*arguments, prefix=self.offline, env=self.inside)

    def names(self, bundle: Path) -> set[str]:
        return {item["name"] for item in BundleParts(bundle).config["items"] if item["kind"] == "artifact"}

    def test_it_is_the_home_that_the_registry_would_have_made(self):
        self.closed("plugins", "bundle", "install", self.bundle, "--yes").expect(0)
        self.assertEqual(self.lock.read_text(), self.text)
        self.closed("plugins", "verify").expect(0)
        for part in ("store/v1/trees", "extensions"):
            homes = [str(self.machines.curupira(name) / part) for name in ("synced", "inside")]
            subprocess.run(["diff", "-r", "--no-dereference", *homes], check=True)
        remote = bare_repository(self.home.folder / "git")
        tasks = {"task": {"trigger_type": "acme/greetings"}}
        self.home.write_settings(settings_text(remote, {"acme": installed("acme-curupira-ext")}, tasks))
        self.assertIn("--- prompt ---", self.closed("run", "--dry-run").expect(0).stdout)
        seen = trace(self.curupira, "plugins", "sync", "--frozen")
        self.assertIn("no change", seen.result.expect(0).stdout)
        self.assertEqual((seen.sockets, len(seen.executed)), ([], 1))

    def test_packages_of_other_platforms_are_carried_unless_they_are_left_out(self):
        everything = {"curupira-ext-1.2.7.tgz", "curupira-node-hello-1.0.0.tgz", "native-linux-1.0.0.tgz", "native-darwin-1.0.0.tgz"}
        self.assertEqual(self.names(self.bundle), everything)
        self.sit_at("outside")
        here = self.home.work / "here.oci"
        self.curupira("plugins", "bundle", "create", "--offline", "-o", here, "--platform", HERE).expect(0)
        self.assertEqual(self.names(here), everything - {"native-darwin-1.0.0.tgz"})
        there = self.home.work / "there.oci"
        self.curupira("plugins", "bundle", "create", "--offline", "-o", there, "--platform", "darwin-arm64").expect(0)
        self.assertEqual(self.names(there), everything - {"native-linux-1.0.0.tgz"})
        self.sit_at("inside")
        self.closed("plugins", "bundle", "install", here, "--yes").expect(0)
        self.assertEqual(self.lock.read_text(), self.text)

    def test_offline_it_is_made_of_what_the_store_has(self):
        again = self.home.work / "again.oci"
        self.sit_at("outside")
        self.closed("plugins", "bundle", "create", "--offline", "-o", again).expect(0)
        self.assertTrue(again.read_bytes() == self.bundle.read_bytes())
        self.sit_at("synced")
        result = self.closed("plugins", "bundle", "create", "--offline", "-o", self.home.work / "third.oci")
        result.expect_error("CUR-4110", "native-darwin-1.0.0.tgz")
        self.assertFalse((self.home.work / "third.oci").exists())


class Signed(unittest.TestCase):
    """What a registry signed stays signed in a network that cannot ask it."""

    def setUp(self):
        self.offline = without_network()
        self.registry = SigningRegistry.of(self)
        self.outside, self.inside = TempHome.of(self), TempHome.of(self)
        (self.outside.path / ".npmrc").write_text(f"registry={self.registry.url}\n")
        self.release = self.registry.publish(NAME)
        self.curupira = Program(self.inside)

    def create(self, name: str = "carried.oci", *options: str | Path) -> Path:
        bundle = self.outside.work / name
        Program(self.outside)("plugins", "install", f"npm:{NAME}", "--yes").expect(0)
        Program(self.outside)("plugins", "bundle", "create", "-o", bundle, *options).expect(0)
        return bundle

    def install(self, bundle: Path):
        return self.curupira("plugins", "bundle", "install", bundle, "--yes", prefix=self.offline)

    def level(self) -> str:
        (artifact,) = json.loads(self.curupira("plugins", "info", EXTENSION, "--json").expect(0).stdout)["artifacts"]
        return artifact["level"]

    def refused(self, parts: BundleParts, error: str, *words: str) -> None:
        self.install(parts.write(self.outside.work / "forged.oci")).expect_error(error, *words)
        self.assertEqual(self.inside.state(), {})

    def test_level_and_proof_are_carried(self):
        rule = '[policy]\n[[policy.verification]]\npackages = ["npm:*"]\nminimum_level = "registry-signed"\n\n'
        remote = bare_repository(self.inside.folder / "git")
        plugins, tasks = {"x": installed(EXTENSION)}, {"task": {"trigger_type": "x/greetings"}}
        self.inside.write_settings(rule + settings_text(remote, plugins, tasks))
        self.install(self.create()).expect(0)
        self.assertEqual(self.level(), "registry-signed")
        self.curupira("plugins", "verify", prefix=self.offline).expect(0)
        shown = self.curupira("plugins", "verify", "--explain", EXTENSION, prefix=self.offline).expect(0).stdout
        for words in (self.release.signed, self.registry.key.id, self.registry.url, "registry-signed"):
            self.assertIn(words, shown)

    def test_inspect_says_whose_signatures_came_along(self):
        shown = self.curupira("plugins", "bundle", "inspect", self.create()).expect(0).stdout
        self.assertIn(f"signed by  {self.registry.key.id} of {self.registry.url}", shown)
        self.assertIn("level        registry-signed", shown)

    def test_two_machines_make_the_same_bundle(self):
        bundle = self.create()
        other = TempHome.of(self)
        (other.path / ".npmrc").write_text(f"registry={self.registry.url}\n")
        Program(other)("plugins", "install", f"npm:{NAME}", "--yes").expect(0)
        Program(other)("plugins", "bundle", "create", "-o", "b.oci").expect(0)
        self.assertTrue((other.work / "b.oci").read_bytes() == bundle.read_bytes())

    def test_without_its_proof_it_is_not_what_the_lock_file_says(self):
        parts = BundleParts(self.create())
        parts.remove("proof")
        self.refused(parts, "CUR-4106", "level", "expected registry-signed  found digest")

    def test_a_signature_of_another_key(self):
        parts = BundleParts(self.create())
        proof = json.loads(parts.layer("proof"))
        proof["signatures"][0]["signature"] = SigningKey().sign(self.release.signed)
        parts.replace("proof", json.dumps(proof).encode())
        self.refused(parts, "CUR-2107", NAME, self.registry.key.id)

    def test_the_proof_of_another_package(self):
        parts = BundleParts(self.create())
        other = self.registry.publish("@acme/other")
        proof = json.loads(parts.layer("proof"))
        proof["digest"] = other.dist["integrity"]
        parts.replace("proof", json.dumps(proof).encode())
        self.refused(parts, "CUR-4301", "proof hello-1.0.0.tgz")

    def test_a_proof_that_comes_after_its_bytes(self):
        """The registry began to sign when the first bundle had been carried already."""
        keys, self.registry.keys = self.registry.keys, None
        first = self.create("first.oci")
        self.registry.keys = keys
        second = self.create("second.oci", "--since", first)
        self.install(first).expect(0)
        self.assertEqual(self.level(), "digest")
        self.install(second).expect(0)
        self.assertEqual(self.level(), "registry-signed")
        self.curupira("plugins", "verify").expect(0)

    def test_the_same_version_with_other_bytes_than_the_lock_file_of_the_home_has(self):
        other = SigningRegistry.of(self)
        files = hello_files(NAME, "1.0.0") | {"more.txt": b"other bytes"}
        locked = other.publish(NAME, files=files).dist["integrity"]
        (self.inside.path / ".npmrc").write_text(f"registry={other.url}\n")
        self.curupira("plugins", "install", f"npm:{NAME}", "--yes").expect(0)
        before = self.inside.state()
        found = self.release.dist["integrity"]
        self.install(self.create()).expect_error("CUR-2104", f"expected {locked}  found {found}")
        self.assertEqual(self.inside.state(), before)


if __name__ == "__main__":
    main()
