"""The TUF client's update of the top-level roles, against repositories that python-tuf writes."""

import json
import unittest

from curupira_testing import TempHome, main
from curupira_testing.tuf_client import TufClient
from curupira_testing.tuf_repository import ALL, NOW, TOP_LEVEL, MetaFile, TufRepository, key_id, new_signer


class WithRepository(unittest.TestCase):
    def setUp(self):
        self.repository = TufRepository.of(self)
        self.client = TufClient(TempHome.of(self), self.repository, NOW)


class FirstUpdate(WithRepository):
    def test_asks_for_each_role_once_and_for_the_next_root(self):
        self.client.init().expect(0)
        self.assertEqual(self.repository.asked, [], "init asks for nothing")
        self.client.refresh().expect(0)
        self.assertEqual(self.repository.asked, ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])

    def test_keeps_the_bytes_that_came_under_names_without_versions(self):
        spaced = self.repository.latest("timestamp") + b" \n"
        self.repository.files["timestamp"][1] = spaced
        self.client.init().expect(0)
        self.client.refresh().expect(0)
        self.assertEqual(self.client.trusted("timestamp"), spaced)
        for role in TOP_LEVEL:
            self.assertEqual(self.client.trusted(role), self.repository.latest(role))

    def test_a_url_with_and_without_a_slash_at_its_end(self):
        self.client.init().expect(0)
        for end in ("", "/"):
            self.client.refresh(metadata_url=self.repository.metadata_url.rstrip("/") + end).expect(0)

    def test_a_download_updates_first(self):
        self.client.init().expect(0)
        self.client.download("no such target").expect_error("CUR-4619", "no such target")
        self.assertEqual(self.repository.asked, ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
        self.assertEqual(self.client.versions(), {role: 1 for role in TOP_LEVEL})

    def test_without_consistent_snapshots_only_roots_have_numbers(self):
        repository = TufRepository.of(self, consistent=False)
        client = TufClient(TempHome.of(self), repository, NOW)
        client.init().expect(0)
        client.refresh().expect(0)
        self.assertEqual(repository.asked, ["2.root.json", "timestamp.json", "snapshot.json", "targets.json"])


class LaterUpdates(WithRepository):
    def setUp(self):
        super().setUp()
        self.client.init().expect(0)
        self.client.refresh().expect(0)
        self.repository.asked.clear()

    def test_what_is_current_is_not_asked_for_again(self):
        self.client.refresh().expect(0)
        self.assertEqual(self.repository.asked, ["2.root.json", "timestamp.json"])

    def test_only_what_is_new_is_asked_for(self):
        self.repository.publish("snapshot", "timestamp")
        self.client.refresh().expect(0)
        self.assertEqual(self.repository.asked, ["2.root.json", "timestamp.json", "2.snapshot.json"])
        self.assertEqual(self.client.versions(), {"root": 1, "timestamp": 2, "snapshot": 2, "targets": 1})

    def test_a_timestamp_of_the_same_version_is_never_another_one(self):
        self.repository.start_again("timestamp")
        self.repository.timestamp.snapshot_meta = MetaFile(100)
        self.repository.publish("timestamp")
        before = self.client.state()
        self.client.refresh().expect(0)
        self.assertEqual(self.repository.asked, ["2.root.json", "timestamp.json"])
        self.assertEqual(self.client.state(), before)

    def test_targets_that_no_snapshot_lists_are_not_asked_for(self):
        self.repository.publish("targets")
        self.client.refresh().expect(0)
        self.assertEqual(self.repository.asked[-1], "timestamp.json")

    def test_a_timestamp_that_is_not_there(self):
        del self.repository.files["timestamp"]
        before = self.client.state()
        self.client.refresh().expect_error("CUR-4615", "timestamp.json")
        self.assertEqual(self.client.state(), before)

    def test_a_snapshot_that_is_not_there(self):
        self.repository.timestamp.snapshot_meta.version += 1
        self.repository.publish("timestamp")
        self.client.refresh().expect_error("CUR-4615", "2.snapshot.json")
        self.assertEqual(self.client.versions(), {"root": 1, "timestamp": 2, "snapshot": 1, "targets": 1})

    def test_targets_that_are_not_there(self):
        self.repository.snapshot.meta["targets.json"].version += 1
        self.repository.publish("snapshot", "timestamp")
        self.client.refresh().expect_error("CUR-4615", "2.targets.json")
        self.assertEqual(self.client.versions(), {"root": 1, "timestamp": 2, "snapshot": 2, "targets": 1})

    def test_many_roots_are_one_update(self):
        for _ in range(20):
            self.repository.publish("root")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["root"], 21)
        self.assertEqual(self.repository.asked[:20], [f"{number}.root.json" for number in range(2, 22)])

    def test_a_server_that_says_forbidden_for_what_it_does_not_have(self):
        self.repository.answers["2.root.json"] = lambda request: request.send_error(403)
        self.client.refresh().expect(0)

    def test_a_server_that_forbids_everything(self):
        for name in ("2.root.json", "timestamp.json"):
            self.repository.answers[name] = lambda request: request.send_error(403)
        self.client.refresh().expect_error("CUR-1309")

    def test_a_server_that_is_not_well_is_not_the_end_of_the_roots(self):
        self.repository.answers["2.root.json"] = lambda request: request.send_error(500)
        self.client.refresh().expect_error("CUR-2002")


