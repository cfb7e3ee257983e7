"""One behaviour over all carriers of registries: a folder, nginx, Debian's OCI registry, and one with the referrers API."""

import itertools
import os
import unittest
from pathlib import Path

from curupira_testing import TempHome, main
from curupira_testing.carrier_tool import FILES, CarrierTool, write
from curupira_testing.lying_oci import LyingOci
from curupira_testing.network import Authority, WebServer
from curupira_testing.oci_registry import DockerRegistry, docker_config

ARTIFACT = next(item for item in FILES if item.startswith("targets/artifacts/"))
LOGIN = ("publisher", "p@ss:wörd")
places = itertools.count()


class Reads:
    """`place()` is a new, empty registry; `fill(files)` puts files there, `damage(item)` changes bytes of a target."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.tool = CarrierTool(self.home)
        self.address = self.place()

    def test_everything_comes_back_to_the_byte(self):
        self.fill(FILES)
        self.tool.get(self.address, *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)

    def test_metadata_that_is_not_there_is_no_error(self):
        self.fill(FILES)
        result = self.tool.get(self.address, "metadata/2.root.json", "metadata/1.root.json").expect(0)
        self.assertIn("metadata/2.root.json none\n", result.stdout)
        self.assertEqual(list(self.tool.got()), ["metadata/1.root.json"])

    def test_a_target_that_is_not_there(self):
        self.fill({"metadata/1.root.json": b"{}"})
        self.tool.get(self.address, ARTIFACT).expect_error("CUR-4703", self.name(), "hello-1.0.0.tar.gz")
        self.assertEqual(self.tool.got(), {})

    def test_more_than_allowed(self):
        """theupdateframework/python-tuf#1186: endless data ends at the limit, whoever sends it."""
        self.fill(FILES)
        for item in (ARTIFACT, "metadata/3.targets.json"):
            self.tool.get(self.address, item, options=("--max", "50000")).expect_error("CUR-2007", "50,000 bytes")
        self.assertEqual(self.tool.got(), {})

    def test_a_target_of_other_bytes(self):
        self.fill(FILES)
        self.damage(ARTIFACT)
        result = self.tool.get(self.address, ARTIFACT)
        result.expect_error("CUR-2104", self.name(), "expected sha256:" + ARTIFACT.split("/")[2][:64], "found sha256:")
        self.assertEqual(self.tool.got(), {})

    def test_a_path_that_leaves_the_registry(self):
        self.fill(FILES)
        for item in ("targets/../metadata/1.root.json", "metadata/../metadata.json", "targets//etc/hostname", "metadata/.json"):
            self.tool.get(self.address, item).expect_error("CUR-4703")
        self.assertEqual(self.tool.got(), {})


class Writes(Reads):
    def fill(self, files: dict[str, bytes]) -> None:
        self.tool.put(self.address, files).expect(0)

    def test_publishing_the_same_again_changes_nothing(self):
        self.fill(FILES)
        self.fill(FILES)
        self.tool.get(self.address, *FILES).expect(0)
        self.assertEqual(self.tool.got(), FILES)

    def test_a_version_is_written_once(self):
        name = "metadata/7.snapshot.json"
        self.fill({name: b'{"mine":1}'})
        self.tool.put(self.address, {name: b'{"other":1}'}).expect_error("CUR-4704", "7.snapshot.json", "another publisher")
        self.tool.get(self.address, name).expect(0)
        self.assertEqual(self.tool.got(), {name: b'{"mine":1}'})

    def test_the_timestamp_is_replaced(self):
        for text in (b'{"version":1}', b'{"version":2}'):
            self.fill({"metadata/timestamp.json": text})
        self.tool.get(self.address, "metadata/timestamp.json").expect(0)
        self.assertEqual(self.tool.got(), {"metadata/timestamp.json": b'{"version":2}'})

    def test_what_is_there_is_known(self):
        self.fill({item: data for item, data in FILES.items() if item != ARTIFACT})
        targets = [item for item in FILES if item.startswith("targets/")]
        result = self.tool.has(self.address, *targets).expect(0)
        self.assertEqual(result.stdout, "".join(f"{item} {'no' if item == ARTIFACT else 'yes'}\n" for item in targets))

    def test_a_large_file_in_pieces(self):
        self.tool.put(self.address, {ARTIFACT: FILES[ARTIFACT]}, "--chunk", "1000000").expect(0)
        self.tool.get(self.address, ARTIFACT).expect(0)
        self.assertEqual(self.tool.got(), {ARTIFACT: FILES[ARTIFACT]})

    def test_from_here_to_a_folder_and_back(self):
        """Copying is reading and writing: no carrier changes a byte."""
        self.fill(FILES)
        self.tool.get(self.address, *FILES).expect(0)
        copy = self.home.work / "copy"
        self.tool("put", copy, self.tool.folder, *FILES).expect(0)
        second = self.place()
        self.tool("put", second, copy, *FILES).expect(0)
        again = CarrierTool(self.home, **self.tool.env)
        again.folder = self.home.work / "again"
        again.get(second, *FILES).expect(0)
        self.assertEqual(again.got(), FILES)


