"""A lock file that was edited by hand, in each of its fields: an npm closure, signed by its registry."""

import platform
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.edited_lock import EditedClosure
from curupira_testing.settings import settings_of_nothing
from curupira_testing.signing_registry import SigningRegistry, hello_files

OTHER_DIGEST = "sha512-" + "A" * 86 + "=="
OTHER_TREE = '"' + "0" * 64 + '"'
OWN = f"linux-{platform.machine()}"


class Edited(EditedClosure, unittest.TestCase):
    """`@acme/hello` needs `curupira-deep`, and on each of two systems a package that is only for that one."""

    extension = "acme-hello"

    @classmethod
    def setUpClass(cls):
        skip.need_program("npm")
        cls.registry = SigningRegistry()
        cls.addClassCleanup(cls.registry.stop)
        for name, fields in (
            ("curupira-deep", {}),
            ("native-linux", {"os": ["linux"]}),
            ("native-darwin", {"os": ["darwin"]}),
        ):
            cls.registry.publish(name, files=hello_files(name, "1.0.0", package=fields), **fields)
        native = {"native-linux": "1.0.0", "native-darwin": "1.0.0"}
        cls.registry.publish("@acme/hello", dependencies={"curupira-deep": "^1"}, optionalDependencies=native)
        home = TempHome()
        cls.addClassCleanup(home.remove)
        cls.configure(home)
        Program(home)("plugins", "install", "npm:@acme/hello@^1", "--yes").expect(0)
        cls.text = (home.curupira / "curupira.lock").read_text()

    @classmethod
    def configure(cls, home: TempHome, scope: str = "@acme") -> None:
        url = cls.registry.url
        (home.path / ".npmrc").write_text(f"registry={url}\n{scope}:registry={url}\n")
        home.write_settings(settings_of_nothing(f'[lock]\nplatforms = ["{OWN}", "darwin-arm64"]'))

    def edits(self) -> dict:
        root, deep, darwin = map(self.artifact, ("@acme/hello", "curupira-deep", "native-darwin"))
        return {
            ("file", "lock_version"): [(0, "2", "CUR-4104", "lock_version")],
            ("file", "platforms"): [
                (0, '["amiga-68000"]', "CUR-4105", "amiga-68000"),
                (0, f'["{OWN}"]', "CUR-4105", "platforms"),  # one of an artifact is none of the file's
            ],
            ("extension", "name"): [(0, '"another"', "CUR-4106", "name", "expected another  found acme-hello")],
            ("extension", "version"): [
                (0, '"1.0.1"', "CUR-4106", "version", "expected 1.0.1  found 1.0.0"),
                (0, '"2.0.0"', "CUR-4106", "2.0.0 is not within npm:@acme/hello@^1"),
            ],
            ("extension", "reference"): [
                (0, '"npm:@acme/hello@^2"', "CUR-4106", "1.0.0 is not within npm:@acme/hello@^2"),
                (0, '"npm:@acme/other@^1"', "CUR-4105", "package"),
                (0, '"pip:hello"', "CUR-4105", "source"),
            ],
            ("extension", "source"): [
                (0, '"npm"', "CUR-4106", "source", "expected npm  found npm:@acme", "@acme has a registry of its own"),
                (0, '"npm:@other"', "CUR-4105", "source"),
            ],
            ("extension", "package"): [(0, '"@acme/other"', "CUR-4105", "package")],
            ("extension", "launch"): [(0, '"uvx"', "CUR-4105", "launch"), (0, '"binary"', "CUR-4105", "launch")],
            ("extension", "level"): [
                (0, '"digest"', "CUR-4105", "level"),
                (0, '"publisher-signed"', "CUR-4105", "level"),
            ],
            ("extension", "manifest"): [(0, f'"sha256-{"A" * 43}="', "CUR-4106", "manifest", "expected sha256-AAAA")],
            ("extension", "permissions"): [(0, '["everything"]', "CUR-4106", "permissions", "expected everything")],
            ("artifact", "package"): [
                (deep, '"curupira-other"', "CUR-4105", "file"),
                (root, '"@evil/hello"', "CUR-1303", "does not have @evil/hello"),
            ],
            ("artifact", "version"): [(deep, '"1.0.1"', "CUR-4105", "file"), (root, '"1.0.1"', "CUR-4105", "file")],
            ("artifact", "file"): [
                (deep, '"curupira-deep-1.0.1.tgz"', "CUR-4105", "file"),
                (deep, '"../curupira-deep-1.0.0.tgz"', "CUR-4105", "file"),
                (deep, f'"{self.registry.url}curupira-deep-1.0.0.tgz"', "CUR-4105", "file"),
            ],
            ("artifact", "size"): [(deep, "7", "CUR-2103", "expected 7 bytes")],
            ("artifact", "digest"): [
                (deep, f'"{OTHER_DIGEST}"', "CUR-2104", f"expected {OTHER_DIGEST}", "found sha512-"),
                (deep, f'"sha512-{"A" * 43}="', "CUR-4105", "digest"),  # the length of another algorithm
                (deep, f'"sha1-{"A" * 27}="', "CUR-4105", "digest"),
            ],
            ("artifact", "tree"): [(deep, OTHER_TREE, "CUR-4106", "curupira-deep 1.0.0, tree", "0" * 64)],
            ("artifact", "level"): [
                (deep, '"digest"', "CUR-4105", "level"),
                (deep, '"publisher-signed"', "CUR-4106", "level", "expected publisher-signed"),
            ],
            ("artifact", "locations"): [
                (deep, '["node_modules/elsewhere"]', "CUR-4109", "@acme/hello@1.0.0 needs curupira-deep@^1"),
                (deep, '["node_modules/@acme/hello"]', "CUR-4106", "two packages at node_modules/@acme/hello"),
                (deep, '["node_modules/../../x"]', "CUR-4105", "locations"),
                (root, '["node_modules/@acme/else"]', "CUR-4106", "node_modules/@acme/hello"),
            ],
            ("artifact", "platforms"): [
                (darwin, f'["{OWN}"]', "CUR-4106", "native-darwin@1.0.0: platforms", "os darwin"),
                (darwin, None, "CUR-4106", "native-darwin@1.0.0: platforms"),
                (deep, '["darwin-arm64"]', "CUR-4109", "needs curupira-deep@^1"),
                (root, '["darwin-arm64"]', "CUR-1109", OWN),
                (deep, '["linux-riscv64"]', "CUR-4105", "platforms"),
            ],
        }

    def test_fields_of_other_kinds(self):
        for kind, field, value in (
            ("extension", "python", '"3.11"'),
            ("extension", "tree", OTHER_TREE),
            ("artifact", "marker", "\"sys_platform == 'linux'\""),
            ("artifact", "mirror", '"https://mirror.example.org/"'),
        ):
            with self.subTest(f"{kind} {field}"):
                self.refused(self.locked.edited(kind, field, value), "CUR-4105", field)

    def test_a_member_that_is_gone(self):
        """With the digest of every other one as it was."""
        text = self.locked.without("artifact", self.artifact("curupira-deep"))
        self.refused(text, "CUR-4109", "@acme/hello@1.0.0 needs curupira-deep@^1: it is not in the closure")

    def test_a_member_twice(self):
        text = self.text + "\n" + self.text[self.text.rindex("[[extension.artifact]]") :]
        self.refused(text, "CUR-4106", "two packages at node_modules/native-linux")

    def test_a_level_that_is_lower_everywhere_lowers_nothing(self):
        self.fresh_home(self.text.replace('"registry-signed"', '"digest"'))
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.assertIn("registry-signed", self.curupira("plugins", "info", "acme-hello").expect(0).stdout)

    def test_a_level_that_was_lowered_hides_no_wrong_signature(self):
        release = self.registry.packages["curupira-deep"]["1.0.0"]
        right = release.dist["signatures"]
        release.dist["signatures"] = self.registry.packages["native-linux"]["1.0.0"].dist["signatures"]
        try:
            self.refused(self.text.replace('"registry-signed"', '"digest"'), "CUR-2107", "curupira-deep@1.0.0")
        finally:
            release.dist["signatures"] = right

    def test_a_signature_that_is_missing_where_the_locked_one_had_it(self):
        release = self.registry.packages["curupira-deep"]["1.0.0"]
        right = release.dist.pop("signatures")
        try:
            self.refused("# x\n" + self.text, "CUR-4106", "curupira-deep 1.0.0, level", "expected registry-signed  found digest")
        finally:
            release.dist["signatures"] = right

    def test_a_scope_without_its_registry(self):
        """Dependency confusion: what was locked from a scope's own registry does not come from the general one."""
        (self.home.path / ".npmrc").write_text(f"registry={self.registry.url}\n")
        asked = len(self.registry.asked)
        self.refused("# x\n" + self.text, "CUR-4106", "expected npm:@acme  found npm", "no registry is named for @acme")
        self.assertEqual(self.registry.asked[asked:], [])


if __name__ == "__main__":
    main()
