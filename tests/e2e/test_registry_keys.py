"""Keys of a registry: passphrases, thresholds, rotation, revocation, lost keys, and roots that wait."""

import json
import unittest

from curupira_testing import TempHome, main
from curupira_testing.own_registry import OwnRegistry

PASSPHRASE = "correct horse battery staple"


class WithRegistry(unittest.TestCase):
    options: tuple[str, ...] = ()

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home, *self.options)


class Passphrase(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.home.environment["CURUPIRA_KEY_PASSPHRASE"] = PASSPHRASE
        self.registry = OwnRegistry(self.home)
        del self.home.environment["CURUPIRA_KEY_PASSPHRASE"]

    def test_keys_are_encrypted(self):
        for file in self.registry.keys.glob("*.pem"):
            self.assertIn("BEGIN ENCRYPTED PRIVATE KEY", file.read_text(), file)

    def test_without_it_nothing_is_signed(self):
        before = self.registry.state()
        refused = self.registry("publish", self.registry.extension("tickets"))
        refused.expect_error("CUR-4807", "online.pem", code=2)
        self.assertEqual(self.registry.state(), before)

    def test_a_wrong_one(self):
        before = self.registry.state()
        extension = self.registry.extension("tickets")
        refused = self.registry("publish", extension, env={"CURUPIRA_KEY_PASSPHRASE": "wrong"})
        refused.expect_error("CUR-4625", "online.pem")
        self.assertNotIn("wrong\n", refused.stderr)
        self.assertEqual(self.registry.state(), before)

    def test_of_a_file(self):
        file = self.home.work / "passphrase"
        file.write_text(PASSPHRASE + "\n")
        file.chmod(0o644)
        extension = self.registry.extension("tickets")
        self.registry("publish", extension, "--passphrase-file", file).expect_error("CUR-4807", "chmod 600", code=2)
        file.chmod(0o600)
        self.registry("publish", extension, "--passphrase-file", file).expect(0)

    def test_asked_for_on_a_terminal(self):
        extension = self.registry.extension("tickets")
        arguments = ("registry", "publish", self.registry.folder, extension)
        done = self.registry.curupira.on_terminal(*arguments, answers=[("online.pem: ", PASSPHRASE + "\n")]).expect(0)
        self.assertIn("Published tickets 1.0.0", done.stdout)
        self.assertNotIn(PASSPHRASE, done.stdout, "it is not shown")

    def test_of_new_keys_is_asked_for_twice(self):
        new = ("registry", "init", self.home.work / "second", "--bits", "1")
        once, twice = ("new keys (empty: none): ", "one\n"), ("again: ", "two\n")
        refused = self.registry.curupira.on_terminal(*new, answers=[once, twice])
        self.assertIn("CUR-4807", refused.expect(2).stdout)
        self.assertEqual(list((self.home.work / "second.keys").glob("*.pem")), [])
        self.registry.curupira.on_terminal(*new, answers=[once, ("again: ", "one\n")]).expect(0)
        self.assertIn("ENCRYPTED", (self.home.work / "second.keys" / "online.pem").read_text())


class KeyFiles(WithRegistry):
    def test_a_key_that_others_can_read_is_refused(self):
        key = self.registry.keys / "online.pem"
        key.chmod(0o640)
        before = self.registry.state()
        self.registry("publish", self.registry.extension("tickets")).expect_error("CUR-4805", "640")
        self.assertEqual(self.registry.state(), before)

    def test_a_key_that_is_not_the_one_of_its_public_half(self):
        (self.registry.keys / "online.pem").write_bytes((self.registry.keys / "targets.pem").read_bytes())
        self.registry("publish", self.registry.extension("tickets")).expect_error("CUR-4625", "online.pem")

    def test_a_new_key_never_overwrites_one(self):
        file = self.home.work / "mine.pem"
        self.registry.curupira("registry", "keys", "new", file).expect(0)
        before = file.read_bytes()
        self.registry.curupira("registry", "keys", "new", file).expect_error("CUR-4806", "mine.pem", code=2)
        self.assertEqual(file.read_bytes(), before)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)


