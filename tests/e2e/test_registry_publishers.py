"""Publishers of a registry who sign names of their own."""

import json
import unittest

from curupira_testing import TempHome, main
from curupira_testing.own_registry import OwnRegistry


class Publishers(unittest.TestCase):
    """A publisher signs names of their own, and has no other key."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)
        self.key = self.home.work / "acme.pem"
        self.registry.curupira("registry", "keys", "new", self.key).expect(0)

    def delegate(self) -> None:
        self.registry("delegate", "@acme/*", "--public-key", self.key.with_suffix(".pub")).expect(0)

    def publish(self, version: str = "1.0.0", **options):
        folder = self.registry.extension("tickets", version)
        nothing = self.home.work / "no-keys"
        return self.registry("publish", folder, "--scope", "acme", "--keys", nothing, "--key", self.key, **options)

    def test_is_seen_after_the_refresh(self):
        self.delegate()
        self.assertIn("registry refresh", self.publish().expect(0).stdout)
        self.assertNotIn("acme", self.registry.versions())
        self.registry("refresh").expect(0)
        self.assertEqual(self.registry.role_of("@acme/tickets"), "acme")
        self.registry("verify").expect(0)

    def test_several_before_the_refresh(self):
        self.delegate()
        self.publish("1.0.0").expect(0)
        self.publish("1.1.0").expect(0)
        self.registry("refresh").expect(0)
        self.assertEqual(sorted(self.registry.index("@acme/tickets")["versions"]), ["1.0.0", "1.1.0"])
        self.assertEqual(list((self.registry.folder / "metadata-pending").iterdir()), [])

    def test_is_seen_at_once_where_the_online_key_is(self):
        self.delegate()
        self.registry.publish("tickets", "1.0.0", "--scope", "acme", "--key", self.key)
        self.assertEqual(self.registry.role_of("@acme/tickets"), "acme")

    def test_others_cannot_publish_such_names(self):
        self.delegate()
        before = self.registry.state()
        refused = self.registry("publish", self.registry.extension("tickets"), "--scope", "acme")
        refused.expect_error("CUR-4814", "acme")
        self.assertEqual(self.registry.state(), before)

    def test_cannot_publish_other_names(self):
        self.delegate()
        nothing = self.home.work / "no-keys"
        refused = self.registry("publish", self.registry.extension("x"), "--keys", nothing, "--key", self.key)
        refused.expect_error("CUR-4804", "bins-")

    def test_what_somebody_else_put_there_is_passed_over(self):
        self.delegate()
        self.publish().expect(0)
        pending = self.registry.folder / "metadata-pending" / "1.acme.json"
        document = json.loads(pending.read_text())
        document["signed"]["targets"]["packages/@acme/tickets.json"]["length"] += 1
        pending.write_text(json.dumps(document))
        self.assertIn("1.acme.json is passed over", self.registry("refresh").expect(0).stderr)
        self.assertNotIn("acme", self.registry.versions())
        self.registry("verify").expect(0)

    def test_a_file_that_is_missing_keeps_it_from_being_shown(self):
        self.delegate()
        self.publish().expect(0)
        for file in (self.registry.folder / "targets" / "artifacts").iterdir():
            file.unlink()
        self.assertIn("is not there", self.registry("refresh").expect(0).stderr)
        self.assertNotIn("acme", self.registry.versions())

    def test_yanks_their_own(self):
        self.delegate()
        self.registry.publish("tickets", "1.0.0", "--scope", "acme", "--key", self.key)
        arguments = ("@acme/tickets", "1.0.0", "--reason", "broken")
        self.registry("yank", *arguments).expect_error("CUR-4814")
        self.registry("yank", *arguments, "--key", self.key).expect(0)
        self.assertIn("yanked", self.registry.index("@acme/tickets")["versions"]["1.0.0"])

    def test_rotation_by_add_and_revoke(self):
        self.delegate()
        self.publish().expect(0)
        self.registry("refresh").expect(0)
        old_key, self.key = self.key, self.home.work / "acme-new.pem"
        self.registry.curupira("registry", "keys", "new", self.key).expect(0)
        self.registry("keys add", "acme", "--public-key", self.key.with_suffix(".pub")).expect(0)
        (old, _) = self.registry.keys_of("acme")
        self.publish("1.1.0").expect(0)
        self.registry("refresh").expect(0)
        self.registry("keys revoke", "acme", old["id"]).expect(0)
        self.registry("verify").expect(0)
        self.key = old_key
        self.publish("1.2.0").expect_error("CUR-4814")

    def test_a_key_that_was_stolen_is_revoked_at_once(self):
        self.delegate()
        self.publish().expect(0)
        self.registry("refresh").expect(0)
        spare = self.home.work / "spare.pem"
        self.registry.curupira("registry", "keys", "new", spare).expect(0)
        self.registry("keys rotate", "acme", "--public-key", spare.with_suffix(".pub")).expect(0)
        verified = self.registry("verify").expect(1)
        self.assertIn("acme: CUR-4608", verified.stdout, "what the stolen key signed counts no more")

    def test_names_that_are_in_use_are_not_given_away(self):
        self.registry.publish("acme-tickets")
        public = self.key.with_suffix(".pub")
        self.registry("delegate", "acme-*", "--public-key", public).expect_error("CUR-4815", "acme-tickets", code=2)
        self.registry("delegate", "../x", "--public-key", public).expect_error("CUR-4815", code=2)
        self.registry("delegate", "x*", "--name", "root", "--public-key", public).expect_error("CUR-4815", code=2)
        self.registry("delegate", "x*").expect_error("CUR-1001", "--public-key", code=2)


if __name__ == "__main__":
    main()