class Folder(Writes, unittest.TestCase):
    def place(self) -> str:
        return str(self.home.work / f"registry-{next(places)}")

    def name(self) -> str:
        return self.address

    def damage(self, item: str) -> None:
        file = Path(self.address) / item
        file.write_bytes(b"x" + file.read_bytes()[1:])

    def test_nothing_but_the_files_is_left(self):
        self.fill(FILES)
        folder = Path(self.address)
        self.assertEqual({str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}, set(FILES))
        self.assertEqual({each.name for each in folder.iterdir()}, {"metadata", "targets"})

    def test_of_publishers_at_once_one_wins(self):
        contents = [f'{{"publisher":{number}}}'.encode() for number in range(8)]
        codes = self.tool.put_at_once(self.address, "metadata/7.snapshot.json", contents)
        self.assertEqual(sorted(codes), [0] + [1] * 7)
        winner = contents[codes.index(0)]
        self.assertEqual((Path(self.address) / "metadata/7.snapshot.json").read_bytes(), winner)

    def test_what_is_no_file_is_not_waited_for(self):
        self.fill(FILES)
        pipe = Path(self.address) / ARTIFACT
        pipe.unlink()
        os.mkfifo(pipe)
        self.tool.get(self.address, ARTIFACT).expect_error("CUR-9002", "is not a regular file")

    def test_a_folder_that_is_not_there_is_not_an_empty_one(self):
        self.tool.get(self.address, "metadata/1.root.json").expect_error("CUR-9001", self.address)


class Web(Reads, unittest.TestCase):
    """A folder behind a path prefix of nginx, by https with an authority of its own, for those with a password."""

    @classmethod
    def setUpClass(cls):
        folder = TempHome()
        cls.addClassCleanup(folder.remove)
        cls.authority = Authority(folder.work / "authority")
        cls.server = WebServer.of(cls, cls.authority, login=LOGIN)

    def setUp(self):
        super().setUp()
        netrc = self.home.path / ".netrc"
        netrc.write_text(f'machine 127.0.0.1 login {LOGIN[0]} password "{LOGIN[1]}"\n')
        netrc.chmod(0o600)
        self.tool.env["SSL_CERT_FILE"] = str(self.authority.certificate)

    def place(self) -> str:
        self.prefix = f"some/prefix/{next(places)}"
        return self.server.secure_url + self.prefix

    def name(self) -> str:
        return self.address

    def fill(self, files: dict[str, bytes]) -> None:
        write(self.server.files / self.prefix, files)

    def damage(self, item: str) -> None:
        file = self.server.files / self.prefix / item
        file.write_bytes(b"x" + file.read_bytes()[1:])

    def test_a_wrong_password(self):
        self.fill(FILES)
        (self.home.path / ".netrc").write_text(f"machine 127.0.0.1 login {LOGIN[0]} password other-secret\n")
        result = self.tool.get(self.address, "metadata/1.root.json")
        result.expect_error("CUR-1309", "it does not accept the credentials")
        self.assertNotIn("other-secret", result.stderr)

    def test_a_user_whose_password_the_keyring_has(self):
        self.fill(FILES)
        (self.home.path / ".netrc").unlink()
        keyring = self.home.tools / "keyring"
        keyring.write_text(f'#!/bin/sh\n[ "$1 $3" = "get {LOGIN[0]}" ] && echo "{LOGIN[1]}"\n')
        keyring.chmod(0o755)
        address = self.address.replace("https://", f"https://{LOGIN[0]}@")
        self.tool.get(address, "metadata/1.root.json").expect(0)

    def test_another_authority(self):
        self.tool.env.pop("SSL_CERT_FILE")
        self.tool.get(self.address, "metadata/1.root.json").expect_error("CUR-2004")

    def test_it_cannot_be_written_to(self):
        self.tool.put(self.address, {"metadata/1.root.json": b"{}"}).expect_error("CUR-4702", self.address)


