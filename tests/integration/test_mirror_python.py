"""A mirror on nginx, its index gone: real uv, uvx, pip and this program install from it."""

import html.parser
import json
import shutil
import unittest

from curupira_testing import Program, main, skip
from curupira_testing.home import TempHome
from curupira_testing.mirror import Mirror
from curupira_testing.mirror_clients import closed_home, describe, run
from curupira_testing.network import WebServer
from curupira_testing.packages import build_wheel, hello_wheel, sdk_wheels, sha256, write_wheel
from curupira_testing.repo import bare_repository
from curupira_testing.services import Pypiserver
from curupira_testing.settings import settings_text, uvx
from curupira_testing.static_registry import serve_python

TRIGGERS = ["greetings", "silence"]


class Links(html.parser.HTMLParser):
    """The anchors of a page, by their text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str | None]] = {}
        self.tags: set[str] = set()
        self._attributes: dict[str, str | None] | None = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self._attributes = dict(attrs) if tag == "a" else None

    def handle_data(self, data):
        if self._attributes is not None:
            self.found[data], self._attributes = self._attributes, None


class FromNginx(unittest.TestCase):
    """`curupira-python-hello` on the real SDK, and `acme-reviews`; their index does not run any more."""

    @classmethod
    def setUpClass(cls):
        skip.need_uv()
        skip.need_program("nginx")
        outside = TempHome.of(cls)
        cls.server = WebServer.of(cls, extra=f"location /mirror/ {{ root {outside.work}; }}")
        cls.url = f"{cls.server.url}mirror/"
        cls.mirror = Mirror(Program(outside), cls.url)
        with Pypiserver() as index:
            for wheel in sdk_wheels():
                shutil.copy(wheel, index.packages)
            for version in ("1.0.0", "1.1.0"):
                build_wheel(index.packages, version=version)
            hello_wheel(index.packages, "acme-reviews", "2.0.0")
            for tag in ("manylinux_2_17_x86_64", "macosx_11_0_arm64", "win_amd64"):
                write_wheel(index.packages, "acme-native", "1.0", {"acme_native.py": ""}, tag=f"cp311-abi3-{tag}")
            outside.environment["UV_DEFAULT_INDEX"] = index.index
            cls.mirror.add("pip:curupira-python-hello", "pip:acme-reviews").expect(0)
            systems = ("--platform", "linux-x86_64", "--platform", "darwin-aarch64")
            cls.mirror.add("pip:acme-native", *systems).expect(0)

    def setUp(self):
        self.home = closed_home(self, self.url)
        self.environment = self.home.work / "venv"

    def test_the_page_of_a_package(self):
        names = [file["filename"] for file in self.mirror.simple("curupira-python-hello")["files"]]
        (wheel,) = names
        folder = self.mirror.folder / "simple" / "curupira-python-hello"
        links = Links((folder / "index.html").read_text()).found
        self.assertEqual(links[wheel]["href"], f"{wheel}#sha256={sha256((folder / wheel).read_bytes())}")
        metadata = sha256((folder / f"{wheel}.metadata").read_bytes())
        self.assertEqual(links[wheel]["data-core-metadata"], f"sha256={metadata}")
        self.assertTrue(links[wheel]["data-requires-python"].startswith(">=3"))
        self.assertIn("Name: curupira-python-hello", (folder / f"{wheel}.metadata").read_text())

    def test_wheels_of_the_named_platforms_only(self):
        tags = {file["filename"].rsplit("-", 1)[1] for file in self.mirror.simple("acme-native")["files"]}
        self.assertEqual(tags, {"manylinux_2_17_x86_64.whl", "macosx_11_0_arm64.whl"})

    def test_uv_pip_install(self):
        uv = skip.need_uv()
        run(self.home, uv, "venv", self.environment)
        python = self.environment / "bin" / "python"
        run(self.home, uv, "pip", "install", "--python", python, "curupira-python-hello")
        listed = run(self.home, uv, "pip", "list", "--python", python, "--format", "json")
        self.assertLessEqual({"curupira-python-hello", "curupira-sdk"}, {each["name"] for each in json.loads(listed)})

    def test_with_hashes(self):
        uv = skip.need_uv()
        run(self.home, uv, "venv", self.environment)
        (wheel,) = self.mirror.simple("acme-reviews")["files"]
        needs = self.home.work / "requirements.txt"
        needs.write_text(f"acme-reviews==2.0.0 --hash=sha256:{wheel['hashes']['sha256']}\n")
        python = self.environment / "bin" / "python"
        run(self.home, uv, "pip", "install", "--python", python, "--require-hashes", "-r", needs)

    def test_pip(self):
        target = self.home.work / "target"
        pip = [skip.need_python_tool("python"), "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check"]
        run(self.home, *pip, "--target", target, "--index-url", f"{self.url}simple/", "curupira-python-hello==1.1.0")
        self.assertTrue((target / "curupira_sdk").is_dir())

    def test_uvx_starts_an_extension(self):
        for package in ("curupira-python-hello", "acme-reviews"):
            with self.subTest(package):
                described = describe(self.home, "uvx", package)
                self.assertEqual([trigger["trigger_type"] for trigger in described["triggers"]], TRIGGERS)

    def test_this_program(self):
        curupira = Program(self.home)
        curupira("plugins", "install", "pip:curupira-python-hello", "--yes").expect(0)
        self.assertEqual(self.home.installed(), ["curupira-python-hello"])

    def test_the_existing_host(self):
        peer = Program(self.home, skip.need_python_tool("curupira"))
        remote = bare_repository(self.home.folder / "git")
        plugins = {"py": uvx("--from", "curupira-python-hello", "curupira-python-hello")}
        self.home.write_settings(settings_text(remote, plugins, {"one": {"trigger_type": "py/greetings"}}))
        self.assertIn("dry-run", peer("run", "--dry-run", timeout=180).expect(0).stdout)

    def test_the_mirror_is_sound(self):
        self.assertEqual(self.mirror.problems(), [])


class OfHostileIndexes(unittest.TestCase):
    """An index of files, whose pages a test writes."""

    def setUp(self):
        skip.need_uv()
        self.index = WebServer.of(self)
        self.home = TempHome.of(self)
        self.home.environment["UV_DEFAULT_INDEX"] = f"{self.index.url}simple/"
        self.home.environment["UV_NO_CACHE"] = "1"  # uv keeps pages for ten minutes
        self.mirror = Mirror(Program(self.home)).made()

    def wheel(self, version: str = "1.0", **options):
        return write_wheel(self.home.work, "acme-py", version, {"acme_py.py": ""}, **options)

    def test_a_reason_with_html(self):
        """astral-sh/uv#19112: the mirror says what the index says of a release that was taken back."""
        reason = "leaks <script>alert(1)</script> & \"more\""
        wheel = self.wheel()
        serve_python(self.index.files, [wheel], yanked={wheel.name: reason})
        added = self.mirror.run("pip:acme-py==1.0", "--yes").expect(0)
        self.assertIn("acme-py==1.0 was taken back", added.stderr)
        (file,) = self.mirror.simple("acme-py")["files"]
        self.assertEqual(file["yanked"], reason)
        page = (self.mirror.folder / "simple" / "acme-py" / "index.html").read_text()
        links = Links(page)
        self.assertNotIn("script", links.tags)
        self.assertEqual(links.found[wheel.name]["data-yanked"], reason)

    def test_a_release_that_is_taken_back_later(self):
        wheel = self.wheel()
        serve_python(self.index.files, [wheel])
        self.mirror.run("pip:acme-py", "--yes").expect(0)
        self.assertNotIn("yanked", self.mirror.simple("acme-py")["files"][0])
        serve_python(self.index.files, [wheel], yanked={wheel.name: "broken"})
        self.mirror.run("pip:acme-py==1.0", "--yes").expect(0)
        self.mirror.run("--update", "--yes").expect(0)
        self.assertEqual(self.mirror.simple("acme-py")["files"][0]["yanked"], "broken")
        self.assertEqual(self.mirror.problems(), [])

    def test_update_adds_newer_versions(self):
        serve_python(self.index.files, [self.wheel()])
        self.mirror.run("pip:acme-py<2", "--yes").expect(0)
        serve_python(self.index.files, [self.wheel(version) for version in ("1.0", "1.5", "2.0")])
        self.assertIn("Nothing to do", self.mirror.run("pip:acme-py<2", "--yes").expect(0).stdout)
        self.mirror.run("--update", "--yes").expect(0)
        self.assertEqual(self.mirror.simple("acme-py")["versions"], ["1.0", "1.5"])

    def test_a_wheel_that_is_not_the_promised_one(self):
        wheel = self.wheel()
        serve_python(self.index.files, [wheel])
        other = self.home.work / "other"
        other.mkdir()
        shutil.copy(write_wheel(other, "acme-py", "1.0", {"acme_py.py": "evil = 1"}), self.index.files / "wheels")
        self.mirror.run("pip:acme-py", "--yes").expect_error("CUR-2104")
        self.assertEqual(self.mirror.files(), [])

    def test_a_wheel_of_another_package(self):
        other = write_wheel(self.home.work, "acme-other", "1.0", {"acme_other.py": ""})
        disguised = other.with_name("acme_py-1.0-py3-none-any.whl")
        other.rename(disguised)
        serve_python(self.index.files, [disguised])
        self.mirror.run("pip:acme-py", "--yes").expect(1)
        self.assertEqual(self.mirror.files(), [])


if __name__ == "__main__":
    main()
