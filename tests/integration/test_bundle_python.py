"""Bundles with Python packages: made beside a real index (pypiserver), installed where there is neither network nor uv."""

import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.bundled import HERE, OTHER, lock_head
from curupira_testing.closed_network import only_programs, without_network
from curupira_testing.docs_page import Machines
from curupira_testing.oci import BundleParts
from curupira_testing.packages import build_wheel, hello_wheel, pack, sdk_wheels, write_wheel
from curupira_testing.repo import bare_repository
from curupira_testing.services import Pypiserver
from curupira_testing.settings import installed, settings_text
from curupira_testing.strace import trace

EXTENSIONS = ["acme-reviews", "curupira-python-hello"]
#: What wheels call the machines.
TAGS = {
    "linux-x86_64": "manylinux_2_17_x86_64",
    "linux-aarch64": "manylinux_2_17_aarch64",
    "darwin-arm64": "macosx_11_0_arm64",
    "windows": "win_amd64",
}
PYTHONS = [f"cp3{minor}" for minor in (sys.version_info.minor, sys.version_info.minor + 1)]


def native_wheels(*platforms: str) -> set[str]:
    return {f"native_part-1.0.0-{python}-{python}-{TAGS[platform]}.whl" for platform in platforms for python in PYTHONS}


class Python(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        skip.need_uv()
        cls.offline = without_network()
        cls.home = TempHome.of(cls)
        cls.inside = only_programs(cls.home, "python3", "node", "bwrap")
        cls.machines, cls.curupira = Machines(cls.home), Program(cls.home)
        cls.lock = cls.home.curupira / "curupira.lock"
        cls.bundle = cls.home.work / "carried.oci"
        index = Pypiserver.of(cls)
        for wheel in sdk_wheels():
            shutil.copy(wheel, index.packages)
        build_wheel(index.packages, version="1.0.0")
        hello_wheel(index.packages, "acme-reviews", "2.0.0", requires=("native-part>=1",))
        for platform in TAGS.values():
            for python in PYTHONS:
                write_wheel(index.packages, "native-part", "1.0.0", {"native_part.py": ""}, tag=f"{python}-{python}-{platform}")
        source = {"native_part-1.0.0/PKG-INFO": b"Metadata-Version: 2.1\nName: native-part\nVersion: 1.0.0\n"}
        (index.packages / "native_part-1.0.0.tar.gz").write_bytes(pack(source, "tar.gz"))
        cls.home.environment["UV_DEFAULT_INDEX"] = index.index
        cls.sit_at("outside")
        cls.lock.write_text(lock_head((HERE, "darwin-arm64")))
        references = [f"pip:{name}" for name in EXTENSIONS]
        cls.curupira("plugins", "install", *references, "--yes", timeout=300).expect(0)
        cls.text = cls.lock.read_text()
        cls.curupira("plugins", "bundle", "create", "-o", cls.bundle).expect(0)
        cls.sit_at("synced")
        cls.lock.write_text(cls.text)
        cls.curupira("plugins", "sync", "--frozen", env=cls.inside).expect(0)  # an environment is of one interpreter
        index.stop()

    @classmethod
    def sit_at(cls, machine: str) -> None:
        cls.machines.sit_at(machine)
        cls.home.curupira.mkdir(exist_ok=True)

    def closed(self, *arguments: str | Path):
        """A command of a machine that has neither network nor uv."""
        return self.curupira(*arguments, prefix=self.offline, env=self.inside)

    def names(self, bundle: Path) -> set[str]:
        return {item["name"] for item in BundleParts(bundle).config["items"] if item["kind"] == "artifact"}

    def test_it_is_the_home_that_the_index_would_have_made(self):
        self.sit_at("inside")
        self.closed("plugins", "bundle", "install", self.bundle, "--yes").expect(0)
        self.assertEqual(self.lock.read_text(), self.text)
        self.closed("plugins", "verify").expect(0)
        for part in ("store/v1/trees", "extensions"):
            homes = [str(self.machines.curupira(name) / part) for name in ("synced", "inside")]
            subprocess.run(["diff", "-r", "--no-dereference", *homes], check=True)
        remote = bare_repository(self.home.folder / "git")
        plugins = {"reviews": installed("acme-reviews"), "hello": installed("curupira-python-hello")}
        tasks = {"task": {"trigger_type": "reviews/greetings"}, "other": {"trigger_type": "hello/greetings"}}
        self.home.write_settings(settings_text(remote, plugins, tasks))
        self.assertEqual(self.closed("run", "--dry-run").expect(0).stdout.count("--- prompt ---"), 2)
        seen = trace(self.curupira, "plugins", "sync", "--frozen")
        self.assertEqual(seen.result.expect(0).stdout.count("no change"), 2)
        self.assertEqual((seen.sockets, len(seen.executed)), ([], 1))

    def test_every_wheel_that_an_interpreter_there_may_choose_is_carried(self):
        """Not those of other platforms, and never what would have to be built."""
        names = self.names(self.bundle)
        self.assertEqual({name for name in names if "native" in name}, native_wheels(HERE, "darwin-arm64"))
        self.assertFalse(native_wheels(OTHER) & names)
        self.sit_at("outside")
        here = self.home.work / "here.oci"
        self.curupira("plugins", "bundle", "create", "--offline", "-o", here, "--platform", HERE).expect(0)
        self.assertEqual(names - self.names(here), native_wheels("darwin-arm64"))
        there = self.home.work / "there.oci"
        self.curupira("plugins", "bundle", "create", "--offline", "-o", there, "--platform", "darwin-arm64").expect(0)
        self.assertEqual(names - self.names(there), native_wheels(HERE))

    def test_a_wheel_that_is_missing_is_named(self):
        self.sit_at("lacking")
        parts = BundleParts(self.bundle)
        (wheel,) = (name for name in native_wheels(HERE) if f"-{PYTHONS[0]}-" in name)
        parts.remove("artifact", wheel)
        bundle = parts.write(self.home.work / "lacking.oci")
        before = self.home.state()
        self.closed("plugins", "bundle", "install", bundle, "--yes").expect_error("CUR-4304", wheel)
        self.assertEqual((self.home.state(), self.lock.exists()), (before, False))

    def test_offline_it_is_made_of_what_the_store_has(self):
        self.sit_at("outside")
        again = self.home.work / "again.oci"
        self.closed("plugins", "bundle", "create", "--offline", "-o", again).expect(0)
        self.assertTrue(again.read_bytes() == self.bundle.read_bytes())
        self.sit_at("synced")
        result = self.closed("plugins", "bundle", "create", "--offline", "-o", self.home.work / "third.oci")
        result.expect_error("CUR-4110", f"native_part-1.0.0-{PYTHONS[0]}", "macosx")


if __name__ == "__main__":
    main()