class DigestsOfMetadata(WithRepository):
    def setUp(self):
        super().setUp()
        self.repository.with_hashes = True
        self.repository.publish("targets", "snapshot", "timestamp")
        self.client.init().expect(0)
        self.client.refresh().expect(0)

    def test_are_checked(self):
        self.repository.publish("targets")
        self.repository.snapshot.meta["targets.json"].hashes["sha256"] = "46" * 32
        self.repository.publish("snapshot", "timestamp")
        self.client.refresh().expect_error("CUR-4614", "targets.json", "46464646")
        self.assertEqual(self.client.versions(), {"root": 1, "timestamp": 3, "snapshot": 3, "targets": 2})

    def test_of_what_is_kept_are_checked_too(self):
        for role, name in (("snapshot", "2.snapshot.json"), ("targets", "2.targets.json")):
            with self.subTest(role):
                (self.client.metadata / f"{role}.json").write_bytes(self.client.trusted(role) + b" ")
                self.repository.asked.clear()
                self.client.refresh().expect(0)
                self.assertIn(name, self.repository.asked)
                self.assertEqual(self.client.trusted(role), self.repository.latest(role))


class InitialRoot(WithRepository):
    def test_that_lacks_its_version(self):
        root = json.loads(self.repository.latest("root"))
        del root["signed"]["version"]
        self.client.init(json.dumps(root).encode()).expect(1)
        self.client.refresh().expect_error("CUR-4623")
        self.assertEqual(self.repository.asked, [])

    def test_that_is_not_signed_by_its_keys(self):
        root = json.loads(self.repository.latest("root"))
        root["signatures"][0]["sig"] = "30" * 64
        self.client.init(json.dumps(root).encode()).expect_error("CUR-4607", "root.json")
        self.client.refresh().expect_error("CUR-4623")
        self.assertEqual(self.repository.asked, [])

    def test_that_was_damaged_after_it_was_pinned(self):
        self.client.init().expect(0)
        (self.client.metadata / "root.json").write_bytes(self.repository.latest("root")[:-10])
        self.client.refresh().expect_error("CUR-4624", "root.json", "cause:")
        self.assertEqual(self.repository.asked, [])

    def test_later_than_the_first_begins_the_chain_there(self):
        self.repository.publish("root")
        self.repository.publish("root")
        self.client.init(self.repository.files["root"][2]).expect(0)
        self.client.refresh().expect(0)
        self.assertEqual(self.repository.asked[:2], ["3.root.json", "4.root.json"])


class WhatIsSigned(WithRepository):
    def test_a_role_without_a_good_signature_ends_the_update_there(self):
        trusted = {"root": {"root": 1}, "timestamp": {"root": 2}, "snapshot": {"root": 2, "timestamp": 2}}
        trusted["targets"] = {"root": 2, "timestamp": 2, "snapshot": 2}
        for role in TOP_LEVEL:
            with self.subTest(role):
                repository = TufRepository.of(self)
                client = TufClient(TempHome.of(self), repository, NOW)
                client.init().expect(0)
                repository.signers[role].clear()
                repository.publish(*ALL)
                client.refresh().expect_error("CUR-4608", role)
                self.assertEqual(client.versions(), trusted[role])

    def test_a_version_that_the_files_name_does_not_have(self):
        refused = {"root": ("CUR-4609", {"root": 1}), "snapshot": ("CUR-4614", {"root": 2, "timestamp": 2})}
        refused["targets"] = ("CUR-4614", {"root": 2, "timestamp": 2, "snapshot": 2})
        for role, (code, trusted) in refused.items():
            with self.subTest(role):
                repository = TufRepository.of(self)
                client = TufClient(TempHome.of(self), repository, NOW)
                client.init().expect(0)
                for each in ALL:
                    repository.publish(each, version=3 if each == role else None)
                if role != "root":  # what lists it says 2, as the file's name does
                    listing = repository.timestamp if role == "snapshot" else repository.snapshot
                    listed = listing.snapshot_meta if role == "snapshot" else listing.meta["targets.json"]
                    listed.version = 2
                    for each in ("snapshot", "timestamp")[1 if role == "snapshot" else 0 :]:
                        repository.files[each].popitem()
                        repository.publish(each)
                client.refresh().expect_error(code, role)
                self.assertEqual(client.versions(), trusted)

    def test_the_type_is_part_of_it(self):
        # A snapshot that the timestamp's key has signed too, and that has all that a timestamp has.
        self.client.init().expect(0)
        self.repository.add_key("snapshot", self.repository.signers["timestamp"][0])
        self.repository.snapshot.meta = {"snapshot.json": MetaFile(1)}
        self.repository.publish("root", "snapshot")
        self.repository.files["timestamp"][2] = self.repository.latest("snapshot")
        self.client.refresh().expect_error("CUR-4604", "timestamp", "snapshot")
        self.assertEqual(self.client.versions(), {"root": 2})

    def test_members_that_nobody_knows_are_part_of_it(self):
        self.client.init().expect(0)
        root = self.repository.root
        root.unrecognized_fields["custom"] = {"ä": ["\"quoted\\", "line\nbreak", None, True, -1]}
        root.roles["timestamp"].unrecognized_fields["x-period"] = 7
        self.repository.publish("root")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["root"], 2)
        self.repository.publish("root")
        self.repository.change("root", lambda whole: whole["signed"].update(custom=1), sign=False)
        self.client.refresh().expect_error("CUR-4607", "3.root.json")

    def test_a_key_with_members_that_nobody_knows(self):
        # Its id is the digest of all of it.
        signer = new_signer()
        signer.public_key.unrecognized_fields.update({"keyid_hash_algorithms": ["md5"], "x-owner": "@somebody"})
        signer.public_key.keyid = key_id(signer.public_key.to_dict())
        self.client.init().expect(0)
        self.repository.add_key("snapshot", signer)
        self.repository.root.roles["snapshot"].threshold = 2
        self.repository.publish(*ALL)
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["snapshot"], 2)


if __name__ == "__main__":
    main()
