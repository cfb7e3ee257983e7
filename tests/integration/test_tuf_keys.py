"""Whose signatures count, and how many: thresholds, rotations of keys, kinds of keys."""

import json
import unittest

from curupira_testing import TempHome, main
from curupira_testing.tuf_client import TufClient
from curupira_testing.tuf_repository import (
    ALL,
    NOW,
    Metadata,
    TufRepository,
    key_id,
    new_signer,
    sign_document,
    small_rsa_signer,
)

#: Name → the roots one after the other, each as "the role's keys, its threshold, who signs"; "refused" ends some.
ROOT_ROTATIONS = {
    "one key": "A 1 A, B 1 BA, B 1 B",
    "one key, with signatures of strangers": "A 1 CAD, B 1 CBAD, B 1 CBD",
    "3 of 5, others each time": "ABCDE 3 ACE, ABCDE 3 EBA, ABCDE 3 DBA, ABCDE 3 DBA",
    "3 of 5, one replaced": "ABCDE 3 ACE, ABDEF 3 AEB",
    "3 of 5, one replaced, signed by both": "ABCDE 3 ACE, ABDEF 3 ACEF, ABDEF 3 AEF",
    "3 of 5, all replaced": "ABCDE 3 ACE, FGHIJ 3 ACEFGH, FGHIJ 3 FGH",
    "from 1 to 2 of 3": "ABC 1 A, ABC 2 AB",
    "from 2 to 1 of 3": "ABC 2 AB, ABC 1 AB, ABC 1 A",
    "from 1 of 1 to 2 of 2": "A 1 A, AB 2 AB",
    "not by the old key": "A 1 A, B 1 BCD refused",
    "not by the new key": "A 1 A, B 1 ACD refused",
    "not by 3 new keys": "ABCDE 3 ACE, ABDEF 3 ACE refused",
    "not by 3 old keys": "ABCDE 3 ACE, ABDEF 3 AEF refused",
    "the new threshold is not met": "ABC 1 A, ABC 2 B refused",
    "the old threshold is not met": "ABC 2 AB, ABC 1 A refused",
}

#: The same for each of the other top-level roles, whose files are signed anew as often as the root.
ROTATIONS = {
    "another key": "B 1 B",
    "signatures of strangers": "A 1 CAD",
    "not by the new key": "B 1 ACD refused",
    "one of three is a stranger": "ABDEF 3 ACE refused",
    "one of three is missing": "ABDEF 3 AE refused",
    "3 of 5, first and last": "ABCDE 3 ACE",
    "3 of 5, in another order": "ABCDE 3 EBA",
    "3 of 5, without the last": "ABCDE 3 ABD",
    "3 of 5, without the first": "ABCDE 3 BCD",
    "3 of 5, the last": "ABCDE 3 CDE",
}

SIGNERS = {letter: new_signer() for letter in "ABCDEFGHIJ"}


def give_keys(repository: TufRepository, role: str, written: str) -> None:
    keys, threshold, signers, *_ = written.split()
    repository.root.roles[role].keyids.clear()
    repository.root.roles[role].threshold = int(threshold)
    for letter in keys:
        repository.root.add_key(SIGNERS[letter].public_key, role)
    repository.signers[role] = [SIGNERS[letter] for letter in signers]


class WithRepository(unittest.TestCase):
    def setUp(self):
        self.repository = TufRepository.of(self)
        self.client = TufClient(TempHome.of(self), self.repository, NOW)


class Rotations(unittest.TestCase):
    def test_of_the_root(self):
        for name, written in ROOT_ROTATIONS.items():
            versions = written.split(", ")
            with self.subTest(name), TempHome() as home:
                repository = TufRepository.of(self)
                repository.start_again("root")
                for version in versions:
                    give_keys(repository, "root", version)
                    repository.publish("root")
                client = TufClient(home, repository, NOW)
                client.init().expect(0)
                accepted = "refused" not in written
                refreshed = client.refresh()
                if accepted:
                    refreshed.expect(0)
                else:
                    refreshed.expect(1)
                    self.assertIn(f"{len(versions)}.root.json", refreshed.stderr)
                last = len(versions) if accepted else len(versions) - 1
                self.assertEqual(client.trusted("root"), repository.files["root"][last])

    def test_of_the_other_roles(self):
        for name, written in ROTATIONS.items():
            for role in ("timestamp", "snapshot", "targets"):
                with self.subTest(name, role=role), TempHome() as home:
                    repository = TufRepository.of(self)
                    client = TufClient(home, repository, NOW)
                    client.init().expect(0)
                    client.refresh().expect(0)
                    give_keys(repository, role, written)
                    repository.publish(*ALL)
                    accepted = "refused" not in written
                    client.refresh().expect(0 if accepted else 1)
                    self.assertEqual(client.trusted(role) == repository.latest(role), accepted)


class Thresholds(WithRepository):
    def test_a_role_that_has_lost_a_signature(self):
        self.repository.root.roles["snapshot"].threshold = 3
        for _ in range(2):
            self.repository.add_key("snapshot")
        self.repository.publish(*ALL)
        self.client.init().expect(0)
        self.client.refresh().expect(0)
        self.repository.signers["snapshot"].pop()
        self.repository.publish("snapshot", "timestamp")
        self.client.refresh().expect_error("CUR-4608", "2 of 3 needed signatures hold", "has not signed")
        self.assertEqual(self.client.versions()["snapshot"], 2)

    def test_more_than_there_are_keys(self):
        for _ in range(4):
            self.repository.add_key("snapshot")
        self.repository.root.roles["snapshot"].threshold = 6
        self.repository.publish("root", "snapshot", "timestamp")
        self.client.init().expect(0)
        self.client.refresh().expect_error("CUR-4608", "5 of 6")
        self.assertEqual(self.client.versions(), {"root": 2, "timestamp": 2})

    def test_one_wrong_signature_beside_enough_changes_nothing(self):
        self.client.init().expect(0)
        self.repository.add_key("timestamp")
        for wrong in ("ab" * 64, "", "no digits", "abc"):
            with self.subTest(wrong):
                self.repository.publish("root", "timestamp")
                self.repository.change("timestamp", lambda whole: whole["signatures"][0].update(sig=wrong), sign=False)
                self.client.refresh().expect(0)
                self.assertEqual(self.client.trusted("timestamp"), self.repository.latest("timestamp"))

    def test_a_key_that_the_role_names_and_nobody_has_written(self):
        self.client.init().expect(0)
        self.repository.publish("root")
        self.repository.change("root", lambda root: root["roles"]["snapshot"]["keyids"].append("ab" * 32))
        self.client.refresh().expect(0)


