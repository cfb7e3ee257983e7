"""Which server gets which credential, and that none is shown or kept."""

import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.network import Authority, WebServer
from curupira_testing.packages import acme_archive, build_wheel, sdk_wheels, sha256, write_wheel
from curupira_testing.services import Pypiserver
from curupira_testing.static_registry import npm_hello, serve_npm, serve_python

LOGIN = ("me", "s3cret-passw0rd")
BASIC = "Basic bWU6czNjcmV0LXBhc3N3MHJk"


class WithHome(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, reference: str, *secrets: str, **options):
        """Installs, and looks for the secrets in all that is printed and kept."""
        result = self.curupira("plugins", "install", reference, "--yes", timeout=180, **options)
        texts = [result.stdout, result.stderr]
        texts += [each.read_text(errors="replace") for each in self.home.curupira.rglob("*") if each.is_file()]
        for secret in (*secrets, LOGIN[1], BASIC.removeprefix("Basic ")):
            self.assertFalse([text for text in texts if secret in text], secret)
        return result

    def netrc(self, text: str, mode: int = 0o600) -> Path:
        file = self.home.path / ".netrc"
        file.write_text(text)
        file.chmod(mode)
        return file


class Netrc(WithHome):
    """kubernetes-sigs/krew#896, helm/helm#13228: netrc and credential helpers ignored."""

    def setUp(self):
        super().setUp()
        self.server = WebServer.of(self, login=LOGIN)
        archive = acme_archive(self.server.files, "tar.gz")
        self.reference = f"{self.server.url}{archive.name}#sha256={sha256(archive.read_bytes())}"

    def test_of_the_home(self):
        self.netrc(f"machine 127.0.0.1\n  login {LOGIN[0]}\n  password {LOGIN[1]}\n")
        result = self.install(self.reference).expect(0)
        self.assertNotIn("warning", result.stderr)

    def test_of_the_variable(self):
        other = self.home.work / "my netrc"
        self.netrc(f'default login {LOGIN[0]} password "{LOGIN[1]}"\n').rename(other)
        self.install(self.reference, env={"NETRC": str(other)}).expect(0)

    def test_that_others_may_read(self):
        self.netrc(f"machine 127.0.0.1 login {LOGIN[0]} password {LOGIN[1]}\n", 0o644)
        self.assertIn("chmod 600", self.install(self.reference).expect(0).stderr)

    def test_of_another_host(self):
        self.netrc(f"machine registry.example.org login {LOGIN[0]} password {LOGIN[1]}\n")
        self.install(self.reference).expect_error("CUR-1309", "no credentials are configured")
        self.assertEqual({asked.authorization for asked in self.server.asked()}, {"-"})

    def test_with_a_wrong_password(self):
        self.netrc(f"machine 127.0.0.1 login {LOGIN[0]} password wr0ng\n")
        self.install(self.reference, "wr0ng").expect_error("CUR-1309", "401")
        self.assertEqual(self.home.state(), {})


