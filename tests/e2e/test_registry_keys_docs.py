"""docs/registry-keys.md, run as it is written: a keeper, three holders of root keys, and time that passes."""

import unittest

from curupira_testing import Program, TempHome, main, skip
from curupira_testing.docs_page import DocsPage, Machines
from curupira_testing.packages import extension_folder


class AlsoLater(Machines):
    """The keeper's machine at another time is the keeper's machine."""

    def sit_at(self, name: str) -> None:
        super().sit_at("keeper" if name in ("later", "muchlater") else name)


class RegistryKeysPage(unittest.TestCase):
    def test_runs_as_written(self):
        faketime = str(skip.need_program("faketime"))
        home = TempHome.of(self)
        stick = home.folder / "stick"
        stick.mkdir()
        home.environment["STICK"] = str(stick)
        machines = AlsoLater(home)
        machines.sit_at("keeper")
        extension_folder(home.path, "tickets", "1.0.0")
        page = DocsPage("registry-keys.md")
        self.assertGreaterEqual(len(page.steps), 50)
        prefixes = {"later": (faketime, "-f", "+20d"), "muchlater": (faketime, "-f", "+300d")}
        page.run(self, Program(home), machines=machines, prefixes=prefixes)


if __name__ == "__main__":
    main()
