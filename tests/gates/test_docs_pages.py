"""docs/: what a page shows on a console is run by a test, and what it links to is there."""

import re
import unittest

from curupira_testing import REPOSITORY, Program, TempHome, main
from curupira_testing.docs_page import DocsPage

PAGES = sorted((REPOSITORY / "docs").glob("*.md"))


class Pages(unittest.TestCase):
    def test_every_page_with_a_console_is_run(self):
        tests = "".join(file.read_text(encoding="utf-8") for file in (REPOSITORY / "tests").glob("*/test_*.py"))
        run = set(re.findall(r'DocsPage\("([^"]+)"\)', tests))
        shown = {page.name for page in PAGES if "```console\n" in page.read_text(encoding="utf-8")}
        self.assertEqual(shown - run, set(), "pages that no test runs")
        self.assertGreaterEqual(len(shown), 7)

    def test_every_command_is_shown_and_run(self):
        curupira = Program(TempHome.of(self))
        shown = [step.command for page in PAGES for step in DocsPage(page.name).steps]

        def commands(*group: str) -> list[str]:
            text = curupira(*group, "--help").expect(0).stdout
            _, _, listed = text.partition("Subcommands:\n")
            names = re.findall(r"^  ([a-z]+)", listed, re.MULTILINE)
            return [leaf for name in names for leaf in commands(*group, name)] or [" ".join(group)]

        leaves = set(commands()) - {"tui"}  # it only says that it is not there
        self.assertGreaterEqual(len(leaves), 20)
        for leaf in sorted(leaves):
            pattern = re.compile(rf"\bcurupira( --config \S+)? {leaf}\b")
            with self.subTest(leaf):
                self.assertTrue(any(pattern.search(command) for command in shown), "no page shows it")

    def test_links_between_pages_lead_somewhere(self):
        broken = []
        for page in [*PAGES, REPOSITORY / "README.md", REPOSITORY / "ARCHITECTURE.md", REPOSITORY / "CONTRIBUTING.md"]:
            text = page.read_text(encoding="utf-8")
            linked = re.findall(r"\]\(([^):#]+\.md)[#)]", text)
            broken += [f"{page.name}: {link}" for link in linked if not (page.parent / link).exists()]
            named = re.findall(r"`(docs/[a-z-]+\.md)`", text)
            broken += [f"{page.name}: {name}" for name in named if not (REPOSITORY / name).exists()]
        self.assertEqual(broken, [])


if __name__ == "__main__":
    main()
