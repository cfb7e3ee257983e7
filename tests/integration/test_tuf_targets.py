"""Targets that the TUF client fetches: what it asks for, checks, keeps and does not fetch again."""

import unittest

from curupira_testing import TempHome, main
from curupira_testing.tuf_client import TufClient
from curupira_testing.tuf_repository import NOW, TufRepository


class WithRepository(unittest.TestCase):
    consistent = True

    def setUp(self):
        self.repository = TufRepository.of(self, consistent=self.consistent)
        self.client = TufClient(TempHome.of(self), self.repository, NOW)
        self.client.init().expect(0)

    def publish(self, **targets: bytes) -> None:
        for path, content in targets.items():
            self.repository.add_target(path, content)
        self.repository.publish("targets", "snapshot", "timestamp")


class Fetched(WithRepository):
    def test_by_a_download_and_by_nothing_else(self):
        self.publish(file=b"content")
        self.client.refresh().expect(0)
        self.assertEqual((self.client.downloaded(), self.repository.targets_asked), ([], []))
        self.client.download("file").expect(0)
        self.assertEqual(self.client.downloaded(), [b"content"])

    def test_in_folders_under_its_digest(self):
        target = self.repository.add_target("path/to a/file#1.txt", b"content")
        self.publish()
        self.client.download("path/to a/file#1.txt").expect(0)
        self.assertEqual(self.repository.targets_asked, [f"path/to%20a/{target.hashes['sha256']}.file%231.txt"])
        self.assertEqual(self.client.downloaded(), [b"content"])

    def test_several_in_one_run(self):
        self.publish(a=b"1", b=b"2")
        self.client.download("a", "b").expect(0)
        self.assertEqual(self.client.downloaded(), [b"1", b"2"])
        self.assertEqual(self.repository.asked.count("timestamp.json"), 1)

    def test_until_one_fails(self):
        self.publish(a=b"1", b=b"2")
        self.client.download("a", "missing", "b").expect_error("CUR-4619")
        self.assertEqual(self.client.downloaded(), [b"1"])

    def test_an_empty_one(self):
        self.publish(empty=b"")
        self.client.download("empty").expect(0)
        self.assertEqual(self.client.downloaded(), [b""])

    def test_a_new_version_takes_the_place_of_the_old(self):
        self.publish(file=b"first", other=b"other")
        self.client.download("file", "other").expect(0)
        for number in range(3):
            self.publish(file=f"version {number}".encode())
            self.client.download("file").expect(0)
            self.assertEqual(self.client.downloaded(), [b"other", f"version {number}".encode()])
            # The server's file is another, and the metadata is signed anew without it.
            self.repository.contents["file"] = b"malicious"
            self.publish()
            self.client.download("file")
            self.assertEqual(self.client.downloaded(), [b"other", f"version {number}".encode()])


class Cached(WithRepository):
    def test_one_that_is_there_is_not_fetched_again(self):
        self.publish(file=b"content")
        self.client.download("file").expect(0)
        self.client.download("file").expect(0)
        self.assertEqual(len(self.repository.targets_asked), 1)

    def test_one_that_was_changed_is(self):
        self.publish(file=b"content")
        self.client.download("file").expect(0)
        for changed in (b"Content", b"conten", b"content!", b""):
            with self.subTest(changed):
                next(self.client.targets.iterdir()).write_bytes(changed)
                self.client.download("file").expect(0)
                self.assertEqual(self.client.downloaded(), [b"content"])


class Digests(WithRepository):
    def test_of_the_known_algorithms_are_all_checked(self):
        for algorithms in (["sha256"], ["sha512"], ["sha384"], ["sha256", "sha512"]):
            with self.subTest(algorithms), TempHome() as home:
                target = self.repository.add_target("file", b"content", algorithms=algorithms)
                self.publish()
                self.client = TufClient(home, self.repository, NOW)
                self.client.init().expect(0)
                self.repository.targets_asked.clear()
                self.client.download("file").expect(0)
                self.assertEqual(self.repository.targets_asked, [f"{target.hashes[algorithms[0]]}.file"])
                for algorithm in algorithms:
                    right = target.hashes[algorithm]
                    target.hashes[algorithm] = "00" * (len(right) // 2)
                    self.publish()
                    self.client.targets.joinpath("file").unlink(missing_ok=True)
                    self.client.download("file").expect_error("CUR-4621", f"promised {algorithm} 0000")
                    self.assertEqual(self.client.downloaded(), [])
                    target.hashes[algorithm] = right

    def test_of_unknown_algorithms_do_not_matter_beside_a_known_one(self):
        self.repository.add_target("file", b"content").hashes["blake9"] = "00"
        self.publish()
        self.client.download("file").expect(0)

    def test_of_unknown_or_weak_algorithms_only_vouch_for_nothing(self):
        for algorithm in ("blake9", "sha1", "md5"):
            with self.subTest(algorithm):
                self.repository.add_target("file", b"content").hashes = {algorithm: "ab" * 20}
                self.publish()
                self.client.download("file").expect_error("CUR-4622", algorithm)
                self.assertEqual((self.client.downloaded(), self.repository.targets_asked), ([], []))

    def test_that_are_none(self):
        self.repository.add_target("file", b"content").hashes = {"sha256": "abc"}
        self.publish()
        self.client.download("file").expect_error("CUR-4602", "is none of sha256")


class Swapped(WithRepository):
    def test_is_refused_and_nothing_is_kept_of_it(self):
        self.publish(file=b"content", other=b"another")
        self.client.download("other").expect(0)
        for swapped in (b"Content", b"conten", b"content and more", b""):
            with self.subTest(swapped):
                self.repository.contents["file"] = swapped
                self.client.download("file").expect_error("CUR-4621", "file")
                self.assertEqual(self.client.downloaded(), [b"another"])
                self.assertEqual([file.name for file in self.client.targets.iterdir()], ["other"])

    def test_for_another_target(self):
        self.publish(file=b"content", other=b"another")
        self.repository.contents["file"] = b"another"
        self.client.download("file").expect_error("CUR-4621")

    def test_that_is_not_there(self):
        self.publish(file=b"content")
        del self.repository.contents["file"]
        self.client.download("file").expect_error("CUR-4615", "the target")


class WithoutConsistentSnapshots(WithRepository):
    consistent = False

    def test_a_target_has_its_own_name(self):
        self.repository.add_target("path/file", b"content")
        self.publish()
        self.client.download("path/file").expect(0)
        self.assertEqual(self.repository.targets_asked, ["path/file"])

    def test_delegated_roles_have_theirs(self):
        self.repository.delegate("release")
        self.repository.add_target("file", b"content", "release")
        self.repository.publish("release", "targets", "snapshot", "timestamp")
        self.client.download("file").expect(0)
        self.assertEqual(self.repository.asked[2:], ["snapshot.json", "targets.json", "release.json"])

    def test_a_repository_that_begins_to_have_them(self):
        self.publish(file=b"content")
        self.client.download("file").expect(0)
        self.repository.root.consistent_snapshot = True
        self.repository.publish("root")
        self.publish(file=b"content 2")
        self.client.download("file").expect(0)
        self.assertEqual(self.repository.asked[-2:], ["3.snapshot.json", "3.targets.json"])


if __name__ == "__main__":
    main()
