"""Metadata that is older than what was seen, recovery from versions far ahead, expiry, and clocks that go back."""

import datetime
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.tuf_client import TufClient, client_path
from curupira_testing.tuf_repository import NOW, TufRepository, days


class WithRepository(unittest.TestCase):
    def setUp(self):
        self.repository = TufRepository.of(self)
        self.client = TufClient(TempHome.of(self), self.repository, NOW)
        self.client.init().expect(0)

    def assert_refused(self, code: str, *words: str, now: datetime.datetime | None = None) -> None:
        """And the trusted metadata is as it was."""
        before = self.client.state()
        self.client.refresh(now=now).expect_error(code, *words)
        self.assertEqual(self.client.state(), before)


class Rollback(WithRepository):
    def test_of_the_timestamp(self):
        self.repository.publish("timestamp")
        self.client.refresh().expect(0)
        self.repository.start_again("timestamp")
        self.repository.publish("timestamp")
        self.repository.asked.clear()
        self.assert_refused("CUR-4612", "timestamp.json has the version 1, but version 2 was seen before")
        self.assertEqual(self.repository.asked[-1], "timestamp.json")

    def test_of_the_snapshot(self):
        for with_hashes in (False, True):
            with self.subTest(with_hashes=with_hashes), TempHome() as home:
                self.repository = TufRepository.of(self)
                self.client = TufClient(home, self.repository, NOW)
                self.client.init().expect(0)
                self.repository.with_hashes = with_hashes
                self.repository.publish("snapshot", "timestamp")
                self.client.refresh().expect(0)
                self.repository.start_again("snapshot")
                self.repository.publish("snapshot", "timestamp")
                self.repository.asked.clear()
                self.assert_refused("CUR-4612", "snapshot.json in timestamp.json has the version 1")
                self.assertEqual(self.repository.asked[-1], "timestamp.json", "it is not even asked for")

    def test_of_the_targets(self):
        for with_hashes in (False, True):
            with self.subTest(with_hashes=with_hashes), TempHome() as home:
                self.repository = TufRepository.of(self)
                self.client = TufClient(home, self.repository, NOW)
                self.client.init().expect(0)
                self.repository.with_hashes = with_hashes
                self.repository.publish("targets", "snapshot", "timestamp")
                self.client.refresh().expect(0)
                self.repository.start_again("targets")
                self.repository.publish("targets", "snapshot", "timestamp")
                self.client.refresh().expect_error("CUR-4612", "targets.json in snapshot.json has the version 1")
                self.assertEqual(self.client.versions()["snapshot"], 2)
                self.assertEqual(self.client.versions()["targets"], 2)

    def test_of_a_delegated_role(self):
        self.repository.delegate("releases")
        self.repository.publish("releases", "releases", "targets", "snapshot", "timestamp")
        self.client.refresh().expect(0)
        self.repository.start_again("releases")
        self.repository.publish("releases", "snapshot", "timestamp")
        self.client.refresh().expect_error("CUR-4612", "releases.json in snapshot.json has the version 1")
        self.assertEqual(self.client.versions()["snapshot"], 2)

    def test_a_role_that_the_snapshot_no_longer_lists(self):
        self.repository.delegate("releases")
        self.repository.publish("releases", "targets", "snapshot", "timestamp")
        self.client.refresh().expect(0)
        del self.repository.snapshot.meta["releases.json"]
        self.repository.publish("snapshot", "timestamp")
        self.client.refresh().expect_error("CUR-4613", "releases.json")
        self.assertEqual(self.client.versions()["snapshot"], 2)

    def test_is_seen_by_trusted_metadata_that_has_expired(self):
        # python-tuf#1498, specification#106
        self.repository.timestamp.expires = self.repository.snapshot.expires = days(2)
        for _ in range(3):
            self.repository.publish("targets", "snapshot", "timestamp")
        self.client.refresh().expect(0)
        self.repository.timestamp.expires = self.repository.snapshot.expires = days(30)
        self.repository.start_again("timestamp")
        self.repository.publish("timestamp")
        self.assert_refused("CUR-4612", "timestamp.json has the version 1", now=days(3))
        for _ in range(4):
            self.repository.publish("timestamp")
        self.repository.start_again("snapshot")
        self.repository.publish("snapshot", "timestamp")
        self.assert_refused("CUR-4612", "snapshot.json in timestamp.json has the version 1", now=days(3))
        for _ in range(4):
            self.repository.publish("snapshot")
        self.repository.start_again("targets")
        self.repository.publish("targets", "snapshot", "timestamp")
        self.client.refresh(now=days(3)).expect_error("CUR-4612", "targets.json in snapshot.json has the version 1")
        self.assertEqual(self.client.versions()["snapshot"], 4)


