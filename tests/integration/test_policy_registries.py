"""`[policy]` with real registries: age and verification level, of packages and of what they need."""

import functools
import json
import shutil
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import publish_npm, write_wheel
from curupira_testing.repo import bare_repository
from curupira_testing.services import Pypiserver, Verdaccio
from curupira_testing.settings import installed, npx, settings_text

LONG_AGO = "2020-01-01T00:00:00.000Z"


@functools.cache
def published() -> Verdaccio:
    """1.0.0 of each package is from long ago, 1.1.0 was released just now."""
    skip.need_program("npm")
    registry = Verdaccio()
    unittest.addModuleCleanup(registry.stop)
    for fixture, package in (("node-hello", "curupira-node-hello"), ("acme-curupira-ext", "@acme/curupira-ext")):
        publish_npm(registry, fixture, version="1.0.0")
        publish_npm(registry, fixture, version="1.1.0")
        file = registry.folder / "storage" / package / "package.json"
        description = json.loads(file.read_text())
        description["time"]["1.0.0"] = LONG_AGO
        file.write_text(json.dumps(description))
    return registry


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.remote = bare_repository(self.home.folder / "git")

    def policy(self, rules: str) -> None:
        automation = {"one": {"trigger_type": "hello/greetings"}}
        rest = settings_text(self.remote, {"hello": installed("curupira-node-hello")}, automation)
        self.home.write_settings(f"[policy]\n{rules}\n{rest}")

    def install(self, reference: str, **options):
        return self.curupira("plugins", "install", reference, "--yes", **options)

    def artifacts(self, name: str) -> dict[str, str]:
        info = json.loads(self.curupira("plugins", "info", name, "--json").expect(0).stdout)
        return {artifact["package"]: artifact["version"] for artifact in info["artifacts"]}


class Npm(Case):
    def setUp(self):
        super().setUp()
        (self.home.path / ".npmrc").write_text(published().npmrc())

    def test_the_newest_that_is_old_enough(self):
        self.policy('minimum_release_age = "1d"')
        self.install("npm:curupira-node-hello").expect(0)
        self.assertEqual(self.artifacts("curupira-node-hello"), {"curupira-node-hello": "1.0.0"})

    def test_what_it_needs_is_old_enough_too(self):
        self.policy('minimum_release_age = "1d"')
        self.install("npm:@acme/curupira-ext@^1").expect(0)
        expected = {"@acme/curupira-ext": "1.0.0", "curupira-node-hello": "1.0.0"}
        self.assertEqual(self.artifacts("acme-curupira-ext"), expected)

    def test_nothing_old_enough_names_the_newest_and_its_age(self):
        self.policy('minimum_release_age = "1d"')
        result = self.install("npm:curupira-node-hello@1.1.0")
        result.expect_error("CUR-4506", 'settings.toml:2: minimum_release_age "1d"', "npm:curupira-node-hello@1.1.0")
        self.assertRegex(result.stderr, r"released \S+, \d+ minutes? ago")

    def test_sync_and_lock_of_what_the_settings_name(self):
        automation = {"one": {"trigger_type": "hello/greetings"}}
        rest = settings_text(self.remote, {"hello": npx("-y", "curupira-node-hello@1.1.0")}, automation)
        self.home.write_settings(f'[policy]\nminimum_release_age = "1d"\n{rest}')
        before = self.home.state()
        for command in (("sync", "--yes"), ("lock",)):
            with self.subTest(command):
                self.curupira("plugins", *command).expect_error("CUR-4506", "settings.toml:2: minimum_release_age")
                self.assertEqual(self.home.state(), before)

    # npm/cli#9277
    def test_age_does_not_touch_what_is_installed(self):
        self.install("npm:curupira-node-hello@1.1.0").expect(0)
        self.policy('minimum_release_age = "1d"')
        self.curupira("validate").expect(0)

    def test_an_update_does_not_go_down(self):
        self.install("npm:curupira-node-hello").expect(0)
        self.policy('minimum_release_age = "1d"')
        self.curupira("plugins", "update", "--yes").expect(0)
        self.assertEqual(self.artifacts("curupira-node-hello"), {"curupira-node-hello": "1.1.0"})

    def test_age_does_not_touch_what_is_locked(self):
        self.install("npm:@acme/curupira-ext").expect(0)
        self.install("npm:curupira-node-hello").expect(0)
        lock = self.home.curupira / "curupira.lock"
        other = TempHome.of(self)
        other.curupira.mkdir()
        shutil.copy(self.home.path / ".npmrc", other.path)
        shutil.copy(lock, other.curupira)
        self.policy('minimum_release_age = "1d"')
        shutil.copy(self.home.curupira / "settings.toml", other.curupira)
        Program(other)("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(other.installed(), ["acme-curupira-ext", "curupira-node-hello"])
        before = lock.read_bytes()
        lock.unlink()
        self.curupira("plugins", "lock").expect(0)
        self.assertEqual(lock.read_bytes(), before)

    def test_a_level_that_the_registry_does_not_reach(self):
        self.policy('[[policy.verification]]\npackages = ["npm:*"]\nminimum_level = "registry-signed"\n')
        result = self.install("npm:curupira-node-hello")
        result.expect_error("CUR-4502", "npm:curupira-node-hello 1.1.0 has digest")
        self.assertEqual(self.home.installed(), [])

    # npm/cli#8559
    def test_a_level_by_name(self):
        self.policy(
            '[[policy.verification]]\npackages = ["npm:curupira-*"]\nminimum_level = "digest"\n'
            '[[policy.verification]]\npackages = ["*"]\nminimum_level = "registry-signed"\n'
        )
        self.install("npm:curupira-node-hello").expect(0)
        self.install("npm:@acme/curupira-ext").expect_error("CUR-4502", "npm:@acme/curupira-ext 1.1.0 has digest")

    def test_a_dependency_that_is_denied(self):
        self.policy('deny = ["npm:curupira-node-hello"]')
        self.install("npm:@acme/curupira-ext").expect_error("CUR-4501", "npm:curupira-node-hello, which comes with it,")
        self.assertEqual(self.home.installed(), [])

    def test_policy_test_resolves(self):
        self.policy('minimum_release_age = "1d"')
        result = self.curupira("policy", "test", "--resolve", "--json", "npm:curupira-node-hello").expect(0)
        (decision,) = json.loads(result.stdout)["references"]
        self.assertEqual((decision["allowed"], decision["version"]), (True, "1.0.0"))
        self.assertEqual(self.home.installed(), [])


class Python(Case):
    def test_an_index_that_keeps_no_times_is_not_believed(self):
        skip.need_uv()
        server = Pypiserver.of(self)
        write_wheel(server.packages, "curupira-aged", "1.2.0", {"curupira_aged.py": ""})
        self.home.environment["UV_DEFAULT_INDEX"] = server.index
        self.policy('minimum_release_age = "1d"')
        result = self.install("pip:curupira-aged")
        result.expect_error("CUR-4506", "minimum_release_age", "pip:curupira-aged==1.2.0", "does not say when")


if __name__ == "__main__":
    main()
