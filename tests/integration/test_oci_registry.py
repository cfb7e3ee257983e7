"""OCI registries: logins as Docker keeps them, tokens, what other clients see of a registry in one, and lies."""

import json
import subprocess
import unittest

from curupira_testing import TempHome, main, skip
from curupira_testing.carrier_tool import FILES, CarrierTool
from curupira_testing.example_org import ExampleOrg
from curupira_testing.lying_oci import LyingOci
from curupira_testing.oci_registry import DockerRegistry, TokenServer, docker_config, hex_digest

LOGIN = ("publisher", "secret-of-publisher")
ROOT = "metadata/1.root.json"
LARGE = "metadata/3.targets.json"
ARTIFACT = next(item for item in FILES if item.startswith("targets/artifacts/"))


class Logins(unittest.TestCase):
    """All of it against Debian's registry with an htpasswd file."""

    @classmethod
    def setUpClass(cls):
        cls.registry = DockerRegistry.of(cls, login=LOGIN)
        with TempHome() as home:
            config = docker_config(home.work / "docker", cls.registry.authority, LOGIN)
            CarrierTool(home).put(cls.registry.address(), {ROOT: b"{}"}, DOCKER_CONFIG=str(config)).expect(0)

    def setUp(self):
        self.home = TempHome.of(self)
        self.tool = CarrierTool(self.home)

    def get(self, **env: str):
        result = self.tool.get(self.registry.address(), ROOT, **env)
        self.assertNotIn("secret", result.stderr)
        return result

    def configure(self, config: dict) -> None:
        folder = self.home.path / ".docker"
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps(config))

    def helper(self, script: str) -> None:
        program = self.home.tools / "docker-credential-tests"
        program.write_text(f"#!/bin/sh\n{script}")
        program.chmod(0o755)

    def knowing_helper(self) -> None:
        answer = json.dumps({"ServerURL": self.registry.authority, "Username": LOGIN[0], "Secret": LOGIN[1]})
        self.helper(f"""[ "$1 $(cat)" = "get {self.registry.authority}" ] && echo '{answer}'\n""")

    def test_in_the_file(self):
        docker_config(self.home.path / ".docker", self.registry.authority, LOGIN)
        self.get().expect(0)

    def test_in_the_file_that_a_variable_names(self):
        folder = docker_config(self.home.work / "docker", f"http://{self.registry.authority}/v1/", LOGIN)
        self.get(DOCKER_CONFIG=str(folder)).expect(0)

    def test_of_the_hosts_helper(self):
        """docker/docker-credential-helpers: the host comes on standard input."""
        self.knowing_helper()
        self.configure({"credHelpers": {self.registry.authority: "tests"}, "credsStore": "other"})
        self.get().expect(0)

    def test_of_the_store_for_all_hosts(self):
        self.knowing_helper()
        self.configure({"auths": {self.registry.authority: {}}, "credsStore": "tests"})
        self.get().expect(0)

    def test_a_helper_that_has_none_is_no_trouble(self):
        self.helper("echo 'credentials not found in native keychain'; exit 1\n")
        docker_config(self.home.path / ".docker", self.registry.authority, LOGIN)
        file = self.home.path / ".docker" / "config.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), "credsStore": "tests"}))
        self.assertEqual(self.get().expect(0).stderr, "")

    def test_a_helper_that_fails_is_told_without_its_words(self):
        self.helper("echo secret; echo secret >&2; exit 3\n")
        self.configure({"credsStore": "tests"})
        self.get().expect_error("CUR-1309", "docker-credential-tests gives no login", "exit code 3")

    def test_a_helper_that_is_not_there(self):
        self.configure({"credsStore": "nobody"})
        self.get().expect_error("CUR-1309", "docker-credential-nobody gives no login")

    def test_of_the_netrc_file(self):
        netrc = self.home.path / ".netrc"
        netrc.write_text(f"machine 127.0.0.1 login {LOGIN[0]} password {LOGIN[1]}\n")
        netrc.chmod(0o600)
        self.get().expect(0)

    def test_none(self):
        self.get().expect_error("CUR-1309", "no login for it is configured", f"docker login` or `oras login` for {self.registry.authority}")

    def test_a_wrong_one_is_named_without_the_password(self):
        docker_config(self.home.path / ".docker", self.registry.authority, (LOGIN[0], "another-secret"))
        self.get().expect_error("CUR-1309", f'the login of "{LOGIN[0]}" from {self.home.path}/.docker/config.json')

    def test_a_configuration_that_cannot_be_read_is_warned_about(self):
        self.configure({})
        (self.home.path / ".docker" / "config.json").write_text('{"auths": "secret')
        self.get().expect_error("CUR-1309", "warning: the logins of Docker are not used")


