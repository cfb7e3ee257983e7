"""The existing host (PyPI wheel `curupira` 0.4.0) and this program, each on what the other installed.

What is known to differ is left out here and stands, with its reason, in docs/compatibility.md.
"""

import shutil
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.packages import build_wheel, extension_folder, publish_npm, sdk_wheels
from curupira_testing.paths import EXTENSIONS, python_tool
from curupira_testing.repo import bare_repository
from curupira_testing.services import Pypiserver, Verdaccio
from curupira_testing.settings import npx, settings_text

#: The existing host always lists this one, ours only when it is installed.
BUNDLED = "curupira-plugins"


def rows(text: str) -> list[str]:
    """Rows of `plugins list`, without the bundled extension; built-in origins without the version."""
    result = []
    for line in text.splitlines():
        name, origin, note = line.split("\t")
        if origin.split()[0] == BUNDLED:
            continue
        if origin.endswith("(built-in)"):
            origin = "built-in"
        result.append("\t".join((name, origin, note)))
    return result


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.peer_path = skip.need_python_tool("curupira")

    def setUp(self):
        self.home = TempHome.of(self)
        self.ours = Program(self.home)
        self.peer = Program(self.home, self.peer_path)

    def assert_same_list(self, *triggers: str):
        ours = rows(self.ours("plugins", "list").expect(0).stdout)
        peer = rows(self.peer("plugins", "list").expect(0).stdout)
        self.assertEqual(ours, peer)
        names = [row.split("\t")[0] for row in ours]
        for trigger in triggers:
            self.assertIn(trigger, names)


class Lists(Case):
    def test_an_empty_home(self):
        self.assert_same_list("cron")

    def test_what_we_installed_from_folders(self):
        references = [f"path:{EXTENSIONS / name}" for name in ("node-hello", "binary-hello", "archive-launch-hello")]
        references.append(f"path:{extension_folder(self.home.work, 'acme', triggers=('Cap', 'a-b', 'a_b', 'zebra'))}")
        self.ours("plugins", "install", *references, "--yes").expect(0)
        self.assert_same_list("greetings", "silence", "Cap", "zebra")

    def test_what_the_peer_installed_from_folders(self):
        for name in ("one", "two"):
            folder = extension_folder(self.home.work, name, triggers=(f"{name}-items", "shared"))
            self.peer("plugins", "install", f"path:{folder}", "--yes").expect(0)
        self.assert_same_list("one-items", "two-items", "shared")

    def test_both_in_one_home(self):
        mine = extension_folder(self.home.work, "mine", triggers=("m",))
        theirs = extension_folder(self.home.work, "theirs", triggers=("t",))
        self.ours("plugins", "install", f"path:{mine}", "--yes").expect(0)
        self.peer("plugins", "install", f"path:{theirs}", "--yes").expect(0)
        self.assert_same_list("m", "t")

    def test_after_a_removal(self):
        mine = extension_folder(self.home.work, "mine", triggers=("m",))
        self.ours("plugins", "install", f"path:{mine}", "--yes").expect(0)
        self.ours("plugins", "remove", "mine").expect(0)
        self.assert_same_list("cron")

    def test_after_the_peer_removed_ours(self):
        mine = extension_folder(self.home.work, "mine", triggers=("m",))
        self.ours("plugins", "install", f"path:{mine}", "--yes").expect(0)
        self.peer("plugins", "uninstall", "mine").expect(0)
        self.assert_same_list("cron")
        # What it left in our store is tidied up, and the name is free again.
        self.ours("plugins", "install", f"path:{mine}", "--yes").expect(0)
        self.assert_same_list("m")

    def test_the_search_path(self):
        elsewhere = self.home.folder / "elsewhere"
        extension_folder(elsewhere, "there", triggers=("t",))
        self.home.environment["CURUPIRA_EXTENSIONS_PATH"] = str(elsewhere)
        self.assert_same_list("t")

    def test_a_manifest_in_the_current_folder_is_theirs_only(self):
        extension_folder(self.home.work / "packages", "planted", triggers=("planted",))
        self.assertNotIn("planted", self.ours("plugins", "list").expect(0).stdout)

    def test_the_peer_describes_what_we_installed(self):
        self.ours("plugins", "install", f"path:{EXTENSIONS / 'binary-hello'}", "--yes").expect(0)
        text = self.peer("plugins", "info", "curupira-binary-hello").expect(0).stdout
        self.assertIn('type = "executable"', text)


class FromRegistries(Case):
    def test_npm(self):
        registry = Verdaccio.of(self)
        publish_npm(registry, "node-hello")
        publish_npm(registry, "acme-curupira-ext", version="1.2.0")
        (self.home.path / ".npmrc").write_text(registry.npmrc())
        self.ours("plugins", "install", "npm:@acme/curupira-ext@^1.2", "--yes").expect(0)
        self.assert_same_list("greetings")
        manifest = self.home.extensions / "acme-curupira-ext" / "curupira-extension.toml"
        ours = manifest.read_text()
        self.ours("plugins", "remove", "acme-curupira-ext").expect(0)
        self.peer("plugins", "install", "npm:@acme/curupira-ext@^1.2", "--yes").expect(0)
        self.assert_same_list("greetings")
        self.assertIn('package = "@acme/curupira-ext"', ours)
        self.assertIn('package = "@acme/curupira-ext"', manifest.read_text())

    def test_pip(self):
        skip.need_uv()
        index = Pypiserver.of(self)
        for wheel in sdk_wheels():
            shutil.copy(wheel, index.packages)
        build_wheel(index.packages)
        self.home.environment["UV_DEFAULT_INDEX"] = index.index
        self.ours("plugins", "install", "pip:curupira-python-hello", "--yes").expect(0)
        self.assert_same_list("greetings")


class Runs(Case):
    """Both on one settings file: `npx` for the peer is the installed copy for us."""

    def setUp(self):
        super().setUp()
        registry = Verdaccio.of(self)
        publish_npm(registry, "node-hello")
        (self.home.path / ".npmrc").write_text(registry.npmrc())
        self.ours("plugins", "install", "npm:curupira-node-hello", "--yes").expect(0)
        remote = bare_repository(self.home.folder / "git")
        plugins = {"hello": npx("-y", "curupira-node-hello@1.0.0")}
        automation = {"trigger_type": "hello/greetings", "language": "pt", "prompt": "Do {{ title|upper }} ${number} ${nope}"}
        self.home.write_settings(settings_text(remote, plugins, {"one": automation}))

    def test_validate(self):
        ours, peer = self.ours("validate").expect(0), self.peer("validate").expect(0)
        self.assertEqual(ours.stdout, peer.stdout)

    def test_dry_run(self):
        ours, peer = self.ours("run", "--dry-run").expect(0), self.peer("run", "--dry-run").expect(0)
        self.assertEqual(ours.stdout, peer.stdout)


class ThePeerItself(unittest.TestCase):
    def test_its_version(self):
        skip.need_python_tool("curupira")
        with TempHome() as home:
            text = Program(home, Path(python_tool("curupira")))("--version").expect(0).stdout
            self.assertEqual(text, "curupira 0.4.0\n")


if __name__ == "__main__":
    main()
