"""Roots that travel in files of their own between the keeper of a registry and the holders of root keys."""

import json
import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.own_registry import OwnRegistry


class RootFiles(unittest.TestCase):
    """Two of three keys sign; none of them is with the keeper, and a root waits that takes a fourth one in."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home, "--root-keys", "3", "--root-threshold", "2")
        self.holders = self.registry.take_away("root-1", "root-2", "root-3")
        self.holder = Program(TempHome.of(self))  # who has nothing but the file and a key
        self.fourth = self.new_key("fourth")
        self.registry("keys add", "root", "--public-key", self.fourth.with_suffix(".pub")).expect(0)
        self.file = self.holder.home.work / "2.root.json"
        shutil.copy(self.pending, self.file)

    @property
    def pending(self) -> Path:
        return self.registry.folder / "metadata-pending" / "2.root.json"

    def new_key(self, name: str) -> Path:
        key = self.home.work / f"{name}.pem"
        self.registry.curupira("registry", "keys", "new", key).expect(0)
        return key

    def sign(self, key: Path):
        return self.holder("registry", "sign", self.file, "--key", key)

    def take(self, *files: Path):
        return self.registry("sign", *(word for file in files for word in ("--signed", file)))

    def change(self, **changes) -> None:
        document = json.loads(self.file.read_text())
        document["signed"].update(changes)
        self.file.write_text(json.dumps(document))

    def test_from_holder_to_holder(self):
        shown = self.sign(self.holders[0]).expect(0).stdout
        self.assertIn("Root 2, until ", shown)
        self.assertIn("root  2 of 4 keys\n", shown)
        self.assertIn("1 signature now", shown)
        self.assertIn("2 signatures now", self.sign(self.holders[1]).expect(0).stdout)
        self.assertIn("The new root is published", self.take(self.file).expect(0).stdout)
        self.assertFalse(self.pending.exists())
        self.registry("verify").expect(0)

    def test_each_with_a_file_of_their_own(self):
        other = self.file.with_name("other.json")
        shutil.copy(self.file, other)
        self.sign(self.holders[0]).expect(0)
        first = self.file
        self.file = other
        self.sign(self.holders[2]).expect(0)
        self.take(first, other).expect(0)
        self.assertEqual(len(self.registry.signed("root")["roles"]["root"]["keyids"]), 4)

    def test_one_after_the_other(self):
        self.sign(self.holders[0]).expect(0)
        self.assertIn("waits for more signatures", self.take(self.file).expect(0).stdout)
        self.sign(self.holders[1]).expect(0)
        self.assertIn("is published", self.take(self.file).expect(0).stdout)

    def test_a_file_that_another_program_wrote_in_another_order(self):
        self.sign(self.holders[0]).expect(0)
        self.sign(self.holders[1]).expect(0)
        document = json.loads(self.file.read_text())
        turned = {name: dict(reversed(value.items())) if isinstance(value, dict) else value for name, value in document.items()}
        self.file.write_text(json.dumps(dict(reversed(turned.items())), indent=1))
        self.take(self.file).expect(0)

    def test_another_root_than_the_one_that_waits(self):
        for changes in ({"version": 3}, {"expires": "2999-01-01T00:00:00Z"}):
            with self.subTest(changes):
                shutil.copy(self.pending, self.file)
                self.change(**changes)
                self.sign(self.holders[0]).expect(0)
                before = self.registry.state()
                self.take(self.file).expect_error("CUR-4811", "not the one that waits")
                self.assertEqual(self.registry.state(), before)

    def test_signatures_that_do_not_count(self):
        before = self.registry.state()
        self.take(self.file).expect_error("CUR-4811", "no new signature")
        self.sign(self.new_key("stranger")).expect(0)
        self.take(self.file).expect_error("CUR-4811", "no new signature")
        self.sign(self.holders[0]).expect(0)
        document = json.loads(self.file.read_text())
        for signature in document["signatures"]:
            signature["sig"] = signature["sig"][::-1]
        self.file.write_text(json.dumps(document))
        self.take(self.file).expect_error("CUR-4811", "no new signature")
        self.assertEqual(self.registry.state(), before)

    def test_a_false_signature_that_waits_is_replaced_by_the_right_one(self):
        self.sign(self.holders[0]).expect(0)
        document = json.loads(self.file.read_text())
        document["signatures"][0]["sig"] = "00" * 64
        self.pending.write_text(json.dumps(document))
        self.sign(self.holders[1]).expect(0)
        self.take(self.file).expect(0)
        self.registry("verify").expect(0)

    def test_the_same_signature_again(self):
        self.sign(self.holders[0]).expect(0)
        self.sign(self.holders[0]).expect_error("CUR-4811", "already")

    def test_what_is_no_root(self):
        before = self.file.read_bytes()
        for content, error in ((b"{}", "CUR-460"), (b"\xff", "CUR-460"), (b'{"signed":{},"signatures":[]}', "CUR-460")):
            with self.subTest(content):
                self.file.write_bytes(content)
                self.assertIn(f"error[{error}", self.sign(self.holders[0]).expect(1).stderr)
                self.assertEqual(self.file.read_bytes(), content)
        self.file.write_bytes(before + b" " * 600_000)
        self.sign(self.holders[0]).expect_error("CUR-4616")

    def test_nobody_to_sign(self):
        self.holder("registry", "sign", self.file).expect_error("CUR-1001", "--key FILE", code=2)

    def test_keys_by_their_files(self):
        self.registry("keys revoke", "root", self.fourth.with_suffix(".pub")).expect_error("CUR-4808", code=2)
        self.pending.unlink()
        gone = self.holders[2].with_suffix(".pub")
        self.registry("keys revoke", "root", gone).expect(0)
        shutil.copy(self.pending, self.file)
        for key in self.holders[:2]:
            self.sign(key).expect(0)
        self.take(self.file).expect(0)
        self.assertEqual(len(self.registry.keys_of("root")), 2)

    def test_options_may_stand_before_what_they_are_about(self):
        self.pending.unlink()
        words = ("registry", "keys", "add", "--public-key", self.fourth.with_suffix(".pub"), self.registry.folder, "root")
        self.registry.curupira(*words).expect(0)

    def test_several_keys_at_once_and_one_for_one(self):
        self.pending.unlink()
        both = [word for key in (self.fourth, self.new_key("fifth")) for word in ("--public-key", key.with_suffix(".pub"))]
        self.registry("keys rotate", "root", self.holders[0].with_suffix(".pub"), *both).expect_error("CUR-1001", code=2)
        self.assertEqual(len(self.registry.json("keys add", "root", *both)["added"]), 2)


class ExpiringRoot(unittest.TestCase):
    def test_the_next_root_is_left_for_the_holders(self):
        home = TempHome.of(self)
        registry = OwnRegistry(home)
        (root,) = registry.take_away("root-1")
        later = registry.in_days(300)
        said = registry("refresh", prefix=later).expect(0)
        self.assertIn("root expires on", said.stderr)
        self.assertIn("waits for more signatures", said.stdout)
        registry("refresh", prefix=later).expect(0)
        registry("sign", "--key", root, prefix=later).expect(0)
        registry("refresh", prefix=later).expect(0)
        registry("verify", prefix=registry.in_days(306)).expect(0)


if __name__ == "__main__":
    main()
