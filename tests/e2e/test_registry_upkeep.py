"""Registries over time: what expires and is renewed, publishers at the same time, and what `verify` names."""

import fcntl
import json
import shutil
import unittest

from curupira_testing import TempHome, main
from curupira_testing.own_registry import OwnRegistry


class WithRegistry(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)

    def in_days(self, days: int) -> tuple[str, ...]:
        return self.registry.in_days(days)


class TwoPublishers(WithRegistry):
    """The kernel's lock decides, as for another process that holds it."""

    def hold(self):
        lock = (self.registry.folder / ".lock").open("r+")
        fcntl.flock(lock, fcntl.LOCK_EX)
        (self.registry.folder / ".lock-holder").write_text("`registry publish` by anna on build1, process 4711")
        self.addCleanup(lock.close)
        return lock

    def test_the_second_is_told_who_and_changes_nothing(self):
        self.hold()
        before = self.registry.state()
        refused = self.registry("publish", self.registry.extension("tickets"))
        refused.expect_error("CUR-4803", "anna on build1", "--wait")
        self.assertEqual(self.registry.state(), before)

    def test_or_waits(self):
        lock = self.hold()
        child = self.registry.curupira.start(
            "registry", "publish", self.registry.folder, self.registry.extension("tickets"), "--wait"
        )
        self.assertIn(b"Waiting for `registry publish` by anna on build1", child.stderr.readline())
        lock.close()
        _, errors = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0, errors)
        self.registry.index("tickets")

    def test_a_name_that_would_drive_the_terminal(self):
        self.hold()
        (self.registry.folder / ".lock-holder").write_text("\x1b[2J")
        refused = self.registry("publish", self.registry.extension("tickets")).expect_error("CUR-4803")
        self.assertNotIn("\x1b[2J", refused.stderr)

    def test_many_at_once_all_get_through(self):
        names = [f"package-{number}" for number in range(6)]
        children = [
            self.registry.curupira.start(
                "registry", "publish", self.registry.folder, self.registry.extension(name), "--wait"
            )
            for name in names
        ]
        for child in children:
            _, errors = child.communicate(timeout=120)
            self.assertEqual(child.returncode, 0, errors)
        for name in names:
            self.registry.index(name)
        self.registry("verify").expect(0)

    def test_whoever_reads_waits_for_nobody(self):
        self.hold()
        self.registry("keys list").expect(0)
        self.registry("verify").expect(0)

    def test_what_a_killed_one_wrote_down_keeps_nobody_away(self):
        (self.registry.folder / ".lock-holder").write_text("somebody who was killed")
        self.registry.publish("tickets")
        self.assertFalse((self.registry.folder / ".lock-holder").exists())


class Expiry(WithRegistry):
    def test_the_timestamp_is_signed_anew_and_nothing_else(self):
        before = self.registry.state()
        answer = self.registry.json("refresh")
        self.assertEqual((answer["renewed"], answer["revision"]["written"]), ([], ["timestamp.json"]))
        after = self.registry.state()
        self.assertEqual({name for name in after if after[name] != before.get(name)}, {"metadata/timestamp.json"})

    def test_verify_says_what_has_expired(self):
        verified = self.registry("verify", prefix=self.in_days(8)).expect(1)
        self.assertIn("timestamp: CUR-4610", verified.stdout)
        self.assertNotIn("snapshot: CUR-4610", verified.stdout)

    def test_what_expires_soon_is_renewed(self):
        later = self.in_days(70)
        renewed = self.registry.json("refresh", prefix=later)["renewed"]
        self.assertEqual(renewed, ["bins-0", "bins-1", "bins-2", "bins-3", "search", "snapshot"])
        self.registry("verify", prefix=later).expect(0)

    def test_all_of_it_after_a_year_away(self):
        self.registry.publish("tickets")
        later = self.in_days(400)
        answer = self.registry.json("refresh", prefix=later)
        self.assertIn("targets", answer["renewed"])
        self.assertEqual(answer["revision"]["root"], "published")
        self.registry("verify", prefix=later).expect(0)

    def test_keys_that_are_elsewhere_are_named_before_it_is_too_late(self):
        away = self.home.work / "away"
        away.mkdir()
        for name in ("root-1.pem", "targets.pem"):
            shutil.move(self.registry.keys / name, away / name)
        refreshed = self.registry("refresh", prefix=self.in_days(300)).expect(0)
        for role in ("root expires on", "targets expires on", "bins expires on"):
            self.assertIn(role, refreshed.stderr)
        renewed = self.registry.json("refresh", "--key", away / "targets.pem", prefix=self.in_days(300))["renewed"]
        self.assertEqual(set(renewed), {"targets", "bins"})
        signed = self.registry("sign", "--key", away / "root-1.pem", prefix=self.in_days(300)).expect(0)
        self.assertIn("The new root is published", signed.stdout)

    def test_without_the_online_key_nothing_is_refreshed(self):
        (self.registry.keys / "online.pem").unlink()
        before = self.registry.state()
        self.registry("refresh").expect_error("CUR-4804", "timestamp has the key")
        self.assertEqual(self.registry.state(), before)


