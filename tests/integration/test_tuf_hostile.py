"""TUF repositories that attack: each is refused by the rule that it breaks, and nothing is left of it."""

import unittest

from curupira_testing import TempHome, main
from curupira_testing.hostile_tuf import ATTACKS
from curupira_testing.tuf_client import TufClient
from curupira_testing.tuf_repository import NOW, TOP_LEVEL, Metadata, TufRepository, days


class Attacks(unittest.TestCase):
    def start(self, home: TempHome) -> tuple[TufRepository, TufClient]:
        """A good repository, and a client that has fetched a target of it."""
        repository = TufRepository.of(self)
        client = TufClient(home, repository, NOW)
        repository.add_target("file", b"the good content")
        repository.publish("targets", "snapshot", "timestamp")
        client.init().expect(0)
        client.download("file").expect(0)
        return repository, client

    def test_are_refused_and_do_no_harm(self):
        for name, attack in ATTACKS.items():
            with self.subTest(name), TempHome() as home:
                repository, client = self.start(home)
                before = client.state()
                published = {role: set(files.values()) for role, files in repository.files.items()}

                attack.apply(repository)
                later = days(400) if name == "freeze" else NOW
                env = {"CURUPIRA_STALL_TIMEOUT": "1"} if name == "slow" else {}
                client.download("file", now=later, env=env).expect_error(attack.code, *attack.words)

                self.assertEqual(client.downloaded(), [b"the good content"])
                for file, content in client.state().items():
                    if content == before.get(file) or not file.endswith(".json"):
                        continue
                    role = file.removesuffix(".json")
                    self.assertNotIn(content, published.get(role, ()), f"{file} is older than before")
                    self.assert_good(client, role)
                self.assertEqual(client.state()["highest-time"], before["highest-time"])

    def test_are_over_with_the_next_good_update(self):
        for name, attack in ATTACKS.items():
            if attack.roots or name in ("slow", "freeze"):
                continue
            with self.subTest(name), TempHome() as home:
                repository, client = self.start(home)
                good = repository.remember()
                attack.apply(repository)
                client.download("file").expect(1)

                repository.go_on_from(good)
                repository.add_target("file", b"as it should be")
                repository.publish("targets", "snapshot", "timestamp")
                client.download("file").expect(0)
                self.assertEqual(client.downloaded(), [b"as it should be"])

    def assert_good(self, client: TufClient, role: str) -> None:
        """A file that came with the attack and was kept is one that its keys have signed."""
        root = Metadata.from_bytes(client.trusted("root")).signed
        kept = Metadata.from_bytes(client.trusted(role))
        delegator = root if role in TOP_LEVEL else Metadata.from_bytes(client.trusted("targets")).signed
        if role.startswith(("level-", "b")) and role != "level-0":
            return  # delegated by another than the top-level targets
        delegator.verify_delegate(role, kept.signed_bytes, kept.signatures)


class Names(unittest.TestCase):
    """Of targets: one that leaves its folder is never made an address or a file of."""

    def test_that_leave_the_folder(self):
        repository = TufRepository.of(self)
        home = TempHome.of(self)
        client = TufClient(home, repository, NOW)
        names = ["../file", "a/../../file", "..", "/etc/file", "a//b", "./a", "a/", "a\\b", ""]
        for name in names:
            repository.add_target(name, b"content")
        repository.publish("targets", "snapshot", "timestamp")
        client.init().expect(0)
        for name in names:
            with self.subTest(name):
                client.download(name).expect_error("CUR-4620")
        self.assertEqual((repository.targets_asked, client.downloaded()), ([], []))


class Sizes(unittest.TestCase):
    def test_a_huge_root_is_not_pinned(self):
        repository = TufRepository.of(self)
        client = TufClient(TempHome.of(self), repository, NOW)
        client.init(b" " * (100 << 20)).expect_error("CUR-4616", "512 kB")
        self.assertEqual(client.versions(), {})

    def test_little_of_a_huge_file_is_read(self):
        repository = TufRepository.of(self)
        client = TufClient(TempHome.of(self), repository, NOW)
        client.init().expect(0)
        sent = []

        def answer(request) -> None:
            request.send_response(200)
            request.end_headers()
            while True:
                sent.append(request.wfile.write(b" " * 65536))

        repository.answers["2.root.json"] = answer
        client.refresh().expect_error("CUR-4616")
        self.assertLess(sum(sent), 32 << 20)  # the socket's buffers and what was on the way

    def test_more_roots_than_are_followed_at_once(self):
        repository = TufRepository.of(self)
        client = TufClient(TempHome.of(self), repository, NOW)
        client.init().expect(0)
        for _ in range(1030):
            repository.publish("root")
        client.refresh().expect_error("CUR-4617", "more than 1024")
        self.assertEqual(client.versions(), {"root": 1025})
        client.refresh().expect(0)
        self.assertEqual(client.versions()["root"], 1031)


if __name__ == "__main__":
    main()