class Rotation(WithRegistry):
    def test_of_the_online_key(self):
        self.registry.publish("tickets")
        (old,) = self.registry.keys_of("online")
        self.registry("keys rotate", "online").expect(0)
        (new,) = self.registry.keys_of("online")
        self.assertNotEqual(new["id"], old["id"])
        self.assertEqual(self.registry.signed("root")["version"], 2)
        self.registry("verify").expect(0)
        # The old key is of no use any more, and the new one is used.
        (self.registry.keys / "online.pem").unlink()
        self.registry.publish("tickets", "1.1.0")
        self.registry("verify").expect(0)

    def test_of_the_targets_key(self):
        self.registry("keys rotate", "targets").expect(0)
        self.assertEqual(self.registry.signed("root")["version"], 2)
        (self.registry.keys / "targets.pem").unlink()
        self.registry("verify").expect(0)
        self.registry("delegate", "@acme/*", "--public-key", self.registry.keys / "online.pub").expect(0)

    def test_of_the_root_key(self):
        self.registry("keys rotate", "root").expect(0)
        (self.registry.keys / "root-1.pem").unlink()
        self.registry("keys rotate", "online").expect(0)
        self.assertEqual(self.registry.signed("root")["version"], 3)
        self.registry("verify").expect(0)

    def test_of_a_role_that_is_not_there(self):
        before = sorted(self.registry.keys.iterdir())
        self.registry("keys rotate", "../x").expect_error("CUR-4808", "root, targets, online", code=2)
        self.assertEqual(sorted(self.registry.keys.iterdir()), before)

    def test_without_the_root_key_no_new_key_stays(self):
        self.registry.take_away("root-1")
        answer = self.registry.json("keys rotate", "online")
        self.assertEqual(answer["revision"]["root"], "needs-signatures")
        self.registry("verify").expect(0)
        self.registry.publish("tickets")
        self.registry("keys rotate", "online").expect_error("CUR-4810")
        self.assertEqual(len(list(self.registry.keys.glob("online*.pem"))), 2)

    def test_a_key_more_for_a_second_publisher(self):
        self.registry("keys add", "online").expect(0)
        self.assertEqual(len(self.registry.keys_of("online")), 2)
        (self.registry.keys / "online.pem").unlink()
        self.registry.publish("tickets")
        self.registry("verify").expect(0)
        first = self.registry.keys_of("online")[0]["id"]
        self.registry("keys revoke", "online", first[:10]).expect(0)
        self.assertEqual(len(self.registry.keys_of("online")), 1)
        self.registry("verify").expect(0)

    def test_the_last_key_stays(self):
        (only,) = self.registry.keys_of("online")
        self.registry("keys revoke", "online", only["id"]).expect_error("CUR-4809", code=2)


class LostKeys(WithRegistry):
    """A key that nobody has any more is replaced by the holders of the root keys."""

    def setUp(self):
        super().setUp()
        self.registry.publish("tickets")

    def lose(self, name: str) -> None:
        for ending in (".pem", ".pub"):
            (self.registry.keys / f"{name}{ending}").unlink()

    def test_online(self):
        self.lose("online")
        self.registry("publish", self.registry.extension("mails")).expect_error("CUR-4804")
        self.assertEqual(self.registry.json("keys rotate", "online")["revision"]["root"], "published")
        self.registry("verify").expect(0)
        self.registry.publish("tickets", "1.1.0")
        self.registry("verify").expect(0)

    def test_targets(self):
        self.lose("targets")
        self.assertEqual(self.registry.json("keys rotate", "targets")["revision"]["root"], "published")
        self.registry("verify").expect(0)
        self.registry("delegate", "@acme/*", "--public-key", self.registry.keys / "online.pub").expect(0)

    def test_online_while_the_root_keys_are_elsewhere(self):
        self.lose("online")
        (holder,) = self.registry.take_away("root-1")
        answer = self.registry.json("keys rotate", "online")["revision"]
        self.assertEqual((answer["visible"], answer["root"]), (False, "needs-signatures"))
        self.registry("verify").expect(0)
        self.assertEqual(self.registry.json("sign", "--key", holder)["revision"]["root"], "published")
        self.registry("refresh").expect(0)
        self.registry("verify").expect(0)
        self.registry.publish("tickets", "1.1.0")
        self.registry("verify").expect(0)

    def test_of_a_publisher(self):
        for name in ("first", "second"):
            self.registry.curupira("registry", "keys", "new", self.home.work / f"{name}.pem").expect(0)
        first, second = (self.home.work / f"{name}.pem" for name in ("first", "second"))
        self.registry("delegate", "@acme/*", "--key", first).expect(0)
        self.registry.publish("mails", "1.0.0", "--scope", "acme", "--key", first)
        self.registry("keys rotate", "acme", "--public-key", second.with_suffix(".pub")).expect(0)
        published = self.registry.publish("mails", "1.1.0", "--scope", "acme", "--key", second)
        self.assertIn("its packages begin anew", published.stderr)
        self.assertEqual(sorted(self.registry.index("@acme/mails")["versions"]), ["1.1.0"])
        self.registry("verify").expect(0)


