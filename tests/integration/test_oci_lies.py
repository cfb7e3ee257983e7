"""OCI registries that lie, and token servers that cannot be trusted: each ends with a code, and nothing is left."""

import json
import unittest

from curupira_testing import TempHome, main
from curupira_testing.carrier_tool import FILES, CarrierTool
from curupira_testing.lying_oci import LyingOci
from curupira_testing.lying_server import LyingServer
from curupira_testing.oci_registry import docker_config, hex_digest

LOGIN = ("publisher", "secret-of-publisher")
ROOT = "metadata/1.root.json"
LARGE = "metadata/3.targets.json"
ARTIFACT = next(item for item in FILES if item.startswith("targets/artifacts/"))
QUICK = {"CURUPIRA_STALL_TIMEOUT": "1"}


class Lies(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.registry = LyingOci.of(self)
        self.tool = CarrierTool(self.home, **QUICK)

    def fill(self) -> None:
        self.tool.put(self.registry.address(), FILES).expect(0)
        self.registry.asked.clear()

    def log_in(self) -> None:
        docker_config(self.home.path / ".docker", self.registry.authority, LOGIN)

    def refused(self, item: str, code: str, *words: str):
        result = self.tool.get(self.registry.address(), item).expect_error(code, *words)
        self.assertNotIn("secret", result.stderr)
        self.assertEqual(self.tool.got(), {})
        return result


class Contents(Lies):
    def setUp(self):
        super().setUp()
        self.fill()

    def change_manifest(self, tag: str, **members) -> None:
        media_type, data = self.registry.manifests[tag]
        self.registry.manifests[tag] = (media_type, json.dumps({**json.loads(data), **members}).encode())

    def layer(self, **members) -> list[dict]:
        data = FILES[ROOT]
        descriptor = {"mediaType": "application/vnd.curupira.metadata.v1+json", "digest": "sha256:" + hex_digest(data)}
        return [{**descriptor, "size": len(data), **members}]

    def test_metadata_of_other_bytes_than_its_manifest_says(self):
        digest = hex_digest(FILES[LARGE])
        self.registry.blobs[digest] = b"[" + b"2," * 50_000 + b"1]"
        self.refused(LARGE, "CUR-4705", "3.targets.json are not those of its manifest")

    def test_metadata_whose_bytes_are_gone(self):
        del self.registry.blobs[hex_digest(FILES[LARGE])]
        self.refused(LARGE, "CUR-4705", "lacks the bytes of 3.targets.json")

    def test_bytes_in_the_manifest_that_contradict_it(self):
        self.change_manifest("1.root.json", layers=self.layer(data="eyJzaWduZWQiOnt9fQ=="))
        self.refused(ROOT, "CUR-4705", "data is not what size and digest say")

    def test_metadata_that_is_longer_than_its_manifest_says(self):
        self.change_manifest("3.targets.json", layers=self.layer(digest="sha256:" + hex_digest(FILES[LARGE]), size=10))
        self.refused(LARGE, "CUR-2007")

    def test_a_manifest_that_is_announced_as_another(self):
        self.registry.headers = {"Docker-Content-Digest": "sha256:" + "0" * 64}
        self.refused(ROOT, "CUR-4705", "is announced as sha256:0000")

    def test_an_image_in_the_place_of_metadata(self):
        self.change_manifest("1.root.json", artifactType="application/vnd.oci.image.config.v1+json")
        self.refused(ROOT, "CUR-4705", "is no metadata")

    def test_two_layers(self):
        self.change_manifest("1.root.json", layers=self.layer() * 2)
        self.refused(ROOT, "CUR-4705", "is no metadata")

    def test_what_is_no_manifest(self):
        for text in (b"", b"[]", b"<html>", b'{"schemaVersion":2}', b'{"schemaVersion":2,"layers":[{}],"config":{}}'):
            with self.subTest(text):
                self.registry.manifests["1.root.json"] = ("application/json", text)
                self.refused(ROOT, "CUR-4705", "the manifest 1.root.json cannot be read")

    def test_a_manifest_without_end(self):
        self.registry.manifests["1.root.json"] = ("application/json", b'{"a":"' + b"x" * 300_000)
        self.refused(ROOT, "CUR-2007", "262 kB")

    def test_silence(self):
        self.registry.hang = "/manifests/1.root.json"
        self.refused(ROOT, "CUR-2005", "1 s")

    def test_storage_elsewhere_gets_no_login(self):
        storage = LyingServer.of(self, FILES[ARTIFACT])
        self.log_in()
        self.registry.login = LOGIN
        self.registry.storage = storage.url("true", "")
        self.tool.get(self.registry.address(), ARTIFACT).expect(0)
        self.assertEqual(self.tool.got(), {ARTIFACT: FILES[ARTIFACT]})
        self.assertEqual([headers.get("authorization") for headers in storage.headers], [None])

    def test_storage_that_has_something_else(self):
        self.registry.storage = LyingServer.of(self, b"something else").url("true", "")
        self.refused(ARTIFACT, "CUR-2104", "expected sha256:")

    def test_storage_that_breaks_off(self):
        storage = LyingServer.of(self, FILES[ARTIFACT])
        storage.piece = 2_000_000
        self.registry.storage = storage.url("pieces", "")
        self.tool.get(self.registry.address(), ARTIFACT).expect(0)
        self.assertEqual(self.tool.got(), {ARTIFACT: FILES[ARTIFACT]})
        self.assertEqual(len(storage.asked), 2)


class Uploads(Lies):
    def put(self, item: str = ARTIFACT, *options: str):
        return self.tool.put(self.registry.address(), {item: FILES[item]}, *options)

    def test_nothing_is_sent_to_another_server(self):
        other = LyingServer.of(self)
        self.registry.upload_location = other.url("true", "upload")
        self.put().expect_error("CUR-4705", "to another server", f"http://127.0.0.1:{other.port}")
        self.assertEqual(other.asked, [])

    def test_where_an_upload_goes_keeps_its_query(self):
        self.put().expect(0)
        ends = [path for path in self.registry.paths("PUT") if "/uploads/" in path]
        self.assertTrue(ends)
        for path in ends:
            self.assertRegex(path, r"\?_state=a%2Bb&digest=sha256%3A[0-9a-f]{64}$")

    def test_a_long_file_goes_in_pieces_one_after_the_other(self):
        self.put(ARTIFACT, "--chunk", "1000000").expect(0)
        self.assertEqual(len(self.registry.paths("PATCH")), 4)
        self.assertEqual(self.registry.blobs[ARTIFACT.split("/")[-1][:64]], FILES[ARTIFACT])

    def test_another_publisher_at_the_same_moment(self):
        """The tag was free when it was asked for; what is there afterwards is the other one's."""
        item = "metadata/7.snapshot.json"
        other = LyingOci.of(self)
        self.tool.put(other.address(), {item: b'{"other":1}'}).expect(0)

        def slip_in(method: str, path: str) -> None:
            if method == "GET" and path.endswith("/7.snapshot.json") and "7.snapshot.json" in self.registry.manifests:
                self.registry.manifests["7.snapshot.json"] = other.manifests["7.snapshot.json"]

        self.registry.before_answer = slip_in
        self.put(item).expect_error("CUR-4704", "7.snapshot.json")

    def test_without_the_referrers_api_nothing_belongs_to_anything(self):
        self.put().expect(0)
        tag = "target-" + ARTIFACT.split("/")[-1][:40]
        self.assertNotIn("subject", json.loads(self.registry.manifests[tag][1]))

    def test_with_it_targets_belong_to_the_registry(self):
        self.registry.referrers = 10
        self.put().expect(0)
        tag = "target-" + ARTIFACT.split("/")[-1][:40]
        subject = json.loads(self.registry.manifests[tag][1])["subject"]
        self.assertEqual(subject["digest"], "sha256:" + hex_digest(self.registry.manifests["curupira-registry"][1]))


class Challenges(Lies):
    def setUp(self):
        super().setUp()
        self.fill()
        self.log_in()
        self.url = f"{self.registry.url}/token"
        self.registry.challenge = f'Bearer realm="{self.url}",service="tests",scope="repository:team/plugins:pull"'

    def test_a_token_is_taken_for_the_whole_run(self):
        self.tool.get(self.registry.address(), *FILES).expect(0)
        tokens = [path for path in self.registry.paths() if path.startswith("/token")]
        self.assertEqual(tokens, ["/token?service=tests&scope=repository%3Ateam%2Fplugins%3Apull"])

    def test_a_token_server_that_says_nothing(self):
        self.registry.hang = "/token"
        self.refused(ROOT, "CUR-2005", self.url, "asking for a token")

    def test_a_token_server_that_says_no(self):
        self.registry.realm_answers = (403, b"")
        self.refused(ROOT, "CUR-1309", 'the login of "publisher"')

    def test_what_is_no_token(self):
        for body in (b"", b"{}", b'{"token":""}', b'{"token":7}', b"[]", b"<html>"):
            with self.subTest(body):
                self.registry.realm_answers = (200, body)
                self.refused(ROOT, "CUR-4705", "gave no token")

    def test_a_token_that_would_be_two_headers(self):
        self.registry.realm_answers = (200, b'{"token":"a\\r\\nX-Evil: 1"}')
        self.refused(ROOT, "CUR-1309")

    def test_a_token_without_end(self):
        self.registry.realm_answers = (200, b'{"token":"' + b"x" * 100_000 + b'"}')
        self.refused(ROOT, "CUR-2007")

    def test_a_token_that_the_registry_does_not_take(self):
        self.registry.realm_answers = (200, b'{"access_token":"another"}')
        self.refused(ROOT, "CUR-1309", 'the login of "publisher"')
        self.assertEqual(len(self.registry.asked), 3)

    def test_a_token_server_in_the_open(self):
        self.registry.challenge = 'Bearer realm="http://tokens.example.org/token",service="tests"'
        self.refused(ROOT, "CUR-4705", "http://tokens.example.org/token is not encrypted")

    def test_a_token_server_that_is_none(self):
        for realm in ("", "token", "file:///etc/hostname", "ftp://example.org/"):
            with self.subTest(realm):
                self.registry.challenge = f'Bearer realm="{realm}"'
                self.refused(ROOT, "CUR-4705", "a token server that cannot be used")

    def test_another_hosts_password_is_not_taken_for_a_token(self):
        """The netrc file has one for the token server's host; the login of the registry is what counts."""
        (self.home.path / ".docker" / "config.json").unlink()
        tokens = LyingOci.of(self)
        netrc = self.home.path / ".netrc"
        netrc.write_text("machine localhost login me password secret-of-localhost\n")
        netrc.chmod(0o600)
        realm = tokens.url.replace("127.0.0.1", "localhost")
        self.registry.challenge = f'Bearer realm="{realm}/token"'
        self.tool.get(self.registry.address(), ROOT).expect(0)
        self.assertEqual([authorization for _, _, authorization in tokens.asked], ["-"])

    def test_a_login_of_another_kind(self):
        self.registry.challenge = "Negotiate"
        self.refused(ROOT, "CUR-1309", "asks for negotiate")

    def test_a_challenge_that_cannot_be_read(self):
        for challenge in (" ", '="x"', 'Bearer realm="http', ","):
            with self.subTest(challenge):
                self.registry.challenge = challenge
                self.tool.get(self.registry.address(), ROOT).expect(1)

    def test_an_identity_token_is_exchanged(self):
        config = {"auths": {self.registry.authority: {"auth": "PHRva2VuPjo=", "identitytoken": "secret-identity"}}}
        (self.home.path / ".docker" / "config.json").write_text(json.dumps(config))
        self.tool.get(self.registry.address(), ROOT).expect(0)
        self.assertIn(("POST", "/token", "-"), self.registry.asked)


if __name__ == "__main__":
    main()
