"""Bundles that were changed, damaged or made to deceive: each is refused by name, and nothing is left of it."""

import json
import os
import re
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.bundled import BundlingMachine
from curupira_testing.hostile import END_OF_TAR, pax, tar_entry, tar_with
from curupira_testing.oci import BundleParts, blob_name, read_tar, write_tar

ARCHIVE = "acme-ext-1.2.0.tar.zst"
BLOBS = "blobs/sha256/"


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.good = BundlingMachine(TempHome.of(cls)).bundle()

    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.bundle = self.home.work / "carried.oci"
        self.parts = BundleParts(self.good)

    def refused(self, code: str, *words: str, exit_code: int = 1, inspected: bool = True) -> None:
        """`bundle install` names what is wrong with `self.bundle` and leaves nothing; so does `inspect` for what can be
        seen without unpacking."""
        commands = [("install", "--yes")] + ([("inspect",)] if inspected else [])
        for command, *options in commands:
            result = self.curupira("plugins", "bundle", command, self.bundle, *options)
            result.expect_error(code, *words, code=exit_code)
            self.assertEqual(self.home.state(), {}, command)
        self.assertEqual(os.listdir(self.home.temporary), [])


class NotTheSameFile(Case):
    """The bundle was damaged on its way: what its names and sizes say does not fit any more."""

    def test_a_changed_blob(self):
        archive = self.parts.layer("artifact", ARCHIVE)
        name = blob_name(archive)
        write_tar(self.bundle, {**self.parts.entries, name: archive[:-1] + bytes([archive[-1] ^ 1])})
        self.refused("CUR-4303", name, "expected sha256:", "found sha256:")

    def test_a_changed_lock_file(self):
        lock = self.parts.layer("lock")
        write_tar(self.bundle, {**self.parts.entries, blob_name(lock): lock.replace(b'"network"', b'"netwerk"')})
        self.refused("CUR-4303", blob_name(lock))

    def test_a_changed_manifest(self):
        name = next(name for name, data in self.parts.entries.items() if b'"layers"' in data)
        write_tar(self.bundle, {**self.parts.entries, name: self.parts.entries[name].replace(b"bundle.v1", b"bundle.v2")})
        self.refused("CUR-4303", name)

    def test_each_blob_missing(self):
        for name in self.parts.entries:
            if name.startswith(BLOBS):
                with self.subTest(name):
                    write_tar(self.bundle, {each: data for each, data in self.parts.entries.items() if each != name})
                    self.refused("CUR-4304", name)

    def test_an_extra_blob(self):
        extra = b"nobody named it"
        write_tar(self.bundle, {**self.parts.entries, blob_name(extra): extra})
        self.refused("CUR-4305", blob_name(extra))

    def test_something_that_is_no_blob(self):
        for name in ("blobs/sha512/00", "blobs/sha256/short", "readme.txt", "oci-layout.orig", f"{BLOBS}../x", f"x/{BLOBS}{'0' * 64}"):
            with self.subTest(name):
                write_tar(self.bundle, {**self.parts.entries, name: b"x"})
                self.refused("CUR-4305", name)

    def test_the_same_blob_twice(self):
        name = blob_name(self.parts.layer("lock"))
        write_tar(self.bundle, self.parts.entries, tar_entry(name.encode(), self.parts.entries[name]))
        self.refused("CUR-4301", name, "twice")

    def test_two_indexes(self):
        write_tar(self.bundle, self.parts.entries, tar_entry(b"./index.json", b"{}"))
        self.refused("CUR-4301", "index.json", "twice")

    def test_truncated(self):
        whole = self.good.read_bytes()
        for length in (len(whole) // 2, len(whole) - 1024, len(whole) // 2 // 512 * 512, 100, 1):
            with self.subTest(length):
                self.bundle.write_bytes(whole[:length])
                self.refused("CUR-4301", "no whole tar file")

    def test_data_behind_its_end(self):
        self.bundle.write_bytes(self.good.read_bytes() + b"x" * 512)
        self.refused("CUR-4301", "goes on after its end")

    def test_an_entry_that_is_no_file(self):
        entries = {
            "a symbolic link": tar_entry(b"blobs/sha256/" + b"0" * 64, kind=b"2", link=b"/etc/passwd"),
            "a hard link": tar_entry(b"blobs/sha256/" + b"1" * 64, kind=b"1", link=b"index.json"),
            "a device": tar_entry(b"blobs/sha256/" + b"2" * 64, kind=b"3"),
            "a pipe": tar_entry(b"blobs/sha256/" + b"3" * 64, kind=b"6"),
            "a folder elsewhere": tar_entry(b"../outside/", kind=b"5"),
            "a folder of its own": tar_entry(b"blobs/sha512/", kind=b"5"),
            "a link for the folder": tar_entry(b"blobs", kind=b"2", link=b"/tmp"),
            "an absolute name": tar_entry(b"/blobs/sha256/" + b"4" * 64, b"x"),
        }
        for what, entry in entries.items():
            with self.subTest(what):
                write_tar(self.bundle, self.parts.entries, entry)
                self.refused("CUR-4305", entry[:100].rstrip(b"\0").decode())


class NoBundle(Case):
    def test_other_files(self):
        others = {
            "empty": b"",
            "a page": b"<!DOCTYPE html><title>Please sign in</title>\n" * 40,
            "a compressed archive": tar_with(),
            "an empty tar": END_OF_TAR,
            "a tar of something else": tar_entry(b"blobs/", kind=b"5") + END_OF_TAR,
        }
        for what, data in others.items():
            with self.subTest(what):
                self.bundle.write_bytes(data)
                self.refused("CUR-4301", str(self.bundle))

    def test_what_is_no_file(self):
        self.refused("CUR-9001", str(self.bundle))
        for make in (os.mkdir, lambda path: (os.rmdir(path), os.mkfifo(path))):
            make(self.bundle)
            self.refused("CUR-4301", str(self.bundle), "no regular file")

    def test_an_image_of_something_else(self):
        self.parts.manifest["config"]["mediaType"] = "application/vnd.oci.image.config.v1+json"
        self.parts.write(self.bundle)
        self.refused("CUR-4301", "application/vnd.oci.image.config.v1+json")

    def test_a_hundred_megabytes_of_nonsense(self):
        with self.bundle.open("wb") as file:
            for _ in range(100):
                file.write(os.urandom(1 << 20))
        self.refused("CUR-4301", "no tar header at byte 0")

    def test_an_endless_list_of_entries(self):
        more = b"".join(tar_entry(f"{BLOBS}{number:064x}".encode(), b"") for number in range(21_000))
        names = b"".join(tar_entry(b"blobs/", kind=b"5") for _ in range(21_000))
        for what, entries, code in (("blobs", more, "CUR-4303"), ("folders", names, "CUR-4301")):
            with self.subTest(what):
                self.bundle.write_bytes(entries + END_OF_TAR)
                self.refused(code)

    def test_a_header_that_promises_a_gigabyte(self):
        huge = {
            "index.json": tar_entry(b"index.json", size=1 << 30),
            "oci-layout": tar_entry(b"oci-layout", size=1 << 30),
            "a blob": tar_entry(f"{BLOBS}{'0' * 64}".encode(), size=(8 << 30) - 1),
            "a long name": tar_entry(b"long", size=1 << 30, kind=b"L"),
        }
        for what, entry in huge.items():
            with self.subTest(what):
                self.bundle.write_bytes(entry + b"\0" * (1 << 20))
                self.refused("CUR-4301")

    def test_a_size_that_two_readers_would_read_differently(self):
        self.bundle.write_bytes(pax({"size": "4"}) + tar_entry(b"index.json", b"{}") + END_OF_TAR)
        self.refused("CUR-4301", "no whole tar file")


class Forged(Case):
    """In one piece, with all digests made anew: what it says of itself does not fit together."""

    def forged(self, code: str, *words: str, **options) -> None:
        self.parts.write(self.bundle)
        self.refused(code, *words, **options)

    def lock_with(self, pattern: str, replacement: str) -> None:
        text = self.parts.layer("lock").decode()
        changed = re.sub(pattern, replacement, text, count=1, flags=re.MULTILINE)
        self.assertNotEqual(changed, text)
        self.parts.replace("lock", changed.encode())

    def test_what_was_only_taken_apart_and_put_together_is_the_same(self):
        self.parts.write(self.bundle)
        self.curupira("plugins", "bundle", "install", self.bundle, "--yes").expect(0)

    def test_a_wrong_size_in_the_manifest(self):
        layer = self.parts.manifest["layers"][1]
        right, layer["size"] = layer["size"], layer["size"] + 1
        self.forged("CUR-4303", layer["digest"].removeprefix("sha256:"), f"expected {right + 1} bytes  found {right}")

    def test_a_wrong_size_in_the_list_of_contents(self):
        item = self.parts.config["items"][1]
        right, item["size"] = item["size"], 7
        self.forged("CUR-4303", item["name"], f"expected 7 bytes  found {right}")

    def test_a_second_manifest(self):
        self.parts.index["manifests"].append(dict(self.parts.index["manifests"][0]))
        self.forged("CUR-4301", "index.json has 2 manifests")

    def test_no_manifest(self):
        self.parts.write(self.bundle)
        write_tar(self.bundle, {**self.parts.entries, "index.json": b'{"schemaVersion":2,"manifests":[]}'})
        self.refused("CUR-4301", "index.json has 0 manifests")

    def test_another_version_of_the_format(self):
        for version in (0, 3):
            with self.subTest(version):
                self.parts = BundleParts(self.good)
                self.parts.config["format"] = version
                self.forged("CUR-4302", f"format {version}, this program reads 2")

    def test_a_list_of_contents_that_is_none(self):
        self.parts.config["items"] = [{"kind": "virus"}]
        self.forged("CUR-4301", "its list of contents")

    def test_an_item_whose_key_is_a_path(self):
        item = next(each for each in self.parts.config["items"] if each["kind"] == "tree")
        item["key"] = "../../../home"
        self.forged("CUR-4301", "its list of contents", "../../../home")

    def test_an_artifact_that_the_lock_file_does_not_name(self):
        digest = "sha256-" + "A" * 43 + "="
        self.parts.add("artifact", digest, "stowaway.tgz", b"stowaway", "application/vnd.curupira.package.v1")
        self.forged("CUR-4305", "artifact stowaway.tgz", "which its lock file does not name")

    def test_a_layer_that_is_not_in_the_list_of_contents(self):
        data = b"stowaway"
        self.parts.entries[blob_name(data)] = data
        digest = "sha256:" + blob_name(data).removeprefix(BLOBS)
        self.parts.manifest["layers"].append({"mediaType": "text/plain", "digest": digest, "size": len(data)})
        self.forged("CUR-4305", digest)

    def test_without_one_of_the_artifacts(self):
        self.parts.remove("artifact", ARCHIVE)
        self.forged("CUR-4304", f"{ARCHIVE} of acme-ext")

    def test_without_one_of_the_folders(self):
        self.parts.remove("tree", "one")
        self.forged("CUR-4304", "the folder of one")

    def test_without_the_lock_file(self):
        self.parts.remove("lock")
        self.forged("CUR-4304", "curupira.lock")

    def test_another_archive_in_the_place_of_one(self):
        self.parts.replace("artifact", tar_with(), ARCHIVE)
        self.forged("CUR-2103", ARCHIVE, inspected=False)

    def test_a_folder_that_unpacks_to_another_one(self):
        changed = self.parts.layer("tree", "one").replace(b"Hello", b"Jello")
        self.parts.replace("tree", changed, "one")
        self.forged("CUR-4303", "the folder of one", "expected tree", "found", inspected=False)

    def test_a_folder_that_climbs_out(self):
        good = self.parts.layer("tree", "one").removesuffix(END_OF_TAR)
        entries = {
            "CUR-2203": tar_entry(b"../../outside", b"x"),
            "CUR-2204": tar_entry(b"out", kind=b"2", link=b"../../../etc"),
            "CUR-2205": tar_entry(b"null", kind=b"3"),
        }
        for code, entry in entries.items():
            with self.subTest(code):
                self.parts = BundleParts(self.good)
                self.parts.replace("tree", good + entry + END_OF_TAR, "one")
                self.forged(code, inspected=False)

    def test_a_compressed_folder(self):
        self.parts.replace("tree", tar_with(), "one")
        self.forged("CUR-2201", inspected=False)

    def test_a_lock_file_that_was_edited(self):
        """Each field is compared with what is there, as `sync` does it."""
        edits: dict[str, tuple[str, str, str]] = {
            "permissions": (r'^permissions = \["network"\]', "permissions = []", "CUR-4106"),
            "version": (r'^version = "1.2.0"', 'version = "1.3.0"', "CUR-4106"),
            "name": (r'^name = "one"', 'name = "another"', "CUR-4106"),
            "manifest": (r'^manifest = ".*"', f'manifest = "sha256-{"A" * 43}="', "CUR-4106"),
            "launch": (r'^launch = "executable"', 'launch = "archive"', "CUR-4106"),
            "tree": (r'^tree = "2313', 'tree = "0000', "CUR-4106"),
            "size": (r"^size = \d+", "size = 7", "CUR-2103"),
        }
        for field, (pattern, replacement, code) in edits.items():
            with self.subTest(field):
                self.parts = BundleParts(self.good)
                self.lock_with(pattern, replacement)
                self.forged(code, inspected=False)

    def test_a_lock_file_that_names_other_bytes(self):
        self.lock_with(r'^digest = ".*"', f'digest = "sha256-{"A" * 43}="')
        self.forged("CUR-4304", "acme-ext", "sha256-AAAA")

    def test_a_lock_file_with_a_folder_of_this_machine(self):
        """What is not in the bundle is not looked for on the machine."""
        self.lock_with(r'^tree = "733f.*"\n', "")
        self.parts.remove("tree", "one")
        folder = self.home.work / "one-1.0.0"
        folder.mkdir()
        (folder / "curupira-extension.toml").write_text("this is not read")
        self.forged("CUR-4304", "the folder of one")

    def test_a_lock_file_that_is_none(self):
        cases = {
            "CUR-4102": b"lock_version = = 1\n",
            "CUR-4104": b"lock_version = 2\n",
            "CUR-4103": b"<<<<<<< HEAD\n",
        }
        for code, text in cases.items():
            with self.subTest(code):
                self.parts = BundleParts(self.good)
                self.parts.replace("lock", text)
                self.forged(code, "curupira.lock", exit_code=2)

    def test_for_a_platform_that_its_lock_file_lacks(self):
        self.parts.config["platforms"].append("linux-riscv64")
        self.forged("CUR-4301", "it is for linux-riscv64, and its lock file is not")


class Digest(Case):
    def test_the_one_that_was_written_down(self):
        digest = json.loads(read_tar(self.good)["index.json"])["manifests"][0]["digest"]
        install = ("plugins", "bundle", "install", self.good, "--yes", "--digest")
        for wrong in ("sha256:" + "0" * 64, digest.upper(), digest.removeprefix("sha256:"), "", digest[:-1]):
            with self.subTest(wrong):
                self.curupira(*install, wrong).expect_error("CUR-4308", f"found {digest}")
                self.assertEqual(self.home.state(), {})
        self.curupira(*install, digest).expect(0)

    def test_a_bundle_that_was_forged_well(self):
        """Only the digest tells them apart."""
        digest = self.parts.index["manifests"][0]["digest"]
        self.parts.config["created"] = "2020-01-01T00:00:00Z"
        forged = self.parts.write(self.bundle)
        self.curupira("plugins", "bundle", "install", forged, "--yes", "--digest", digest).expect_error("CUR-4308", digest)
        self.assertEqual(self.home.state(), {})


if __name__ == "__main__":
    main()
