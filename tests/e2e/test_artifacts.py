"""Artifacts that are not what was promised, and servers that lie about them."""

import socket
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.lying_server import LyingServer
from curupira_testing.packages import HELLO, acme_archive, extension_folder, sha256
from curupira_testing.services import free_port

WRONG = "0" * 64


class ArchiveByUrl(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.archive = acme_archive(self.home.work, "tar.gz").read_bytes()
        self.server = LyingServer.of(self, self.archive)

    def install(self, behaviour: str, digest: str | None = None, **options):
        url = self.server.url(behaviour, "acme-ext-1.2.0.tar.gz")
        reference = f"{url}#sha256={digest or sha256(self.archive)}"
        return self.curupira("plugins", "install", reference, "--yes", **options)

    def refused(self, behaviour: str, error: str, *words: str, digest: str | None = None, **options):
        self.install(behaviour, digest, **options).expect_error(error, *words)
        self.assertEqual(self.home.state(), {})

    def test_true(self):
        self.install("true").expect(0)
        self.assertEqual(self.home.installed(), ["acme-ext"])

    def test_wrong_digest(self):
        self.refused("true", "CUR-2104", "expected", "found", digest=WRONG)

    def test_not_found(self):
        self.refused("status/404", "CUR-2009", "404")

    def test_server_error(self):
        self.refused("status/500", "CUR-2002", "500")

    def test_redirect_loop(self):
        self.refused("loop", "CUR-2003")
        self.assertLess(len(self.server.asked), 50)

    def test_redirect_is_followed(self):
        self.server.target = self.server.url("true")
        self.install("elsewhere").expect(0)

    def test_redirect_to_a_file_is_refused(self):
        self.server.target = "file:///etc/passwd"
        self.refused("elsewhere", "CUR-2003")

    def test_fewer_bytes_than_announced(self):
        self.refused("short", "CUR-2006")

    def test_more_bytes_than_announced(self):
        self.refused("long", "CUR-2104", "expected", "found")

    def test_cut_in_the_middle(self):
        self.refused("early", "CUR-2006")

    def test_ten_gigabytes_are_not_read(self):
        result = self.install("endless", timeout=60)
        self.assertEqual(result.code, 1, result)
        self.assertRegex(result.stderr, r"CUR-(2007|2106)")
        self.assertLess(self.server.sent_bytes, 64 << 20)
        self.assertEqual(self.home.state(), {})

    def test_nobody_listens(self):
        url = f"http://127.0.0.1:{free_port()}/acme-ext-1.2.0.tar.gz#sha256={WRONG}"
        self.curupira("plugins", "install", url, "--yes").expect_error("CUR-2001", "127.0.0.1")

    def test_a_url_without_a_digest(self):
        result = self.curupira("plugins", "install", self.server.url("true"), "--yes")
        result.expect_error("CUR-2101", "sha256", code=result.code)
        self.assertIn(result.code, (1, 2))
        self.assertEqual(self.server.asked, [])

    def test_a_truncated_archive_with_a_true_digest(self):
        self.server.body = self.archive[: len(self.archive) // 2]
        self.refused("true", "CUR-2202", digest=sha256(self.server.body))

    def test_a_page_instead_of_an_archive(self):
        self.server.body = b"<!DOCTYPE html><title>Please sign in</title>"
        self.refused("true", "CUR-2201", digest=sha256(self.server.body))


class BinaryByUrl(unittest.TestCase):
    """The digest and the size that a manifest promises."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.program = HELLO.read_bytes()
        self.server = LyingServer.of(self, self.program)

    def install(self, behaviour: str = "true", *, digest: str | None = None, size: int | None = None):
        entry = f'url = "{self.server.url(behaviour, "hello")}"\nsha256 = "{digest or sha256(self.program)}"\n'
        entry += f"size = {len(self.program) if size is None else size}\n"
        platforms = "".join(f"\n[launch.platforms.linux-{cpu}]\n{entry}" for cpu in ("x86_64", "aarch64"))
        launch = f'type = "binary"\nargs = ["acme", "1.0.0"]\n{platforms}'
        folder = extension_folder(self.home.work, "acme", launch=launch)
        return self.curupira("plugins", "install", f"path:{folder}", "--yes")

    def refused(self, error: str, *words: str, **options):
        self.install(**options).expect_error(error, *words)
        self.assertEqual(self.home.state(), {})

    def test_true(self):
        self.install().expect(0)
        self.assertEqual(self.home.installed(), ["acme"])

    def test_wrong_digest(self):
        self.refused("CUR-2104", "expected", "found", digest=WRONG)

    def test_smaller_than_promised(self):
        size = len(self.program) + 1
        self.refused("CUR-2103", str(size), str(len(self.program)), size=size)

    def test_larger_than_promised(self):
        size = len(self.program) - 1
        self.refused("CUR-2103", str(size), size=size)

    def test_an_endless_answer_is_cut_at_the_promised_size(self):
        result = self.install(behaviour="endless")
        self.assertEqual(result.code, 1, result)
        self.assertRegex(result.stderr, r"CUR-(2103|2007)")
        self.assertLess(self.server.sent_bytes, 64 << 20)
        self.assertEqual(self.home.state(), {})


class Proxies(unittest.TestCase):
    def test_a_proxy_that_is_not_there_is_named(self):
        with TempHome() as home, socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # bound and not listening: refused
            proxy = f"http://127.0.0.1:{taken.getsockname()[1]}"
            url = f"https://downloads.example.org/x.tar.gz#sha256={WRONG}"
            result = Program(home)("plugins", "install", url, "--yes", env={"https_proxy": proxy})
            result.expect_error("CUR-2001", code=1)


if __name__ == "__main__":
    main()
