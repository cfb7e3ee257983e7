"""Signatures of npm registries: what is verified, kept, shown and refused.

Verdaccio does not sign, and no real registry can be made to lie: the registry is one of ours.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import manifest_text
from curupira_testing.signed_npm import EXTENSION, NAME, WithSigningRegistry
from curupira_testing.signing_registry import SigningKey, hello_files


class Verified(WithSigningRegistry):
    def test_the_level_of_a_signed_package_is_shown_everywhere(self):
        self.registry.publish(NAME)
        planned = self.install(f"npm:{NAME}", "--dry-run").expect(0)
        self.assertIn("registry-signed", planned.stdout)
        self.install().expect(0)
        self.assertEqual(self.artifacts()[NAME]["level"], "registry-signed")
        self.assertIn("registry-signed", self.curupira("plugins", "info", EXTENSION).expect(0).stdout)
        (listed,) = json.loads(self.curupira("plugins", "list", "--json").expect(0).stdout)["extensions"]
        self.assertEqual(listed["level"], "registry-signed")
        self.assertEqual(listed["artifacts"], [{"package": NAME, "version": "1.0.0", "level": "registry-signed"}])
        row = f"greetings\t{EXTENSION} 1.0.0\tprompt fields: (see extension)"
        self.assertIn(row + "\n", self.curupira("plugins", "list").expect(0).stdout, "as other programs know it")
        self.assertIn(row + "\tregistry-signed\n", self.curupira.on_terminal("plugins", "list").expect(0).stdout)

    def test_a_registry_that_publishes_no_keys_vouches_by_digest(self):
        """Registries without keys answer in several ways."""
        self.registry.publish(NAME)
        for status in (404, 400, 405, 410, 501):
            with self.subTest(status), TempHome() as self.home:
                self.curupira = self.in_home(self.home)
                self.registry.refuse["/-/npm/v1/keys"] = status
                self.install().expect(0)
                self.assertEqual(self.artifacts()[NAME]["level"], "digest")

    def test_a_package_without_signature_among_signed_ones_is_a_warning(self):
        self.registry.publish(NAME, signed=False)
        installed = self.install().expect(0)
        self.assertIn(f"has no signature for {NAME}@1.0.0", installed.stderr)
        self.assertEqual(self.artifacts()[NAME]["level"], "digest")

    def test_every_package_of_a_closure(self):
        skip.need_program("npm")
        self.registry.publish("curupira-deep", files=hello_files("curupira-deep", "2.0.0"), version="2.0.0")
        self.registry.publish("curupira-plain", files=hello_files("curupira-plain", "1.0.0"), signed=False)
        self.registry.publish(NAME, dependencies={"curupira-deep": "^2", "curupira-plain": "1"})
        self.install().expect(0)
        levels = {package: artifact["level"] for package, artifact in self.artifacts().items()}
        self.assertEqual(
            levels, {NAME: "registry-signed", "curupira-deep": "registry-signed", "curupira-plain": "digest"}
        )
        (listed,) = json.loads(self.curupira("plugins", "list", "--json").expect(0).stdout)["extensions"]
        self.assertEqual(listed["level"], "digest", "the weakest of its artifacts")

    def test_a_key_that_expired_later_still_counts(self):
        old = SigningKey(expires="2025-01-29T00:00:00.000Z")
        self.registry.keys = [old, self.registry.key]
        self.registry.publish(NAME, key=old, published="2024-12-24T00:00:00.000Z")
        self.install().expect(0)
        self.assertEqual(self.artifacts()[NAME]["level"], "registry-signed")


class Refused(WithSigningRegistry):
    def test_a_signature_by_another_key(self):
        release = self.registry.publish(NAME)
        release.dist["signatures"][0]["sig"] = SigningKey().sign(release.signed)
        self.assert_refused("CUR-2107", f"{NAME}@1.0.0", self.registry.key.id, release.signed)

    def test_a_signature_of_another_version(self):
        other = self.registry.publish(NAME, "0.9.0")
        release = self.registry.publish(NAME)
        release.dist["signatures"] = other.dist["signatures"]
        self.assert_refused("CUR-2107", f"{NAME}@1.0.0", "did not make this signature")

    def test_one_wrong_signature_beside_a_good_one(self):
        other = SigningKey()
        self.registry.keys.append(other)
        release = self.registry.publish(NAME)
        release.dist["signatures"].append({"keyid": other.id, "sig": release.dist["signatures"][0]["sig"]})
        self.assert_refused("CUR-2107", other.id)

    def test_a_key_that_the_registry_does_not_publish(self):
        unknown = SigningKey()
        self.registry.publish(NAME, key=unknown)
        self.assert_refused("CUR-2107", f"{NAME}@1.0.0", unknown.id, "does not publish", self.registry.key.id)

    def test_a_key_under_the_name_of_another(self):
        key = SigningKey()
        key.id = self.registry.key.id
        self.registry.keys = [key]
        self.registry.publish(NAME, key=key)
        self.assert_refused("CUR-2107", "another fingerprint")

    def test_published_after_the_key_expired(self):
        expired = SigningKey(expires="2025-01-29T00:00:00.000Z")
        self.registry.keys = [expired]
        self.registry.publish(NAME, key=expired, published="2025-01-29T00:00:01.000Z")
        self.assert_refused("CUR-2107", "the key expired 2025-01-29T00:00:00Z", expired.id)

    def test_a_key_with_an_expiry_and_no_time_of_publishing(self):
        expiring = SigningKey(expires="2999-01-01T00:00:00.000Z")
        self.registry.keys = [expiring]
        self.registry.publish(NAME, key=expiring, published=None)
        self.assert_refused("CUR-2107", "does not say when the version was published")

    def test_keys_that_are_refused_are_not_keys_that_are_missing(self):
        self.registry.publish(NAME)
        for status, code in ((401, "CUR-1309"), (403, "CUR-1309"), (406, "CUR-2002"), (500, "CUR-2002")):
            with self.subTest(status):
                self.registry.refuse["/-/npm/v1/keys"] = status
                self.assert_refused(code, "for its keys")

    def test_keys_that_are_gone_lower_no_level(self):
        """Whoever answers "no keys" in the registry's place gains nothing for what had a signature."""
        self.registry.publish(NAME)
        self.install().expect(0)
        locked = (self.home.curupira / "curupira.lock").read_text()
        for proof in (self.home.curupira / "store" / "v1" / "proofs").iterdir():
            proof.unlink()
        fresh = TempHome.of(self)
        curupira = self.in_home(fresh)
        fresh.curupira.mkdir()
        (fresh.curupira / "curupira.lock").write_text(locked)
        before = fresh.state()
        for status in (400, 404, 501):
            with self.subTest(status):
                self.registry.refuse["/-/npm/v1/keys"] = status
                shutil.rmtree(self.home.curupira / "cache", ignore_errors=True)
                self.assert_refused("CUR-2108", f"{NAME}@1.0.0: registry-signed → digest")
                refused = curupira("plugins", "sync", "--frozen")
                refused.expect_error("CUR-4106", "level", "expected registry-signed  found digest")
                self.assertEqual(fresh.state(), before)

    def test_a_signed_digest_that_is_not_the_tarballs(self):
        release = self.registry.publish(NAME)
        release.tarball = self.registry.publish(NAME, "1.0.1").tarball
        del self.registry.packages[NAME]["1.0.1"]
        self.assert_refused("CUR-2104", "expected sha512-", "found sha512-")

    def test_a_dependency_whose_signature_is_wrong(self):
        skip.need_program("npm")
        release = self.registry.publish("curupira-deep", files=hello_files("curupira-deep", "1.0.0"))
        release.dist["signatures"][0]["sig"] = SigningKey().sign(release.signed)
        self.registry.publish(NAME, dependencies={"curupira-deep": "1"})
        self.assert_refused("CUR-2107", "curupira-deep@1.0.0")