class SearchIndex(WithRegistry):
    def found(self) -> list[str]:
        digest = self.registry.signed("search")["targets"]["search/index.json"]["hashes"]["sha256"]
        index = json.loads((self.registry.folder / "targets" / "search" / f"{digest}.index.json").read_text())
        for role, version in index["roles"].items():
            self.assertEqual(self.registry.versions()[role], version, f"{role} has changed since")
        return [f"{each['name']} {each.get('latest')} {each['summary']}" for each in index["packages"]]

    def test_is_made_by_refresh(self):
        self.registry.publish("tickets", "1.0.0", "--summary", "Tickets of a tracker")
        self.registry.publish("mails", "1.0.0", "--scope", "acme")
        self.assertTrue(self.registry.json("refresh")["searchRebuilt"])
        self.assertEqual(self.found(), ["@acme/mails 1.0.0 ", "tickets 1.0.0 Tickets of a tracker"])
        self.assertFalse(self.registry.json("refresh")["searchRebuilt"], "nothing has changed")

    def test_the_summary_stays_with_later_versions(self):
        self.registry.publish("tickets", "1.0.0", "--summary", "Tickets of a tracker")
        self.registry.publish("tickets", "1.1.0")
        self.registry("refresh").expect(0)
        self.assertEqual(self.found(), ["tickets 1.1.0 Tickets of a tracker"])


class Verify(WithRegistry):
    def setUp(self):
        super().setUp()
        self.registry.publish("tickets")

    def expect(self, *words: str) -> None:
        verified = self.registry("verify").expect(1)
        for word in words:
            self.assertIn(word, verified.stdout)
        answer = json.loads(self.registry("verify", "--json").expect(1).stdout)
        self.assertFalse(answer["sound"])

    def artifact(self):
        (file,) = (self.registry.folder / "targets" / "artifacts").iterdir()
        return file

    def test_all_is_well(self):
        answer = self.registry.json("verify")
        self.assertTrue(answer["sound"])
        self.assertEqual((answer["packages"], answer["versions"], answer["artifacts"]), (1, 1, 1))

    def test_an_artifact_that_was_changed(self):
        data = bytearray(self.artifact().read_bytes())
        data[20] ^= 1
        self.artifact().write_bytes(data)
        self.expect("tickets 1.0.0: CUR-2104", self.artifact().name)

    def test_an_artifact_that_is_missing(self):
        self.artifact().unlink()
        self.expect("tickets 1.0.0: CUR-4818", "is not there")

    def test_an_index_that_was_changed(self):
        (file,) = (self.registry.folder / "targets" / "packages").iterdir()
        file.write_text(file.read_text().replace("1.0.0", "6.6.6", 1))
        self.expect("packages/tickets.json: CUR-4621")

    def test_an_index_that_is_missing(self):
        (file,) = (self.registry.folder / "targets" / "packages").iterdir()
        file.unlink()
        self.expect("packages/tickets.json: CUR-9001")

    def test_a_bin_that_somebody_else_signed(self):
        file = self.registry.file_of(self.registry.role_of("tickets"))
        document = json.loads(file.read_text())
        document["signed"]["expires"] = "2999-01-01T00:00:00Z"
        file.write_text(json.dumps(document))
        self.expect("bins-", "CUR-4607")

    def test_a_registry_put_back_to_yesterday(self):
        saved = self.registry.state()["metadata/timestamp.json"]
        self.registry.publish("mails")
        (self.registry.folder / "metadata" / "timestamp.json").write_bytes(saved)
        self.expect("metadata: CUR-4612")

    def test_never_signs_what_it_did_not_verify(self):
        role = self.registry.role_of("tickets")
        file = self.registry.file_of(role)
        document = json.loads(file.read_text())
        document["signed"]["targets"]["packages/tickets.json"]["custom"]["curupira"]["summary"] = "theirs"
        file.write_text(json.dumps(document))
        before = self.registry.state()
        self.registry("publish", self.registry.extension("tickets", "1.1.0")).expect_error("CUR-4607", role)
        self.registry("yank", "tickets", "1.0.0", "--reason", "x").expect_error("CUR-4607")
        self.assertEqual(self.registry.state(), before)

    def test_no_registry(self):
        self.registry.curupira("registry", "verify", self.home.work).expect_error("CUR-4801", code=2)


if __name__ == "__main__":
    main()
