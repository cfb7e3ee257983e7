"""`plugins verify` names the file that is not what was installed; `--repair` makes just that anew."""

import json
import os
import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import acme_archive, extension_folder
from curupira_testing.settings import installed, settings_text
from curupira_testing.strace import trace


class Tampering(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def install(self, reference: object) -> None:
        self.curupira("plugins", "install", str(reference), "--yes").expect(0)

    def verify(self, *arguments: str, code: int = 1) -> dict:
        return json.loads(self.curupira("plugins", "verify", *arguments, "--json").expect(code).stdout)

    def only_finding(self, *arguments: str) -> dict:
        (finding,) = self.verify(*arguments)["findings"]
        return finding

    def tree(self) -> Path:
        """The tree of the only extension, as `info` starts it."""
        info = json.loads(self.curupira("plugins", "info", self.home.installed()[0], "--json").expect(0).stdout)
        return next(each for each in Path(info["command"][0]).parents if each.parent.name == "trees")

    @staticmethod
    def change(file: Path, data: bytes) -> None:
        """As a disk or another program would: the file keeps its mode."""
        mode = file.stat().st_mode
        file.chmod(0o600)
        file.write_bytes(data)
        file.chmod(mode)

    def open_up(self, folder: Path) -> None:
        """Lets the test add and remove files; the mode is put back by `close`."""
        folder.chmod(0o755)
        self.addCleanup(lambda: folder.exists() and folder.chmod(0o555))

    def repaired(self) -> list[tuple[str, str]]:
        result = json.loads(self.curupira("plugins", "verify", "--repair", "--json").expect(0).stdout)
        self.assertEqual(result["after"]["findings"], [])
        self.assertEqual(result["unrepaired"], [])
        self.verify(code=0)
        return [(each["object"], each["from"]) for each in result["repaired"]]


class Archive(Tampering):
    """An archive: blob and tree are in the store, so a tree is unpacked again without a network."""

    def setUp(self):
        super().setUp()
        self.archive = acme_archive(self.home.work)
        self.install(self.archive)
        self.program = next(self.tree().rglob("acme-ext"))

    def test_all_is_well(self):
        document = self.verify(code=0)
        self.assertTrue(document["ok"])
        self.assertEqual(document["checked"]["extensions"], 1)
        self.assertGreaterEqual(document["checked"]["files"], 2)
        text = self.curupira("plugins", "verify").expect(0).stdout
        self.assertIn("all as they were installed", text)

    def test_opens_no_socket_and_starts_nothing(self):
        seen = trace(self.curupira, "plugins", "verify")
        seen.result.expect(0)
        self.assertEqual(seen.sockets, [])
        self.assertEqual(len(seen.executed), 1)

    def test_a_changed_byte(self):
        data = self.program.read_bytes()
        self.change(self.program, data[:-1] + b"#")
        before = self.home.state()
        finding = self.only_finding()
        self.assertEqual((finding["object"], finding["problem"]), ("tree", "changed"))
        self.assertEqual(os.path.join(finding["path"], finding["file"]), str(self.program))
        self.assertTrue(finding["expected"].startswith("sha256 "))
        self.assertNotEqual(finding["expected"], finding["found"])
        self.assertEqual(finding["extensions"], self.home.installed())
        text = self.curupira("plugins", "verify").expect(1).stdout
        self.assertIn(str(self.program), text)
        self.assertEqual(self.home.state(), before, "looking changes nothing")
        self.assertEqual(self.repaired(), [("tree", "unpacked again")])
        self.assertEqual(self.program.read_bytes(), data)

    def test_repair_of_a_tree_needs_no_network(self):
        self.change(self.program, b"x")
        shutil.move(self.archive, str(self.archive) + ".away")
        seen = trace(self.curupira, "plugins", "verify", "--repair")
        seen.result.expect(0)
        self.assertEqual(seen.sockets, [])

    def test_a_mode(self):
        self.program.chmod(0o755)
        finding = self.only_finding()
        self.assertEqual((finding["problem"], finding["expected"], finding["found"]), ("mode", "0555", "0755"))
        self.assertEqual(self.repaired(), [("tree", "unpacked again")])

    def test_an_added_file(self):
        self.open_up(self.program.parent)
        (self.program.parent / "extra").write_text("x")
        self.program.parent.chmod(0o555)
        finding = self.only_finding()
        self.assertEqual((finding["problem"], Path(finding["file"]).name), ("extra", "extra"))
        self.assertEqual(self.repaired(), [("tree", "unpacked again")])
        self.assertFalse((self.program.parent / "extra").exists())

    def test_a_removed_file(self):
        self.open_up(self.program.parent)
        self.program.unlink()
        self.program.parent.chmod(0o555)
        self.assertEqual(self.only_finding()["problem"], "missing")
        self.assertEqual(self.repaired(), [("tree", "unpacked again")])
        self.assertTrue(os.access(self.program, os.X_OK))

    def test_a_tree_that_is_gone(self):
        tree = self.tree()
        for folder, _, _ in os.walk(tree):
            os.chmod(folder, 0o755)
        shutil.rmtree(tree)
        self.assertEqual(self.only_finding()["problem"], "missing")
        self.assertEqual(self.repaired(), [("tree", "unpacked again")])

    def blob(self) -> Path:
        (blob,) = (each for each in (self.home.curupira / "store/v1/blobs").rglob("*") if each.is_file())
        return blob

    def test_a_blob(self):
        data = self.blob().read_bytes()
        self.change(self.blob(), data[:-1] + bytes([data[-1] ^ 1]))
        finding = self.only_finding()
        self.assertEqual((finding["object"], finding["problem"], finding["path"]), ("blob", "changed", str(self.blob())))
        self.assertEqual(self.repaired(), [("blob", "fetched again")])
        self.assertEqual(self.blob().read_bytes(), data)

    def test_what_cannot_be_repaired_is_said(self):
        """pnpm/pnpm#4966, npm/cli#1484: which object, why, and what to do."""
        self.change(self.blob(), b"x")
        self.change(self.program, b"x")
        self.archive.unlink()
        result = self.curupira("plugins", "verify", "--repair").expect(1)
        self.assertIn("not all could be repaired", result.stdout)
        self.assertIn(f"repairing blob {self.blob().parent.name}/{self.blob().name}", result.stderr)
        self.assertIn("help", result.stderr)

    def test_manifest_and_receipt(self):
        folder = self.home.extensions / self.home.installed()[0]
        for name, kind in (("curupira-extension.toml", "manifest"), ("receipt.json", "receipt")):
            with self.subTest(name):
                file = folder / name
                data = file.read_bytes()
                self.change(file, data + b"\n")
                finding = self.only_finding()
                self.assertEqual((finding["object"], finding["path"]), (kind, str(file)))
                self.assertEqual(self.repaired(), [(kind, "the last generation")])
                self.assertEqual(file.read_bytes(), data)
                file.unlink()
                self.assertEqual(self.only_finding()["problem"], "missing")
                self.assertEqual(self.repaired(), [(kind, "the last generation")])
                self.assertEqual(file.read_bytes(), data)

    def test_a_listing(self):
        listing = Path(f"{self.tree()}.listing")
        self.change(listing, listing.read_bytes() + b"\n")
        finding = self.only_finding()
        self.assertEqual((finding["object"], finding["path"]), ("tree", str(listing)))
        self.assertEqual(self.repaired(), [("tree", "listed again")])
        listing.unlink()
        self.assertEqual(self.repaired(), [("tree", "listed again")])


class LockFile(Tampering):
    def setUp(self):
        super().setUp()
        self.install(f"path:{extension_folder(self.home.work, 'acme', '1.0.0')}")
        self.lock = self.home.curupira / "curupira.lock"

    def test_another_version(self):
        self.lock.write_text(self.lock.read_text().replace('version = "1.0.0"', 'version = "1.0.1"'))
        finding = self.only_finding()
        self.assertEqual((finding["object"], finding["path"]), ("lock file", str(self.lock)))
        self.assertEqual((finding["expected"], finding["found"]), ("acme 1.0.1", "acme 1.0.0"))

    def test_another_tree(self):
        text = self.lock.read_text()
        tree = self.tree().name
        self.assertIn(tree, text)
        self.lock.write_text(text.replace(tree, "0" * 64))
        self.assertEqual(self.only_finding()["expected"], "tree " + "0" * 64)

    def test_a_merge_conflict(self):
        self.lock.write_text("<<<<<<< ours\n" + self.lock.read_text())
        self.assertEqual(self.only_finding()["problem"], "unreadable")

    def test_what_a_lock_file_names_stays(self):
        """awslabs/mcp#1400: a lock file of another folder keeps what it names."""
        tree = self.tree()
        other = self.home.path / "project"  # as far from the folder as the home's own
        other.mkdir()
        shutil.copy(self.lock, other / "curupira.lock")
        (other / "settings.toml").write_text(settings_text("remote.git", {"acme": installed("acme")}, {"a": {"trigger_type": "acme/greetings"}}))
        self.curupira("--config", other / "settings.toml", "plugins", "sync").expect(0)
        self.curupira("plugins", "remove", "acme").expect(0)
        self.curupira("cache", "prune", "--keep-generations", "1").expect(0)
        self.assertTrue(tree.is_dir())
        (other / "curupira.lock").unlink()
        self.curupira("cache", "prune").expect(0)
        self.assertFalse(tree.is_dir())


class Folder(Tampering):
    """A folder has no artifact: it is taken from the folder again, when that is still what it was."""

    def setUp(self):
        super().setUp()
        self.folder = extension_folder(self.home.work, "acme")
        self.install(f"path:{self.folder}")
        self.program = self.tree() / "hello"

    def test_from_the_folder(self):
        self.change(self.program, b"x")
        self.assertEqual(self.repaired(), [("tree", "unpacked again")])
        self.assertEqual(self.program.read_bytes(), (self.folder / "hello").read_bytes())

    def test_a_folder_that_changed_meanwhile(self):
        self.change(self.program, b"x")
        (self.folder / "more").write_text("x")
        result = self.curupira("plugins", "verify", "--repair").expect(1)
        self.assertIn("error[CUR-4205]", result.stderr)
        self.assertEqual(self.program.read_bytes(), b"x")

    def test_only_the_extensions_that_are_named(self):
        self.install(f"path:{extension_folder(self.home.work, 'other')}")
        self.change(self.program, b"x")
        self.verify("other", code=0)
        self.assertEqual(self.only_finding("acme")["extensions"], ["acme"])
        self.curupira("plugins", "verify", "acne").expect_error("CUR-4001", "acne", "acme")

    def test_the_whole_store(self):
        """`cache verify` looks at what only earlier generations use, too."""
        old = self.program
        self.install(f"path:{extension_folder(self.home.work, 'acme', '2.0.0')}")
        self.curupira("cache", "verify").expect(0)
        self.change(old, b"x")
        self.verify(code=0)
        document = json.loads(self.curupira("cache", "verify", "--json").expect(1).stdout)
        self.assertEqual([each["file"] for each in document["findings"]], ["hello"])
        kept = self.home.curupira / "generations/1/extensions/acme/receipt.json"
        self.change(kept, b"{}")
        document = json.loads(self.curupira("cache", "verify", "--json").expect(1).stdout)
        self.assertIn("generation", [each["object"] for each in document["findings"]])


if __name__ == "__main__":
    main()
