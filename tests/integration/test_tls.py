"""Own authorities, client certificates, and HTTP/2, against nginx."""

import os
import subprocess
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.network import Authority, WebServer
from curupira_testing.packages import acme_archive, build_wheel, sdk_wheels, sha256
from curupira_testing.static_registry import npm_hello, npm_plain, serve_npm, serve_python


class Encrypted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = TempHome()
        cls.addClassCleanup(place.remove)
        cls.authority = Authority(place.work / "authority")
        cls.people = Authority(place.work / "people")
        cls.me = cls.people.issue("me", "extendedKeyUsage=clientAuth")

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.trusted = {"SSL_CERT_FILE": str(self.authority.certificate)}

    def serve(self, **options) -> WebServer:
        server = WebServer.of(self, self.authority, **options)
        archive = acme_archive(server.files, "tar.gz")
        self.name, self.digest = archive.name, sha256(archive.read_bytes())
        return server

    def install(self, url: str, **env: str):
        return self.curupira("plugins", "install", f"{url}#sha256={self.digest}", "--yes", env=env)


class Authorities(Encrypted):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.url = self.server.secure_url + self.name

    def test_a_file(self):
        self.install(self.url, **self.trusted).expect(0)

    def test_a_folder(self):
        self.install(self.url, SSL_CERT_DIR=str(self.authority.hashed_folder())).expect(0)

    def test_neither(self):
        self.install(self.url).expect_error("CUR-2004", "the list of this machine", "SSL_CERT_FILE")
        self.assertEqual(self.home.state(), {})

    def test_another_authority(self):
        result = self.install(self.url, SSL_CERT_FILE=str(self.people.certificate))
        result.expect_error("CUR-2004", str(self.people.certificate))

    def test_another_host(self):
        certificate, key = self.authority.issue("elsewhere", "subjectAltName=DNS:elsewhere.example.org")
        configuration = self.server.folder / "nginx.conf"
        text = configuration.read_text()
        for old, new in ((f"server-{self.server.secure_port}.pem", certificate.name), (f"server-{self.server.secure_port}.key", key.name)):
            text = text.replace(old, new)
        configuration.write_text(text)
        self.server._process.terminate()
        self.server._process.wait()
        self.server._start([str(skip.need_program("nginx")), "-p", str(self.server.folder), "-c", str(configuration)])
        self.install(self.url, **self.trusted).expect_error("CUR-2004", "127.0.0.1")


class ClientCertificates(Encrypted):
    def setUp(self):
        super().setUp()
        self.server = self.serve(client_authority=self.people)
        self.url = self.server.secure_url + self.name
        self.shown = {"CURUPIRA_CLIENT_CERT": str(self.me[0]), "CURUPIRA_CLIENT_KEY": str(self.me[1])}

    def test_of_the_variables(self):
        self.install(self.url, **self.trusted, **self.shown).expect(0)
        self.assertEqual({asked.client for asked in self.server.asked()}, {"CN=me"})

    def test_with_the_key_in_the_same_file(self):
        both = self.home.work / "both.pem"
        both.write_text(self.me[0].read_text() + self.me[1].read_text())
        self.install(self.url, **self.trusted, CURUPIRA_CLIENT_CERT=str(both)).expect(0)

    def test_none(self):
        self.install(self.url, **self.trusted).expect_error("CUR-2002", "400")

    def test_one_that_is_not_there(self):
        result = self.install(self.url, **self.trusted, CURUPIRA_CLIENT_CERT=str(self.home.work / "none.pem"))
        result.expect_error("CUR-2004", "none.pem", "CURUPIRA_CLIENT_CERT")

    def test_a_key_with_a_passphrase_is_not_asked_for(self):
        locked = self.home.work / "locked.key"
        command = [skip.need_program("openssl"), "ec", "-in", self.me[1], "-aes256", "-passout", "pass:x", "-out", locked]
        subprocess.run(command, check=True, capture_output=True)
        shown = {**self.shown, "CURUPIRA_CLIENT_KEY": str(locked)}
        self.install(self.url, **self.trusted, **shown).expect_error("CUR-2004", "CURUPIRA_CLIENT_CERT")

    def test_it_is_not_shown_where_a_redirect_leads(self):
        first = self.serve(extra=f"location /moved/ {{ return 302 {self.server.secure_url}{self.name}; }}")
        result = self.install(f"{first.secure_url}moved/{self.name}", **self.trusted, **self.shown)
        result.expect_error("CUR-2002", "400")
        self.assertEqual({asked.client for asked in self.server.asked()}, {"-"})