class KeptProofs(WithSigningRegistry):
    def proofs(self) -> list[str]:
        folder = self.home.curupira / "store" / "v1" / "proofs"
        return sorted(os.listdir(folder)) if folder.is_dir() else []

    def test_kept_beside_the_bytes_and_gone_with_them(self):
        self.registry.publish(NAME)
        self.install().expect(0)
        (proof,) = self.proofs()
        kept = json.loads((self.home.curupira / "store" / "v1" / "proofs" / proof).read_text())
        self.assertEqual(kept["signatures"][0]["text"], self.registry.packages[NAME]["1.0.0"].signed)
        self.assertEqual(kept["signatures"][0]["keyId"], self.registry.key.id)
        self.assertEqual(kept["signatures"][0]["registry"], self.registry.url)

    def test_a_refused_package_leaves_none(self):
        release = self.registry.publish(NAME, files=hello_files(NAME, "1.0.1"))
        self.assertTrue(release.signed)
        self.install().expect_error("CUR-2105")
        self.assertEqual(self.proofs(), [])

    def test_explained_so_that_openssl_alone_can_check_it(self):
        """npm/documentation#1237: no one can reproduce what was signed."""
        skip.need_program("openssl")
        release = self.registry.publish(NAME)
        self.install().expect(0)
        shown = self.curupira("plugins", "verify", "--explain", EXTENSION).expect(0).stdout
        for words in (release.signed, self.registry.key.id, self.registry.url, "registry-signed"):
            self.assertIn(words, shown)
        commands = [line.strip() for line in shown.splitlines() if line.startswith("      ")]
        self.assertTrue(any(command.startswith("openssl dgst -sha256 -verify") for command in commands))
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                ["sh", "-e", "-c", "\n".join(commands)], cwd=folder, capture_output=True, text=True, timeout=60
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(release.dist["integrity"].removeprefix("sha512-"), done.stdout)
        self.assertIn("Verified OK", done.stdout)

    def test_explained_as_json_with_what_each_command_prints(self):
        self.registry.publish(NAME)
        self.install().expect(0)
        explained = json.loads(self.curupira("plugins", "verify", "--explain", EXTENSION, "--json").expect(0).stdout)
        ((artifact,),) = [each["artifacts"] for each in explained["extensions"]]
        for check in artifact["byHand"]:
            with self.subTest(check["what"]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    ["sh", "-e", "-c", "\n".join(check["commands"])], cwd=folder, capture_output=True, text=True
                )
                self.assertEqual(done.stdout.strip(), check["prints"])

    def test_the_explanation_of_a_digest_says_that_nobody_signed(self):
        self.registry.publish(NAME)
        self.registry.keys = None
        self.install().expect(0)
        shown = self.curupira("plugins", "verify", "--explain", EXTENSION).expect(0).stdout
        self.assertIn("nothing: only the digest vouches", shown)

    def test_a_proof_that_was_changed_does_not_hold(self):
        release = self.registry.publish(NAME)
        self.install().expect(0)
        (proof,) = self.proofs()
        file = self.home.curupira / "store" / "v1" / "proofs" / proof
        kept = json.loads(file.read_text())
        kept["signatures"][0]["signature"] = SigningKey().sign(release.signed)
        file.chmod(0o644)
        file.write_text(json.dumps(kept))
        shown = self.curupira("plugins", "verify", "--explain", EXTENSION).expect(1).stdout
        self.assertIn("a signature does not hold", shown)
        self.curupira("plugins", "verify", EXTENSION).expect(1)

    def test_signed_once_stays_signed_when_the_registry_forgets(self):
        release = self.registry.publish(NAME)
        self.install().expect(0)
        del release.dist["signatures"]
        self.install().expect(0)
        self.assertEqual(self.artifacts()[NAME]["level"], "registry-signed", "the kept proof is of the same bytes")