class FastForward(WithRepository):
    """A version far ahead does not lock clients out: a new root replaces the keys that signed it."""

    def test_of_the_timestamp(self):
        for _ in range(99):
            self.repository.publish("timestamp")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["timestamp"], 100)
        self.repository.rotate_key("timestamp")
        self.repository.start_again("timestamp")
        self.repository.publish("root", "timestamp")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["timestamp"], 1)

    def test_of_the_snapshot(self):
        for _ in range(99):
            self.repository.publish("snapshot")
        self.repository.publish("timestamp")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["snapshot"], 100)
        self.repository.rotate_key("snapshot")
        self.repository.rotate_key("timestamp")
        self.repository.start_again("snapshot")
        self.repository.publish("root", "snapshot", "timestamp")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["snapshot"], 1)

    def test_of_targets_and_a_role_that_goes_with_them(self):
        self.repository.delegate("releases")
        self.repository.publish("releases")
        for _ in range(99):
            self.repository.publish("targets")
        self.repository.publish("snapshot", "timestamp")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["targets"], 100)
        self.repository.rotate_key("snapshot")
        self.repository.start_again("targets")
        del self.repository.snapshot.meta["releases.json"]
        self.repository.publish("root", "targets", "snapshot", "timestamp")
        self.client.refresh().expect(0)
        self.assertEqual(self.client.versions()["targets"], 1)


class Expiry(WithRepository):
    def setUp(self):
        super().setUp()
        self.client.refresh().expect(0)

    def test_of_the_root_comes_after_the_last_root_was_taken(self):
        self.repository.publish("root")
        self.repository.root.expires = days(-1)
        self.repository.publish("root", "targets", "snapshot", "timestamp")
        self.client.refresh().expect_error("CUR-4610", "root.json version 3 expired 2029-12-31T00:00:00Z")
        self.assertEqual(self.client.versions(), {"root": 3, "timestamp": 1, "snapshot": 1, "targets": 1})

    def test_of_a_root_in_between_does_not_matter(self):
        self.repository.root.expires = days(-1)
        self.repository.publish("root")
        self.repository.root.expires = days(30)
        self.repository.publish("root")
        self.client.refresh().expect(0)

    def test_of_a_new_file(self):
        trusted = {"timestamp": (1, 1, 1), "snapshot": (2, 1, 1), "targets": (2, 2, 1)}
        for role, versions in trusted.items():
            with self.subTest(role), TempHome() as home:
                repository = TufRepository.of(self)
                client = TufClient(home, repository, NOW)
                client.init().expect(0)
                client.refresh().expect(0)
                repository.roles[role].expires = days(-5)
                repository.publish(*{"timestamp": (), "snapshot": ("snapshot",), "targets": ("targets", "snapshot")}[role])
                repository.publish("timestamp")
                client.refresh().expect_error("CUR-4610", f"{role}.json version 2 expired")
                found = client.versions()
                self.assertEqual((found["timestamp"], found["snapshot"], found["targets"]), versions)

    def test_is_the_moment_itself(self):
        self.repository.timestamp.expires = days(1)
        self.repository.publish("timestamp")
        self.client.refresh(now=days(1) - datetime.timedelta(seconds=1)).expect(0)
        self.assert_refused("CUR-4611", "timestamp.json version 2 expired 2030-01-02T00:00:00Z", now=days(1))

    def test_of_what_is_kept_does_not_hinder_the_next_update(self):
        for role in ("root", "timestamp", "snapshot", "targets"):
            self.repository.roles[role].expires = days(7)
        self.repository.publish("root", "targets", "snapshot", "timestamp")
        self.client.refresh().expect(0)
        for role in ("root", "timestamp", "snapshot", "targets"):
            self.repository.roles[role].expires = days(21)
        self.repository.publish("root", "targets", "snapshot", "timestamp")
        self.client.refresh(now=days(18)).expect(0)
        self.assertEqual(self.client.versions(), {role: 3 for role in ("root", "timestamp", "snapshot", "targets")})

    def test_of_what_the_registry_goes_on_showing_is_a_freeze(self):
        self.repository.timestamp.expires = days(1)
        self.repository.publish("timestamp")
        self.client.refresh().expect(0)
        self.assert_refused("CUR-4611", "timestamp.json version 2 expired", now=days(2))

    def test_of_a_snapshot_or_targets_that_the_registry_goes_on_showing(self):
        for role in ("snapshot", "targets"):
            with self.subTest(role), TempHome() as home:
                self.repository = TufRepository.of(self)
                self.client = TufClient(home, self.repository, NOW)
                self.client.init().expect(0)
                self.repository.roles[role].expires = days(1)
                self.repository.publish("targets", "snapshot", "timestamp")
                self.client.refresh().expect(0)
                self.assert_refused("CUR-4610", f"{role}.json version 2 expired", now=days(2))