class Forbidden(unittest.TestCase):
    """Servers of files that may not be listed say 403 for what is not there: the chain of roots ends with one."""

    def setUp(self):
        self.server = WebServer.of(self, extra="error_page 404 =403 /missing; location = /missing { internal; return 403; }")
        write(self.server.files)
        self.tool = CarrierTool(TempHome.of(self))

    def test_a_root_that_is_not_there(self):
        result = self.tool.get(self.server.url, "metadata/1.root.json", "metadata/2.root.json").expect(0)
        self.assertIn("metadata/2.root.json none\n", result.stdout)

    def test_for_all_else_it_is_a_refusal(self):
        self.tool.get(self.server.url, "metadata/8.snapshot.json").expect_error("CUR-1309", "403")


class Oci(Writes, unittest.TestCase):
    """Debian's docker-registry with passwords."""

    @classmethod
    def setUpClass(cls):
        cls.registry = DockerRegistry.of(cls, login=LOGIN)

    def setUp(self):
        super().setUp()
        config = docker_config(self.home.work / "docker", self.registry.authority, LOGIN)
        self.tool.env["DOCKER_CONFIG"] = str(config)

    def place(self) -> str:
        return self.registry.address(f"team/plugins-{next(places)}")

    def name(self) -> str:
        return self.address

    def damage(self, item: str) -> None:
        file = self.registry.blob_file(item.split("/")[-1][:64])
        self.addCleanup(file.write_bytes, file.read_bytes())  # all repositories of the registry share it
        file.write_bytes(b"x" + file.read_bytes()[1:])


class OciWithReferrers(Writes, unittest.TestCase):
    """One that keeps account of what belongs to what."""

    def place(self) -> str:
        self.registry = LyingOci.of(self)
        self.registry.referrers = 2
        return self.registry.address()

    def name(self) -> str:
        return self.address

    def damage(self, item: str) -> None:
        digest = item.split("/")[-1][:64]
        self.registry.blobs[digest] = b"x" + self.registry.blobs[digest][1:]

    def test_what_is_there_is_asked_for_once(self):
        self.fill(FILES)
        before = len(self.registry.asked)
        self.tool.has(self.address, *(item for item in FILES if item.startswith("targets/"))).expect(0)
        paths = [path.split("?")[0].split("/")[4] for _, path, _ in self.registry.asked[before:]]
        self.assertEqual(paths, ["manifests", "referrers", "referrers"])


class Addresses(unittest.TestCase):
    def test_what_is_no_address_of_a_carrier(self):
        tool = CarrierTool(TempHome.of(self))
        for address in (
            "ftp://example.org/x",
            "http://example.org/x",
            "https://example.org/x?y",
            "oci://example.org",
            "oci://example.org/Team",
            "oci://example.org/team:tag",
            "oci://example.org/team@sha256:0",
            "",
        ):
            with self.subTest(address):
                tool.get(address, "metadata/1.root.json").expect_error("CUR-4701")

    def test_a_login_in_an_oci_address_is_not_repeated(self):
        result = CarrierTool(TempHome.of(self)).get("oci://me:my-secret@example.org/team", "metadata/1.root.json")
        result.expect_error("CUR-4701", "docker login")
        self.assertNotIn("my-secret", result.stderr)


if __name__ == "__main__":
    main()
