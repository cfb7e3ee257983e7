"""Launch types `binary` and `archive`: the platform's entry, what is on disk after it, and what is refused."""

import json
import shutil
import subprocess
import tomllib
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import ARCHIVE_FORMATS, HELLO, acme_archive, extension_folder, pack, sha256
from curupira_testing.paths import EXTENSIONS

HELLO_BYTES = HELLO.read_bytes()
BOTH = ("linux-x86_64", "linux-aarch64")


def launch(kind: str, location: str, data: bytes, extra: str = "", platforms: tuple[str, ...] = BOTH) -> str:
    entry = f'url = "{location}"\nsha256 = "{sha256(data)}"\nsize = {len(data)}\n{extra}'
    tables = "".join(f"\n[launch.platforms.{platform}]\n{entry}\n" for platform in platforms)
    return f'type = "{kind}"\nargs = ["acme", "1.0.0"]\n{tables}'


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def folder(self, text: str, files: dict[str, bytes]) -> Path:
        folder = extension_folder(self.home.work, "acme", launch=text)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return folder

    def install(self, folder: Path | str):
        return self.curupira("plugins", "install", f"path:{folder}", "--yes")

    def refused(self, folder: Path, error: str, *words: str):
        result = self.install(folder)
        result.expect_error(error, *words, code=result.code)
        self.assertIn(result.code, (1, 2))
        self.assertEqual(self.home.state(), {})

    def command(self, name: str) -> list[str]:
        return json.loads(self.curupira("plugins", "info", name, "--json").expect(0).stdout)["command"]

    def assert_starts(self, name: str):
        command = self.command(name)
        done = subprocess.run(command, env=self.home.environment, input=b"", capture_output=True, timeout=30)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


class FromTheCheckout(Case):
    def test_binary(self):
        result = self.install(EXTENSIONS / "binary-hello").expect(0)
        self.assertIn(f"{len(HELLO_BYTES):,}".split(",")[0], result.stdout)
        self.assert_starts("curupira-binary-hello")

    def test_archive(self):
        self.install(EXTENSIONS / "archive-launch-hello").expect(0)
        self.assert_starts("curupira-archive-launch-hello")

    def test_on_disk_it_is_what_the_existing_host_can_read(self):
        self.install(EXTENSIONS / "binary-hello").expect(0)
        file = self.home.extensions / "curupira-binary-hello" / "curupira-extension.toml"
        table = tomllib.loads(file.read_text())["launch"]
        self.assertEqual(table["type"], "executable")
        self.assertTrue(Path(table["program"]).is_absolute())
        self.assertEqual(Path(table["program"]).read_bytes(), HELLO_BYTES)
        self.assertEqual(table["args"], ["curupira-binary-hello", "1.0.0"])

    def test_info_says_how_it_was_published(self):
        self.install(EXTENSIONS / "binary-hello").expect(0)
        document = json.loads(self.curupira("plugins", "info", "curupira-binary-hello", "--json").stdout)
        self.assertEqual(document["launch"], "binary")
        (artifact,) = document["artifacts"]
        self.assertEqual((artifact["size"], artifact["level"]), (len(HELLO_BYTES), "digest"))


class Archives(Case):
    def test_every_format_of_an_archive_launch(self):
        for kind in ARCHIVE_FORMATS:
            with self.subTest(kind), TempHome() as home:
                data = pack({"top/bin/hello": HELLO_BYTES}, kind, executable=("top/bin/hello",))
                extra = 'strip_components = 1\nprogram = "bin/hello"'
                folder = extension_folder(home.work, "acme", launch=launch("archive", f"a.{kind}", data, extra))
                (folder / f"a.{kind}").write_bytes(data)
                Program(home)("plugins", "install", f"path:{folder}", "--yes").expect(0)

    def test_every_format_of_an_archive_reference(self):
        for kind in ARCHIVE_FORMATS:
            with self.subTest(kind), TempHome() as home:
                archive = acme_archive(home.work, kind)
                result = Program(home)("plugins", "install", f"./{archive.name}", "--yes").expect(0)
                self.assertIn("+ acme-ext 1.2.0", result.stdout)
                self.assertEqual(home.installed(), ["acme-ext"])

    def test_the_executable_bit_is_set(self):
        data = pack({"hello": HELLO_BYTES}, "tar.gz")  # packed without it
        self.install(self.folder(launch("archive", "a.tar.gz", data, 'program = "hello"'), {"a.tar.gz": data})).expect(0)
        self.assert_starts("acme")

    def test_program_that_is_not_in_the_archive(self):
        data = pack({"bin/hello": HELLO_BYTES}, "tar.gz", executable=("bin/hello",))
        text = launch("archive", "a.tar.gz", data, 'program = "bin/other"')
        self.refused(self.folder(text, {"a.tar.gz": data}), "CUR-2211", "bin/other")

    def test_stripping_more_than_there_is(self):
        data = pack({"bin/hello": HELLO_BYTES}, "tar.gz", executable=("bin/hello",))
        text = launch("archive", "a.tar.gz", data, 'strip_components = 5\nprogram = "bin/hello"')
        self.refused(self.folder(text, {"a.tar.gz": data}), "CUR-2211")

    def test_program_that_climbs(self):
        data = pack({"bin/hello": HELLO_BYTES}, "tar.gz")
        text = launch("archive", "a.tar.gz", data, 'program = "../../hello"')
        self.refused(self.folder(text, {"a.tar.gz": data}), "CUR-1102", "program")


class Binaries(Case):
    def test_another_digest(self):
        text = launch("binary", "b", HELLO_BYTES)
        self.refused(self.folder(text, {"b": HELLO_BYTES.replace(b"Hello", b"Jello")}), "CUR-2104", "expected", "found")

    def test_another_size(self):
        text = launch("binary", "b", HELLO_BYTES).replace(f"size = {len(HELLO_BYTES)}", "size = 7")
        self.refused(self.folder(text, {"b": HELLO_BYTES}), "CUR-2103", "7")

    def test_no_entry_for_this_platform_lists_what_there_is(self):
        text = launch("binary", "b", HELLO_BYTES, platforms=("plan9-mips", "darwin-arm64"))
        self.refused(self.folder(text, {"b": HELLO_BYTES}), "CUR-1109", "plan9-mips", "darwin-arm64", "linux-")

    def test_file_that_is_not_there(self):
        self.refused(self.folder(launch("binary", "nothing", HELLO_BYTES), {}), "CUR-9001", "nothing")

    def test_path_outside_of_the_folder(self):
        shutil.copy(HELLO, self.home.work / "hello")
        for location in ("../hello", str(self.home.work / "hello")):
            with self.subTest(location):
                folder = self.folder(launch("binary", location, HELLO_BYTES), {})
                self.refused(folder, "CUR-1102", "url")
                shutil.rmtree(folder)

    def test_link_out_of_the_folder(self):
        shutil.copy(HELLO, self.home.work / "hello")
        folder = self.folder(launch("binary", "link", HELLO_BYTES), {})
        (folder / "link").symlink_to("../hello")
        result = self.install(folder)
        self.assertNotEqual(result.code, 0, result)
        self.assertEqual(self.home.state(), {})


if __name__ == "__main__":
    main()
