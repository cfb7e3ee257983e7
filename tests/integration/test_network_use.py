"""Which servers commands ask: none when lock file and store are complete, and no other than the lock file's."""

import base64
import shutil
import unittest

from curupira_testing import TempHome, main, skip
from curupira_testing.repo import bare_repository
from curupira_testing.settings import npx, settings_text
from curupira_testing.signed_npm import EXTENSION, NAME, WithSigningRegistry
from curupira_testing.signing_registry import SigningRegistry, hello_files
from curupira_testing.strace import trace

REFERENCE = f"npm:{NAME}@^1"
TARBALL = "/@acme/hello/-/hello-1.0.0.tgz"


class Locked(WithSigningRegistry):
    """`@acme/hello` 1.0.0 and what it needs are installed and locked; 1.1.0 is newer."""

    def setUp(self):
        super().setUp()
        skip.need_program("npm")
        self.registry.publish("curupira-deep", files=hello_files("curupira-deep", "1.0.0"))
        self.registry.publish(NAME, dependencies={"curupira-deep": "1"})
        remote = bare_repository(self.home.folder / "git")
        tasks = {"one": {"trigger_type": "acme/greetings"}}
        self.home.write_settings(settings_text(remote, {"acme": npx("-y", f"{NAME}@^1")}, tasks))
        self.install(REFERENCE).expect(0)
        self.registry.publish(NAME, "1.1.0", dependencies={"curupira-deep": "1"})
        self.registry.asked.clear()

    def another_home(self) -> TempHome:
        """With nothing but the lock file."""
        home = TempHome.of(self)
        home.curupira.mkdir()
        shutil.copy(self.home.curupira / "curupira.lock", home.curupira)
        return home

    def of_the_network(self, *arguments: str) -> list[str]:
        """Sockets that lead out; what extensions do among themselves is no network."""
        seen = trace(self.curupira, *arguments)
        seen.result.expect(0)
        return [each for each in seen.sockets if each.startswith("AF_INET")]


class Complete(Locked):
    """hashicorp/terraform#37557, #32890, astral-sh/uv#10380, #15899: all is there, and the network is asked."""

    def test_no_command_opens_a_socket(self):
        commands = (
            ("plugins", "sync"),
            ("plugins", "sync", "--frozen"),
            ("plugins", "sync", "--offline"),
            ("plugins", "lock"),
            ("plugins", "install", REFERENCE, "--network=prefer-cache", "--yes"),
            ("plugins", "list"),
            ("plugins", "info", EXTENSION),
            ("plugins", "verify"),
            ("plugins", "verify", "--repair"),
            ("plugins", "verify", "--explain", EXTENSION),
            ("plugins", "rollback", "--list"),
            ("policy", "test", REFERENCE),
            ("cache", "info"),
            ("cache", "verify"),
            ("cache", "prune"),
            ("validate",),
            ("run", "--dry-run"),
            ("plugins", "remove", EXTENSION),
            ("plugins", "rollback"),
        )
        for command in commands:
            with self.subTest(" ".join(command)):
                self.assertEqual(self.of_the_network(*command), [])
        self.assertEqual(self.home.installed(), [EXTENSION])
        self.assertEqual(self.registry.asked, [])

    def test_also_when_only_the_store_has_it(self):
        lock = self.home.curupira / "curupira.lock"
        text = lock.read_text()
        self.curupira("plugins", "remove", EXTENSION).expect(0)
        lock.write_text(text)
        self.assertEqual(self.of_the_network("plugins", "sync", "--frozen"), [])
        self.assertEqual(self.home.installed(), [EXTENSION])
        self.assertEqual(self.registry.asked, [])


class PreferCache(Locked):
    """`--network=prefer-cache` begins with what is there."""

    def prefer_cache(self, *options: str):
        return self.install(REFERENCE, "--network=prefer-cache", *options)

    def version(self) -> str:
        return self.artifacts()[NAME]["version"]

    def test_what_is_locked_counts_before_what_is_newest(self):
        self.assertIn("no change", self.prefer_cache().expect(0).stdout)
        self.assertEqual(self.registry.asked, [])
        self.install(REFERENCE).expect(0)
        self.assertEqual(self.version(), "1.1.0")

    def test_in_another_home_it_fetches_what_is_locked(self):
        self.home = self.another_home()
        self.curupira = self.in_home(self.home)
        text = (self.home.curupira / "curupira.lock").read_text()
        self.prefer_cache().expect(0)
        self.assertEqual(self.version(), "1.0.0")
        self.assertEqual((self.home.curupira / "curupira.lock").read_text(), text)

    def test_only_what_is_missing_is_fetched(self):
        blobs = {each["package"]: each["digest"] for each in self.artifacts().values()}
        lock = self.home.curupira / "curupira.lock"
        text = lock.read_text()
        self.curupira("plugins", "remove", EXTENSION).expect(0)
        lock.write_text(text)
        missing = next((self.home.curupira / "store/v1/blobs").rglob(self.hexadecimal(blobs["curupira-deep"])))
        missing.chmod(0o644)
        missing.unlink()
        self.prefer_cache().expect(0)
        tarballs = [path for path in self.registry.asked if path.endswith(".tgz")]
        self.assertEqual(tarballs, ["/curupira-deep/-/curupira-deep-1.0.0.tgz"])
        self.assertEqual(self.version(), "1.0.0")

    @staticmethod
    def hexadecimal(digest: str) -> str:
        """As the store names a blob."""
        return base64.b64decode(digest.partition("-")[2]).hex()

    def test_a_reference_that_is_not_locked_is_resolved(self):
        self.install(f"npm:{NAME}@1.1.0", "--network=prefer-cache").expect(0)
        self.assertEqual(self.version(), "1.1.0")

    def test_what_does_not_fit_the_lock_file_is_refused(self):
        self.home = self.another_home()
        self.curupira = self.in_home(self.home)
        self.registry.change_bytes(NAME)
        before = self.home.state()
        self.prefer_cache().expect_error("CUR-2104", "expected", "found")
        self.assertEqual(self.home.state(), before)


class TarballsElsewhere(Locked):
    """A registry that does not keep its tarballs where nearly all have them says itself where they are."""

    def setUp(self):
        super().setUp()
        self.elsewhere = SigningRegistry.of(self)
        self.elsewhere.packages = self.registry.packages
        self.registry.tarballs_at = self.elsewhere.url
        self.registry.refuse[TARBALL] = 404
        self.home = self.another_home()
        self.curupira = self.in_home(self.home)

    def fetched_elsewhere(self) -> None:
        self.assertEqual(self.home.installed(), [EXTENSION])
        self.assertIn(TARBALL, self.registry.asked, "the usual place first: it costs no other request")
        self.assertIn(f"/{NAME}", self.registry.asked)
        self.assertIn(TARBALL, self.elsewhere.asked)

    def test_sync(self):
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.fetched_elsewhere()

    def test_prefer_cache(self):
        self.install(REFERENCE, "--network=prefer-cache").expect(0)
        self.fetched_elsewhere()

    def test_other_bytes_at_that_place(self):
        before = self.home.state()
        self.registry.change_bytes(NAME)
        self.curupira("plugins", "sync", "--frozen").expect_error("CUR-2104", "expected", "found", self.elsewhere.url)
        self.assertEqual(self.home.state(), before)

    def test_a_registry_that_is_not_well_is_no_other_place(self):
        self.registry.refuse = {TARBALL: 500, f"/{NAME}": 500}
        self.curupira("plugins", "sync", "--frozen").expect_error("CUR-2002", "500")
        self.assertEqual(self.elsewhere.asked, [])


if __name__ == "__main__":
    main()
