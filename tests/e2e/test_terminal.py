"""On a terminal: consent is asked for, colour and progress are shown, control characters are not."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.paths import EXTENSIONS

INSTALL = ("plugins", "install", f"path:{EXTENSIONS / 'node-hello'}")


class Terminal(unittest.TestCase):
    def setUp(self):
        self.home = TempHome.of(self)
        self.curupira = Program(self.home)

    def test_yes_installs(self):
        for answer in ("y", "yes", "Y"):
            with self.subTest(answer), TempHome() as home:
                result = Program(home).on_terminal(*INSTALL, answers=[("Install?", f"{answer}\n")]).expect(0)
                self.assertIn("Installed extension curupira-node-hello 1.0.0", result.stdout)
                self.assertEqual(home.installed(), ["curupira-node-hello"])

    def test_the_plan_comes_before_the_question(self):
        result = self.curupira.on_terminal(*INSTALL, answers=[("Install?", "n\n")])
        self.assertLess(result.stdout.index("curupira-node-hello 1.0.0"), result.stdout.index("Install?"))
        self.assertLess(result.stdout.index("network"), result.stdout.index("Install?"))

    def test_no_changes_nothing(self):
        for answer in ("n\n", "\n", "what?\n", "\x04"):
            with self.subTest(answer):
                result = self.curupira.on_terminal(*INSTALL, answers=[("Install?", answer)]).expect(1)
                self.assertIn("CUR-1004", result.stdout)
                self.assertEqual(self.home.state(), {})

    def test_what_changes_nothing_is_not_asked(self):
        self.curupira(*INSTALL, "--yes").expect(0)
        result = self.curupira.on_terminal(*INSTALL).expect(0)
        self.assertNotIn("Install?", result.stdout)

    def test_colour_only_on_a_terminal(self):
        coloured = self.curupira.on_terminal(*INSTALL, "--dry-run").expect(0)
        self.assertIn("\x1b[", coloured.stdout)
        plain = self.curupira.on_terminal(*INSTALL, "--dry-run", env={"NO_COLOR": "1"}).expect(0)
        self.assertNotIn("\x1b[3", plain.stdout)
        self.assertNotIn("\x1b", self.curupira(*INSTALL, "--dry-run").expect(0).stdout)


if __name__ == "__main__":
    main()
