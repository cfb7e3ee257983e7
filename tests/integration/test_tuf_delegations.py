"""How the TUF client finds who vouches for a target: delegations, their order, their keys, their ends."""

import unittest
from urllib.parse import quote

from curupira_testing import TempHome, main
from curupira_testing.tuf_client import TufClient
from curupira_testing.tuf_repository import NOW, TOP_LEVEL, TufRepository, days

#: Name → (delegations as "delegator>role", "!" behind a terminating one and "=pattern" behind one of other paths than
#: all; the roles that are asked for, in order, when nobody has the target "missing").
GRAPHS = {
    "one": ("targets>A", "A"),
    "two beside each other": ("targets>A targets>B", "A B"),
    "two levels": ("targets>A targets>B B>C", "A B C"),
    "depth comes first": ("targets>A targets>B A>C A>D", "A C D B"),
    "three levels": ("targets>A targets>B A>C C>D", "A C D B"),
    "terminating ends its siblings and those above": ("targets>A targets>B A>C! A>D", "A C"),
    "terminating does not end what is below": ("targets>A targets>B A>C! C>D", "A C D"),
    "paths that do not match are not followed": ("targets>A=*.py targets>B A>C", "B"),
    "nor below": ("targets>A targets>B A>C=*.py C>D", "A B"),
    "a loop": ("targets>A targets>B B>C C>D D>B", "A B C D"),
    "a role that delegates to itself": ("targets>A A>A A>B", "A B"),
    "a role that is reached twice": ("targets>A targets>B B>C A>C", "A C B"),
    "reached by the path that matches": ("targets>A targets>B B>C A>C=*.py", "A B C"),
}


class WithRepository(unittest.TestCase):
    def setUp(self):
        self.repository = TufRepository.of(self)
        self.client = TufClient(TempHome.of(self), self.repository, NOW)
        self.client.init().expect(0)

    def publish_targets(self, *roles: str) -> None:
        self.repository.publish(*roles, "targets", "snapshot", "timestamp")

    def asked_roles(self) -> list[str]:
        """Beside the top-level ones."""
        names = [name.removesuffix(".json").partition(".")[2] for name in self.repository.asked]
        return [name for name in names if name and name not in TOP_LEVEL]


class Order(unittest.TestCase):
    def test_is_that_of_the_specification(self):
        for name, (delegations, expected) in GRAPHS.items():
            with self.subTest(name), TempHome() as home:
                repository = TufRepository.of(self)
                for written in delegations.split():
                    delegator, _, rest = written.partition(">")
                    role, _, pattern = rest.partition("=")
                    terminating = role.endswith("!")
                    repository.delegate(role.rstrip("!"), delegator, paths=[pattern or "*"], terminating=terminating)
                repository.publish(*sorted(role for role in repository.roles if role not in TOP_LEVEL))
                repository.publish("targets", "snapshot", "timestamp")
                client = TufClient(home, repository, NOW)
                client.init().expect(0)
                client.download("missing").expect_error("CUR-4619")
                self.assertEqual(repository.asked[4:], [f"1.{role}.json" for role in expected.split()])
                self.assertEqual(set(client.versions()) - set(TOP_LEVEL), set(expected.split()))

    def test_what_counts_more_has_the_word(self):
        for first, second in (("A", "B"), ("B", "A")):
            with self.subTest(first), TempHome() as home:
                repository = TufRepository.of(self)
                repository.delegate(first)
                repository.delegate(second)
                repository.add_target("file", f"of {second}".encode(), second)
                repository.add_target("file", f"of {first}".encode(), first)
                repository.publish("A", "B", "targets", "snapshot", "timestamp")
                client = TufClient(home, repository, NOW)
                client.init().expect(0)
                client.download("file").expect(0)
                self.assertEqual(client.downloaded(), [f"of {first}".encode()])


