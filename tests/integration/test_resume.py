"""Downloads that broke off go on where they were, also in another run; servers that stand still or are busy."""

import json
import os
import signal
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.lying_server import LyingServer
from curupira_testing.network import WebServer
from curupira_testing.packages import HELLO, acme_archive, manifest_text, pack, sha256
from curupira_testing.services import wait_until

MEBIBYTE = 1 << 20


def large_archive() -> bytes:
    """An extension with three incompressible mebibytes."""
    files = {
        "acme/curupira-extension.toml": manifest_text("acme-large").encode(),
        "acme/hello": HELLO.read_bytes(),
        "acme/data": os.urandom(3 * MEBIBYTE),
    }
    return pack(files, "tar.gz", executable=("acme/hello",))


class Resumed(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.server = LyingServer.of(self, large_archive())

    @property
    def parts(self):
        return self.home.curupira / "cache" / "partial"

    def reference(self, behaviour: str) -> str:
        return f"{self.server.url(behaviour)}#sha256={sha256(self.server.body)}"

    def install(self, behaviour: str, **options):
        return self.curupira("plugins", "install", self.reference(behaviour), "--yes", **options)

    def break_off(self) -> None:
        """A run that gives up with more than a mebibyte."""
        self.server.piece = MEBIBYTE // 2
        self.install("pieces").expect_error("CUR-2006")
        self.assertEqual(self.home.state(), {})
        self.assertEqual((self.parts / f"sha256-{sha256(self.server.body)}.part").stat().st_size, 3 * MEBIBYTE // 2)
        self.server.piece = 10 * MEBIBYTE
        self.server.headers.clear()

    def ranges(self) -> list[str]:
        return [headers.get("range", "") for headers in self.server.headers]

    def finished(self, result) -> None:
        result.expect(0)
        self.assertEqual(self.home.installed(), ["acme-large"])
        self.assertEqual(list(self.parts.iterdir()), [])

    def test_within_one_run(self):
        self.server.piece = 3 * MEBIBYTE // 2
        self.finished(self.install("pieces"))
        self.assertEqual(self.ranges(), ["", f"bytes={3 * MEBIBYTE // 2}-", f"bytes={3 * MEBIBYTE}-"])

    def test_in_another_run(self):
        self.break_off()
        self.finished(self.install("pieces"))
        self.assertEqual(self.ranges(), [f"bytes={3 * MEBIBYTE // 2}-"])
        self.assertEqual(self.server.headers[0]["if-range"], self.server.tag)

    def test_after_the_program_was_killed(self):
        self.server.piece = 2 * MEBIBYTE
        child = self.curupira.start("plugins", "install", self.reference("hang"), "--yes")
        part = self.parts / f"sha256-{sha256(self.server.body)}.part"
        wait_until("the part is on the disk", lambda: part.exists() and part.stat().st_size == 2 * MEBIBYTE)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        self.server.headers.clear()
        self.server.piece = 10 * MEBIBYTE
        self.finished(self.install("pieces"))
        self.assertEqual(self.ranges(), [f"bytes={2 * MEBIBYTE}-"])

    def test_a_file_that_changed_in_between(self):
        self.break_off()
        self.server.tag = '"second"'
        self.finished(self.install("pieces"))

    def test_a_server_without_ranges(self):
        self.break_off()
        self.finished(self.install("whole"))

    def test_a_damaged_part(self):
        self.break_off()
        (part,) = self.parts.glob("*.part")
        with part.open("r+b") as file:
            file.write(b"damaged")
        self.finished(self.install("pieces"))
        self.assertEqual(self.ranges(), [f"bytes={3 * MEBIBYTE // 2}-", ""])

    def test_the_rest_of_another_file(self):
        """The tag is the same, the bytes are not: nothing is installed, and nothing is kept."""
        self.break_off()
        reference = self.reference("pieces")
        self.server.body = os.urandom(len(self.server.body))
        result = self.curupira("plugins", "install", reference, "--yes")
        result.expect_error("CUR-2104", "expected", "found")
        self.assertEqual(self.home.state(), {})
        self.assertEqual(list(self.parts.iterdir()), [])

    def test_a_real_server(self):
        server = WebServer.of(self)
        (server.files / "x.tar.gz").write_bytes(self.server.body)
        half = len(self.server.body) // 2
        self.parts.mkdir(parents=True)
        stem = self.parts / f"sha256-{sha256(self.server.body)}"
        stem.with_suffix(".part").write_bytes(self.server.body[:half])
        status = (server.files / "x.tar.gz").stat()
        stem.with_suffix(".json").write_text(json.dumps({"validator": f'"{int(status.st_mtime):x}-{status.st_size:x}"'}))
        reference = f"{server.url}x.tar.gz#sha256={sha256(self.server.body)}"
        self.finished(self.curupira("plugins", "install", reference, "--yes"))
        (asked,) = server.asked()
        self.assertEqual((asked.status, asked.range, asked.sent), (206, f"bytes={half}-", len(self.server.body) - half))


class Patience(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        archive = acme_archive(self.home.work, "tar.gz")
        self.server = LyingServer.of(self, archive.read_bytes())

    def install(self, behaviour: str, **env: str):
        reference = f"{self.server.url(behaviour)}#sha256={sha256(self.server.body)}"
        return self.curupira("plugins", "install", reference, "--yes", env=env)

    def test_a_transfer_that_stands_still_is_given_up(self):
        result = self.install("stall", CURUPIRA_STALL_TIMEOUT="1")
        result.expect_error("CUR-2005", "1 s")
        self.assertLess(result.seconds, 25)
        self.assertEqual(self.home.state(), {})

    def test_a_busy_server_is_asked_when_it_says(self):
        result = self.install("busy")
        result.expect(0)
        self.assertGreaterEqual(result.seconds, 1)
        self.assertEqual(len(self.server.asked), 2)


if __name__ == "__main__":
    main()
