"""A digest that has not the length of its algorithm vouches for nothing: refused wherever one is read, before anything is
fetched."""

import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.lying_server import LyingServer
from curupira_testing.network import WebServer
from curupira_testing.packages import HELLO, acme_archive, extension_folder, sha256, write_wheel
from curupira_testing.signing_registry import SigningRegistry
from curupira_testing.static_registry import serve_python

SHA1, SHA512 = "a" * 40, "a" * 128  # under the name of sha256


class Lengths(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def refused(self, reference: str, error: str, *words: str, code: int = 1) -> None:
        self.curupira("plugins", "install", reference, "--yes").expect_error(error, *words, code=code)
        self.assertEqual(self.home.state(), {})

    def test_of_a_reference(self):
        server = LyingServer.of(self, acme_archive(self.home.work).read_bytes())
        for digest in (SHA1, SHA512, sha256(server.body)[:-1], ""):
            with self.subTest(len(digest)):
                self.refused(f"{server.url('true')}#sha256={digest}", "CUR-2101", f"64 hexadecimal digits, found {len(digest)}")
        self.assertEqual(server.asked, [])

    def test_of_a_manifest(self):
        server = LyingServer.of(self, HELLO.read_bytes())
        for digest in (SHA1, SHA512):
            with self.subTest(len(digest)), TempHome() as place:
                entry = f'url = "{server.url("true", "hello")}"\nsha256 = "{digest}"\n'
                tables = "".join(f"\n[launch.platforms.linux-{cpu}]\n{entry}" for cpu in ("x86_64", "aarch64"))
                folder = extension_folder(place.work, "acme", launch=f'type = "binary"\n{tables}')
                self.refused(f"path:{folder}", "CUR-1102", "sha256", code=2)
        self.assertEqual(server.asked, [])

    def test_of_an_npm_registry(self):
        registry = SigningRegistry.of(self)
        (self.home.path / ".npmrc").write_text(f"registry={registry.url}\n")
        release = registry.publish("curupira-hello", signed=False)
        for name, bytes_ in (("sha512", 32), ("sha256", 64), ("sha384", 20)):
            with self.subTest(name):
                filler = "A" * (bytes_ // 3 * 4) + {0: "", 1: "AA==", 2: "AAA="}[bytes_ % 3]
                release.dist = {"integrity": f"{name}-{filler}"}
                self.refused("npm:curupira-hello", "CUR-2101", f"a {name} digest has", f"found {bytes_}")
        self.assertFalse([path for path in registry.asked if path.endswith(".tgz")])

    def test_of_a_python_index(self):
        skip.need_uv()
        server = WebServer.of(self)
        wheel = write_wheel(self.home.work, "acme-py", "1.0.0", {"acme_py.py": ""})
        serve_python(server.files, [wheel])
        page = server.files / "simple" / "acme-py" / "index.html"
        page.write_text(page.read_text().replace(sha256(wheel.read_bytes()), SHA1))
        self.home.environment["UV_DEFAULT_INDEX"] = f"{server.url}simple/"
        self.refused("pip:acme-py", "CUR-1006", "expected 64 hexadecimal characters, found 40")


if __name__ == "__main__":
    main()
