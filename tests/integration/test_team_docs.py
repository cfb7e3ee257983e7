"""docs/team.md, run as it is written: three machines, a registry of each kind, and git."""

import json
import shutil
import subprocess
import unittest
from pathlib import Path

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.docs_page import DocsPage, Machines
from curupira_testing.example_org import ExampleOrg
from curupira_testing.packages import acme_archive, hello_wheel, publish_npm, sha256
from curupira_testing.paths import EXTENSIONS
from curupira_testing.repo import bare_repository, serve_by_ssh
from curupira_testing.services import Pypiserver, Verdaccio


def ask_for_network(package: Path) -> None:
    """The manifest that the fixture prints gets a permission."""
    server = package / "bin" / "server.js"
    text = server.read_text()
    end = 'version = "${version}"\n`'
    assert text.count(end) == 1
    server.write_text(text.replace(end, end[:-1] + '\n[capabilities]\npermissions = ["network"]\n`'))


class TeamPage(unittest.TestCase):
    def setUp(self):
        skip.need_program("npm")
        skip.need_program("git")
        skip.need_uv()
        self.home = TempHome.of(self)
        self.npm, self.python = Verdaccio.of(self), Pypiserver.of(self)
        self.downloads = self.home.folder / "downloads"
        self.downloads.mkdir()
        names = {"npm": self.npm.url, "python": self.python.url, "downloads": self.downloads}
        self.names = ExampleOrg.of(self, **names)
        self.home.environment.update(self.names.environment)
        self.home.environment["PIP_CONFIG_FILE"] = str(self.home.path / ".config" / "pip" / "pip.conf")
        self.page = DocsPage("team.md")

    def furnish(self, name: str) -> None:
        """What the page says that each machine has before it begins; the author has her packages as well."""
        npmrc, pip_conf = self.page.blocks("ini")
        (self.home.path / ".npmrc").write_text(npmrc.replace("…", self.npm.token))
        (self.home.path / ".config" / "pip").mkdir(parents=True)
        (self.home.path / ".config" / "pip" / "pip.conf").write_text(pip_conf)
        if name != "ana":
            return
        for version in ("1.3.0", "1.3.1"):
            folder = self.home.path / f"curupira-ext-{version}"
            shutil.copytree(EXTENSIONS / "acme-curupira-ext", folder)
            package = json.loads((folder / "package.json").read_text())
            (folder / "package.json").write_text(json.dumps({**package, "version": version}))
            ask_for_network(folder)

    def test_runs_as_written(self):
        publish_npm(self.npm, "node-hello")
        publish_npm(self.npm, "acme-curupira-ext", version="1.2.7")
        hello_wheel(self.python.packages, "acme-reviews", "2.0.0")
        archive = acme_archive(self.downloads, "tar.bz2")
        self.assertIn(f"#sha256={sha256(archive.read_bytes())}'", self.page.text, "the archive's digest is now this one")
        (settings,) = self.page.blocks("toml")
        bare_repository(self.home.folder / "git", "acme/agents", {"settings.toml": settings})
        serve_by_ssh(self.home, self.home.folder / "git")
        machines, curupira = Machines(self.home), Program(self.home)
        for name in ("ana", "ben", "ci"):
            machines.sit_at(name)
            self.furnish(name)
        self.assertGreaterEqual(len(self.page.steps), 40)
        self.page.run(self, curupira, machines, self.home.path)
        self.assertEqual(self.names.elsewhere, [], "nothing else was asked")
        for name in ("ana", "ben", "ci"):
            machines.sit_at(name)
            curupira("cache", "prune", "--keep-generations", "1").expect(0)
        for part in ("store/v1/trees", "extensions"):
            first, *others = (machines.curupira(name) / part for name in ("ana", "ben", "ci"))
            for other in others:
                subprocess.run(["diff", "-r", "--no-dereference", first, other], check=True)


if __name__ == "__main__":
    main()