class OneKeyTwice(WithRepository):
    """A threshold that is met by the same key only."""

    def setUp(self):
        super().setUp()
        self.client.init().expect(0)
        self.repository.root.roles["snapshot"].threshold = 2

    def assert_refused(self, code: str, *words: str) -> None:
        self.client.refresh().expect_error(code, *words)
        self.assertNotIn("snapshot", self.client.versions())

    def test_by_its_id_twice_in_the_role(self):
        self.repository.publish("root")
        self.repository.change("root", lambda root: root["roles"]["snapshot"]["keyids"].extend(
            root["roles"]["snapshot"]["keyids"]))
        self.assert_refused("CUR-4606", "roles.snapshot.keyids")

    def test_by_its_signature_twice(self):
        self.repository.publish("root")
        self.repository.change("snapshot", lambda whole: whole["signatures"].extend(whole["signatures"]), sign=False)
        self.assert_refused("CUR-4606", "two signatures")

    def test_by_its_signature_twice_although_one_would_do(self):
        self.repository.change("snapshot", lambda whole: whole["signatures"].extend(whole["signatures"]), sign=False)
        self.assert_refused("CUR-4606", "two signatures")

    def test_by_two_ids(self):
        # A member that nobody knows gives the key another id; it stays the same key.
        signer = self.repository.signers["snapshot"][0]
        self.repository.publish("root")

        def add_twin(root: dict) -> None:
            twin = dict(root["keys"][signer.public_key.keyid], note="twin")
            root["keys"][key_id(twin)] = twin
            root["roles"]["snapshot"]["keyids"].append(key_id(twin))
            self.twin = key_id(twin)

        self.repository.change("root", add_twin)
        self.repository.change("snapshot", lambda whole: whole["signatures"].append(
            {"keyid": self.twin, "sig": whole["signatures"][0]["sig"]}), sign=False)
        self.assert_refused("CUR-4608", "1 of 2", "is the same key")


class KindsOfKeys(WithRepository):
    def setUp(self):
        super().setUp()
        self.client.init().expect(0)

    def test_all_that_the_specification_names(self):
        for kind in ("ed25519", "ecdsa", "rsa", "rsa-pkcs1v15"):
            with self.subTest(kind), TempHome() as home:
                repository = TufRepository.of(self)
                client = TufClient(home, repository, NOW)
                client.init().expect(0)
                signer = new_signer(kind)
                repository.add_key("root", signer)
                repository.root.roles["root"].threshold = 2
                repository.publish("root")
                client.refresh().expect(0)
                self.assertEqual(client.versions()["root"], 2)
                repository.publish("root")
                wrong = Metadata.from_bytes(repository.files["root"][2]).signatures[signer.public_key.keyid].signature

                def swap(whole: dict) -> None:
                    for signature in whole["signatures"]:
                        if signature["keyid"] == signer.public_key.keyid:
                            signature["sig"] = wrong  # a good one, of another root

                repository.change("root", swap, sign=False)
                client.refresh().expect_error("CUR-4607", "3.root.json", signer.public_key.keyid)
                self.assertEqual(client.versions()["root"], 2)

    def test_a_repository_of_one_kind_only(self):
        for kind in ("ecdsa", "rsa"):
            with self.subTest(kind), TempHome() as home:
                repository = TufRepository.of(self, key=kind)
                client = TufClient(home, repository, NOW)
                client.init().expect(0)
                client.refresh().expect(0)

    def test_ecdsa_by_the_key_type_that_the_specification_has(self):
        signer = new_signer("ecdsa")
        signer.public_key.keytype = "ecdsa-sha2-nistp256"
        self.use_for_snapshots(signer)
        self.client.refresh().expect(0)

    def test_a_kind_that_is_not_known_vouches_for_nothing(self):
        signer = new_signer()
        signer.public_key.keytype = "sphincs"
        self.use_for_snapshots(signer)
        self.client.refresh().expect_error("CUR-4608", "0 of 1", 'keys of type "sphincs"')

    def test_a_small_rsa_key_vouches_for_nothing(self):
        self.use_for_snapshots(small_rsa_signer())
        self.client.refresh().expect_error("CUR-4608", "1024 bits")

    def use_for_snapshots(self, signer) -> None:
        """The role's only key, under the id that its content has; what it signs, python-tuf need not know."""
        content = signer.public_key.to_dict()
        number = key_id(content)

        def replace(root: dict) -> None:
            root["keys"][number] = content
            root["roles"]["snapshot"]["keyids"] = [number]

        self.repository.publish("root", "snapshot", "timestamp")
        self.repository.change("root", replace)
        snapshot = json.loads(self.repository.latest("snapshot"))["signed"]
        document = json.loads(sign_document(snapshot, [signer]))
        document["signatures"][0]["keyid"] = number
        self.repository.files["snapshot"][2] = json.dumps(document).encode()


if __name__ == "__main__":
    main()
