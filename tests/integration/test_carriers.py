"""One behaviour over all carriers of registries: a folder, nginx, Debian's OCI registry, one with the referrers API, and a
bundle."""

import os
import unittest
from pathlib import Path

from curupira_testing import TempHome, main
from curupira_testing.carrier_places import (
    LOGIN,
    BundlePlace,
    FolderPlace,
    OciPlace,
    OciWithReferrersPlace,
    WebPlace,
)
from curupira_testing.carrier_tool import FILES, CarrierTool, write
from curupira_testing.network import WebServer
from curupira_testing.oci import write_tar

ARTIFACT = next(item for item in FILES if item.startswith("targets/artifacts/"))


class Reads:
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

    def test_a_copy_of_some_packages_says_so(self):
        self.fill({"metadata/1.root.json": b"{}", "metadata/copied-packages.json": b'{"format":1,"packages":["mails"]}'})
        self.tool.get(self.address, ARTIFACT).expect_error("CUR-4703", "a copy with some packages only: mails")


class Writes(Reads):
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


class Folder(FolderPlace, Writes, unittest.TestCase):
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


class Web(WebPlace, Reads, unittest.TestCase):
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


class Oci(OciPlace, Writes, unittest.TestCase):
    pass


class OciWithReferrers(OciWithReferrersPlace, Writes, unittest.TestCase):
    def test_what_is_there_is_asked_for_once(self):
        self.fill(FILES)
        before = len(self.registry.asked)
        self.tool.has(self.address, *(item for item in FILES if item.startswith("targets/"))).expect(0)
        paths = [path.split("?")[0].split("/")[4] for _, path, _ in self.registry.asked[before:]]
        self.assertEqual(paths, ["manifests", "referrers", "referrers"])


class Bundle(BundlePlace, Writes, unittest.TestCase):
    def test_the_same_files_are_the_same_bytes(self):
        self.fill(FILES)
        other = self.home.work / "other.bundle"
        self.tool.put(str(other), dict(reversed(FILES.items()))).expect(0)
        self.assertEqual(other.read_bytes(), Path(self.address).read_bytes())

    def test_nothing_but_the_file_is_left(self):
        self.fill(FILES)
        self.assertEqual([each.name for each in self.home.work.glob("registry-*")], [Path(self.address).name])

    def test_a_bundle_that_is_not_there_is_not_an_empty_one(self):
        self.tool.get(self.address, "metadata/1.root.json").expect_error("CUR-9001", self.address)

    def test_what_is_no_bundle_is_not_replaced(self):
        Path(self.address).write_text("my notes")
        self.tool.get(self.address, "metadata/1.root.json").expect_error("CUR-4301")
        self.tool.put(self.address, FILES).expect_error("CUR-4301", self.address)
        self.assertEqual(Path(self.address).read_text(), "my notes")

    def test_another_kind_of_image_layout(self):
        files = {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}', "index.json": b'{"schemaVersion":2,"manifests":[]}'}
        write_tar(Path(self.address), files)
        self.tool.get(self.address, "metadata/1.root.json").expect_error("CUR-4301", "there is no registry in it")


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