class Tokens(unittest.TestCase):
    """The same registry with a token server beside it."""

    @classmethod
    def setUpClass(cls):
        place = TempHome()
        cls.addClassCleanup(place.remove)
        cls.server = TokenServer.of(cls, place.work, LOGIN)
        cls.registry = DockerRegistry.of(cls, tokens=cls.server)

    def setUp(self):
        self.home = TempHome.of(self)
        self.tool = CarrierTool(self.home)
        self.server.asked.clear()

    def test_one_for_reading_and_one_for_writing(self):
        docker_config(self.home.path / ".docker", self.registry.authority, LOGIN)
        self.tool.put(self.registry.address("team/a"), FILES).expect(0)
        scopes = ["repository:team/a:pull", "repository:team/a:pull,push"]
        self.assertEqual([sorted(scope.split(",")) for scope, _ in self.server.asked], [sorted(scope.split(",")) for scope in scopes])
        self.server.asked.clear()
        self.tool.get(self.registry.address("team/a"), *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)
        self.assertEqual([scope for scope, _ in self.server.asked], ["repository:team/a:pull"])

    def test_a_wrong_password(self):
        docker_config(self.home.path / ".docker", self.registry.authority, (LOGIN[0], "another-secret"))
        result = self.tool.get(self.registry.address("team/a"), ROOT)
        result.expect_error("CUR-1309", f'the login of "{LOGIN[0]}"', self.server.url)
        self.assertNotIn("another-secret", result.stderr)

    def test_without_a_login_it_is_asked_for_an_anonymous_one(self):
        self.tool.get(self.registry.address("team/a"), ROOT).expect_error("CUR-1309", "no login for it is configured")
        self.assertEqual(self.server.asked, [("repository:team/a:pull", "-")])


class ByName(unittest.TestCase):
    """A registry on another machine: by https, with an authority of its own, behind a proxy."""

    def test_it_is_reached_encrypted(self):
        registry = DockerRegistry.of(self, login=LOGIN)
        network = ExampleOrg.of(self, registry=registry.url)
        home = TempHome.of(self)
        tool = CarrierTool(home, **network.environment)
        docker_config(home.path / ".docker", "registry.example.org", LOGIN)
        tool.put("oci://registry.example.org/team/plugins", FILES).expect(0)
        tool.get("oci://registry.example.org/team/plugins", *FILES).expect(0)
        self.assertEqual(tool.got(), FILES)
        self.assertEqual(network.elsewhere, [])
        del tool.env["SSL_CERT_FILE"]
        tool.get("oci://registry.example.org/team/plugins", ROOT).expect_error("CUR-2004")


class ByOthers(unittest.TestCase):
    """What was published is read by clients that know nothing of curupira."""

    @classmethod
    def setUpClass(cls):
        cls.registry = DockerRegistry.of(cls)
        cls.repository = f"{cls.registry.authority}/team/plugins"
        with TempHome() as home:
            CarrierTool(home).put(cls.registry.address(), FILES).expect(0)

    def setUp(self):
        self.home = TempHome.of(self)

    def run_tool(self, *words) -> str:
        done = subprocess.run(
            list(map(str, words)), env=self.home.environment, cwd=self.home.work, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_oras_pulls_a_target_to_where_it_belongs(self):
        oras = skip.need_go_tool("oras")
        tag = "target-" + ARTIFACT.split("/")[-1][:40]
        self.run_tool(oras, "pull", "--plain-http", f"{self.repository}:{tag}")
        self.assertEqual((self.home.work / ARTIFACT).read_bytes(), FILES[ARTIFACT])

    def test_oras_pulls_metadata(self):
        oras = skip.need_go_tool("oras")
        self.run_tool(oras, "pull", "--plain-http", f"{self.repository}:3.targets.json")
        self.assertEqual((self.home.work / LARGE).read_bytes(), FILES[LARGE])

    def test_oras_lists_the_names(self):
        oras = skip.need_go_tool("oras")
        tags = self.run_tool(oras, "repo", "tags", "--plain-http", self.repository).split()
        self.assertLessEqual({"1.root.json", "timestamp.json", "1.team_252Fpublisher_5Fa.json"}, set(tags))

    def test_oras_finds_all_targets_where_the_registry_keeps_account(self):
        oras = skip.need_go_tool("oras")
        registry = LyingOci.of(self)
        registry.referrers = 2
        CarrierTool(self.home).put(registry.address(), FILES).expect(0)
        reference = f"{registry.authority}/team/plugins:curupira-registry"
        found = json.loads(self.run_tool(oras, "discover", "--plain-http", "--format", "json", reference))["referrers"]
        targets = {item.split("/")[-1][:64] for item in FILES if item.startswith("targets/")}
        self.assertEqual({each["annotations"]["vnd.curupira.target.sha256"] for each in found}, targets)
        self.assertEqual({each["artifactType"] for each in found}, {"application/vnd.curupira.target.v1"})

    def test_skopeo_reads_the_manifest(self):
        skopeo = skip.need_program("skopeo")
        raw = self.run_tool(skopeo, "inspect", "--raw", "--tls-verify=false", f"docker://{self.repository}:1.root.json")
        manifest = json.loads(raw)
        self.assertEqual(manifest["artifactType"], "application/vnd.curupira.metadata.v1+json")
        self.assertEqual([layer["mediaType"] for layer in manifest["layers"]], ["application/vnd.curupira.metadata.v1+json"])
        self.assertEqual(manifest["layers"][0]["digest"], "sha256:" + hex_digest(FILES[ROOT]))

    def test_skopeo_copies_it_and_it_is_read_from_there(self):
        skopeo = skip.need_program("skopeo")
        tags = [tag for tag in self._tags() if tag != "curupira-registry"]
        copy = f"{self.registry.authority}/team/copy"
        for tag in tags:
            command = [skopeo, "copy", "--insecure-policy", "--src-tls-verify=false", "--dest-tls-verify=false"]
            self.run_tool(*command, f"docker://{self.repository}:{tag}", f"docker://{copy}:{tag}")
        tool = CarrierTool(self.home)
        tool.get(f"oci://{copy}", *FILES).expect(0)
        self.assertEqual(tool.got(), FILES)

    def _tags(self) -> list[str]:
        listed = self.run_tool("skopeo", "list-tags", "--tls-verify=false", f"docker://{self.repository}")
        return json.loads(listed)["Tags"]


if __name__ == "__main__":
    main()
