"""`lock` and `sync` with Python packages of a real index (pypiserver): no resolver, no uv."""

import os
import platform
import re
import shutil
import subprocess
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.bundled import HERE, lock_head
from curupira_testing.network import WebServer
from curupira_testing.packages import build_wheel, pack, sdk_wheels
from curupira_testing.services import Pypiserver
from curupira_testing.settings import settings_text, uvx
from curupira_testing.strace import trace


class SyncPip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        skip.need_uv()
        cls.index = Pypiserver.of(cls)
        for wheel in sdk_wheels():
            shutil.copy(wheel, cls.index.packages)
        build_wheel(cls.index.packages, version="1.0.0")

    def setUp(self):
        self.home = TempHome.of(self)
        self.home.environment["UV_DEFAULT_INDEX"] = self.index.index
        self.curupira = Program(self.home)
        self.lock = self.home.curupira / "curupira.lock"
        self.curupira("plugins", "install", "pip:curupira-python-hello", "--yes", timeout=180).expect(0)
        self.text = self.lock.read_text()

    def fresh_home(self, text: str):
        for folder, _, _ in os.walk(self.home.curupira):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.home.curupira)
        self.home.curupira.mkdir()
        self.lock.write_text(text)

    def without_uv(self) -> dict[str, str]:
        folder = self.home.folder / "python-only"
        folder.mkdir()
        for program in ("python3", "bwrap"):
            if found := shutil.which(program):
                (folder / program).symlink_to(found)
        return {"PATH": str(folder)}

    def test_two_homes_become_the_same_and_uv_is_not_needed(self):
        kept = []
        environment = self.without_uv()
        for name in ("first", "second"):
            self.fresh_home(self.text)
            self.curupira("plugins", "sync", "--frozen", env=environment).expect(0)
            kept.append(self.home.folder / name)
            for part in ("store/v1/trees", "extensions"):
                shutil.copytree(self.home.curupira / part, kept[-1] / part, symlinks=True)
        subprocess.run(["diff", "-r", "--no-dereference", *map(str, kept)], check=True)
        self.assertEqual(self.lock.read_text(), self.text)

    def test_a_receipt_is_the_same_when_the_bytes_were_there_already(self):
        receipt = self.home.extensions / "curupira-python-hello" / "receipt.json"
        fetched = receipt.read_text()
        self.curupira("plugins", "remove", "curupira-python-hello").expect(0)
        self.lock.write_text(self.text)
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(receipt.read_text(), fetched)

    def test_the_lock_file_is_the_same_whoever_writes_it(self):
        """Also of a package that has to be asked for its manifest, by the interpreter of this machine."""
        written = []
        for platform in (HERE, "darwin-arm64"):
            self.lock.write_text(lock_head((HERE, "darwin-arm64")))
            self.curupira("plugins", "lock", "--platform", platform).expect(0)
            written.append(self.lock.read_text())
        self.assertEqual(written[0], written[1])
        self.assertIn("curupira-python-hello", written[0])

    def test_the_second_sync_opens_no_socket_and_starts_nothing(self):
        seen = trace(self.curupira, "plugins", "sync", "--frozen")
        self.assertIn("no change", seen.result.expect(0).stdout)
        self.assertEqual((seen.sockets, len(seen.executed)), ([], 1))

    def test_offline_names_what_is_missing(self):
        self.fresh_home(self.text)
        result = self.curupira("plugins", "sync", "--frozen", "--offline")
        result.expect_error("CUR-4110", "curupira-python-hello", "curupira plugins sync")

    def test_the_same_bytes_whoever_writes_it(self):
        """astral-sh/uv#6349, jdx/mise#8982: for all platforms at once, with every file that the index has."""
        own = f"linux-{platform.machine()}"
        plugin = {"hello": uvx("curupira-python-hello")}
        settings = settings_text("remote.git", plugin, {"one": {"trigger_type": "hello/greetings"}})
        self.home.write_settings(f'[lock]\nplatforms = ["{own}", "darwin-arm64"]\n{settings}')
        sdist = self.index.packages / "curupira_python_hello-1.0.0.tar.gz"
        sdist.write_bytes(pack({"curupira_python_hello-1.0.0/PKG-INFO": b"Metadata-Version: 2.1\n"}, "tar.gz"))
        self.addCleanup(sdist.unlink)
        written = []
        for writer in (own, "darwin-arm64"):
            self.lock.unlink()
            self.curupira("plugins", "lock", "--platform", writer, timeout=180).expect(0)
            written.append(self.lock.read_text())
        self.assertEqual(written[0], written[1])
        self.assertIn(f'platforms = ["darwin-arm64", "{own}"]', written[0])
        for file in self.index.packages.glob("curupira_python_hello-1.0.0*"):
            self.assertIn(f'file = "{file.name}"', written[0])
        self.assertEqual(written[0].count("digest = \"sha256-"), written[0].count("[[extension.artifact]]"))

    def test_an_index_that_refuses_or_fails_is_no_reason_to_ask_another(self):
        """Dependency confusion: a name belongs to the first index that has it."""
        for status, error in ((401, "CUR-1309"), (403, "CUR-1309"), (500, "CUR-2002")):
            with self.subTest(status):
                first = WebServer.of(self, extra=f"location /simple/ {{ return {status}; }}")
                self.fresh_home(self.text)
                before = self.home.state()
                result = self.curupira("plugins", "sync", "--frozen", env={"UV_INDEX": f"{first.url}simple/"})
                result.expect_error(error, first.url)
                self.assertEqual(self.home.state(), before)
                self.assertTrue(first.asked())

    def test_an_edited_digest_is_refused(self):
        changed = re.sub(r'^digest = ".*"', f'digest = "sha256-{"A" * 43}="', self.text, count=1, flags=re.MULTILINE)
        self.fresh_home(changed)
        self.assertNotEqual(self.curupira("plugins", "sync", "--frozen").code, 0)
        self.assertEqual(self.home.installed(), [])


if __name__ == "__main__":
    main()
