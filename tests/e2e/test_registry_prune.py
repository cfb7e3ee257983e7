"""`registry prune` and `registry undelegate`: what goes, what stays, and what killed commands left."""

import fcntl
import json
import os
import unittest

from curupira_testing import TempHome, main
from curupira_testing.own_registry import OwnRegistry

DAY = 24 * 60 * 60


class WithRegistry(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)

    def files(self) -> set[str]:
        return {name for name in self.registry.state() if name.startswith(("metadata/", "targets/"))}

    def age(self, days: float, names=None) -> None:
        """Files as if they had been written so many days earlier."""
        for name in names if names is not None else self.files():
            file = self.registry.folder / name
            at = file.stat().st_mtime - days * DAY
            os.utime(file, (at, at))


class Prune(WithRegistry):
    def setUp(self):
        super().setUp()
        for version in ("1.0.0", "1.1.0", "1.2.0"):
            self.registry.publish("tickets", version)
            self.registry("refresh").expect(0)

    def test_what_was_replaced_long_ago_goes_and_clients_find_all(self):
        self.age(31)
        before, needed = self.files(), set(self.registry.versions().items())
        answer = self.registry.json("prune")
        self.assertEqual(before - self.files(), set(answer["removed"]))
        left = {name for name in self.files() if name.startswith("metadata/")}
        expected = {f"metadata/{version}.{role}.json" for role, version in needed}
        snapshot = self.registry.file_of("snapshot").name
        self.assertEqual(left, expected | {"metadata/1.root.json", "metadata/timestamp.json", f"metadata/{snapshot}"})
        self.assertEqual(len([name for name in self.files() if name.startswith("targets/artifacts/")]), 3)
        self.assertEqual(len([name for name in self.files() if name.startswith("targets/packages/")]), 1)
        self.assertEqual(len([name for name in self.files() if name.startswith("targets/search/")]), 1)
        self.registry("verify").expect(0)
        self.registry.publish("tickets", "1.3.0")
        self.registry("verify").expect(0)

    def test_what_was_replaced_just_now_stays_for_clients_in_the_middle(self):
        self.age(31)
        self.registry.publish("tickets", "1.3.0")
        old = self.registry.signed("snapshot")
        self.registry.publish("mails", "1.0.0")
        self.registry("prune").expect(0)
        for role, meta in old["meta"].items():
            self.assertTrue((self.registry.folder / "metadata" / f"{meta['version']}.{role}").exists(), role)
        answer = self.registry.json("prune", "--keep-days", "0")
        self.assertGreater(len(answer["removed"]), 0)
        self.registry("verify").expect(0)

    def test_only_says_it_when_asked_to(self):
        self.age(31)
        before = self.registry.state()
        said = self.registry("prune", "--dry-run").expect(0).stdout
        self.assertIn("Would remove metadata/1.snapshot.json\n", said)
        self.assertEqual(self.registry.state(), before)
        removed = self.registry("prune").expect(0).stdout
        self.assertEqual(removed, said.replace("Would remove", "Removed"))
        self.assertIn("Nothing to remove", self.registry("prune").expect(0).stdout)

    def test_never_a_root_and_nothing_of_somebody_else(self):
        self.registry("keys rotate", "online").expect(0)
        (self.registry.folder / "targets" / "artifacts" / "notes.txt").write_text("ours")
        (self.registry.folder / "metadata" / "README").write_text("ours")
        self.age(400)
        self.registry("prune", "--keep-days", "0").expect(0)
        for name in ("metadata/1.root.json", "metadata/2.root.json", "metadata/README", "targets/artifacts/notes.txt"):
            self.assertIn(name, self.files())

    def test_what_waits_for_the_online_key_stays(self):
        key = self.home.work / "acme.pem"
        self.registry.curupira("registry", "keys", "new", key).expect(0)
        self.registry("delegate", "@acme/*", "--public-key", key.with_suffix(".pub")).expect(0)
        folder = self.registry.extension("waiting")
        self.registry("publish", folder, "--scope", "acme", "--keys", self.home.work / "none", "--key", key).expect(0)
        self.age(31)
        self.registry("prune").expect(0)
        self.registry("refresh").expect(0)
        self.registry.index("@acme/waiting")
        self.registry("verify").expect(0)

    def test_nothing_goes_from_a_registry_that_is_damaged(self):
        for name in sorted(self.files()):
            if name.startswith("targets/packages/"):
                (self.registry.folder / name).write_text("{}")
        self.age(31)
        before = self.registry.state()
        self.registry("prune").expect_error("CUR-4818", "nothing was removed")
        self.assertEqual(self.registry.state(), before)

    def test_waits_for_its_turn(self):
        with (self.registry.folder / ".lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.registry("prune").expect_error("CUR-4803")


class Undelegate(WithRegistry):
    def setUp(self):
        super().setUp()
        self.key = self.home.work / "acme.pem"
        self.registry.curupira("registry", "keys", "new", self.key).expect(0)
        for pattern in ("@acme/*", "acme-*"):
            self.registry("delegate", pattern, "--name", "acme", "--key", self.key).expect(0)

    def publishers(self) -> dict[str, list[str]]:
        return {each["role"]: each["packages"] for each in self.registry.json("keys list")["roles"] if each.get("packages")}

    def test_one_pattern(self):
        said = self.registry("undelegate", "acme-*").expect(0).stdout
        self.assertIn("acme-* belongs to acme no more", said)
        self.assertEqual(self.publishers(), {"acme": ["@acme/*"]})
        self.registry.publish("acme-tools")
        self.assertTrue(self.registry.role_of("acme-tools").startswith("bins-"))
        self.registry("verify").expect(0)

    def test_a_publisher_with_all_its_names(self):
        answer = self.registry.json("undelegate", "acme")
        self.assertEqual((answer["role"], answer["patterns"], answer["packages"]), ("acme", ["@acme/*", "acme-*"], []))
        self.assertEqual(self.publishers(), {})
        self.registry.publish("tickets", "1.0.0", "--scope", "acme")
        self.registry("verify").expect(0)

    def test_packages_go_only_when_that_is_said(self):
        self.registry.publish("tickets", "1.0.0", "--scope", "acme", "--key", self.key)
        before = self.registry.state()
        self.registry("undelegate", "@acme/*").expect_error("CUR-4815", "@acme/tickets", "--with-packages", code=2)
        self.assertEqual(self.registry.state(), before)
        said = self.registry("undelegate", "@acme/*", "--with-packages").expect(0).stdout
        self.assertIn("Clients do not find @acme/tickets any more", said)
        self.registry("refresh").expect(0)
        self.registry("verify").expect(0)
        digest = self.registry.signed("search")["targets"]["search/index.json"]["hashes"]["sha256"]
        index = json.loads((self.registry.folder / "targets" / "search" / f"{digest}.index.json").read_text())
        self.assertEqual(index["packages"], [])

    def test_a_publisher_that_is_gone_stays_listed_and_its_packages_can_be_pruned(self):
        # A client refuses a snapshot that drops a role (TUF 1.0.34 §5.5.5).
        self.registry.publish("tickets", "1.0.0", "--scope", "acme", "--key", self.key)
        self.registry("undelegate", "acme", "--with-packages").expect(0)
        self.registry("refresh").expect(0)
        self.assertIn("acme", self.registry.versions())
        self.age(31)
        removed = self.registry.json("prune")["removed"]
        self.assertTrue(any(name.startswith("targets/artifacts/") for name in removed), removed)
        self.registry("verify").expect(0)

    def test_names_that_nobody_has(self):
        for what in ("@other/*", "bins", "search", "targets", "@acme/x"):
            with self.subTest(what):
                self.registry("undelegate", what).expect_error("CUR-4808", what, code=2)

    def test_the_same_publisher_again(self):
        self.registry.publish("tickets", "1.0.0", "--scope", "acme", "--key", self.key)
        self.registry("undelegate", "acme", "--with-packages").expect(0)
        self.registry("delegate", "@acme/*", "--name", "acme", "--key", self.key).expect(0)
        self.registry.publish("tickets", "1.1.0", "--scope", "acme", "--key", self.key)
        self.registry("refresh").expect(0)
        self.registry("verify").expect(0)


class LeftByKilledCommands(WithRegistry):
    def leave(self, name: str):
        folder = self.registry.folder / name
        folder.mkdir()
        (folder / "part").write_bytes(b"half")
        return folder

    def test_go_with_the_next_command(self):
        left = [self.leave(".curupira-part.aaaaaa"), self.leave(".staging/7")]
        (self.registry.folder / ".tmp-index.html").write_text("half")
        self.registry("refresh").expect(0)
        self.assertEqual([folder for folder in left if folder.exists()], [])
        self.assertFalse((self.registry.folder / ".tmp-index.html").exists())

    def test_but_not_what_somebody_is_writing(self):
        folder = self.leave(".curupira-part.aaaaaa")
        writing = os.open(folder, os.O_RDONLY)
        self.addCleanup(os.close, writing)
        fcntl.flock(writing, fcntl.LOCK_EX)
        self.registry("refresh").expect(0)
        self.assertTrue((folder / "part").exists())

    def test_the_page_is_made_again_and_one_of_the_keepers_stays(self):
        page = self.registry.folder / "index.html"
        ours = page.read_bytes()
        for before, after in ((None, ours), (ours.replace(b"Search packages", b"Search"), ours), (b"<p>hello", b"<p>hello")):
            with self.subTest(before=before and before[:20]):
                page.unlink() if before is None else page.write_bytes(before)
                self.registry("refresh").expect(0)
                self.assertEqual(page.read_bytes(), after)


if __name__ == "__main__":
    main()
