"""Archives and binaries from a real file server."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.network import Authority, WebServer
from curupira_testing.packages import ARCHIVE_FORMATS, HELLO, acme_archive, extension_folder, sha256


class FromNginx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = WebServer.of(cls, extra="location /moved/ { rewrite ^/moved/(.*)$ /$1 redirect; }")
        cls.digests = {}
        for kind in ARCHIVE_FORMATS:
            file = acme_archive(cls.server.files, kind)
            cls.digests[file.name] = sha256(file.read_bytes())
        (cls.server.files / "hello").write_bytes(HELLO.read_bytes())

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, path: str, digest: str):
        return self.curupira("plugins", "install", f"{self.server.url}{path}#sha256={digest}", "--yes")

    def test_every_format(self):
        for name, digest in self.digests.items():
            with self.subTest(name), TempHome() as home:
                reference = f"{self.server.url}{name}#sha256={digest}"
                result = Program(home)("plugins", "install", reference, "--yes").expect(0)
                self.assertIn("+ acme-ext 1.2.0", result.stdout)
                self.assertEqual(home.installed(), ["acme-ext"])

    def test_behind_a_redirect(self):
        name, digest = next(iter(self.digests.items()))
        self.install(f"moved/{name}", digest).expect(0)

    def test_the_digest_of_another_file(self):
        first, second = list(self.digests)[:2]
        result = self.install(first, self.digests[second])
        result.expect_error("CUR-2104", "expected", "found", first)
        self.assertEqual(self.home.state(), {})

    def test_not_there(self):
        self.install("acme-ext-9.9.9.tar.gz", "0" * 64).expect_error("CUR-2009", "404", "acme-ext-9.9.9.tar.gz")
        self.assertEqual(self.home.state(), {})

    def test_binary_launch_by_url(self):
        data = HELLO.read_bytes()
        entry = f'url = "{self.server.url}hello"\nsha256 = "{sha256(data)}"\nsize = {len(data)}\n'
        tables = "".join(f"\n[launch.platforms.linux-{cpu}]\n{entry}" for cpu in ("x86_64", "aarch64"))
        folder = extension_folder(self.home.work, "acme", launch=f'type = "binary"\nargs = ["acme", "1.0.0"]\n{tables}')
        self.curupira("plugins", "install", f"path:{folder}", "--yes").expect(0)
        self.assertEqual(self.home.installed(), ["acme"])

    def test_what_is_in_the_store_is_not_fetched_again(self):
        name, digest = next(iter(self.digests.items()))
        self.install(name, digest).expect(0)
        before = len(self.server.asked())
        self.assertIn("no change", self.install(name, digest).expect(0).stdout)
        self.assertEqual(len(self.server.asked()), before)


class Encrypted(unittest.TestCase):
    """A server whose certificate is of an authority of its own, as companies have."""

    @classmethod
    def setUpClass(cls):
        place = TempHome()
        cls.addClassCleanup(place.remove)
        cls.authority = Authority(place.work / "authority")
        plain = WebServer.of(cls)
        moved = f"location /plain/ {{ rewrite ^/plain/(.*)$ {plain.url}$1 redirect; }}"
        cls.server = WebServer.of(cls, cls.authority, extra=moved)
        file = acme_archive(cls.server.files, "tar.gz")
        cls.name, cls.digest = file.name, sha256(file.read_bytes())

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, path: str, **env: str):
        reference = f"{self.server.secure_url}{path}#sha256={self.digest}"
        return self.curupira("plugins", "install", reference, "--yes", env=env)

    def test_with_the_authority(self):
        """astral-sh/uv#1474, #9243, #6649: one TLS context for every phase."""
        self.install(self.name, SSL_CERT_FILE=str(self.authority.certificate)).expect(0)
        self.assertEqual(self.home.installed(), ["acme-ext"])

    def test_without_it(self):
        self.install(self.name).expect_error("CUR-2004", "127.0.0.1")
        self.assertEqual(self.home.state(), {})

    def test_a_redirect_that_ends_the_encryption_is_refused(self):
        result = self.install(f"plain/{self.name}", SSL_CERT_FILE=str(self.authority.certificate))
        result.expect_error("CUR-2003", "https")
        self.assertEqual(self.home.state(), {})


if __name__ == "__main__":
    main()
