"""A lock file that was edited by hand, in each of its fields: folders and archives."""

import re
import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.edited_lock import EditedLock, LockText
from curupira_testing.packages import acme_archive, extension_folder

OTHER_DIGEST = '"sha256-' + "A" * 43 + '="'
OTHER_TREE = '"' + "0" * 64 + '"'
ARCHIVE, FOLDER = 0, 1  # in the order of their names


class Edited(EditedLock, unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)
        self.folder = extension_folder(self.home.work, "one")
        archive = acme_archive(self.home.work)
        self.curupira("plugins", "install", f"path:{self.folder}", str(archive), "--yes").expect(0)
        self.text = self.lock.read_text()

    def test_as_it_is(self):
        self.fresh_home(self.text)
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(self.home.installed(), ["acme-ext", "one"])
        self.assertEqual(self.lock.read_text(), self.text)

    def edits(self) -> dict:
        other = extension_folder(self.home.work, "other")
        return {
            ("file", "lock_version"): [(0, "2", "CUR-4104", "lock_version"), (0, "0", "CUR-4105", "lock_version")],
            ("file", "platforms"): [
                (0, '["darwin-arm64"]', "CUR-4108", "darwin-arm64"),
                (0, '["amiga-68000"]', "CUR-4105", "amiga-68000"),
                (0, "[]", "CUR-4105", "platforms"),
            ],
            ("extension", "name"): [
                (FOLDER, '"another"', "CUR-4106", "name", "expected another  found one"),
                (FOLDER, '"acme-ext"', "CUR-4105", "name"),
                (FOLDER, '"../one"', "CUR-4105", "name"),
            ],
            ("extension", "version"): [
                (ARCHIVE, '"9.9.9"', "CUR-4106", "version", "expected 9.9.9  found 1.2.0"),
                (FOLDER, '"9.9.9"', "CUR-4106", "version", "expected 9.9.9  found 1.0.0"),
            ],
            ("extension", "reference"): [
                (FOLDER, '"path:nowhere"', "CUR-9001", "nowhere"),
                (FOLDER, f'"path:../../work/{other.name}"', "CUR-4106", "name", "expected one  found other"),
                (FOLDER, f'"path:{self.folder}"', "CUR-4105", "relative"),
                (ARCHIVE, '"npm:acme-ext"', "CUR-4105", "source"),
                (ARCHIVE, '"../../work/acme-ext-1.3.0.tar.zst"', "CUR-4106", "acme-ext-1.3.0.tar.zst"),
            ],
            ("extension", "source"): [
                (FOLDER, '"npm"', "CUR-4105", "source"),
                (ARCHIVE, '"path"', "CUR-4105", "source"),
            ],
            ("extension", "package"): [(FOLDER, '"another"', "CUR-4106", "package", "expected another  found one")],
            ("extension", "launch"): [
                (FOLDER, '"binary"', "CUR-4106", "launch", "expected binary  found executable"),
                (FOLDER, '"zork"', "CUR-4105", "launch"),
            ],
            ("extension", "level"): [(ARCHIVE, '"registry-signed"', "CUR-4105", "level")],
            ("extension", "manifest"): [
                (ARCHIVE, OTHER_DIGEST, "CUR-4106", "manifest", OTHER_DIGEST.strip('"')),
                (FOLDER, OTHER_DIGEST, "CUR-4106", "manifest"),
                (FOLDER, '"sha256-AAAA"', "CUR-4105", "manifest"),
            ],
            ("extension", "permissions"): [
                (FOLDER, '["everything"]', "CUR-4106", "permissions", "expected everything  found none"),
                (ARCHIVE, "[]", "CUR-4106", "permissions", "expected none"),
            ],
            ("extension", "tree"): [
                (FOLDER, OTHER_TREE, "CUR-4106", "tree", "0" * 64),
                (FOLDER, '"zz"', "CUR-4105", "tree"),
            ],
            ("artifact", "package"): [(0, '"another"', "CUR-4106", "acme-ext: another")],
            ("artifact", "file"): [(0, '"../../work/acme-ext-1.3.0.tar.zst"', "CUR-4106", "acme-ext-1.2.0.tar.zst")],
            ("artifact", "size"): [(0, "1", "CUR-2103", "expected 1 bytes"), (0, "-1", "CUR-4105", "size")],
            ("artifact", "digest"): [
                (0, OTHER_DIGEST, "CUR-2104", "expected " + OTHER_DIGEST.strip('"'), "found sha256-"),
                (0, '"sha1-' + "A" * 27 + '="', "CUR-4105", "digest"),
                (0, '"sha512-' + "A" * 43 + '="', "CUR-4105", "digest"),  # the length of another algorithm
            ],
            ("artifact", "tree"): [(0, OTHER_TREE, "CUR-4106", "tree", "0" * 64)],
            ("artifact", "level"): [(0, '"publisher-signed"', "CUR-4105", "level")],
        }

    def test_each_field(self):
        self.all_refused(self.edits())

    def test_where_all_is_installed(self):
        self.nothing_changes(self.edits())

    def test_fields_of_other_kinds(self):
        lock = LockText(self.text)
        for kind, field, value, index in (
            ("extension", "python", '"3.11"', FOLDER),
            ("extension", "tree", OTHER_TREE, ARCHIVE),
            ("artifact", "locations", '["node_modules/x"]', 0),
            ("artifact", "marker", "\"sys_platform == 'linux'\"", 0),
            ("artifact", "zork", '"1"', 0),
        ):
            with self.subTest(f"{kind} {field}"):
                self.refused(lock.edited(kind, field, value, index), "CUR-4105", field)

    def test_a_level_that_nothing_proves(self):
        text = self.text.replace('level = "digest"', 'level = "registry-signed"', 2)
        self.refused(text, "CUR-4106", "level", "expected registry-signed  found digest")

    def test_a_field_that_is_gone(self):
        """Only the size may be missing: not every index says it."""
        lock = LockText(self.text)
        for kind, field in sorted(lock.fields() - {("artifact", "size")}):
            index = FOLDER if (kind, field) == ("extension", "tree") else 0
            with self.subTest(f"{kind} {field}"):
                error = "CUR-4106" if field in ("tree", "permissions") else "CUR-4105"
                self.refused(lock.edited(kind, field, None, index), error, field)

    def test_an_artifact_that_is_gone(self):
        self.refused(LockText(self.text).without("artifact", 0), "CUR-4106", "acme-ext")

    def test_a_folder_that_changed_since(self):
        (self.folder / "added.txt").write_text("x")
        tree = re.findall(r'^tree = "(.*)"', self.text, re.MULTILINE)[FOLDER]
        self.refused("# after the change\n" + self.text, "CUR-4106", "one: tree", f"expected {tree}")


if __name__ == "__main__":
    main()
