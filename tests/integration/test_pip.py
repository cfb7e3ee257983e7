"""`pip:` against a real index (pypiserver), with wheels on the real SDK; uv resolves, the environment is ours."""

import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import build_wheel, manifest_text, sdk_wheels, write_wheel
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
        self.curupira("cache", "prune", "--keep-generations", "1").expect(0)
        left = [name for name in self.home.state() if name.startswith(("store/v1/trees/", "store/v1/environments/"))]
        self.assertEqual(left, [])

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
        (empty / "python3").symlink_to(shutil.which("python3", path="/usr/bin:/bin") or skip.need_program("python3"))
        self.refused("pip:curupira-python-hello", "CUR-1005", "uv", env={"PATH": str(empty)})

    def test_uv_only_resolves(self):
        log = self.home.folder / "uv.log"
        wrapper = self.home.folder / "uv-wrapper"
        wrapper.mkdir()
        (wrapper / "uv").write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {skip.need_uv()} "$@"\n')
        (wrapper / "uv").chmod(0o755)
        seen = trace(
            self.curupira,
            *("plugins", "install", "pip:curupira-python-hello", "--yes"),
            env={"PATH": f"{wrapper}:{self.home.environment['PATH']}"},
        )
        seen.result.expect(0)
        for line in log.read_text().splitlines():
            self.assertRegex(line, r"^pip compile ")
        self.assertNotIn("pip", {Path(path).name for path in seen.executed})

    def everything(self) -> Path:
        """Installs an extension with all that wheels can have; the folder of its environment."""
        data = "curupira_all-1.0.0.data"
        write_wheel(
            self.index.packages,
            "curupira-all",
            "1.0.0",
            {
                "curupira_all.py": "def main():\n    import curupira_space.one, curupira_space.two, added_by_pth\n    print('über')\n",
                "curupira_space/one.py": "name = 'ñ'\n",
                "data_ñ/ü.txt": "ö\n",
                "curupira_all.pth": "extra-folder\n",
                "extra-folder/added_by_pth.py": "",
                "curupira_all-1.0.0.dist-info/licenses/LICENSE, with comma": "free\n",
                f"{data}/scripts/curupira-old-style": "#!python\nimport sys, curupira_all\nprint(sys.prefix)\n",
                f"{data}/data/share/curupira/x.conf": "a = 1\n",
                f"{data}/headers/all.h": "int x;\n",
                f"{data}/platlib/native_like.py": "x = 2\n",
                "curupira_all_data/empty.txt": "",
                "curupira_all-1.0.0.dist-info/curupira-extension.toml": manifest_text(
                    "curupira-all",
                    "1.0.0",
                    runtime='"python"',
                    launch='type = "uvx"\npackage = "curupira-all"\nexecutable = "curupira-all"\n',
                ),
            },
            scripts={"curupira-all": "curupira_all:main [extra]"},
            requires=("curupira-space-two",),
        )
        write_wheel(self.index.packages, "curupira-space-two", "1.0", {"curupira_space/two.py": "import native_like\n"})
        self.install("pip:curupira-all").expect(0)
        receipt = json.loads((self.home.extensions / "curupira-all" / "receipt.json").read_text())
        return self.home.curupira / "store" / "v1" / "environments" / receipt["content"]["digest"]

    def test_whatever_a_wheel_may_have(self):
        environment = self.everything()
        python = str(environment / "bin" / "python")

        def run(*command: str) -> str:
            clean = {"PATH": "/usr/bin:/bin", "HOME": str(self.home.path), "PYTHONUTF8": "1"}
            done = subprocess.run(command, env=clean, cwd="/", capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout.strip()

        before = self.home.state()
        self.assertEqual(run(python, "-B", str(environment / "bin" / "curupira-all")), "über")
        self.assertEqual(run(str(environment / "bin" / "curupira-all")), "über")
        self.assertEqual(run(str(environment / "bin" / "curupira-old-style")), str(environment))
        self.assertEqual((environment / "share/curupira/x.conf").read_text(), "a = 1\n")
        (header,) = (environment / "include").rglob("all.h")
        self.assertEqual(header.parent.name, "curupira-all")
        asked = "import importlib.metadata as m; print(m.version('curupira-all'), *sorted(d.name for d in m.distributions()))"
        self.assertEqual(run(python, "-B", "-c", asked), "1.0.0 curupira-all curupira-space-two")
        missing = "import importlib.metadata as m; print([str(f) for f in m.files('curupira-all') if not f.locate().exists()])"
        self.assertEqual(run(python, "-B", "-c", missing), "[]")
        self.assertEqual(self.home.state(), before, "starting writes nothing")
        self.assertEqual(run(python, "-I", "-B", "-c", "import sys; print(sys.prefix != sys.base_prefix)"), "True")

    def test_a_wheel_whose_record_lies(self):
        write_wheel(self.index.packages, "curupira-lies", "1.0", {"curupira_lies.py": ""}, vouch=False)
        self.refused("pip:curupira-lies", "CUR-2212", "curupira_lies.py", "RECORD")

    def test_two_packages_that_own_one_file(self):
        write_wheel(self.index.packages, "curupira-own-a", "1.0", {"curupira_own.py": "a = 1\n"}, requires=("curupira-own-b",))
        write_wheel(self.index.packages, "curupira-own-b", "1.0", {"curupira_own.py": "b = 1\n"})
        self.refused("pip:curupira-own-a", "CUR-2213", "curupira_own.py", "curupira-own-a", "curupira-own-b")

    def scripted(self, name: str, module: str) -> None:
        stem = name.replace("-", "_")
        write_wheel(self.index.packages, name, "1.0", {f"{stem}.py": module}, scripts={name: f"{stem}:main"})


if __name__ == "__main__":
    main()