class Redirects(WithHome):
    """zkat/pacote-old#87: the token follows a redirect to another host."""

    TOKEN = "t0ken-of-the-registry"

    def setUp(self):
        super().setUp()
        skip.need_program("npm")

    def registry(self, extra: str, authority: Authority | None = None) -> WebServer:
        server = WebServer.of(self, authority, extra=extra)
        url = server.url if authority is None else server.secure_url
        serve_npm(server.files, url, npm_hello(), tarballs=f"{url}moved/")
        place = url.split(":", 1)[1]
        lines = f"registry={url}\n{place}:_authToken={self.TOKEN}\n"
        if authority is not None:
            lines += f"cafile={authority.certificate}\n"
        (self.home.path / ".npmrc").write_text(lines)
        return server

    def test_to_another_server_takes_no_token(self):
        storage = WebServer.of(self)
        registry = self.registry(f"location /moved/ {{ rewrite ^/moved/(.*)$ {storage.url}tarballs/$1 redirect; }}")
        shutil.copytree(registry.files / "tarballs", storage.files / "tarballs")
        self.install("npm:curupira-node-hello", self.TOKEN).expect(0)
        self.assertEqual({asked.authorization for asked in registry.asked()}, {f"Bearer {self.TOKEN}"})
        self.assertEqual([asked.authorization for asked in storage.asked()], ["-"])

    def test_to_another_server_that_wants_a_login_is_refused(self):
        """Neither the token of the registry nor a login that stands in the new address is sent there."""
        storage = WebServer.of(self, login=LOGIN)
        for login in ("", f"{LOGIN[0]}:{LOGIN[1]}@"):
            with self.subTest(login):
                target = f"http://{login}127.0.0.1:{storage.port}/tarballs/"
                registry = self.registry(f"location /moved/ {{ rewrite ^/moved/(.*)$ {target}$1 redirect; }}")
                shutil.copytree(registry.files / "tarballs", storage.files / "tarballs", dirs_exist_ok=True)
                result = self.install("npm:curupira-node-hello", self.TOKEN)
                result.expect_error("CUR-1309", f"127.0.0.1:{storage.port}", "no credentials are configured", "redirected from")
                self.assertEqual(self.home.state(), {})
        self.assertEqual({asked.authorization for asked in storage.asked()}, {"-"})

    def test_within_the_server_keeps_it(self):
        registry = self.registry("location /moved/ { rewrite ^/moved/(.*)$ /tarballs/$1 redirect; }")
        self.install("npm:curupira-node-hello", self.TOKEN).expect(0)
        self.assertEqual({asked.authorization for asked in registry.asked()}, {f"Bearer {self.TOKEN}"})

    def test_from_https_to_http_is_refused(self):
        storage = WebServer.of(self)
        authority = Authority(self.home.work / "authority")
        moved = f"location /moved/ {{ rewrite ^/moved/(.*)$ {storage.url}tarballs/$1 redirect; }}"
        registry = self.registry(moved, authority)
        shutil.copytree(registry.files / "tarballs", storage.files / "tarballs")
        self.install("npm:curupira-node-hello", self.TOKEN).expect_error("CUR-2003", "https")
        self.assertEqual(storage.asked(), [])
        self.assertEqual(self.home.state(), {})


class Dependencies(WithHome):
    """What npm finds closed while it resolves gets the same advice as what we find closed."""

    def resolve(self, status: int):
        skip.need_program("npm")
        server = WebServer.of(self, extra=f"location /closed-dependency {{ return {status}; }}")
        serve_npm(server.files, server.url, npm_hello(dependencies={"closed-dependency": "1.0.0"}))
        token = "t0ken-that-is-wrong"
        place = server.url.removeprefix("http:")
        (self.home.path / ".npmrc").write_text(f"registry={server.url}\n{place}:_authToken={token}\nfetch-retries=0\n")
        return self.install("npm:curupira-node-hello", token)

    def test_closed(self):
        for status in (401, 403):
            with self.subTest(status):
                self.resolve(status).expect_error("CUR-1309", "closed-dependency", "_authToken", "npm login")
                self.assertEqual(self.home.state(), {})

    def test_missing(self):
        self.resolve(404).expect_error("CUR-1303", "closed-dependency", "~/.npmrc", ":registry=")