class ClocksThatGoBack(WithRepository):
    def test_expired_metadata_does_not_become_good_again(self):
        self.repository.timestamp.expires = days(5)
        self.repository.publish("timestamp")
        self.client.refresh().expect(0)
        self.repository.timestamp.expires = days(20)
        self.repository.publish("timestamp")
        self.client.refresh(now=days(10)).expect(0)
        # Whoever can turn the clock back shows a timestamp that was good then.
        self.repository.timestamp.expires = days(5)
        self.repository.publish("timestamp")
        before = self.client.state()
        refused = self.client.refresh(now=days(1)).expect_error("CUR-4610", "now is 2030-01-11T00:00:00Z")
        self.assertEqual(self.client.state(), before)
        self.assertIn("warning: the clock has gone back: this machine's clock says 2030-01-02T00:00:00Z", refused.stderr)
        self.assertIn(f"remove {self.client.metadata / 'highest-time'}", refused.stderr)
        (self.client.metadata / "highest-time").unlink()
        self.client.refresh(now=days(1)).expect(0)

    def test_what_has_not_expired_is_updated(self):
        self.client.refresh(now=days(10)).expect(0)
        self.repository.publish("timestamp")
        self.client.refresh(now=days(1)).expect(0)
        self.assertEqual(self.client.versions()["timestamp"], 2)
        self.assertEqual((self.client.metadata / "highest-time").read_text(), "2030-01-11T00:00:00Z\n")

    def test_some_minutes_are_not_worth_a_warning(self):
        self.client.refresh().expect(0)
        self.assertEqual(self.client.refresh(now=NOW - datetime.timedelta(minutes=5)).expect(0).stderr, "")

    def test_a_clock_that_was_wrong_once_does_not_hinder_later_updates(self):
        self.client.refresh().expect(0)
        self.client.refresh(now=days(10_000)).expect_error("CUR-4610")
        self.client.refresh().expect(0)

    def test_a_record_that_cannot_be_read_is_none(self):
        self.client.refresh().expect(0)
        for content in (b"", b"tomorrow\n", b"\xff" * 1000):
            (self.client.metadata / "highest-time").write_bytes(content)
            self.client.refresh().expect(0)


class TheMachinesClock(unittest.TestCase):
    """Turned by libfaketime, as the conformance suite turns it: the client has the time from nowhere else."""

    def test_counts_where_no_other_time_is_given(self):
        faketime = str(skip.need_program("faketime"))
        repository = TufRepository.of(self)
        home = TempHome.of(self)
        client = TufClient(home, repository, NOW)
        client.init().expect(0)
        words = ["--metadata-dir", client.metadata, "--metadata-url", repository.metadata_url, "refresh"]
        program = Program(home, client_path())
        program(*words, prefix=(faketime, "2030-01-08 00:00:00 UTC")).expect(0)
        program(*words, prefix=(faketime, "2030-02-08 00:00:00 UTC")).expect_error("CUR-4610", "now is 2030-02-08T00:00:0")


if __name__ == "__main__":
    main()
