"""Through a proxy that wants a password (squid), and past it."""

import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.network import Authority, Squid, WebServer
from curupira_testing.packages import acme_archive, sha256
from curupira_testing.services import free_port
from curupira_testing.static_registry import npm_hello, serve_npm


class Proxied(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = TempHome()
        cls.addClassCleanup(place.remove)
        cls.authority = Authority(place.work / "authority")
        cls.proxy = Squid.of(cls)
        cls.server = WebServer.of(cls, cls.authority)
        archive = acme_archive(cls.server.files, "tar.gz")
        cls.name, cls.digest = archive.name, sha256(archive.read_bytes())

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, *, secure: bool = False, host: str = "127.0.0.1", **env: str):
        port, scheme = (self.server.secure_port, "https") if secure else (self.server.port, "http")
        url = f"{scheme}://{host}:{port}/{self.name}"
        trusted = {"SSL_CERT_FILE": str(self.authority.certificate)}
        result = self.curupira("plugins", "install", f"{url}#sha256={self.digest}", "--yes", env={**trusted, **env})
        self.secret_is_nowhere(result, Squid.PASSWORD, "p%40ss")
        return result

    def secret_is_nowhere(self, result, *secrets: str):
        texts = [result.stdout, result.stderr]
        texts += [each.read_text(errors="replace") for each in self.home.curupira.rglob("*") if each.is_file()]
        for secret in secrets:
            self.assertFalse([text for text in texts if secret in text], secret)

    def test_http(self):
        before = len(self.proxy.tunnels())
        self.install(http_proxy=self.proxy.address()).expect(0)
        self.assertEqual(self.proxy.tunnels_since(before), [f"GET {self.server.url}{self.name} 200"])

    def test_https_by_a_tunnel(self):
        before = len(self.proxy.tunnels())
        self.install(secure=True, HTTPS_PROXY=self.proxy.address()).expect(0)
        self.assertEqual(self.proxy.tunnels_since(before), [f"CONNECT 127.0.0.1:{self.server.secure_port} 200"])

    def test_one_variable_for_all(self):
        for secure in (False, True):
            with self.subTest(secure=secure), TempHome() as self.home:
                self.curupira = Program(self.home)
                before = len(self.proxy.tunnels())
                self.install(secure=secure, ALL_PROXY=self.proxy.address()).expect(0)
                self.assertEqual(len(self.proxy.tunnels_since(before)), 1)

    def test_a_wrong_password(self):
        wrong = "wr0ng-passw0rd"
        for secure in (False, True):
            with self.subTest(secure=secure):
                result = self.install(secure=secure, all_proxy=self.proxy.address(password=wrong))
                result.expect_error("CUR-2010", "407", f"http://127.0.0.1:{self.proxy.port}", "does not accept")
                self.secret_is_nowhere(result, wrong)
                self.assertEqual(self.home.state(), {})

    def test_no_password(self):
        result = self.install(secure=True, https_proxy=f"http://127.0.0.1:{self.proxy.port}")
        result.expect_error("CUR-2010", "407", "wants a user name")

    def test_a_proxy_that_is_not_there(self):
        result = self.install(secure=True, https_proxy=f"http://127.0.0.1:{free_port()}")
        result.expect_error("CUR-2001", "proxy")

    def test_past_it(self):
        dead = {"all_proxy": f"http://user:{Squid.PASSWORD}@127.0.0.1:{free_port()}"}
        exceptions = ["127.0.0.1", "example.org,127.0.0.0/8", "*", f"127.0.0.1:{self.server.secure_port}", "127.0.0.1/32"]
        for exception in exceptions:
            with self.subTest(exception), TempHome() as self.home:
                self.curupira = Program(self.home)
                self.install(secure=True, NO_PROXY=exception, **dead).expect(0)

    def test_past_it_by_name(self):
        dead = {"all_proxy": f"http://127.0.0.1:{free_port()}"}
        self.install(secure=True, host="localhost", no_proxy=".localhost", **dead).expect(0)

    def test_not_past_it(self):
        dead = {"all_proxy": f"http://127.0.0.1:{free_port()}"}
        for exception in ("10.0.0.0/8", f"127.0.0.1:{self.server.port}", "localhost", "127.0.0", "7.0.0.1"):
            with self.subTest(exception):
                self.install(secure=True, NO_PROXY=exception, **dead).expect_error("CUR-2001", "proxy")


class NpmProxied(unittest.TestCase):
    """npm's own settings say which proxy leads to its registries."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.proxy = Squid.of(self)
        self.server = WebServer.of(self)
        self.curupira = Program(self.home)
        serve_npm(self.server.files, self.server.url, npm_hello())

    def install(self, npmrc: str, **env: str):
        Path(self.home.path / ".npmrc").write_text(f"registry={self.server.url}\n{npmrc}")
        return self.curupira("plugins", "install", "npm:curupira-node-hello", "--yes", env=env)

    def test_https_proxy_of_npmrc(self):
        self.install(f"https-proxy={self.proxy.address()}\n").expect(0)
        asked = self.proxy.tunnels_since(0, wanted=2)
        self.assertIn(f"GET {self.server.url}curupira-node-hello 200", asked)
        self.assertIn(f"GET {self.server.url}tarballs/curupira-node-hello-1.0.0.tgz 200", asked)

    def test_it_counts_before_the_variables(self):
        self.install(f"proxy={self.proxy.address()}\n", http_proxy=f"http://127.0.0.1:{free_port()}").expect(0)

    def test_noproxy_of_npmrc(self):
        self.install("noproxy=127.0.0.1\n", http_proxy=f"http://127.0.0.1:{free_port()}").expect(0)

    def test_a_proxy_of_the_current_folder_is_not_used(self):
        (self.home.work / ".npmrc").write_text(f"proxy=http://127.0.0.1:{free_port()}\n")
        result = self.install("").expect(0)
        self.assertIn("`proxy`", result.stderr)


if __name__ == "__main__":
    main()
