"""docs/lock.md, run as it is written, with a registry at the address that it shows."""

import json
import shutil
import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.docs_page import DocsPage
from curupira_testing.example_org import ExampleOrg
from curupira_testing.packages import publish_npm
from curupira_testing.paths import EXTENSIONS
from curupira_testing.services import Verdaccio


class LockPage(unittest.TestCase):
    def test_runs_as_written(self):
        skip.need_program("npm")
        home, page, npm = TempHome.of(self), DocsPage("lock.md"), Verdaccio.of(self)
        home.environment.update(ExampleOrg.of(self, npm=npm.url).environment)
        address = "https://npm.example.org/"
        login = f"{address.removeprefix('https:')}:_authToken={npm.token}"
        (home.path / ".npmrc").write_text(f"registry={address}\n@acme:registry={address}\n{login}\n")
        publish_npm(npm, "node-hello")
        publish_npm(npm, "acme-curupira-ext", version="1.2.7")
        newer = home.path / "curupira-ext-1.3.0"
        shutil.copytree(EXTENSIONS / "acme-curupira-ext", newer)
        package = json.loads((newer / "package.json").read_text())
        (newer / "package.json").write_text(json.dumps({**package, "version": "1.3.0"}))
        folder = home.path / "agents"
        folder.mkdir()
        (settings,) = page.blocks("toml")
        (folder / "settings.toml").write_text(settings)
        self.assertGreaterEqual(len(page.steps), 15)
        page.run(self, Program(home), folder=folder)


if __name__ == "__main__":
    main()