class OfflineRoot(WithRegistry):
    """Two of three root keys sign, and none of them is where the registry is."""

    options = ("--root-keys", "3", "--root-threshold", "2")

    def setUp(self):
        super().setUp()
        self.holders = self.registry.take_away("root-1", "root-2", "root-3")

    def test_a_new_root_waits_for_two(self):
        self.registry("keys rotate", "online").expect(0)
        pending = self.registry.folder / "metadata-pending" / "2.root.json"
        self.assertTrue(pending.exists())
        self.registry("verify").expect(0)
        self.assertEqual(self.registry.json("sign", "--key", self.holders[2])["revision"]["root"], "needs-signatures")
        self.assertEqual(self.registry.signed("root")["version"], 1)
        self.registry("verify").expect(0)
        self.assertEqual(self.registry.json("sign", "--key", self.holders[0])["revision"]["root"], "published")
        self.assertEqual(self.registry.signed("root")["version"], 2)
        self.assertFalse(pending.exists())
        self.registry("verify").expect(0)

    def test_signing_twice_with_one_key_is_no_second_signature(self):
        self.registry("keys rotate", "online").expect(0)
        self.registry("sign", "--key", self.holders[0]).expect(0)
        self.registry("sign", "--key", self.holders[0]).expect_error("CUR-4811")
        self.assertEqual(self.registry.signed("root")["version"], 1)

    def test_a_stranger_cannot_sign(self):
        stranger = self.home.work / "stranger.pem"
        self.registry.curupira("registry", "keys", "new", stranger).expect(0)
        self.registry("keys rotate", "online").expect(0)
        self.registry("sign", "--key", stranger).expect_error("CUR-4811")

    def test_a_signature_that_does_not_hold_is_replaced(self):
        self.registry("keys rotate", "online").expect(0)
        self.registry("sign", "--key", self.holders[0]).expect(0)
        pending = self.registry.folder / "metadata-pending" / "2.root.json"
        document = json.loads(pending.read_text())
        document["signatures"][0]["sig"] = "00" * 64
        pending.write_text(json.dumps(document))
        self.registry("sign", "--key", self.holders[1]).expect(0)
        self.assertEqual(self.registry.signed("root")["version"], 1)
        self.registry("sign", "--key", self.holders[0]).expect(0)
        self.assertEqual(self.registry.signed("root")["version"], 2)

    def test_publishing_goes_on_while_it_waits(self):
        self.registry("keys rotate", "online").expect(0)
        self.registry.publish("tickets")
        for holder in self.holders[:2]:
            self.registry("sign", "--key", holder).expect(0)
        self.registry("verify").expect(0)
        self.registry.publish("tickets", "1.1.0")

    def test_it_is_published_only_when_the_rest_is_signed_for_it(self):
        self.registry("keys rotate", "online").expect(0)
        # Meanwhile somebody who has only the old key signs the timestamp.
        new = self.registry.take_away("online-2")[0]
        self.registry("refresh").expect(0)
        self.registry("sign", "--key", self.holders[0]).expect(0)
        last = self.registry.json("sign", "--key", self.holders[1])
        self.assertEqual(last["revision"]["root"], "needs-online-keys")
        self.registry("verify").expect(0)
        self.assertEqual(self.registry.json("refresh", "--key", new)["revision"]["root"], "published")
        self.registry("verify").expect(0)

    def test_a_holder_more(self):
        newcomer = self.home.work / "fourth.pem"
        self.registry.curupira("registry", "keys", "new", newcomer).expect(0)
        self.registry("keys add", "root", "--public-key", newcomer.with_suffix(".pub"), "--threshold", "3").expect(0)
        states = [self.registry.json("sign", "--key", key)["revision"]["root"] for key in (*self.holders[:2], newcomer)]
        self.assertEqual(states, ["needs-signatures", "needs-signatures", "published"])
        root = self.registry.signed("root")["roles"]["root"]
        self.assertEqual((len(root["keyids"]), root["threshold"]), (4, 3))

    def test_nothing_waits(self):
        self.registry("sign", "--key", self.holders[0]).expect_error("CUR-4811")


if __name__ == "__main__":
    main()
