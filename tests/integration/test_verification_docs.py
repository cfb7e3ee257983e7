"""docs/verification.md, run as it is written, with a registry that signs at the address that it shows."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.docs_page import DocsPage
from curupira_testing.example_org import ExampleOrg
from curupira_testing.signing_registry import SigningRegistry


class VerificationPage(unittest.TestCase):
    def test_runs_as_written(self):
        home, page, npm = TempHome.of(self), DocsPage("verification.md"), SigningRegistry.of(self)
        home.environment.update(ExampleOrg.of(self, npm=npm.url).environment)
        npm.tarballs_at = "https://npm.example.org/"
        npm.publish("@acme/hello")
        (home.path / ".npmrc").write_text("registry=https://npm.example.org/\n")
        self.assertGreaterEqual(len(page.steps), 5)
        page.run(self, Program(home))


if __name__ == "__main__":
    main()
