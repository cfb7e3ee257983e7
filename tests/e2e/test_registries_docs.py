"""docs/registries.md, run as it is written."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.own_registry import OwnRegistry


class RegistriesPage(unittest.TestCase):
    def test_runs_as_written(self):
        home = TempHome.of(self)
        registry = OwnRegistry(home)
        registry.publish("tickets", "1.0.0", "--summary", "Tickets of a tracker")
        registry("refresh").expect(0)
        registry.folder.rename(home.path / "registry")
        (home.path / "fingerprint.txt").write_text(registry.made.stdout.split()[-1] + "\n")
        page = DocsPage("registries.md")
        self.assertGreaterEqual(len(page.steps), 8)
        page.run(self, Program(home), folder=home.path)


if __name__ == "__main__":
    main()
