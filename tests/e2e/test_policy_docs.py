"""docs/policy.md, run as it is written: its settings file, its commands and what they print."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.packages import acme_archive


class PolicyPage(unittest.TestCase):
    def test_runs_as_written(self):
        home = TempHome.of(self)
        page = DocsPage("policy.md")
        (settings,) = page.blocks("toml")
        home.write_settings(settings)
        (home.path / "releases").mkdir()
        acme_archive(home.path / "releases")
        self.assertGreaterEqual(len(page.steps), 6)
        page.run(self, Program(home))


if __name__ == "__main__":
    main()
