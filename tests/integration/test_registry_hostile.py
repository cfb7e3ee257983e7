"""A registry that lies to `plugins install`: each lie is refused by its rule, nothing is installed, and what was trusted
before still is: the next good update installs."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.hostile_tuf import ATTACKS
from curupira_testing.package_repository import PackageRegistry, index_text, put_package, release
from curupira_testing.registry_user import locked
from curupira_testing.tuf_repository import days


#: What a carrier notices says it in other words than the client of the metadata alone.
WORDS = {
    "endless-timestamp": ("timestamp.json", "16,000 bytes"),
    "huge-root": ("2.root.json", "512 kB"),
    "swapped-target": ("tickets.json", "expected sha256:"),
}
#: The search goes round once and finds nothing: the registry does not have the package.
CODES = {"delegation-loop": "CUR-4910"}


class Case(unittest.TestCase):
    def start(self, home: TempHome) -> tuple[PackageRegistry, Program]:
        """A registry that was good so far, and a home that has read of it."""
        registry, curupira = PackageRegistry(self, home), Program(home)
        curupira("plugins", "install", "corp:tickets", "--dry-run").expect(0)
        registry.turn_clock()
        return registry, curupira


class Signed(Case):
    def test_attacks_are_refused_and_do_no_harm(self):
        for name, attack in ATTACKS.items():
            with self.subTest(name), TempHome() as home:
                registry, curupira = self.start(home)
                before = registry.trusted()
                published = {role: set(files.values()) for role, files in registry.repository.files.items()}

                attack.apply(registry.repository)
                if name == "freeze":
                    registry.turn_clock(days(400))
                    before = registry.trusted()
                env = {"CURUPIRA_STALL_TIMEOUT": "1"} if name == "slow" else {}
                refused = curupira("plugins", "install", "corp:tickets", "--yes", env=env)
                refused.expect_error(CODES.get(name, attack.code), *WORDS.get(name, attack.words))

                self.assertEqual(home.installed(), [])
                self.assertFalse((home.curupira / "curupira.lock").exists())
                after = registry.trusted()
                self.assertEqual(after["highest-time"], before["highest-time"])
                for file, content in after.items():
                    if content != before.get(file) and file.endswith(".json"):
                        older = published.get(file.removesuffix(".json"), ())
                        self.assertNotIn(content, older, f"{file} is older than before")

    def test_attacks_are_over_with_the_next_good_update(self):
        for name, attack in ATTACKS.items():
            if attack.roots or name in ("slow", "freeze"):
                continue
            with self.subTest(name), TempHome() as home:
                registry, curupira = self.start(home)
                good = registry.repository.remember()
                attack.apply(registry.repository)
                curupira("plugins", "install", "corp:tickets", "--yes").expect(1)

                registry.repository.go_on_from(good)
                put_package(registry.repository, "tickets", {"1.0.0": registry.release})
                registry.repository.publish("targets", "snapshot", "timestamp")
                curupira("plugins", "install", "corp:tickets", "--yes").expect(0)
                self.assertEqual(home.installed(), ["tickets"])


class Packages(Case):
    """What well-signed metadata says, or what is served for it."""

    def refused(self, change, error: str, *words: str) -> None:
        with TempHome() as home:
            registry, curupira = self.start(home)
            change(registry)
            registry.repository.publish("targets", "snapshot", "timestamp")
            curupira("plugins", "install", "corp:tickets", "--yes").expect_error(error, *words)
            self.assertEqual(home.installed(), [])
            self.assertEqual(list((home.curupira / "store").rglob("blobs/*/*")), [])

    def path_of(self, registry: PackageRegistry) -> str:
        return next(path for path in registry.repository.answers if path.startswith("artifacts/"))

    def test_a_swapped_artifact(self):
        def change(registry):
            path = self.path_of(registry)
            registry.repository.answers[path] = registry.repository.answers[path][:-1] + b"?"

        self.refused(change, "CUR-4621", "tickets-1.0.0.tar.gz")

    def test_an_endless_artifact(self):
        def change(registry):
            path = self.path_of(registry)
            registry.repository.answers[path] += b" " * (1 << 20)

        self.refused(change, "CUR-4621")

    def test_an_artifact_that_is_gone(self):
        self.refused(lambda registry: registry.repository.answers.clear(), "CUR-4703")

    def test_another_manifest_than_is_shown(self):
        def change(registry):
            registry.release.manifest = registry.release.manifest.replace("greetings", "gratings")
            put_package(registry.repository, "tickets", {"1.0.0": registry.release})

        self.refused(change, "CUR-4909", "tickets-1.0.0.tar.gz", "expected", "found")

    def test_a_package_under_another_name(self):
        def change(registry):
            other = release(registry.home.work, "other")
            put_package(registry.repository, "tickets", {"1.0.0": other})

        self.refused(change, "CUR-1108", "other", "tickets")

    def test_a_package_with_another_version(self):
        def change(registry):
            put_package(registry.repository, "tickets", {"1.0.9": registry.release})

        self.refused(change, "CUR-1108", "1.0.0", "1.0.9")

    def test_the_index_of_another_package(self):
        def change(registry):
            registry.repository.add_target(registry.target, index_text("other", {"1.0.0": registry.release}))

        self.refused(change, "CUR-4816", 'the index is of "other"')

    def test_an_index_that_is_none(self):
        for text in (b"", b"[]", b"{}", b'{"format":2}', b"\xff", b"[" * 100_000):
            with self.subTest(text[:20]):
                self.refused(lambda registry: registry.repository.add_target(registry.target, text), "CUR-4816")

    def test_files_that_leave_their_folder(self):
        for file in ("../x.tar.gz", "..", "a/b.tar.gz", "", "x\0.tar.gz", "/etc/passwd"):
            with self.subTest(file):

                def change(registry):
                    registry.release.file = file
                    put_package(registry.repository, "tickets", {"1.0.0": registry.release})

                self.refused(change, "CUR-4816")


class Refusals(Case):
    """A name belongs to one registry: when that one refuses, or says nothing, no other one is asked instead."""

    def test_a_bare_name_needs_the_answer_of_all(self):
        for status in (401, 403, 404, 500):
            with self.subTest(status), TempHome() as home:
                corp, lab = PackageRegistry(self, home), PackageRegistry(self, home)
                home.write_settings(corp.table("corp") + lab.table("lab"))
                corp.repository.answers["timestamp.json"] = lambda request: request.send_error(status)
                refused = Program(home)("plugins", "install", "tickets", "--yes")
                self.assertNotEqual(refused.code, 0)
                self.assertIn("asking the registry corp", refused.stderr)
                self.assertEqual(home.installed(), [])

    def test_a_registry_that_refuses_has_no_substitute(self):
        home = TempHome.of(self)
        corp, lab = PackageRegistry(self, home), PackageRegistry(self, home)
        home.write_settings(corp.table("corp") + lab.table("lab"))
        corp.repository.answers["timestamp.json"] = lambda request: request.send_error(401)
        Program(home)("plugins", "install", "corp:tickets", "--yes").expect_error("CUR-1309", "corp")
        self.assertEqual((home.installed(), lab.repository.asked), ([], []))


class WhatIsLocked(Case):
    def installed(self, home: TempHome) -> tuple[PackageRegistry, Program]:
        registry, curupira = self.start(home)
        curupira("plugins", "install", "corp:tickets", "--yes").expect(0)
        curupira("plugins", "verify").expect(0)
        return registry, curupira

    def rotate(self, registry: PackageRegistry, curupira: Program, role: str) -> None:
        """The key that vouched is revoked; all is signed anew, and the home hears of it."""
        registry.repository.rotate_key(role)
        registry.repository.publish("root", "targets", "snapshot", "timestamp")
        curupira("plugins", "outdated")

    def test_a_revoked_key_vouches_no_more_and_the_registry_still_does(self):
        for role in ("timestamp", "snapshot", "targets"):
            with self.subTest(role), TempHome() as home:
                registry, curupira = self.installed(home)
                before = locked(home, "tickets")
                self.rotate(registry, curupira, role)
                told = curupira("plugins", "verify").expect(1)
                self.assertIn("a key that the registry has taken away since", told.stdout + told.stderr)
                curupira("plugins", "sync").expect(0)
                curupira("plugins", "verify").expect(0)
                self.assertEqual(locked(home, "tickets"), before)

    def test_a_thief_of_a_revoked_key_renews_nothing(self):
        home = TempHome.of(self)
        registry, curupira = self.installed(home)
        stolen = list(registry.repository.signers["targets"])
        self.rotate(registry, curupira, "targets")
        registry.repository.signers["targets"] = stolen
        registry.repository.publish("targets", "snapshot", "timestamp")
        state = {file: content for file, content in home.state().items() if not file.startswith("trust/")}
        curupira("plugins", "sync").expect_error("CUR-4608", "targets.json")
        after = {file: content for file, content in home.state().items() if not file.startswith("trust/")}
        self.assertEqual(after, state)
        self.assertEqual(home.installed(), ["tickets"])

    def test_a_release_that_disappears_stays_where_it_is_installed(self):
        home = TempHome.of(self)
        registry, curupira = self.installed(home)
        del registry.repository.targets.targets[registry.target]
        registry.repository.publish("targets", "snapshot", "timestamp")
        curupira("plugins", "sync", "--frozen").expect(0)
        curupira("plugins", "verify").expect(0)

    def test_other_bytes_under_the_locked_version(self):
        """Nobody but the registry itself can do that, and even it is found out."""
        home = TempHome.of(self)
        registry, curupira = self.installed(home)
        changed = release(home.work / "again", "tickets", fields='"x"')
        put_package(registry.repository, "tickets", {"1.0.0": changed})
        registry.repository.publish("targets", "snapshot", "timestamp")
        curupira("plugins", "update", "--yes").expect_error("CUR-2104", "has other bytes than when it was locked")


if __name__ == "__main__":
    main()