class PythonIndex(WithHome):
    @classmethod
    def setUpClass(cls):
        skip.need_uv()
        place = TempHome()
        cls.addClassCleanup(place.remove)
        cls.wheels = [build_wheel(place.work), *sdk_wheels()]

    def closed_index(self) -> WebServer:
        server = WebServer.of(self, login=LOGIN)
        serve_python(server.files, self.wheels)
        return server

    def test_login_of_pip_conf(self):
        server = self.closed_index()
        file = self.home.path / ".config" / "pip" / "pip.conf"
        file.parent.mkdir(parents=True)
        file.write_text(f"[global]\nindex-url = http://{LOGIN[0]}:{LOGIN[1]}@127.0.0.1:{server.port}/simple/\n")
        self.install("pip:curupira-python-hello", env={"PIP_CONFIG_FILE": None}).expect(0)

    def test_login_of_netrc(self):
        server = self.closed_index()
        self.netrc(f"machine 127.0.0.1 login {LOGIN[0]} password {LOGIN[1]}\n")
        self.install("pip:curupira-python-hello", env={"UV_DEFAULT_INDEX": f"{server.url}simple/"}).expect(0)

    def test_login_of_variables_for_an_index_of_uv_toml(self):
        server = self.closed_index()
        file = self.home.path / ".config" / "uv" / "uv.toml"
        file.parent.mkdir(parents=True)
        file.write_text(f'[[index]]\nname = "corp"\nurl = "{server.url}simple/"\ndefault = true\n')
        login = {"UV_INDEX_CORP_USERNAME": LOGIN[0], "UV_INDEX_CORP_PASSWORD": LOGIN[1]}
        self.install("pip:curupira-python-hello", env=login).expect(0)

    def test_login_of_the_keyring(self):
        server = self.closed_index()
        keyring = self.home.tools / "keyring"
        keyring.write_text(f'#!/bin/sh\n[ "$1" = get ] && [ "$3" = {LOGIN[0]} ] && echo {LOGIN[1]}\n')
        keyring.chmod(0o755)
        env = {
            "UV_DEFAULT_INDEX": f"http://{LOGIN[0]}@127.0.0.1:{server.port}/simple/",
            "PIP_KEYRING_PROVIDER": "subprocess",
        }
        self.install("pip:curupira-python-hello", env=env).expect(0)

    def test_a_wrong_password_is_not_shown(self):
        server = self.closed_index()
        env = {"UV_DEFAULT_INDEX": f"http://{LOGIN[0]}:wr0ng-one@127.0.0.1:{server.port}/simple/"}
        self.install("pip:curupira-python-hello", "wr0ng-one", env=env).expect_error("CUR-1309", "curupira-python-hello")
        self.assertEqual(self.home.state(), {})


class TwoIndexes(WithHome):
    """Dependency confusion: a name belongs to the first index that has it, whatever another one offers."""

    def setUp(self):
        super().setUp()
        skip.need_uv()
        self.public = Pypiserver.of(self)
        for wheel in sdk_wheels():
            shutil.copy(wheel, self.public.packages)
        write_wheel(self.public.packages, "curupira-python-hello", "99.0", {"evil.py": ""}, scripts={"x": "evil:x"})

    def both(self, private: str) -> dict[str, str]:
        # Without the line, a user who wants pip's way with several indexes would get it.
        return {"UV_INDEX": private, "UV_DEFAULT_INDEX": self.public.index, "UV_INDEX_STRATEGY": "unsafe-best-match"}

    def test_the_private_one_wins(self):
        private = Pypiserver.of(self)
        build_wheel(private.packages)
        result = self.install("pip:curupira-python-hello", env=self.both(private.index)).expect(0)
        self.assertIn("+ curupira-python-hello 1.0.0", result.stdout)

    def test_the_private_one_is_closed_or_broken(self):
        for status, error in ((401, "CUR-1309"), (403, "CUR-1309"), (500, "CUR-2001")):
            with self.subTest(status), TempHome() as self.home:
                self.curupira = Program(self.home)
                private = WebServer.of(self, extra=f"location /simple/ {{ return {status}; }}")
                env = {**self.both(f"{private.url}simple/"), "UV_HTTP_RETRIES": "0"}
                result = self.install("pip:curupira-python-hello", env=env)
                result.expect_error(error, "curupira-python-hello")
                self.assertNotIn("99.0", result.stdout)
                self.assertEqual(self.home.state(), {})
        self.assertNotIn("GET /simple/curupira-python-hello", self.public.log.read_text())


if __name__ == "__main__":
    main()