class StepsDown(WithSigningRegistry):
    """databus23/helm-diff#885: a level that quietly goes down is no level."""

    def setUp(self):
        super().setUp()
        self.registry.publish(NAME)
        self.install().expect(0)

    def test_another_version_that_nobody_signed_is_shown_in_the_plan(self):
        self.registry.publish(NAME, "1.1.0", signed=False)
        planned = self.install(f"npm:{NAME}", "--dry-run").expect(0)
        self.assertIn(f"{NAME}@1.1.0: registry-signed → digest", planned.stdout)
        plan = json.loads(self.install(f"npm:{NAME}", "--dry-run", "--json").expect(0).stdout)["plan"]
        self.assertEqual(plan[0]["before"]["lowered"], [f"{NAME}@1.1.0: registry-signed → digest"])

    def test_an_update_needs_consent_of_its_own(self):
        self.registry.publish(NAME, "1.1.0", signed=False)
        before = self.home.state()
        refused = self.curupira("plugins", "update", EXTENSION, "--yes").expect_error(
            "CUR-1003", "is vouched for less", "registry-signed → digest", "--accept-changes", code=2
        )
        for shown in ("~ acme-hello 1.0.0 -> 1.1.0", "level        registry-signed -> digest", "size         "):
            self.assertIn(shown, refused.stdout)
        self.assertEqual(self.home.state(), before)
        self.curupira("plugins", "update", EXTENSION, "--yes", "--accept-changes").expect(0)
        self.assertEqual((self.artifacts()[NAME]["version"], self.artifacts()[NAME]["level"]), ("1.1.0", "digest"))
        self.assertIn('level = "digest"', (self.home.curupira / "curupira.lock").read_text())

    def test_only_the_extensions_that_are_named_are_updated(self):
        self.registry.publish("curupira-other")
        self.install("npm:curupira-other").expect(0)
        for name in (NAME, "curupira-other"):
            self.registry.publish(name, "1.1.0")
        outdated = json.loads(self.curupira("plugins", "outdated", "--json").expect(0).stdout)["outdated"]
        self.assertEqual([each["name"] for each in outdated], [EXTENSION, "curupira-other"])
        before = self.home.state()
        self.assertIn("1.0.0 -> 1.1.0", self.curupira("plugins", "update", EXTENSION, "--dry-run").expect(0).stdout)
        self.assertEqual(self.home.state(), before)
        self.curupira("plugins", "update", EXTENSION, "--yes").expect(0)
        self.assertEqual(self.artifacts()[NAME]["version"], "1.1.0")
        self.assertEqual(self.artifacts("curupira-other")["curupira-other"]["version"], "1.0.0")
        self.curupira("plugins", "update", "curupira-othre", "--yes").expect_error("CUR-4001", "curupira-other")

    def test_an_update_to_a_signed_version_needs_none(self):
        self.registry.publish(NAME, "1.1.0")
        self.curupira("plugins", "update", EXTENSION, "--yes").expect(0)
        self.assertEqual(self.artifacts()[NAME]["version"], "1.1.0")

    def test_the_same_version_without_its_signature_is_refused(self):
        release = self.registry.packages[NAME]["1.0.0"]
        del release.dist["signatures"]
        for proof in (self.home.curupira / "store" / "v1" / "proofs").iterdir():
            proof.unlink()
        self.assert_refused("CUR-2108", f"{NAME}@1.0.0: registry-signed → digest")

    def test_a_lost_proof_is_found_and_repaired(self):
        for proof in (self.home.curupira / "store" / "v1" / "proofs").iterdir():
            proof.unlink()
        found = self.curupira("plugins", "verify", EXTENSION).expect(1)
        self.assertIn("proof of acme-hello", found.stdout)
        self.curupira("plugins", "verify", "--repair", EXTENSION).expect(0)
        self.curupira("plugins", "verify", EXTENSION).expect(0)


class PublicIndex(unittest.TestCase):
    def test_a_package_that_the_configured_registry_signed(self):
        skip.need_npm_signatures()
        home = TempHome.of(self, index=True)
        curupira = Program(home)
        launch = 'type = "npx"\npackage = "semver"\nversion = "7.6.3"'
        folder = home.work / "pointer"
        folder.mkdir()
        (folder / "curupira-extension.toml").write_text(manifest_text("signed-pointer", runtime='"node"', launch=launch))
        curupira("plugins", "install", f"path:{folder}", "--yes").expect(0)
        info = json.loads(curupira("plugins", "info", "signed-pointer", "--json").expect(0).stdout)
        self.assertEqual({artifact["level"] for artifact in info["artifacts"]}, {"registry-signed"})


if __name__ == "__main__":
    main()
