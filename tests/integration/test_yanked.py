"""Releases of Python packages that their authors took back (PEP 592): told with the reason, or refused by the policy.

astral-sh/uv#19112: a yanked version is installed silently.
"""

import json
import shutil
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.network import WebServer
from curupira_testing.packages import manifest_text, write_wheel
from curupira_testing.settings import settings_of_nothing
from curupira_testing.static_registry import serve_python

REASON = "leaks <b>tokens</b> & \"more\""
MANIFEST = manifest_text("acme-py", launch='type = "uvx"\npackage = "acme-py"\nexecutable = "acme-py"', runtime='"python"')


class Yanked(unittest.TestCase):
    """`acme-py` 1.0.0 and 0.8.0 were taken back, and so was `acme-dep`, which 1.1.0 needs."""

    @classmethod
    def setUpClass(cls):
        skip.need_uv()
        cls.server = WebServer.of(cls)
        place = TempHome()
        cls.addClassCleanup(place.remove)
        wheels = []
        for version, needs in (("1.0.0", ()), ("1.1.0", ("acme-dep==1.0.0",)), ("0.9.0", ()), ("0.8.0", ())):
            modules = {"acme_py/__init__.py": "def main(): pass\n"}
            modules["acme_py/curupira-extension.toml"] = MANIFEST.replace("1.0.0", version)
            scripts = {"acme-py": "acme_py:main"}
            wheels.append(write_wheel(place.work, "acme-py", version, modules, scripts=scripts, requires=needs))
        wheels.append(write_wheel(place.work, "acme-dep", "1.0.0", {"acme_dep.py": ""}))
        yanked = {f"acme_{name}-py3-none-any.whl": "" for name in ("dep-1.0.0", "py-0.8.0")}
        yanked["acme_py-1.0.0-py3-none-any.whl"] = REASON
        serve_python(cls.server.files, wheels, yanked=yanked)

    def setUp(self):
        self.home = TempHome.of(self)
        self.home.environment["UV_DEFAULT_INDEX"] = f"{self.server.url}simple/"
        self.curupira = Program(self.home)

    def install(self, reference: str):
        return self.curupira("plugins", "install", reference, "--yes")

    def forbid(self) -> None:
        self.home.write_settings(settings_of_nothing("[policy]\nallow_yanked = false"))

    def test_is_told_with_its_reason(self):
        told = self.install("pip:acme-py==1.0.0").expect(0).stderr
        self.assertIn(f"warning: pip:acme-py==1.0.0 was taken back by its author: {REASON}", told)

    def test_without_a_reason(self):
        told = self.install("pip:acme-py==0.8.0").expect(0).stderr
        self.assertIn("pip:acme-py==0.8.0 was taken back by its author: no reason is given", told)

    def test_comes_with_nothing(self):
        """The resolver takes one only when the user himself names it."""
        before = self.home.state()
        self.install("pip:acme-py==1.1.0").expect_error("CUR-1304", "acme-dep==1.0.0 was yanked")
        self.assertEqual(self.home.state(), before)

    def test_is_not_chosen_where_another_fits(self):
        told = self.install("pip:acme-py<1.1").expect(0)
        self.assertIn("+ acme-py 0.9.0", told.stdout)
        self.assertNotIn("taken back", told.stderr)

    def test_is_refused_by_the_policy(self):
        self.forbid()
        before = self.home.state()
        refused = self.install("pip:acme-py==1.0.0")
        refused.expect_error("CUR-4509", "settings.toml:2: allow_yanked = false", f"acme-py==1.0.0 was taken back by its author: {REASON}")
        self.assertEqual(self.home.state(), before)
        self.install("pip:acme-py<1.1").expect(0)

    def test_the_policy_binds_sync_and_lock_of_what_is_new(self):
        plugin = 'type = "uvx"\nargs = ["acme-py==1.0.0"]'
        text = settings_of_nothing("[policy]\nallow_yanked = false")
        self.home.write_settings(text.replace('type = "npx"\nargs = ["acme"]\nfallback = "package-manager"', plugin))
        before = self.home.state()
        for command in (("sync", "--yes"), ("lock",)):
            with self.subTest(command):
                self.curupira("plugins", *command).expect_error("CUR-4509", "settings.toml:2")
                self.assertEqual(self.home.state(), before)

    def test_the_policy_is_for_choosing(self):
        """What is installed or locked stays as it is; a home that has to fetch it is told."""
        self.install("pip:acme-py==1.0.0").expect(0)
        self.forbid()
        self.curupira("plugins", "sync", "--frozen").expect(0)
        other = TempHome.of(self)
        other.environment = {**self.home.environment, "HOME": str(other.path), "TMPDIR": str(other.temporary)}
        other.curupira.mkdir()
        for name in ("curupira.lock", "settings.toml"):
            shutil.copy(self.home.curupira / name, other.curupira)
        told = Program(other)("plugins", "sync", "--frozen").expect(0).stderr
        self.assertIn(f"pip:acme-py==1.0.0 was taken back by its author: {REASON}", told)

    def test_policy_test_explains_it(self):
        self.forbid()
        (before,) = self.policy_test("pip:acme-py==1.0.0", code=0)
        self.assertEqual([(each["rule"], each["line"]) for each in before["rules"]], [("allow_yanked = false", 2)])
        (resolved,) = self.policy_test("pip:acme-py==1.0.0", "--resolve", code=1)
        self.assertEqual(resolved["error"]["code"], "CUR-4509")
        self.assertEqual(self.home.installed(), [])

    def policy_test(self, *arguments: str, code: int) -> list[dict]:
        return json.loads(self.curupira("policy", "test", "--json", *arguments).expect(code).stdout)["references"]


if __name__ == "__main__":
    main()
