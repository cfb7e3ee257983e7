"""What a registry has vouched for is kept, repeated offline, and renewed when its keys changed."""

import json
import unittest

from curupira_testing import main
from curupira_testing.packages import sha256
from curupira_testing.registry_user import RegistryUser, locked, registry_table


class Proofs(RegistryUser, unittest.TestCase):
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

    def test_a_publishers_key_that_was_taken_away(self):
        first, second = (self.home.work / f"acme-{number}.pem" for number in (1, 2))
        for key in (first, second):
            self.curupira("registry", "keys", "new", key).expect(0)
        self.registry("delegate", "acme-*", "--public-key", first.with_suffix(".pub"), "--name", "acme").expect(0)
        folder = self.registry.extension("acme-notes")
        self.registry("publish", folder, "--key", first).expect(0)
        self.install("corp:acme-notes").expect(0)
        self.registry("keys rotate", "acme", "--public-key", second.with_suffix(".pub")).expect(0)
        self.registry("publish", folder, "--key", second).expect(0)
        self.curupira("plugins", "verify").expect(0)
        self.curupira("plugins", "outdated").expect(0)
        told = self.curupira("plugins", "verify").expect(1)
        self.assertIn("with a key that the registry has taken away since", told.stdout + told.stderr)
        self.curupira("plugins", "sync").expect(0)
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

if __name__ == "__main__":
    main()
