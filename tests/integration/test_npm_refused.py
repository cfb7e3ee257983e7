"""What of npm registries must not be installed: no proof or a weak one, another package, other bytes, another origin, and a
name that somebody else took."""

import shutil
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.settings import settings_of_nothing
from curupira_testing.signed_npm import EXTENSION, NAME, WithSigningRegistry
from curupira_testing.signing_registry import SigningRegistry, hello_files

#: What a registry answers, and the error that it is.
ANSWERS = {401: "CUR-1309", 403: "CUR-1309", 404: "CUR-1303", 500: "CUR-2002"}


class WeakOrMissing(WithSigningRegistry):
    """What is refused before anything is fetched."""

    def test_no_integrity(self):
        release = self.registry.publish(NAME, signed=False)
        del release.dist["integrity"]
        self.assert_refused("CUR-2101", f"{NAME}@1.0.0")

    def test_only_a_weak_algorithm(self):
        release = self.registry.publish(NAME, signed=False)
        for dist in ({"integrity": "sha1-" + "A" * 27 + "="}, {"shasum": "0" * 40}):
            with self.subTest(dist):
                release.dist = dist
                self.assert_refused("CUR-2102", f"{NAME}@1.0.0", "sha1")

    def test_a_digest_of_another_algorithms_length(self):
        release = self.registry.publish(NAME, signed=False)
        release.dist["integrity"] = "sha512-" + "A" * 43 + "="  # 32 bytes
        self.assert_refused("CUR-2101", "a sha512 digest has 64 bytes, found 32")

    def test_another_name_or_version_in_package_json(self):
        for name, version in ((NAME, "1.0.1"), ("@acme/other", "1.0.0")):
            with self.subTest(name=name, version=version):
                self.registry.packages.clear()
                self.registry.publish(NAME, files=hello_files(name, version))
                self.assert_refused("CUR-2105", f"{name}@{version}", f"resolved was {NAME}@1.0.0")

    def test_a_tarball_on_an_origin_that_the_registry_does_not_name(self):
        skip.need_program("npm")
        elsewhere = SigningRegistry.of(self)
        bare = elsewhere.publish("curupira-deep", files=hello_files("curupira-deep", "1.0.0"))
        self.registry.packages["curupira-deep"] = {"1.0.0": bare}
        address = f"{elsewhere.url}curupira-deep/-/curupira-deep-1.0.0.tgz"
        self.registry.publish(NAME, dependencies={"curupira-deep": address})
        self.assert_refused("CUR-1308")
        self.assertEqual(elsewhere.asked.count("/-/npm/v1/keys"), 0)

    def test_a_tarball_on_an_origin_that_the_registry_names(self):
        elsewhere = SigningRegistry.of(self)
        release = self.registry.publish(NAME)
        elsewhere.packages[NAME] = {"1.0.0": release}
        self.registry.tarballs_at = elsewhere.url
        self.install().expect(0)
        self.assertEqual(self.artifacts()[NAME]["level"], "registry-signed")


