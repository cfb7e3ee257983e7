"""`pip:` against a real index (pypiserver), with wheels on the real SDK; uv resolves and fills the environment."""

import json
import os
import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import build_wheel, sdk_wheels, write_wheel
from curupira_testing.repo import bare_repository
from curupira_testing.services import Pypiserver
from curupira_testing.settings import settings_text, uvx
from curupira_testing.strace import trace


class Pip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        skip.need_uv()
        cls.index = Pypiserver.of(cls)
        for wheel in sdk_wheels():
            shutil.copy(wheel, cls.index.packages)
        for version in ("1.0.0", "1.1.0"):
            build_wheel(cls.index.packages, version=version)

    def setUp(self):
        self.home = TempHome.of(self)
        self.home.environment["UV_DEFAULT_INDEX"] = self.index.index
        self.curupira = Program(self.home)

    def install(self, reference: str, **options):
        return self.curupira("plugins", "install", reference, "--yes", timeout=180, **options)

    def info(self, name: str) -> dict:
        return json.loads(self.curupira("plugins", "info", name, "--json").expect(0).stdout)

    def refused(self, reference: str, error: str, *words: str, **options):
        self.install(reference, **options).expect_error(error, *words)
        self.assertEqual(self.home.state(), {})
        self.assertEqual(os.listdir(self.home.temporary), [])

    def test_newest_version_probed_and_started(self):
        result = self.install("pip:curupira-python-hello").expect(0)
        self.assertIn("+ curupira-python-hello 1.1.0", result.stdout)
        info = self.info("curupira-python-hello")
        self.assertTrue(info["probed"])
        self.assertEqual({each["package"] for each in info["artifacts"]}, {"curupira-python-hello", "curupira-sdk"})
        remote = bare_repository(self.home.folder / "git")
        plugins = {"py": uvx("--from", "curupira-python-hello", "curupira-python-hello")}
        self.home.write_settings(settings_text(remote, plugins, {"one": {"trigger_type": "py/greetings", "count": 2}}))
        seen = trace(self.curupira, "run", "--dry-run")
        self.assertEqual(seen.result.expect(0).stdout.count("dry-run\tone:acme/api:py/greetings:"), 2)
        programs = [Path(path).name for path in seen.executed]
        self.assertFalse({"uv", "uvx", "sh", "bash"} & set(programs), programs)

    def test_exact_version_and_name_in_another_spelling(self):
        result = self.install("pip:Curupira_Python.Hello==1.0.0").expect(0)
        self.assertIn("+ curupira-python-hello 1.0.0", result.stdout)

    def test_same_version_again_is_no_change(self):
        self.install("pip:curupira-python-hello==1.0.0").expect(0)
        before = self.home.state()
        self.assertIn("no change", self.install("pip:curupira-python-hello==1.0.0").expect(0).stdout)
        self.assertEqual(self.home.state(), before)

    def test_removal_takes_the_environment(self):
        self.install("pip:curupira-python-hello==1.0.0").expect(0)
        self.curupira("plugins", "remove", "curupira-python-hello").expect(0)
        self.assertEqual([name for name in self.home.state() if name.startswith("store/")], [])

    def test_no_such_package(self):
        self.refused("pip:curupira-nothing", "CUR-1303", "curupira-nothing")

    def test_no_such_version(self):
        self.refused("pip:curupira-python-hello==7.0", "CUR-1304", "7.0")

    def test_no_console_script(self):
        write_wheel(self.index.packages, "curupira-no-script", "1.0", {"curupira_no_script.py": ""})
        self.refused("pip:curupira-no-script", "CUR-1305", "curupira-no-script")

    def test_prints_nothing_when_asked_for_its_manifest(self):
        self.scripted("curupira-silent", "def main(): pass\n")
        self.refused("pip:curupira-silent", "CUR-3103", "curupira-silent")

    def test_exits_3_when_asked_for_its_manifest(self):
        self.scripted("curupira-exits", "import sys\ndef main():\n    print('no gh', file=sys.stderr)\n    sys.exit(3)\n")
        self.refused("pip:curupira-exits", "CUR-3102", "no gh", "3")

    def test_a_source_distribution_is_not_built(self):
        import io
        import tarfile

        with tarfile.open(self.index.packages / "curupira-source-1.0.tar.gz", "w:gz") as archive:
            for name, text in (("PKG-INFO", "Metadata-Version: 2.1\nName: curupira-source\nVersion: 1.0\n"), ("setup.py", "1/0")):
                entry = tarfile.TarInfo(f"curupira-source-1.0/{name}")
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text.encode()))
        result = self.install("pip:curupira-source")
        self.assertEqual(result.code, 1, result)
        self.assertIn("curupira-source", result.stderr)
        self.assertNotIn("ZeroDivisionError", result.stderr)
        self.assertEqual(self.home.state(), {})

    def test_a_uv_that_is_missing_is_named(self):
        empty = self.home.folder / "empty-path"
        empty.mkdir()
        self.refused("pip:curupira-python-hello", "CUR-1005", "uv", env={"PATH": str(empty)})

    def scripted(self, name: str, module: str) -> None:
        stem = name.replace("-", "_")
        write_wheel(self.index.packages, name, "1.0", {f"{stem}.py": module}, scripts={name: f"{stem}:main"})


if __name__ == "__main__":
    main()
