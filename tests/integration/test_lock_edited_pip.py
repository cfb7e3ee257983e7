"""A lock file that was edited by hand, in each of its fields: a Python closure."""

import base64
import hashlib
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.edited_lock import EditedClosure, LockText
from curupira_testing.network import WebServer
from curupira_testing.packages import manifest_text, write_wheel
from curupira_testing.static_registry import serve_python

OTHER_DIGEST = "sha256-" + "A" * 43 + "="
MANIFEST = manifest_text("acme-py", launch='type = "uvx"\npackage = "acme-py"\nexecutable = "acme-py"', runtime='"python"')


class Edited(EditedClosure, unittest.TestCase):
    """`acme-py` needs `acme-dep`, and `acme-linux` on Linux."""

    extension = "acme-py"

    @classmethod
    def setUpClass(cls):
        skip.need_uv()
        cls.server = WebServer.of(cls)
        place = TempHome()
        cls.addClassCleanup(place.remove)
        needs = ("acme-dep>=1,<2", "acme-linux ; sys_platform == 'linux'")
        wheels = [
            write_wheel(
                place.work,
                "acme-py",
                "1.0.0",
                {"acme_py/__init__.py": "def main(): pass\n", "acme_py/curupira-extension.toml": MANIFEST},
                scripts={"acme-py": "acme_py:main"},
                requires=needs,
                python=">=3.9",
            ),
            write_wheel(place.work, "acme-dep", "1.0.0", {"acme_dep.py": ""}, requires=("acme-py",)),  # a cycle
            write_wheel(place.work, "acme-linux", "1.0.0", {"acme_linux.py": ""}),
        ]
        serve_python(cls.server.files, wheels)
        home = TempHome()
        cls.addClassCleanup(home.remove)
        cls.configure(home)
        Program(home)("plugins", "install", "pip:acme-py>=1", "--yes").expect(0)
        cls.text = (home.curupira / "curupira.lock").read_text()

    @classmethod
    def configure(cls, home: TempHome) -> None:
        home.environment["UV_DEFAULT_INDEX"] = f"{cls.server.url}simple/"

    def edits(self) -> dict:
        dep, linux = self.artifact("acme-dep"), self.artifact("acme-linux")
        return {
            ("file", "lock_version"): [(0, "2", "CUR-4104", "lock_version")],
            ("file", "platforms"): [
                (0, '["darwin-arm64"]', "CUR-4108", "darwin-arm64"),
                (0, '["amiga-68000"]', "CUR-4105", "amiga-68000"),
            ],
            ("extension", "name"): [(0, '"another"', "CUR-4106", "name", "expected another  found acme-py")],
            ("extension", "version"): [
                (0, '"1.0.1"', "CUR-4106", "version", "expected 1.0.1  found 1.0.0"),
                (0, '"0.9"', "CUR-4106", "0.9 is not within pip:acme-py>=1"),
            ],
            ("extension", "reference"): [
                (0, '"pip:acme-py>=2"', "CUR-4106", "1.0.0 is not within pip:acme-py>=2"),
                (0, '"pip:acme-other>=1"', "CUR-4105", "package"),
                (0, '"npm:acme-py@^1"', "CUR-4105", "source"),
            ],
            ("extension", "source"): [(0, '"npm"', "CUR-4105", "source")],
            ("extension", "package"): [(0, '"acme-dep"', "CUR-4105", "package")],
            ("extension", "launch"): [(0, '"npx"', "CUR-4105", "launch"), (0, '"executable"', "CUR-4105", "launch")],
            ("extension", "level"): [(0, '"registry-signed"', "CUR-4105", "level")],
            ("extension", "manifest"): [(0, f'"{OTHER_DIGEST}"', "CUR-4106", "manifest", OTHER_DIGEST)],
            ("extension", "permissions"): [(0, '["everything"]', "CUR-4106", "permissions", "expected everything")],
            ("extension", "python"): [
                (0, '"3.8"', "CUR-4106", "python", "expected 3.8  found >=3.9, which acme-py 1.0.0 needs"),
                (0, '"3.99"', "CUR-1304", "3.99"),
                (0, '"three"', "CUR-4105", "python"),
            ],
            ("artifact", "package"): [(dep, '"acme-other"', "CUR-4105", "file")],
            ("artifact", "version"): [(dep, '"1.0.1"', "CUR-4105", "file")],
            ("artifact", "file"): [
                (dep, '"acme_dep-1.0.1-py3-none-any.whl"', "CUR-4105", "file"),
                (dep, '"acme_other-1.0.0-py3-none-any.whl"', "CUR-4105", "file"),
                (dep, '"acme_dep-1.0.0-py2.py3-none-any.whl"', "CUR-1304", "acme_dep-1.0.0-py2.py3-none-any.whl"),
                (dep, '"acme_dep-1.0.0-cp27-cp27m-win32.whl"', "CUR-1308", "acme-dep 1.0.0 has no wheel"),
            ],
            ("artifact", "digest"): [
                (dep, f'"{OTHER_DIGEST}"', "CUR-2104", "the lock says sha256 0000", "the index says"),
                (dep, f'"sha512-{"A" * 43}="', "CUR-4105", "digest"),  # the length of another algorithm
                (dep, f'"sha512-{"A" * 86}=="', "CUR-4105", "digest"),
            ],
            ("artifact", "level"): [
                (dep, '"registry-signed"', "CUR-4106", "acme-dep 1.0.0, level", "expected registry-signed"),
            ],
            ("artifact", "marker"): [
                (linux, "\"sys_platform == 'win32'\"", "CUR-4109", "acme-py 1.0.0 needs acme-linux: it is not in the closure"),
                (linux, '"sys platform"', "CUR-4105", "marker"),
            ],
        }

    def test_a_size(self):
        """This index says none."""
        text = self.locked.edited("artifact", "size", "7", self.artifact("acme-dep"))
        self.refused(text, "CUR-2103", "acme_dep-1.0.0-py3-none-any.whl", "expected 7 bytes")

    def test_fields_of_other_kinds(self):
        for field, value in (("locations", '["node_modules/x"]'), ("platforms", '["linux-x86_64"]'), ("mirror", '"x"')):
            with self.subTest(field):
                self.refused(self.locked.edited("artifact", field, value), "CUR-4105", field)

    def test_a_member_that_is_gone(self):
        text = self.locked.without("artifact", self.artifact("acme-dep"))
        self.refused(text, "CUR-4109", "acme-py 1.0.0 needs acme-dep>=1,<2: it is not in the closure")

    def test_a_member_of_a_version_that_does_not_fit(self):
        wheel = write_wheel(self.home.work, "acme-dep", "2.0.0", {"acme_dep.py": ""})
        (self.server.files / "wheels" / wheel.name).write_bytes(wheel.read_bytes())
        page = self.server.files / "simple" / "acme-dep" / "index.html"
        before = page.read_text()
        page.write_text(before.replace("</body>", f'<a href="../../wheels/{wheel.name}">{wheel.name}</a></body>'))
        self.addCleanup(page.write_text, before)
        digest = base64.b64encode(hashlib.sha256(wheel.read_bytes()).digest()).decode()
        text, dep = self.text, self.artifact("acme-dep")
        values = {"version": "2.0.0", "file": wheel.name, "digest": f"sha256-{digest}"}
        for field, value in values.items():
            text = LockText(text).edited("artifact", field, f'"{value}"', dep)
        text = LockText(text).edited("artifact", "size", None, dep)
        self.refused(text, "CUR-4109", "acme-py 1.0.0 needs acme-dep>=1,<2: the closure has 2.0.0")

    def test_a_member_in_two_versions(self):
        text = self.text + "\n" + self.locked_member("acme-dep").replace("1.0.0", "1.0.1")
        self.refused(text, "CUR-1307", "two versions of acme-dep")

    def locked_member(self, package: str) -> str:
        return next(block for block in self.text.split("\n\n") if f'package = "{package}"' in block and "artifact" in block)


if __name__ == "__main__":
    main()
