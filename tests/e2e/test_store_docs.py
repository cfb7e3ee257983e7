"""docs/store.md, run as it is written."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.packages import extension_folder


class StorePage(unittest.TestCase):
    def test_runs_as_written(self):
        home = TempHome.of(self)
        page = DocsPage("store.md")
        for version in ("1.0.0", "2.0.0"):
            extension_folder(home.work, "acme", version)
        self.assertGreaterEqual(len(page.steps), 10)
        page.run(self, Program(home))


if __name__ == "__main__":
    main()
