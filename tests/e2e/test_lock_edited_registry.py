"""A lock file that was edited by hand, in each of its fields: a release of a registry, with a file of its platform."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.edited_lock import EditedClosure
from curupira_testing.own_registry import OwnRegistry, StaticServer
from curupira_testing.packages import HELLO, sha256
from curupira_testing.registry_user import use_registries

OTHER_DIGEST = '"sha256-' + "A" * 43 + '="'
OTHER_TREE = '"' + "0" * 64 + '"'


class EditedRelease(EditedClosure, unittest.TestCase):
    extension = "tool"

    @classmethod
    def setUpClass(cls):
        cls.maker = TempHome.of(cls)
        cls.registry = OwnRegistry(cls.maker)
        outside = cls.maker.work / "outside"
        outside.mkdir()
        server = StaticServer(outside)
        (outside / "tool-linux").write_bytes(HELLO.read_bytes())
        digest = sha256(HELLO.read_bytes())
        table = f'[launch.platforms.linux-x86_64]\nurl = "{server.url}tool-linux"\nsha256 = "{digest}"\n'
        folder = cls.registry.extension("tool", launch=f'type = "binary"\nargs = ["tool", "1.0.0"]\n\n{table}')
        (folder / "hello").unlink()
        newer = cls.registry.extension("tool", "1.1.0")
        cls.registry("publish", folder, newer).expect(0)
        server.stop()
        cls.configure(cls.maker)
        Program(cls.maker)("plugins", "install", "corp:tool@1.0.0", "--yes").expect(0)
        cls.text = (cls.maker.curupira / "curupira.lock").read_text()

    @classmethod
    def configure(cls, home: TempHome) -> None:
        lock = '[lock]\nplatforms = ["linux-aarch64", "linux-x86_64"]\n'
        use_registries(home, corp=cls.registry, extra=lock)

    def edits(self) -> dict:
        archive, file = self.artifact("tool"), self.artifact("tool/tool-linux")
        return {
            ("file", "lock_version"): [(0, "2", "CUR-4104", "lock_version")],
            ("file", "platforms"): [(0, '["darwin-arm64"]', "CUR-4105", "platforms"), (0, "[]", "CUR-4105", "platforms")],
            ("extension", "name"): [(0, '"another"', "CUR-4106", "name", "expected another  found tool")],
            ("extension", "version"): [
                (0, '"9.9.9"', "CUR-4106", "9.9.9", "corp:tool@1.0.0"),
                (0, '"1.1.0"', "CUR-4106", "1.1.0", "corp:tool@1.0.0"),
            ],
            ("extension", "reference"): [
                (0, '"corp:other@1.0.0"', "CUR-4105", "package"),
                (0, '"corp:tool@1.1.0"', "CUR-4106", "version"),
                (0, '"lab:tool@1.0.0"', "CUR-4105", "source"),
            ],
            ("extension", "source"): [
                (0, '"curupira:lab"', "CUR-4105", "source"),
                (0, '"npm"', "CUR-4105", "source"),
            ],
            ("extension", "package"): [(0, '"other"', "CUR-4105", "package")],
            ("extension", "launch"): [(0, '"executable"', "CUR-4106", "launch", "found binary")],
            ("extension", "level"): [(0, '"publisher-signed"', "CUR-4105", "level")],
            ("extension", "manifest"): [(0, OTHER_DIGEST, "CUR-4106", "manifest")],
            ("extension", "permissions"): [(0, '["everything"]', "CUR-4106", "permissions", "expected everything")],
            ("artifact", "package"): [
                (archive, '"another"', "CUR-4106", "archive"),
                (file, '"tool/other"', "CUR-4106", "tool/other"),
            ],
            ("artifact", "version"): [(archive, '"1.1.0"', "CUR-4106", "1.1.0")],
            ("artifact", "file"): [
                (archive, '"tool-1.1.0.tar.gz"', "CUR-4106", "file", "tool-1.1.0.tar.gz"),
                (file, '"../tool"', "CUR-4105", "file"),
            ],
            ("artifact", "size"): [
                (archive, "1", "CUR-4106", "size", "expected 1"),
                (file, "1", "CUR-4106", "size", "expected 1"),
            ],
            ("artifact", "digest"): [
                (archive, OTHER_DIGEST, "CUR-4106", "digest", "expected " + OTHER_DIGEST.strip('"')),
                (file, OTHER_DIGEST, "CUR-4106", "digest"),
            ],
            ("artifact", "tree"): [
                (archive, OTHER_TREE, "CUR-4106", "tree", "0" * 64),
                (file, OTHER_TREE, "CUR-4106", "tree", "0" * 64),
            ],
            ("artifact", "level"): [(file, '"digest"', "CUR-4105", "level")],
            ("artifact", "platforms"): [(file, '["linux-aarch64"]', "CUR-4106", "tool")],
        }


if __name__ == "__main__":
    main()
