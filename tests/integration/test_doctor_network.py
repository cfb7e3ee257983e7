"""`doctor network` against real servers: a registry that knows users, and one whose authority is nobody's."""

import json
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.network import Authority, WebServer
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.registry_user import registry_table
from curupira_testing.services import Verdaccio


class Case(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def outcomes(self, url: str, code: int, **env: str) -> list[dict]:
        """What is said of one address; the last is whether it answers."""
        result = self.curupira("doctor", "network", url, "--json", env=env).expect(code)
        findings = json.loads(result.stdout)["findings"]
        self.assertEqual({each["subject"] for each in findings}, {url}, str(result))
        return findings


class RegistryOfExtensions(Case):
    def test_is_asked_for_its_timestamp(self):
        registry = OwnRegistry(self.home)
        server = StaticServer.of(self, registry.folder)
        self.home.write_settings(registry_table("corp", server.url, registry.fingerprint))
        findings = self.outcomes(server.url, 0)
        self.assertIn("[registries.corp]", findings[0]["what"])
        self.assertEqual((findings[-1]["level"], server.asked), ("ok", ["metadata/timestamp.json"]))

    def test_that_is_none(self):
        server = StaticServer.of(self, self.home.work)
        self.home.write_settings(registry_table("corp", server.url, "sha256:" + "0" * 64))
        outcome = self.outcomes(server.url, 1)[-1]
        self.assertEqual(outcome["level"], "problem")
        self.assertIn("no registry", outcome["what"])


class Registry(Case):
    @classmethod
    def setUpClass(cls):
        cls.registry = Verdaccio.of(cls)

    def npmrc(self, text: str) -> Path:
        file = self.home.path / ".npmrc"
        file.write_text(text)
        return file

    def test_logged_in(self):
        file = self.npmrc(self.registry.npmrc(token=True))
        findings = self.outcomes(self.registry.url, 0)
        self.assertIn(f"registry in {file}", findings[0]["what"])
        self.assertEqual(findings[-1]["level"], "ok")
        self.assertIn("logged in as tester", findings[-1]["what"])
        self.assertIn(str(file), findings[-1]["what"])
        self.assertNotIn(self.registry.token, json.dumps(findings))

    def test_not_logged_in(self):
        self.npmrc(self.registry.npmrc())
        outcome = self.outcomes(self.registry.url, 0)[-1]
        self.assertNotIn("logged in as", outcome["what"])
        self.assertTrue(outcome["what"].startswith("reachable"), outcome)

    def test_a_token_that_is_refused_names_its_line(self):
        file = self.npmrc(f"registry={self.registry.url}\n//127.0.0.1:{self.registry.port}/:_authToken=not-a-token\n")
        outcome = self.outcomes(self.registry.url, 1)[-1]
        self.assertEqual(outcome["level"], "problem")
        self.assertIn(f"//127.0.0.1:{self.registry.port}/ in {file}", outcome["what"])
        self.assertIn("npm login", outcome["help"])
        self.assertNotIn("not-a-token", json.dumps(outcome))

    def test_the_registry_of_a_scope_is_looked_at_as_well(self):
        self.npmrc(f"registry={self.registry.url}\n@acme:registry=http://127.0.0.1:9/acme/\n")
        result = self.curupira("doctor", "network", "--json", env={"UV_DEFAULT_INDEX": self.registry.url}).expect(1)
        named = [each["what"] for each in json.loads(result.stdout)["findings"] if "127.0.0.1:9/acme" in each["subject"]]
        self.assertTrue(any("@acme:registry" in each for each in named), named)


class Encrypted(Case):
    @classmethod
    def setUpClass(cls):
        place = TempHome()
        cls.addClassCleanup(place.remove)
        cls.authority = Authority(place.work / "authority")
        cls.server = WebServer.of(cls, cls.authority)
        (cls.server.files / "index.html").write_text("hello")

    def test_the_own_authority_is_missing(self):
        """astral-sh/uv#1474: the error has to say whose signatures count."""
        outcome = self.outcomes(self.server.secure_url, 1)[-1]
        self.assertEqual(outcome["level"], "problem")
        self.assertIn("certificate", outcome["what"])
        self.assertIn("SSL_CERT_FILE", outcome["help"])

    def test_a_file_that_counts_alone_is_the_one_to_change(self):
        """astral-sh/uv#1474: with `cert` of pip, SSL_CERT_FILE says nothing."""
        own = Authority(self.home.folder / "authority").certificate
        environment = {"UV_DEFAULT_INDEX": self.server.secure_url, "PIP_CERT": str(own)}
        outcome = self.outcomes(self.server.secure_url, 1, SSL_CERT_FILE=str(self.authority.certificate), **environment)[-1]
        self.assertIn("PIP_CERT", outcome["help"])
        self.assertNotIn("SSL_CERT_FILE", outcome["help"])

    def test_the_own_authority_is_named(self):
        findings = self.outcomes(self.server.secure_url, 0, SSL_CERT_FILE=str(self.authority.certificate))
        trusted = next(each for each in findings if "trusted" in each["what"])
        self.assertIn(f"{self.authority.certificate} (SSL_CERT_FILE)", trusted["what"])
        self.assertIn("1 certificate", trusted["what"])
        self.assertEqual(findings[-1]["what"], "reachable")

    def test_a_file_that_is_no_list_of_authorities(self):
        wrong = self.home.work / "authority.pem"
        wrong.write_text("nothing\n")
        findings = self.outcomes(self.server.secure_url, 1, SSL_CERT_FILE=str(wrong))
        trusted = next(each for each in findings if "trusted" in each["what"])
        self.assertEqual(trusted["level"], "problem")
        self.assertIn("no certificate", trusted["what"])


if __name__ == "__main__":
    main()
