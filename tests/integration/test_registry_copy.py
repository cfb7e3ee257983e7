"""Registries that are copied between all places where one can be kept, and read there by others' programs."""

import hashlib
import json
import subprocess
import unittest
from pathlib import Path

from curupira_testing import TempHome, main, skip
from curupira_testing.carrier_tool import CarrierTool, write
from curupira_testing.lying_oci import LyingOci
from curupira_testing.network import Authority, WebServer
from curupira_testing.oci import read_tar
from curupira_testing.oci_registry import DockerRegistry, docker_config
from curupira_testing.own_registry import OwnRegistry

LOGIN = ("publisher", "p@ss:wörd")


def files_of(folder: Path) -> dict[str, bytes]:
    """Metadata and targets."""
    kept = [file for part in ("metadata", "targets") for file in (folder / part).rglob("*") if file.is_file()]
    return {str(file.relative_to(folder)): file.read_bytes() for file in kept}


class Copying(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.oci = DockerRegistry.of(cls, login=LOGIN)

    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = OwnRegistry(self.home)
        self.registry.publish("tickets")
        self.registry.publish("mails", "1.0.0", "--scope", "acme")
        self.registry("refresh").expect(0)
        self.env = {"DOCKER_CONFIG": str(docker_config(self.home.work / "docker", self.oci.authority, LOGIN))}
        self.repository = f"{self.oci.authority}/team/{self._testMethodName.replace('_', '-')}"
        self.address = f"oci://{self.repository}"
        self.folder = self.home.work / "copy"

    def run_program(self, *words, **options):
        return self.registry.curupira("registry", *words, env=self.env, **options)

    def copy(self, source, to, *options):
        fingerprint = self.registry.fingerprint
        return self.run_program("copy", source, to, "--root-fingerprint", fingerprint, *options).expect(0)

    def walk(self, address, *packages: str):
        tool = CarrierTool(self.home, **self.env)
        trust = tool.pin((self.registry.folder / "metadata" / "1.root.json").read_bytes())
        return tool.walk(str(address), trust, *(f"packages/{name}.json" for name in packages))


class Everywhere(Copying):
    def test_from_a_folder_to_oci_to_a_bundle_and_back_nothing_changes(self):
        first, bundle = self.home.work / "first", self.home.work / "carried.bundle"
        self.copy(self.registry.folder, first)
        self.copy(first, self.address)
        self.copy(self.address, bundle)
        self.copy(bundle, self.folder)
        self.assertEqual(files_of(self.folder), files_of(first))
        original = self.registry.state()
        self.assertEqual(files_of(first), {name: original.get(name) for name in files_of(first)})
        for place in (first, self.address, bundle, self.folder):
            self.walk(place, "tickets", "@acme/mails").expect(0)

    def test_the_bundle_is_the_same_wherever_it_comes_from(self):
        self.copy(self.registry.folder, self.address)
        bundles = [self.home.work / name for name in ("a.bundle", "b.bundle")]
        for source, bundle in zip((self.registry.folder, self.address), bundles):
            self.copy(source, bundle)
        self.assertEqual(bundles[0].read_bytes(), bundles[1].read_bytes())

    def test_push_and_pull(self):
        pushed = self.run_program("push", self.registry.folder, self.address).expect(0)
        self.assertRegex(pushed.stdout, r"Copied \d+ metadata files, 3 indexes and 2 artifacts")
        self.run_program("pull", self.address, self.folder).expect_error("CUR-4904")
        fingerprint = self.registry.fingerprint
        self.run_program("pull", self.address, self.folder, "--root-fingerprint", fingerprint).expect(0)
        self.registry.publish("tickets", "1.1.0")
        self.run_program("push", self.registry.folder, self.address).expect(0)
        pulled = json.loads(self.run_program("pull", self.address, self.folder, "--json").expect(0).stdout)
        self.assertEqual((pulled["copied"]["indexes"], pulled["copied"]["artifacts"]), (1, 1))
        self.run_program("verify", self.folder).expect(0)

    def test_from_a_web_server_with_a_password(self):
        authority = Authority(self.home.work / "authority")
        server = WebServer.of(self, authority, login=LOGIN)
        write(server.files / "some/prefix", files_of(self.registry.folder))
        netrc = self.home.path / ".netrc"
        netrc.write_text(f'machine 127.0.0.1 login {LOGIN[0]} password "{LOGIN[1]}"\n')
        netrc.chmod(0o600)
        self.env["SSL_CERT_FILE"] = str(authority.certificate)
        self.copy(server.secure_url + "some/prefix", self.folder)
        self.run_program("verify", self.folder).expect(0)
        self.run_program("copy", self.folder, server.secure_url + "some/prefix").expect_error("CUR-4702")

    def test_an_address_that_there_is_not(self):
        self.run_program("pull", "ftp://example.org/x", self.folder).expect_error("CUR-4701", code=2)
        self.assertFalse(self.folder.exists())


class Requests(Copying):
    """What it costs, counted by an OCI registry that keeps account of what belongs to what."""

    def setUp(self):
        super().setUp()
        self.counting = LyingOci.of(self)
        self.counting.referrers = 100
        self.run_program("push", self.registry.folder, self.counting.address()).expect(0)
        self.counting.asked.clear()

    def test_without_a_change_a_handful(self):
        self.run_program("push", self.registry.folder, self.counting.address()).expect(0)
        self.copy(self.counting.address(), self.folder)
        self.counting.asked.clear()
        self.run_program("pull", self.counting.address(), self.folder).expect(0)
        self.assertLess(len(self.counting.asked), 6, self.counting.paths())
        self.assertEqual([path for path in self.counting.paths() if "bins-" in path or "target-" in path], [])

    def test_one_more_version_costs_what_changed(self):
        self.registry.publish("tickets", "1.1.0")
        role = self.registry.role_of("tickets")
        self.run_program("push", self.registry.folder, self.counting.address()).expect(0)
        bins = {path.split("/")[-1] for path in self.counting.paths("PUT") if "manifests" in path and "bins-" in path}
        self.assertEqual(bins, {f"{self.registry.versions()[role]}.{role}.json"})
        self.assertEqual(len([path for path in self.counting.paths("PUT") if "target-" in path]), 2)

    def test_the_timestamp_comes_last(self):
        self.registry.publish("tickets", "1.1.0")
        self.run_program("push", self.registry.folder, self.counting.address()).expect(0)
        tags = [path.split("/")[-1] for path in self.counting.paths("PUT") if "/manifests/" in path]
        kinds = [tag.split(".")[-2] if tag.endswith(".json") else "target" for tag in tags]
        self.assertEqual(kinds[:2], ["target", "target"])
        self.assertEqual(kinds[-2:], ["snapshot", "timestamp"])

    def test_killed_in_between_it_shows_what_it_showed(self):
        self.registry.publish("tickets", "1.1.0")
        before = self.counting.manifests["timestamp.json"]
        self.counting.upload_location = "http://example.org/elsewhere"
        self.run_program("push", self.registry.folder, self.counting.address()).expect_error("CUR-4705")
        self.assertEqual(self.counting.manifests["timestamp.json"], before)
        self.walk(self.counting.address(), "tickets").expect(0)
        self.counting.upload_location = ""
        self.run_program("push", self.registry.folder, self.counting.address()).expect(0)

    def test_an_oci_registry_that_lies(self):
        artifact = next((self.registry.folder / "targets" / "artifacts").iterdir()).name
        self.counting.blobs[artifact[:64]] = b"x" * 100
        fingerprint = self.registry.fingerprint
        pulled = self.run_program("pull", self.counting.address(), self.folder, "--root-fingerprint", fingerprint)
        pulled.expect_error("CUR-4621", artifact)
        self.assertFalse((self.folder / "metadata" / "timestamp.json").exists())
        self.assertNotIn(artifact, [file.name for file in self.folder.rglob("*")])


class OtherTools(Copying):
    """What was pushed, and what is in a bundle, is read by programs that know nothing of curupira."""

    def setUp(self):
        super().setUp()
        self.artifact = next((self.registry.folder / "targets" / "artifacts").glob("*tickets*"))
        self.tag = "target-" + self.artifact.name[:40]

    def run_tool(self, *words) -> str:
        env = {**self.home.environment, **self.env}
        done = subprocess.run(list(map(str, words)), env=env, cwd=self.home.work, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def skopeo(self, command: str, *words) -> str:
        auth = ("--authfile", self.home.work / "docker" / "config.json")
        return self.run_tool(skip.need_program("skopeo"), "--insecure-policy", command, *auth, *words)

    def test_oras_pulls_what_was_pushed(self):
        oras = skip.need_go_tool("oras")
        self.run_program("push", self.registry.folder, self.address).expect(0)
        config = ("--registry-config", self.home.work / "docker" / "config.json")
        self.run_tool(oras, "pull", *config, "--plain-http", f"{self.repository}:{self.tag}")
        self.assertEqual((self.home.work / "targets" / "artifacts" / self.artifact.name).read_bytes(), self.artifact.read_bytes())
        self.run_tool(oras, "pull", *config, "--plain-http", f"{self.repository}:1.root.json")
        self.assertEqual((self.home.work / "metadata/1.root.json").read_bytes(), self.registry.state()["metadata/1.root.json"])

    def test_skopeo_reads_what_was_pushed(self):
        self.run_program("push", self.registry.folder, self.address).expect(0)
        raw = self.skopeo("inspect", "--raw", "--tls-verify=false", f"docker://{self.repository}:{self.tag}")
        manifest = json.loads(raw)
        self.assertEqual(manifest["artifactType"], "application/vnd.curupira.target.v1")
        self.assertEqual(manifest["layers"][0]["digest"], "sha256:" + self.artifact.name[:64])

    def test_oras_reads_a_bundle(self):
        oras = skip.need_go_tool("oras")
        self.copy(self.registry.folder, self.home.work / "carried.bundle")
        self.run_tool(oras, "pull", "--oci-layout", f"carried.bundle:{self.tag}")
        self.assertEqual((self.home.work / "targets" / "artifacts" / self.artifact.name).read_bytes(), self.artifact.read_bytes())

    def test_skopeo_copies_a_bundle_to_an_oci_registry_and_clients_read_it_there(self):
        bundle = self.home.work / "carried.bundle"
        self.copy(self.registry.folder, bundle)
        entries = json.loads(read_tar(bundle)["index.json"])["manifests"]
        for tag in (entry["annotations"]["org.opencontainers.image.ref.name"] for entry in entries):
            if tag != "curupira-registry":
                self.skopeo("copy", "--dest-tls-verify=false", f"oci-archive:{bundle}:{tag}", f"docker://{self.repository}:{tag}")
        self.walk(self.address, "tickets", "@acme/mails").expect(0)

    def test_a_bundle_is_what_an_oci_registry_would_have(self):
        bundle = self.home.work / "carried.bundle"
        self.copy(self.registry.folder, bundle)
        self.copy(self.registry.folder, self.address)
        files = read_tar(bundle)
        for entry in json.loads(files["index.json"])["manifests"]:
            tag = entry["annotations"]["org.opencontainers.image.ref.name"]
            raw = self.skopeo("inspect", "--raw", "--tls-verify=false", f"docker://{self.repository}:{tag}").encode()
            self.assertEqual(entry["digest"], "sha256:" + hashlib.sha256(raw).hexdigest(), tag)
            self.assertEqual(files["blobs/sha256/" + entry["digest"][7:]], raw)


if __name__ == "__main__":
    main()
