"""docs/keep-registry.md, run as it is written."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.packages import extension_folder


class KeepRegistryPage(unittest.TestCase):
    def test_runs_as_written(self):
        home = TempHome.of(self)
        for name, version in (("tickets", "1.0.0"), ("mails", "1.0.0"), ("mails", "1.1.0")):
            extension_folder(home.path, name, version)
        page = DocsPage("keep-registry.md")
        self.assertGreaterEqual(len(page.steps), 15)
        page.run(self, Program(home))


if __name__ == "__main__":
    main()