class Paths(WithRepository):
    def setUp(self):
        super().setUp()
        self.repository.delegate("docs", paths=["*.txt", "*.md", "pack-?.tgz", "set-[ab].bin"])
        self.repository.delegate("releases", paths=["releases/*/*"])
        self.repository.delegate("x", "releases", paths=["releases/x/*"])
        self.repository.delegate("y", "releases", paths=["releases/y/*.zip"])
        vouched = {"targets": ["top"], "docs": ["a.md", "sub/a.md", "pack-1.tgz", "pack-12.tgz", "set-a.bin", "set-c.bin"]}
        vouched |= {"x": ["releases/x/1"], "y": ["releases/y/1.zip", "releases/z/1.zip"]}
        for role, paths in vouched.items():
            for path in paths:
                self.repository.add_target(path, f"{path} by {role}".encode(), role)
        self.publish_targets("docs", "x", "y", "releases")

    def test_lead_to_the_roles_that_may_vouch(self):
        found = {"top": [], "a.md": ["docs"], "pack-1.tgz": ["docs"], "set-a.bin": ["docs"]}
        found |= {"releases/x/1": ["releases", "x"], "releases/y/1.zip": ["releases", "y"]}
        for path, asked in found.items():
            with self.subTest(path), TempHome() as home:
                self.client = TufClient(home, self.repository, NOW)
                self.client.init().expect(0)
                self.repository.asked.clear()
                self.client.download(path).expect(0)
                self.assertEqual(self.client.downloaded(), [self.repository.contents[path]])
                self.assertEqual(self.asked_roles(), asked)

    def test_that_do_not_match_lead_nowhere(self):
        # Not all of the chain, no '/' for a star, one character for a question mark, upper case.
        lost = {"releases/z/1.zip": ["releases"], "sub/a.md": [], "pack-12.tgz": [], "set-c.bin": [], "a.MD": []}
        for path, asked in lost.items():
            with self.subTest(path), TempHome() as home:
                self.client = TufClient(home, self.repository, NOW)
                self.client.init().expect(0)
                self.repository.asked.clear()
                self.client.download(path).expect_error("CUR-4619", path)
                self.assertEqual(self.client.downloaded(), [])
                self.assertEqual(self.asked_roles(), asked)


class Keys(WithRepository):
    def test_a_role_is_verified_for_each_delegation_that_leads_to_it(self):
        # specification#19: "release" is signed with the key that one parent names, and not with the other's.
        for team in ("a", "b"):
            self.repository.delegate(f"team-{team}", paths=[f"{team}/*"])
            self.repository.delegate("release", f"team-{team}", paths=[f"{team}/*"])
            self.repository.add_target(f"{team}/file", f"of {team}".encode(), "release")
        del self.repository.signers["release"][1]
        self.publish_targets("release", "team-a", "team-b")
        with self.subTest("in one run"):
            self.client.download("a/file", "b/file").expect_error("CUR-4608", "release.json", "looking for b/file")
            self.assertEqual(self.client.downloaded(), [b"of a"])
        with self.subTest("what an earlier run has kept"):
            self.client.download("b/file").expect_error("CUR-4608", "release.json")
            self.client.download("a/file").expect(0)

    def test_both_delegations_may_hold(self):
        for team in ("a", "b"):
            self.repository.delegate(f"team-{team}", paths=[f"{team}/*"])
            self.repository.delegate("release", f"team-{team}", paths=[f"{team}/*"])
            self.repository.add_target(f"{team}/file", f"of {team}".encode(), "release")
        self.publish_targets("release", "team-a", "team-b")
        self.client.download("a/file", "b/file").expect(0)
        self.assertEqual(self.asked_roles().count("release"), 1)

    def test_what_is_kept_has_to_hold_for_the_keys_of_now(self):
        role = self.repository.delegate("release")
        self.repository.add_target("file", b"content", "release")
        self.publish_targets("release")
        self.client.download("file").expect(0)
        # The key is replaced, and the role is not signed anew: what is kept was signed with the old key.
        old = self.repository.signers["release"].pop()
        self.repository.targets.revoke_key(old.public_key.keyid, role.name)
        self.repository.add_key("release", delegator="targets")
        self.publish_targets()
        self.client.download("file").expect_error("CUR-4608", "release.json")
        self.publish_targets("release")
        self.client.download("file").expect(0)

    def test_a_role_that_cannot_be_verified_ends_the_search(self):
        self.repository.delegate("first")
        self.repository.delegate("second")
        self.repository.add_target("file", b"content", "second")
        self.repository.signers["first"].clear()
        self.publish_targets("first", "second")
        self.client.refresh().expect(0)
        self.client.download("file").expect_error("CUR-4608", "first.json")
        self.assertEqual(self.client.downloaded(), [])
        self.assertNotIn("first", self.client.versions())


class ListedBySnapshot(WithRepository):
    def test_what_is_not_listed_is_not_asked_for(self):
        self.repository.delegate("lost", paths=["lost/*"])
        self.publish_targets("lost")
        self.repository.start_again("snapshot")
        del self.repository.snapshot.meta["lost.json"]
        self.repository.publish("snapshot", "timestamp")
        self.client.refresh().expect(0)
        self.repository.asked.clear()
        self.client.download("lost/file").expect_error("CUR-4615", "snapshot.json does not list lost.json")
        self.assertEqual(self.repository.asked, ["2.root.json", "timestamp.json"])

    def test_what_is_current_is_read_from_disk(self):
        self.repository.delegate("release")
        self.repository.add_target("file", b"content", "release")
        self.publish_targets("release")
        self.client.download("file").expect(0)
        self.repository.asked.clear()
        self.client.download("file").expect(0)
        self.assertEqual(self.asked_roles(), [])