class Npm(Encrypted):
    def setUp(self):
        super().setUp()
        skip.need_program("npm")

    def npm_server(self, **options) -> WebServer:
        server = WebServer.of(self, self.authority, **options)
        serve_npm(server.files, server.secure_url, npm_hello())
        return server

    def install_npm(self, npmrc: str, **env: str):
        (self.home.path / ".npmrc").write_text(npmrc)
        env["npm_config_globalconfig"] = os.devnull  # the machine's may name an authority, too
        return self.curupira("plugins", "install", "npm:curupira-node-hello", "--yes", env=env)

    def test_cafile(self):
        server = self.npm_server()
        self.install_npm(f"registry={server.secure_url}\ncafile={self.authority.certificate}\n").expect(0)

    def test_cafile_is_named_when_it_is_the_wrong_one(self):
        server = self.npm_server()
        result = self.install_npm(f"registry={server.secure_url}\ncafile={self.people.certificate}\n", **self.trusted)
        result.expect_error("CUR-2004", "cafile in", ".npmrc")

    def test_certificates_in_the_file_itself(self):
        server = self.npm_server()
        pem = self.authority.certificate.read_text().strip().replace("\n", "\\n")
        self.install_npm(f'registry={server.secure_url}\nca="{pem}"\n').expect(0)

    def test_strict_ssl_off_warns(self):
        server = self.npm_server()
        result = self.install_npm(f"registry={server.secure_url}\nstrict-ssl=false\n").expect(0)
        self.assertIn("strict-ssl=false", result.stderr)

    def test_strict_ssl_off_is_for_the_registry_only(self):
        server, other = self.npm_server(), self.npm_server()
        serve_npm(server.files, server.secure_url, npm_hello(), tarballs=f"{other.secure_url}tarballs/")
        result = self.install_npm(f"registry={server.secure_url}\nstrict-ssl=false\n")
        result.expect_error("CUR-2004", str(other.secure_port))
        self.assertEqual(other.asked(), [])

    def test_client_certificate_of_a_registry(self):
        server = self.npm_server(client_authority=self.people)
        place = server.secure_url.removeprefix("https:")
        npmrc = f"registry={server.secure_url}\ncafile={self.authority.certificate}\n"
        self.install_npm(npmrc).expect_error("CUR-2002", "400")
        self.install_npm(f"{npmrc}{place}:certfile={self.me[0]}\n{place}:keyfile={self.me[1]}\n").expect(0)
        self.assertEqual({asked.client for asked in server.asked() if asked.status == 200}, {"CN=me"})

    def test_tarballs_share_one_http2_connection(self):
        server = self.npm_server()
        names = [f"dependency-{number}" for number in range(12)]
        for name in names:
            serve_npm(server.files, server.secure_url, npm_plain(name))
        serve_npm(server.files, server.secure_url, npm_hello(dependencies={name: "1.0.0" for name in names}))
        self.install_npm(f"registry={server.secure_url}\ncafile={self.authority.certificate}\n").expect(0)
        tarballs = [asked for asked in server.asked() if asked.path.endswith(".tgz")]
        self.assertEqual(len(tarballs), 13)
        self.assertEqual({asked.protocol for asked in tarballs}, {"HTTP/2.0"})
        self.assertEqual(len({asked.connection for asked in tarballs}), 1, tarballs)


class Pip(Encrypted):
    def test_the_authority_of_pip_conf_counts_for_index_and_wheels(self):
        """astral-sh/uv#1474, #9243, #6649: the company CA works for the index, not for downloads."""
        skip.need_uv()
        server = WebServer.of(self, self.authority)
        serve_python(server.files, [build_wheel(self.home.work), *sdk_wheels()])
        configuration = self.home.path / ".config" / "pip" / "pip.conf"
        configuration.parent.mkdir(parents=True)
        index = f"{server.secure_url}simple/"
        configuration.write_text(f"[global]\nindex-url = {index}\ncert = {self.authority.certificate}\n")
        reference = "pip:curupira-python-hello"
        self.curupira("plugins", "install", reference, "--yes", env={"PIP_CONFIG_FILE": None}, timeout=180).expect(0)
        self.assertEqual(self.home.installed(), ["curupira-python-hello"])


if __name__ == "__main__":
    main()