class DependencyConfusion(WithSigningRegistry):
    """A scope that is bound to a private registry, whose package somebody else has published in the public one."""

    def setUp(self):
        super().setUp()
        self.private = SigningRegistry.of(self)
        self.public = self.registry
        self.public.publish(NAME, "9.9.9")
        (self.home.path / ".npmrc").write_text(
            f"registry={self.public.url}\n@acme:registry={self.private.url}\nfetch-retries=0\n"
        )

    def test_the_private_one_answers(self):
        self.private.publish(NAME, "1.0.0")
        self.install().expect(0)
        self.assertIn(f"/{NAME}", self.private.asked)
        self.assertEqual(self.public.asked, [])

    def test_whatever_the_private_one_answers_nobody_else_is_asked(self):
        for status, code in ANSWERS.items():
            with self.subTest(status):
                self.private.refuse[f"/{NAME}"] = status
                self.assert_refused(code, self.private.url)
                self.assertEqual(self.public.asked, [])

    def test_a_private_one_that_is_not_there(self):
        self.private.stop()
        self.assert_refused("CUR-2001", self.private.url.removeprefix("http://").strip("/"))
        self.assertEqual(self.public.asked, [])

    def test_as_a_dependency_too(self):
        skip.need_program("npm")
        self.public.publish("curupira-root", dependencies={NAME: "*"})
        for status, code in ANSWERS.items():
            with self.subTest(status):
                self.private.refuse[f"/{NAME}"] = status
                error = "CUR-1006" if status == 500 else code  # npm says no more of it
                self.assert_refused(error, "@acme", reference="npm:curupira-root")
                self.assertNotIn(f"/{NAME}", self.public.asked)

    def test_in_an_update(self):
        self.private.publish(NAME, "1.0.0")
        self.install().expect(0)
        for status, code in ANSWERS.items():
            with self.subTest(status):
                self.private.refuse[f"/{NAME}"] = status
                before = self.home.state()
                self.curupira("plugins", "update", "--yes").expect_error(code, self.private.url)
                self.assertEqual(self.home.state(), before)
        self.assertEqual(self.public.asked, [])

    def test_in_a_sync(self):
        self.private.publish(NAME, "1.0.0")
        self.install().expect(0)
        other = TempHome.of(self)
        shutil.copy(self.home.path / ".npmrc", other.path)
        other.curupira.mkdir()
        shutil.copy(self.home.curupira / "curupira.lock", other.curupira)
        before = other.state()
        for status, code in ANSWERS.items():
            with self.subTest(status):
                self.private.refuse = {"/@acme/hello/-/hello-1.0.0.tgz": status, f"/{NAME}": status}
                Program(other)("plugins", "sync", "--frozen").expect_error(code)
                self.assertEqual(other.state(), before)
        self.assertEqual(self.public.asked, [])


class OtherBytes(WithSigningRegistry):
    """A published version does not change: the digest that was locked and the one that is there now are both shown."""

    def setUp(self):
        super().setUp()
        self.before = self.registry.publish(NAME).dist["integrity"]
        self.install().expect(0)
        self.now = self.registry.change_bytes(NAME).dist["integrity"]
        self.assertNotEqual(self.before, self.now)
        self.both = (f"{NAME} 1.0.0", f"expected {self.before}", f"found {self.now}")

    def test_install(self):
        self.assert_refused("CUR-2104", *self.both)

    def test_update(self):
        before = self.home.state()
        self.curupira("plugins", "update", EXTENSION, "--yes").expect_error("CUR-2104", *self.both)
        self.assertEqual(self.home.state(), before)

    def test_lock_for_another_platform(self):
        lock = self.home.curupira / "curupira.lock"
        text = lock.read_text()
        platforms = '[lock]\nplatforms = ["darwin-arm64", "linux-x86_64", "linux-aarch64"]'
        self.home.write_settings(settings_of_nothing(platforms))
        self.curupira("plugins", "lock").expect_error("CUR-2104", *self.both)
        self.assertEqual(lock.read_text(), text)

    def test_sync_of_another_home(self):
        self.not_synced("CUR-2104", *self.both[1:])

    def test_more_bytes_are_not_read_to_the_end(self):
        self.registry.publish(NAME, files={**hello_files(NAME, "1.0.0"), "added.js": b"evil()"})
        self.not_synced("CUR-2103", "expected", "found more")

    def not_synced(self, error: str, *words: str) -> None:
        other = TempHome.of(self)
        curupira = self.in_home(other)
        other.curupira.mkdir()
        shutil.copy(self.home.curupira / "curupira.lock", other.curupira)
        before = other.state()
        curupira("plugins", "sync", "--frozen").expect_error(error, *words)
        self.assertEqual(other.state(), before)


class Cycles(WithSigningRegistry):
    def test_are_legal_and_install_and_sync(self):
        skip.need_program("npm")
        self.registry.publish("curupira-a", dependencies={"curupira-b": "1"})
        self.registry.publish("curupira-b", dependencies={"curupira-a": "1"})
        self.registry.publish(NAME, dependencies={"curupira-a": "1"})
        self.install().expect(0)
        other = TempHome.of(self)
        curupira = self.in_home(other)
        other.curupira.mkdir()
        shutil.copy(self.home.curupira / "curupira.lock", other.curupira)
        curupira("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(other.installed(), [EXTENSION])


if __name__ == "__main__":
    main()