class Expiry(WithRepository):
    def setUp(self):
        super().setUp()
        self.repository.delegate("release", paths=["r/*"])
        for name in ("1", "2"):
            self.repository.add_target(f"r/{name}", name.encode(), "release")

    def test_of_a_role_when_it_is_first_seen(self):
        self.repository.roles["release"].expires = days(-1)
        self.publish_targets("release")
        self.client.refresh().expect(0)
        self.client.download("r/1").expect_error("CUR-4610", "release.json")
        self.assertEqual(self.client.downloaded(), [])
        self.assertNotIn("release", self.client.versions())

    def test_of_a_role_that_is_kept(self):
        self.repository.roles["release"].expires = days(7)
        self.publish_targets("release")
        self.client.download("r/1").expect(0)
        self.client.download("r/2", now=days(18)).expect_error("CUR-4610", "release.json")
        self.assertEqual(self.client.downloaded(), [b"1"])

    def test_of_a_role_that_is_kept_and_has_a_new_version(self):
        self.repository.roles["release"].expires = days(7)
        self.publish_targets("release")
        self.client.download("r/1").expect(0)
        self.repository.roles["release"].expires = days(21)
        self.publish_targets("release")
        self.client.download("r/2", now=days(18)).expect(0)
        self.assertEqual(self.client.downloaded(), [b"1", b"2"])


class RoleNames(WithRepository):
    def test_that_are_unusual_are_encoded_in_addresses_and_files(self):
        for role in ("?", "#", "/delegated", "../delegated", ".", "..", "a b%", "ä", "root.json", ":"):
            for consistent in (True, False):
                with self.subTest(role, consistent=consistent), TempHome() as home:
                    repository = TufRepository.of(self, consistent=consistent)
                    repository.delegate(role)
                    repository.publish(role, "targets", "snapshot", "timestamp")
                    client = TufClient(home, repository, NOW)
                    client.init().expect(0)
                    client.download("missing").expect_error("CUR-4619")
                    self.assertEqual(repository.asked[4:], [("1." if consistent else "") + quote(role, "") + ".json"])
                    self.assertEqual(set(client.versions()), {*TOP_LEVEL, quote(role, "")})
                    self.assertEqual({file.parent for file in home.work.rglob("*.json")}, {home.work, client.metadata})


class Bins(WithRepository):
    def test_a_target_is_looked_for_in_one_bin(self):
        bins = self.repository.delegate_bins(4)
        paths = [f"packages/{number}" for number in range(20)]
        for path in paths:
            self.repository.add_target(path, path.encode(), bins.get_role_for_target(path))
        self.publish_targets(*bins.get_roles())
        for path in paths:
            self.repository.asked.clear()
            with self.subTest(path), TempHome() as home:
                client = TufClient(home, self.repository, NOW)
                client.init().expect(0)
                client.download(path).expect(0)
                self.assertEqual(self.asked_roles(), [bins.get_role_for_target(path)])
                self.assertEqual(client.downloaded(), [path.encode()])

    def test_of_every_length_are_named_as_python_tuf_names_them(self):
        for bits in (1, 2, 3, 5, 8, 10):
            with self.subTest(bits), TempHome() as home:
                repository = TufRepository.of(self)
                bins = repository.delegate_bins(bits, "b")
                role = bins.get_role_for_target("missing")
                repository.publish(role, "targets", "snapshot", "timestamp")
                client = TufClient(home, repository, NOW)
                client.init().expect(0)
                client.download("missing").expect_error("CUR-4619")
                self.assertEqual(repository.asked[4:], [f"1.{role}.json"])

    def test_by_prefixes_of_digests(self):
        prefixes = [f"{number:x}" for number in range(16)]
        for name, share in (("low", prefixes[:8]), ("high", prefixes[8:])):
            self.repository.delegate(name, path_hash_prefixes=share)
        roles = self.repository.targets.delegations.roles
        for number in range(8):
            path = f"file-{number}"
            owner = next(name for name, role in roles.items() if role.is_delegated_path(path))
            self.repository.add_target(path, path.encode(), owner)
        self.publish_targets("low", "high")
        names = [f"file-{number}" for number in range(8)]
        self.client.download(*names).expect(0)
        self.assertEqual(self.client.downloaded(), [name.encode() for name in names])


if __name__ == "__main__":
    main()
